/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells the boot stage in flash that this firmware has booted, so that its slot is no longer on
 * trial.
 */
#include <string.h>

#include "board.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/drivers/cfi_flash.h"
#include "device-firmware/drivers/platform.h"
#include "hal/protocol/boot_slot.h"

#ifdef BOARD_FLASH_BASE
static bool lies_in_flash(uint64_t slot) {
    return slot >= BOARD_FLASH_BASE && slot % 4 == 0 &&
           slot - BOARD_FLASH_BASE <= BOARD_FLASH_BYTES - sizeof(rvl_boot_slot);
}

void riscv_report_health(firmware *f) {
    rvl_boot_report *report =
        (rvl_boot_report *)(BOARD_MAILBOX_BASE + BOARD_MAILBOX_BYTES - sizeof *report);
    const rvl_boot_report told = *report;
    memset(report, 0, sizeof *report); /* must not be seen by firmware that is loaded later */
    const uint32_t state = f->shared->mailbox.hello.state;
    if (told.magic != RVL_BOOT_SLOT_MAGIC || told.check != ~told.slot ||
        !lies_in_flash(told.slot) || state == RVL_STATE_CRASHED || state == RVL_STATE_REFUSED)
        return;
    const volatile rvl_boot_slot *slot = (const rvl_boot_slot *)(uintptr_t)told.slot;
    const uint32_t mark = 0;
    if (slot->magic != RVL_BOOT_SLOT_MAGIC || slot->healthy != RVL_UNMARKED)
        return;
    if (cfi_flash_program((uintptr_t)&slot->healthy, &mark, 1))
        console_print(CONSOLE_INFO, "firmware in flash at 0x%lx has come up",
                      (unsigned long)told.slot);
    else
        console_print(CONSOLE_ERROR,
                      "the flash can't be written to: this start counts as a failure");
}
#else
void riscv_report_health(firmware *f) { (void)f; }
#endif
