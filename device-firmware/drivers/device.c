/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/drivers/device.h"

#include <string.h>

bool strings_hold(const char *list, const char *name) {
    for (; *list; list += strlen(list) + 1)
        if (strcmp(list, name) == 0)
            return true;
    return false;
}

bool device_is(const device *device, const char *name) {
    return strings_hold(device->compatible, name);
}

bool device_is_any(const device *device, const char *const *names) {
    for (; *names; ++names)
        if (device_is(device, *names))
            return true;
    return false;
}

uint32_t device_line_index(const device *device, uint32_t hart_id, uint32_t cause) {
    for (uint32_t i = 0; i < device->lines; ++i) {
        const device_line *line = &board_lines[device->first_line + i];
        if (line->hart_id == hart_id && line->cause == cause)
            return line->index;
    }
    return hart_id;
}
