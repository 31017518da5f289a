/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/boot/slot.h"
#include "device-firmware/boot/print.h"

#include <string.h>

#include "board.h"
#include "device-firmware/drivers/cfi_flash.h"
#include "device-firmware/signature/ed25519.h"
#include "device-firmware/signature/sha512.h"

const rvl_boot_slot *slot_at(const boot_flash *flash, int index) {
    const uint64_t offset = flash->layout.slot[index];
    return offset ? (const rvl_boot_slot *)(flash->base + (uintptr_t)offset) : NULL;
}

char slot_letter(int index) { return (char)('A' + index); }

uint32_t slot_tries(const rvl_boot_slot *slot) {
    uint32_t tries = 0;
    while (tries < RVL_BOOT_TRIES && slot->tried[tries] != RVL_UNMARKED)
        ++tries;
    return tries;
}

bool slot_may_be_tried(const rvl_boot_slot *slot) {
    return slot->healthy != RVL_UNMARKED || slot_tries(slot) < RVL_BOOT_TRIES;
}

static bool lies_in_firmware_region(uint64_t address, uint64_t bytes) {
    return address >= BOARD_FIRMWARE_BASE && bytes <= BOARD_FIRMWARE_BYTES &&
           address - BOARD_FIRMWARE_BASE <= BOARD_FIRMWARE_BYTES - bytes;
}

const char *statement_flaw(const boot_flash *flash, const rvl_firmware_statement *firmware) {
    if (memcmp(firmware->what, RVL_FIRMWARE_STATEMENT, sizeof firmware->what) != 0)
        return "holds no firmware";
    if (memchr(firmware->board, 0, sizeof firmware->board) == NULL ||
        strcmp(firmware->board, BOARD_NAME) != 0 || firmware->xlen != __riscv_xlen)
        return "is for another board";
    if (firmware->bytes == 0 || firmware->bytes > flash->layout.slot_bytes ||
        !lies_in_firmware_region(firmware->address, firmware->bytes) ||
        firmware->entry < firmware->address || firmware->entry % 2 ||
        firmware->entry - firmware->address >= firmware->bytes)
        return "has firmware that does not fit this board's memory";
    if (firmware->security_version > RVL_SECURITY_VERSIONS)
        return "has a security version larger than the floor can represent";
    if (firmware->security_version < flash->floor)
        return "has a security version below this board's floor";
    return NULL;
}

bool statement_is_signed(const rvl_firmware_statement *firmware, const uint8_t *signature,
                         const void *bytes) {
#ifdef BOARD_KEY
    static const uint8_t key[RVL_PUBLIC_KEY_BYTES] = {BOARD_KEY};
    const ed25519_part parts[] = {{firmware, sizeof *firmware}, {bytes, (size_t)firmware->bytes}};
    return ed25519_verify(key, signature, parts, 2);
#else
    (void)firmware, (void)signature, (void)bytes;
    return true;
#endif
}

static const char *header_flaw(const boot_flash *flash, const rvl_boot_slot *slot) {
    if (slot->magic != RVL_BOOT_SLOT_MAGIC)
        return "is empty";
    if (RVL_VERSION_MAJOR(slot->version) != RVL_VERSION_MAJOR(RVL_BOOT_SLOT_VERSION))
        return "has an older format without signed numbers: write it again";
    return statement_flaw(flash, &slot->firmware);
}

static const char *contents_flaw(const rvl_boot_slot *slot, const void *bytes) {
    sha512 hash;
    uint8_t digest[SHA512_BYTES];
    sha512_begin(&hash);
    sha512_add(&hash, &slot->version, offsetof(rvl_boot_slot, digest) - sizeof slot->magic);
    sha512_add(&hash, bytes, (size_t)slot->firmware.bytes);
    sha512_end(&hash, digest);
    if (memcmp(digest, slot->digest, sizeof digest) != 0)
        return "is damaged";
    return statement_is_signed(&slot->firmware, slot->signature, bytes)
               ? NULL
               : "is not signed with this board's key";
}

static const uint8_t *contents(const boot_flash *flash, const rvl_boot_slot *slot) {
    return (const uint8_t *)slot + flash->layout.block_bytes;
}

const char *slot_load(const boot_flash *flash, const rvl_boot_slot *slot) {
    const char *flaw = header_flaw(flash, slot);
    if (flaw)
        return flaw;
    void *to = (void *)(uintptr_t)slot->firmware.address;
    memcpy(to, contents(flash, slot), (size_t)slot->firmware.bytes);
    return contents_flaw(slot, to);
}

const char *slot_flaw(const boot_flash *flash, const rvl_boot_slot *slot) {
    const char *flaw = header_flaw(flash, slot);
    return flaw ? flaw : contents_flaw(slot, contents(flash, slot));
}

static const uint32_t *floor_marks(const boot_flash *flash) {
    return (const uint32_t *)(flash->base + flash->layout.floor);
}

static void raise_floor(boot_flash *flash, uint32_t to) {
    const uint32_t mark = 0;
    for (; flash->floor < to; ++flash->floor)
        if (!cfi_flash_program((uintptr_t)(floor_marks(flash) + flash->floor), &mark, 1)) {
            boot_print("the security floor can't be raised: the flash can't be written to");
            return;
        }
}

void find_floor(boot_flash *flash) {
    while (flash->floor < RVL_SECURITY_VERSIONS && floor_marks(flash)[flash->floor] != RVL_UNMARKED)
        ++flash->floor;
    for (int i = 0; i < SLOTS; ++i) {
        const rvl_boot_slot *slot = slot_at(flash, i);
        if (slot && slot->healthy != RVL_UNMARKED &&
            slot->firmware.security_version > flash->floor && !slot_flaw(flash, slot))
            raise_floor(flash, slot->firmware.security_version);
    }
    if (flash->floor == RVL_SECURITY_VERSIONS) /* as where the block was never erased */
        boot_print("security floor %u, the highest: unless such firmware has come up, the floor's "
                   "block is damaged; erase the chip and flash it as a whole",
                   (unsigned)flash->floor);
    else if (flash->floor)
        boot_print("security floor %u", (unsigned)flash->floor);
}
