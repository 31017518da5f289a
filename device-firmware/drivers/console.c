/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints lines of text to the board's UART, from the first instruction that has a stack; the
 * host's log ring becomes available much later. */
#include <stdarg.h>
#include <stdio.h>

#include "board.h"
#include "device-firmware/drivers/platform.h"

#ifndef BOARD_LOG_LEVEL /* rivulet,log-level of /chosen */
#define BOARD_LOG_LEVEL CONSOLE_INFO
#endif

static const console_driver *const drivers[] = {&uart_console};

/* In .data, because .bss is cleared after the first lines. */
static struct {
    const console_driver *driver;
    const device *device;
} console __attribute__((section(".data"))) = {NULL, NULL};

static void take(const device *device) {
    const platform *platform = platform_row();
    if (platform->console && device_is_any(device, platform->console->compatible)) {
        console.driver = platform->console;
        console.device = device;
    }
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers && !console.driver; ++i)
        if (device_is_any(device, drivers[i]->compatible)) {
            console.driver = drivers[i];
            console.device = device;
        }
}

void console_start(void) {
    console.driver = NULL;
    if (board_console >= 0)
        take(&board_devices[board_console]);
    for (size_t i = 0; i < board_device_count && !console.driver; ++i)
        take(&board_devices[i]);
    if (console.driver)
        console.driver->start(console.device);
}

void console_stop(void) { console.driver = NULL; }

void console_write(int level, const char *line) {
    if (level > BOARD_LOG_LEVEL || !console.driver)
        return;
    for (; *line; ++line)
        console.driver->put(console.device, *line);
    console.driver->put(console.device, '\r');
    console.driver->put(console.device, '\n');
}

void console_print(int level, const char *format, ...) {
    char line[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    console_write(level, line);
}
