/* SPDX-License-Identifier: Apache-2.0
 *
 * An update that somebody left in memory (a debugger, or firmware that ran before) goes to the slot
 * that would be missed least: never to the one that is known to come up. */
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "device-firmware/boot/memory.h"
#include "device-firmware/boot/slot.h"
#include "device-firmware/drivers/cfi_flash.h"
#include "device-firmware/signature/sha512.h"

enum { PIECE = 1024 };

static bool is_better(const rvl_boot_slot *a, const rvl_boot_slot *b) {
    const bool a_came_up = a->healthy != RVL_UNMARKED, b_came_up = b->healthy != RVL_UNMARKED;
    return a_came_up != b_came_up ? a_came_up : a->sequence > b->sequence;
}

/* The slot to keep, or -1: neither is valid. */
static int slot_to_keep(const boot_flash *flash) {
    int best = -1;
    for (int i = 0; i < SLOTS; ++i)
        if (!slot_flaw(flash, slot_at(flash, i)) &&
            (best < 0 || is_better(slot_at(flash, i), slot_at(flash, best))))
            best = i;
    return best;
}

static uint64_t next_sequence(const boot_flash *flash) {
    uint64_t sequence = 0;
    for (int i = 0; i < SLOTS; ++i) {
        const rvl_boot_slot *slot = slot_at(flash, i);
        if (slot->magic == RVL_BOOT_SLOT_MAGIC && slot->sequence > sequence &&
            slot->sequence != UINT64_MAX)
            sequence = slot->sequence;
    }
    return sequence + 1;
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

static bool write_slot(const boot_flash *flash, int index, rvl_update *update) {
    static rvl_boot_slot slot;
    const uintptr_t at = (uintptr_t)slot_at(flash, index);
    memset(&slot, 0xff, sizeof slot);
    slot.magic = RVL_BOOT_SLOT_MAGIC;
    slot.version = RVL_BOOT_SLOT_VERSION;
    slot.sequence = next_sequence(flash);
    slot.firmware = update->firmware;
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
    if (update->firmware.bytes > flash->layout.slot_bytes)
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
    const char *flaw = is_whole(flash, update) ? NULL : "is damaged";
    if (!flaw)
        flaw = statement_flaw(flash, &update->firmware);
    if (!flaw && !statement_is_signed(&update->firmware, update->signature,
                                      (const uint8_t *)update + RVL_PAGE_BYTES))
        flaw = "is not signed with this board's key";
    if (!flaw && !flash->layout.slot[1])
        flaw = "needs a second slot, which this flash has not";
    return flaw;
}

void update_if_asked(const boot_flash *flash) {
    rvl_update *update = (rvl_update *)BOOT_UPDATE_BASE;
    if (update->magic != RVL_UPDATE_MAGIC || update->state != RVL_UPDATE_REQUESTED)
        return;
    const char *flaw = update_flaw(flash, update);
    if (!flaw) {
        const int target = slot_to_keep(flash) == 0 ? 1 : 0;
        update->state = RVL_UPDATE_WRITING;
        boot_print("writing an update to slot %c", slot_letter(target));
        if (!write_slot(flash, target, update))
            flaw = "could not be written: the flash reports a failure or holds something else";
    }
    if (flaw)
        snprintf(update->reason, sizeof update->reason, "the update %s", flaw);
    boot_print("%s", flaw ? update->reason : "the update is written");
    update->state = flaw ? RVL_UPDATE_REFUSED : RVL_UPDATE_DONE;
    update->magic = 0; /* once */
}
