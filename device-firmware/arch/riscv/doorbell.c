/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the board's doorbell: the platform's own, ivshmem on QEMU, or one that is wired to an
 * interrupt controller (a mailbox, else a UART). Without any, hart 0 polls the mailbox
 * periodically, which supports hosts attached through the debug port. Except with ivshmem, all
 * doorbell interrupts from the host go to hart 0. */
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/drivers/platform.h"

static struct {
    bound_bell bell;
    uint32_t line; /* hart 0's line at the interrupt controller */
} wired;

static bool start_wired(firmware *f) {
    if (!platform_find_bell(&wired.bell))
        return false;
    wired.line = device_line_index(wired.bell.controller_device, f->hart[0].id, LINE_EXTERNAL);
    wired.bell.driver->start(wired.bell.device);
    wired.bell.controller->start(wired.bell.controller_device, wired.line,
                                 wired.bell.device->interrupt);
    return true;
}

static void start_hart(hart *hart) { (void)hart; }

static void start_wired_hart(hart *hart) {
    if (hart->index == 0 && wired.bell.controller->start_hart)
        wired.bell.controller->start_hart();
}

static void acknowledge_wired(void) {
    const device *controller = wired.bell.controller_device;
    const bool claimed = wired.bell.controller->claim(controller, wired.line);
    wired.bell.driver->acknowledge(wired.bell.device);
    if (claimed)
        wired.bell.controller->complete(controller, wired.line, wired.bell.device->interrupt);
    __asm__ volatile("fence io, rw" ::: "memory"); /* the ring is read after this */
}

static void ring_wired(void) { wired.bell.driver->ring(wired.bell.device); }

static const doorbell doorbell_wired = {"wired",           start_wired, start_wired_hart,
                                        acknowledge_wired, ring_wired,  false};

static bool start_polling(firmware *f) {
    (void)f;
    return true;
}
static void nothing(void) {}

static const doorbell doorbell_polling = {"polling", start_polling, start_hart,
                                          nothing,   nothing,       true};

void riscv_start_doorbell(firmware *f) {
    const doorbell *const doorbells[] = {platform_row()->doorbell, &doorbell_ivshmem,
                                         &doorbell_wired, &doorbell_polling};
    for (size_t i = 0; i < sizeof doorbells / sizeof *doorbells; ++i)
        if (doorbells[i] && doorbells[i]->start(f)) {
            f->arch.doorbell = doorbells[i];
            break;
        }
    console_print(CONSOLE_DEBUG, "doorbell: %s", f->arch.doorbell->name);
}
