/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/boot/print.h"

#include <stdarg.h>
#include <stdio.h>

#include "device-firmware/drivers/platform.h"

void boot_print(const char *format, ...) {
    char line[160];
    const int prefix = snprintf(line, sizeof line, "boot: ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + prefix, sizeof line - (size_t)prefix, format, arguments);
    va_end(arguments);
    console_write(CONSOLE_ERROR, line);
}
