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

static const device_line *find_line(const device *device, uint32_t hart_id, uint32_t cause) {
    for (uint32_t i = 0; i < device->lines; ++i) {
        const device_line *line = &board_lines[device->first_line + i];
        if (line->hart_id == hart_id && line->cause == cause)
            return line;
    }
    return NULL;
}

uint32_t device_line_index(const device *device, uint32_t hart_id, uint32_t cause) {
    const device_line *line = find_line(device, hart_id, cause);
    return line ? line->index : hart_id;
}

bool device_has_line(const device *device, uint32_t hart_id, uint32_t cause) {
    return find_line(device, hart_id, cause) != NULL;
}
