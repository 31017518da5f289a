/* SPDX-License-Identifier: Apache-2.0
 *
 * The boot stage's main program: chooses which firmware to start. */
#include "device-firmware/boot/print.h"
#include "device-firmware/boot/slot.h"

#include <string.h>

#include "board.h"
#include "device-firmware/drivers/cfi_flash.h"
#include "device-firmware/drivers/platform.h"

static void count_try(const rvl_boot_slot *slot) {
    const uint32_t tries = slot_tries(slot), mark = 0;
    if (slot->healthy != RVL_UNMARKED || tries == RVL_BOOT_TRIES)
        return;
    if (!cfi_flash_program((uintptr_t)&slot->tried[tries], &mark, 1))
        boot_print("boot attempts are not counted: the flash can't be written to");
}

static void tell_firmware(const rvl_boot_slot *slot) {
    rvl_boot_report *report =
        (rvl_boot_report *)(BOARD_MAILBOX_BASE + BOARD_MAILBOX_BYTES - sizeof *report);
    const uint64_t address = (uintptr_t)slot;
    *report = (rvl_boot_report){.magic = RVL_BOOT_SLOT_MAGIC,
                                .version = RVL_BOOT_SLOT_VERSION,
                                .slot = address,
                                .check = ~address};
}

/* The newest slot in `left`, preferring those that may still be tried. */
static int choose(const boot_flash *flash, const bool *left) {
    int best = -1;
    for (int i = 0; i < SLOTS; ++i) {
        const rvl_boot_slot *slot = slot_at(flash, i), *other = slot_at(flash, best < 0 ? i : best);
        if (left[i] &&
            (best < 0 || (slot_may_be_tried(slot) != slot_may_be_tried(other)
                              ? slot_may_be_tried(slot)
                              : rvl_is_newer(slot->firmware.sequence, other->firmware.sequence))))
            best = i;
    }
    return best;
}

static uintptr_t start(const boot_flash *flash, int index) {
    const rvl_boot_slot *slot = slot_at(flash, index);
    const char *flaw = slot_load(flash, slot);
    if (flaw) {
        if (slot->magic != RVL_UNMARKED)
            boot_print("slot %c %s", slot_letter(index), flaw);
        return 0;
    }
    count_try(slot);
    tell_firmware(slot);
    boot_print("slot %c, number %lu%s", slot_letter(index), (unsigned long)slot->firmware.sequence,
               slot->healthy != RVL_UNMARKED ? "" : ", on trial");
    return (uintptr_t)slot->firmware.entry;
}

uintptr_t stage_main(uintptr_t flash_base);
uintptr_t stage_main(uintptr_t flash_base) {
    boot_flash flash = {.base = flash_base};
    platform_hart_init();
    platform_early_init();
    console_start();
    wait_for_harts();
    memcpy(&flash.layout, (const void *)(flash_base + RVL_BOOT_LAYOUT_OFFSET), sizeof flash.layout);
    if (flash.layout.magic != RVL_BOOT_LAYOUT_MAGIC ||
        RVL_VERSION_MAJOR(flash.layout.version) != RVL_VERSION_MAJOR(RVL_BOOT_SLOT_VERSION)) {
        boot_print("the flash has no layout: create the image with rivulet flash");
        return 0;
    }
    find_floor(&flash);
    update_if_asked(&flash);
    bool left[SLOTS];
    for (int i = 0; i < SLOTS; ++i)
        left[i] = slot_at(&flash, i) != NULL;
    for (int index = choose(&flash, left); index >= 0; index = choose(&flash, left)) {
        const uintptr_t entry = start(&flash, index);
        if (entry)
            return entry;
        left[index] = false;
    }
    boot_print("no slot holds firmware that can be started: flash this board again");
    return 0;
}
