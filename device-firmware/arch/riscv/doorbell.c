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

/* Sends the doorbell's interrupt to hart 0 through this controller, if the controller can. A hart
 * whose IMSIC delivers its interrupts gets none by wire. */
static bool route_to_hart_0(const firmware *f, const interrupt_controller *controller) {
    const uint32_t hart_id = f->hart[0].id;
    if (f->hart[0].arch.route.by_message && !controller->by_message)
        return false;
    wired.bell.controller = controller;
    wired.line = controller->by_message
                     ? hart_id
                     : device_line_index(wired.bell.controller_device, hart_id, LINE_EXTERNAL);
    return controller->start(wired.bell.controller_device, wired.line,
                             wired.bell.device->interrupt);
}

static bool start_wired(firmware *f) {
    if (!platform_find_bell(&wired.bell))
        return false;
    const interrupt_controller *controller = wired.bell.controller;
    if (!route_to_hart_0(f, controller) &&
        !(controller == &aplic_msi && route_to_hart_0(f, &aplic))) {
        console_print(CONSOLE_ERROR,
                      "the doorbell's interrupt controller reaches no hart: polling");
        return false;
    }
    wired.bell.driver->start(wired.bell.device);
    return true;
}

static void start_hart(hart *hart) { (void)hart; }

static void start_wired_hart(hart *hart) {
    if (hart->index == 0 && wired.bell.controller->by_message)
        riscv_take_messages(hart);
    else if (hart->index == 0 && !hart->arch.takes_messages && imsic_is_there())
        imsic_let_wires_through();
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
