/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware in the flash's slots (hal/protocol/boot_slot.h). */
#ifndef RIVULET_BOOT_SLOT_H
#define RIVULET_BOOT_SLOT_H

#include <stdbool.h>

#include "hal/protocol/boot_slot.h"

enum { SLOTS = 2 };

typedef struct boot_flash {
    uintptr_t base;
    rvl_boot_layout layout;
    uint32_t floor; /* firmware with a lower security version is not started */
} boot_flash;

/* NULL: the layout has no such slot. */
const rvl_boot_slot *slot_at(const boot_flash *, int index);
char slot_letter(int index);
uint32_t slot_tries(const rvl_boot_slot *);
/* A slot that was tried often enough in vain is not tried while there is another. */
bool slot_may_be_tried(const rvl_boot_slot *);

/* Returns NULL if the statement is valid on this board, otherwise the end of a sentence. */
const char *statement_flaw(const boot_flash *, const rvl_firmware_statement *);
/* True if `bytes` are what the statement's signer signed, or if this board has no key. */
bool statement_is_signed(const rvl_firmware_statement *, const uint8_t *signature,
                         const void *bytes);

/* Copies the slot's firmware to its link address and verifies the copy. Returns NULL or the
 * reason for failure. */
const char *slot_load(const boot_flash *, const rvl_boot_slot *);
/* The same check in place, without copying. */
const char *slot_flaw(const boot_flash *, const rvl_boot_slot *);

/* harts.c: waits until all harts have left the flash, at most 2 s. */
void wait_for_harts(void);

/* Reads the security floor, and raises it to that of the firmware that has booted. */
void find_floor(boot_flash *);

/* update.c: writes an update requested in memory to the more expendable slot. */
void update_if_asked(const boot_flash *);

#endif
