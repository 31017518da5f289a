/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/drivers/cfi_flash.h"

#include "device-firmware/drivers/mmio.h"

#define BOTH(command) ((command) | (command) << 16) /* for both chips */
enum {
    READ_ARRAY = BOTH(0xff),
    CLEAR_STATUS = BOTH(0x50),
    BLOCK_ERASE = BOTH(0x20),
    CONFIRM = BOTH(0xd0),
    PROGRAM = BOTH(0x40),
    STATUS_READY = BOTH(0x80),
    STATUS_FAILED = BOTH(0x3a), /* erase, program, voltage, locked */
    MOST_POLLS = 20000000,      /* erasing a block takes up to a few seconds */
};

static bool wait_until_ready(uintptr_t at) {
    for (uint32_t polls = 0; polls < MOST_POLLS; ++polls) {
        const uint32_t status = mmio_read32(at);
        if ((status & STATUS_READY) == STATUS_READY)
            return !(status & STATUS_FAILED);
    }
    return false;
}

static void begin(uintptr_t at) { mmio_write32(at, CLEAR_STATUS); }

static bool end(uintptr_t at, bool good) {
    mmio_write32(at, CLEAR_STATUS);
    mmio_write32(at, READ_ARRAY);
    return good;
}

bool cfi_flash_erase(uintptr_t block) {
    begin(block);
    mmio_write32(block, BLOCK_ERASE);
    mmio_write32(block, CONFIRM);
    return end(block, wait_until_ready(block));
}

bool cfi_flash_program(uintptr_t at, const uint32_t *words, size_t count) {
    bool good = true;
    begin(at);
    for (size_t i = 0; i < count && good; ++i) {
        mmio_write32(at + 4 * i, PROGRAM);
        mmio_write32(at + 4 * i, words[i]);
        good = wait_until_ready(at + 4 * i);
    }
    return end(at, good);
}
