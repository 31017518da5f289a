/* SPDX-License-Identifier: Apache-2.0
 *
 * Linux's remoteproc reads this ELF section (include/linux/remoteproc.h) before it loads the
 * firmware: it declares our memory and the log, which debugfs shows as trace0. Its addresses
 * have 32 bits. */
#include "board.h"
#include "device-firmware/core/firmware.h"

enum { TYPE_CARVEOUT = 0, TYPE_TRACE = 2, ENTRIES = 3 };
#define MEMORY_NAME_BYTES 32

typedef struct carveout {
    uint32_t type;
    uint32_t device_address, physical_address, bytes, flags, reserved;
    char name[MEMORY_NAME_BYTES];
} carveout;

typedef struct trace {
    uint32_t type;
    uint32_t device_address, bytes, reserved;
    char name[MEMORY_NAME_BYTES];
} trace;

typedef struct resource_table {
    uint32_t version, entries, reserved[2];
    uint32_t offset[ENTRIES];
    carveout firmware, mailbox;
    trace log;
} resource_table;
_Static_assert(sizeof(carveout) == 56 && sizeof(trace) == 48, "layout of remoteproc's entries");

#if BOARD_MAILBOX_BASE + BOARD_MAILBOX_BYTES <= 0xffffffff
static const resource_table table __attribute__((section(".resource_table"), used)) = {
    .version = 1,
    .entries = ENTRIES,
    .offset = {offsetof(resource_table, firmware), offsetof(resource_table, mailbox),
               offsetof(resource_table, log)},
    .firmware = {TYPE_CARVEOUT, BOARD_FIRMWARE_BASE, BOARD_FIRMWARE_BASE, BOARD_FIRMWARE_BYTES, 0,
                 0, "rivulet-firmware"},
    .mailbox = {TYPE_CARVEOUT, BOARD_MAILBOX_BASE, BOARD_MAILBOX_BASE, BOARD_MAILBOX_BYTES, 0, 0,
                "rivulet-mailbox"},
    .log = {TYPE_TRACE, BOARD_MAILBOX_BASE + offsetof(shared_memory, log), LOG_BYTES, 0,
            "rivulet-log"},
};
#endif
