/* SPDX-License-Identifier: Apache-2.0
 *
 * The board's platform row and its devices. Stateless, so usable before .bss is cleared. */
#include "device-firmware/drivers/platform.h"

#include "board.h"

const device board_devices[] = {BOARD_DEVICES{.compatible = ""}};
const size_t board_device_count = sizeof board_devices / sizeof *board_devices - 1;
const device_line board_lines[] = {BOARD_LINES{0, 0, 0}};
const int board_console = BOARD_CONSOLE;

extern const platform platforms_start[], platforms_end[]; /* firmware.ld */

const platform *platform_row(void) {
    static const platform none;
    static const char names[] = BOARD_COMPATIBLE;
    for (const platform *row = platforms_start; row < platforms_end; ++row)
        if (strings_hold(names, row->compatible))
            return row;
    return &none;
}

void platform_hart_init(void) {
    if (platform_row()->hart_init)
        platform_row()->hart_init();
}

void platform_early_init(void) {
    if (platform_row()->early_init)
        platform_row()->early_init();
}

uintptr_t platform_software_interrupt(uint32_t hart_id) {
    const platform *row = platform_row();
    return row->software_interrupt ? row->software_interrupt(hart_id)
                                   : clint_software_interrupt(hart_id);
}

uintptr_t platform_timer_compare(uint32_t hart_id) {
    const platform *row = platform_row();
    return row->timer_compare ? row->timer_compare(hart_id) : clint_compare(hart_id);
}

uintptr_t platform_time(void) {
    const platform *row = platform_row();
    return row->time ? row->time() : clint_time();
}

static const interrupt_controller *controller_of(const device *device) {
    static const interrupt_controller *const drivers[] = {&plic, &aplic};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; ++i)
        if (device_is_any(device, drivers[i]->compatible))
            return drivers[i] == &aplic && device->sends_messages ? &aplic_msi : drivers[i];
    return NULL;
}

static bool bind(const bell_driver *driver, const device *device, bound_bell *bell) {
    if (!device_is_any(device, driver->compatible) || !device->interrupt || device->controller < 0)
        return false;
    bell->driver = driver;
    bell->device = device;
    bell->controller_device = &board_devices[device->controller];
    bell->controller = controller_of(bell->controller_device);
    return bell->controller != NULL;
}

/* Prefers a mailbox to a UART, and among UARTs the console. */
bool platform_find_bell(bound_bell *bell) {
    for (size_t i = 0; i < board_device_count; ++i)
        if (bind(&mailbox_bell, &board_devices[i], bell))
            return true;
    if (board_console >= 0 && bind(&uart_bell, &board_devices[board_console], bell))
        return true;
    for (size_t i = 0; i < board_device_count; ++i)
        if (bind(&uart_bell, &board_devices[i], bell))
            return true;
    return false;
}

static const device *watchdog(const watchdog_driver **driver) {
    *driver = platform_row()->watchdog ? platform_row()->watchdog : &dw_watchdog;
    for (size_t i = 0; i < board_device_count; ++i)
        if (device_is_any(&board_devices[i], (*driver)->compatible))
            return &board_devices[i];
    return NULL;
}

void platform_watchdog_start(uint32_t milliseconds) {
    const watchdog_driver *driver;
    const device *device = watchdog(&driver);
    if (device)
        driver->start(device, milliseconds);
}

void platform_watchdog_kick(void) {
    const watchdog_driver *driver;
    const device *device = watchdog(&driver);
    if (device)
        driver->kick(device);
}

void platform_reset(void) {
    if (platform_row()->reset)
        platform_row()->reset();
    for (size_t i = 0; i < board_device_count; ++i)
        if (device_is_any(&board_devices[i], test_finisher.compatible))
            test_finisher.reset(&board_devices[i]);
}
