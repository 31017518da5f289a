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
    uint32_t floor; /* no firmware of a lower security version starts */
} boot_flash;

/* NULL: the layout has no such slot. */
const rvl_boot_slot *slot_at(const boot_flash *, int index);
char slot_letter(int index);
uint32_t slot_tries(const rvl_boot_slot *);

/* NULL if the statement makes sense on this board; else the end of a sentence. */
const char *statement_flaw(const boot_flash *, const rvl_firmware_statement *);
/* The bytes are what the statement's signer signed, if this board has a key. */
bool statement_is_signed(const rvl_firmware_statement *, const uint8_t *signature,
                         const void *bytes);

/* Copies the slot's firmware to where it is linked and checks the copy; NULL, or why not. */
const char *slot_load(const boot_flash *, const rvl_boot_slot *);
/* … without copying: the bytes are looked at in the flash. */
const char *slot_flaw(const boot_flash *, const rvl_boot_slot *);

/* harts.c: until all have left the flash, or 2 s have gone. */
void wait_for_harts(void);

/* Reads the floor, and raises it to what has come up. */
void find_floor(boot_flash *);

/* update.c: writes an update that memory asks for to the slot that would be missed least. */
void update_if_asked(const boot_flash *);

__attribute__((format(printf, 1, 2))) void boot_print(const char *format, ...);

#endif
