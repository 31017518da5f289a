/* SPDX-License-Identifier: Apache-2.0
 *
 * Installs an update left in memory by a debugger or by earlier firmware, in the more expendable
 * slot: never in the one that is known to boot. */
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "device-firmware/boot/memory.h"
#include "device-firmware/boot/print.h"
#include "device-firmware/boot/slot.h"
#include "device-firmware/drivers/cfi_flash.h"
#include "device-firmware/signature/sha512.h"

enum { PIECE = 1024 };

static bool is_better(const rvl_boot_slot *a, const rvl_boot_slot *b) {
    const bool a_came_up = a->healthy != RVL_UNMARKED, b_came_up = b->healthy != RVL_UNMARKED;
    if (a_came_up != b_came_up)
        return a_came_up;
    return slot_may_be_tried(a) != slot_may_be_tried(b)
               ? slot_may_be_tried(a)
               : rvl_is_newer(a->firmware.sequence, b->firmware.sequence);
}

/* Returns the slot to keep, or -1 if neither is valid. */
static int slot_to_keep(const boot_flash *flash) {
    int best = -1;
    for (int i = 0; i < SLOTS; ++i)
        if (!slot_flaw(flash, slot_at(flash, i)) &&
            (best < 0 || is_better(slot_at(flash, i), slot_at(flash, best))))
            best = i;
    return best;
}

static bool write(uintptr_t at, const void *bytes, size_t count) {
    return cfi_flash_program(at, bytes, count / 4) && memcmp((const void *)at, bytes, count) == 0;
}

static bool write_contents(const boot_flash *flash, uintptr_t at, rvl_update *update) {
    const uint8_t *bytes = (const uint8_t *)update + RVL_PAGE_BYTES;
    const size_t count = (size_t)update->firmware.bytes;
    for (size_t done = 0; done < count; done += PIECE) {
        if (done % flash->layout.block_bytes == 0 && !cfi_flash_erase(at + done))
            return false;
        uint8_t piece[PIECE];
        const size_t left = count - done < PIECE ? count - done : PIECE;
        memset(piece, 0xff, sizeof piece);
        memcpy(piece, bytes + done, left);
        if (!write(at + done, piece, sizeof piece))
            return false;
        update->written = (uint32_t)(done + left);
    }
    return true;
}

static bool write_slot(const boot_flash *flash, int index, uint64_t sequence, rvl_update *update) {
    static rvl_boot_slot slot;
    const uintptr_t at = (uintptr_t)slot_at(flash, index);
    memset(&slot, 0xff, sizeof slot);
    slot.magic = RVL_BOOT_SLOT_MAGIC;
    slot.version = RVL_BOOT_SLOT_VERSION;
    slot.firmware = update->firmware;
    slot.firmware.sequence = sequence;
    memcpy(slot.signature, update->signature, sizeof slot.signature);
    sha512 hash;
    sha512_begin(&hash);
    sha512_add(&hash, &slot.version, offsetof(rvl_boot_slot, digest) - sizeof slot.magic);
    sha512_add(&hash, (const uint8_t *)update + RVL_PAGE_BYTES, (size_t)slot.firmware.bytes);
    sha512_end(&hash, slot.digest);
    const size_t behind_magic = sizeof slot.magic;
    return cfi_flash_erase(at) && write_contents(flash, at + flash->layout.block_bytes, update) &&
           write(at + behind_magic, &slot.version, sizeof slot - behind_magic) &&
           write(at, &slot.magic, sizeof slot.magic);
}

static bool is_whole(const boot_flash *flash, const rvl_update *update) {
    if (update->firmware.bytes > flash->layout.slot_bytes ||
        update->firmware.bytes > BOOT_UPDATE_BYTES - RVL_PAGE_BYTES)
        return false;
    sha512 hash;
    uint8_t digest[SHA512_BYTES];
    sha512_begin(&hash);
    sha512_add(&hash, &update->firmware, sizeof update->firmware);
    sha512_add(&hash, (const uint8_t *)update + RVL_PAGE_BYTES, (size_t)update->firmware.bytes);
    sha512_end(&hash, digest);
    return memcmp(digest, update->check, sizeof digest) == 0;
}

static const char *update_flaw(const boot_flash *flash, const rvl_update *update) {
    if (RVL_VERSION_MAJOR(update->version) != RVL_VERSION_MAJOR(RVL_BOOT_SLOT_VERSION))
        return "has another format: create it with the same release as the boot stage";
    const char *flaw = is_whole(flash, update) ? NULL : "is damaged";
    if (!flaw)
        flaw = statement_flaw(flash, &update->firmware);
    if (!flaw && !statement_is_signed(&update->firmware, update->signature,
                                      (const uint8_t *)update + RVL_PAGE_BYTES))
        flaw = "is not signed with this board's key";
    if (!flaw && !flash->layout.slot[1])
        flaw = "needs a second slot, which this flash does not have";
    return flaw;
}

/* The number is the signer's, otherwise one more than that of the slot that is kept. */
static bool find_number(const boot_flash *flash, int kept, const rvl_update *update,
                        uint64_t *number) {
    const uint64_t newest = kept < 0 ? 0 : slot_at(flash, kept)->firmware.sequence;
#ifdef BOARD_KEY
    *number = update->firmware.sequence;
    return kept < 0 || rvl_is_newer(*number, newest);
#else
    (void)update;
    *number = newest + 1;
    return true;
#endif
}

void update_if_asked(const boot_flash *flash) {
    rvl_update *update = (rvl_update *)BOOT_UPDATE_BASE;
    if (update->magic != RVL_UPDATE_MAGIC || update->state != RVL_UPDATE_REQUESTED)
        return;
    const char *flaw = update_flaw(flash, update);
    const int kept = flaw ? -1 : slot_to_keep(flash), target = kept == 0 ? 1 : 0;
    uint64_t number = 0;
    if (!flaw && !find_number(flash, kept, update, &number))
        flaw = "is not newer than the current firmware: sign it with a higher number";
    if (!flaw) {
        update->state = RVL_UPDATE_WRITING;
        boot_print("writing an update to slot %c", slot_letter(target));
        if (!write_slot(flash, target, number, update))
            flaw = "could not be written: the flash reports a failure or holds something else";
    }
    if (flaw)
        snprintf(update->reason, sizeof update->reason, "the update %s", flaw);
    boot_print("%s", flaw ? update->reason : "the update is written");
    update->state = flaw ? RVL_UPDATE_REFUSED : RVL_UPDATE_DONE;
    update->magic = 0; /* install it only once */
}
