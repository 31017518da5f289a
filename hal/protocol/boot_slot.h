/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware in NOR flash: a boot stage and one or two slots. Each part begins on an erase block.
 *
 *   +------------+---------------+------------------+-------+---------------+------------------+
 *   | boot stage | slot A: block | slot A: firmware | floor | slot B: block | slot B: firmware |
 *   +------------+---------------+------------------+-------+---------------+------------------+
 *                 rvl_boot_slot
 *
 * A slot is valid if its digest is correct and, on boards with a key, its signature. Of the valid
 * slots, the one with the newest sequence number is started, unless it has been tried
 * RVL_BOOT_TRIES times and its firmware has never booted. An update goes to the other slot: its
 * block is erased, the firmware written, then the block, with the magic number last. So at any time
 * one slot is intact.
 *
 * Marks are words that are all ones until set to 0, which flash can do without an erase. The floor
 * is the lowest security version that may start: the number of marks at the start of its block. The
 * boot stage sets as many marks as the version of a valid slot whose firmware has booted, one after
 * the other, and they are never erased: so after a power cut the floor is at most that slot's
 * version.
 *
 * Format 2.0 signs the numbers. Formats of older boot stages and tools are rejected, and vice
 * versa; to upgrade, write the whole chip with a boot stage of this release.
 */
#ifndef RIVULET_PROTOCOL_BOOT_SLOT_H
#define RIVULET_PROTOCOL_BOOT_SLOT_H

#include "hal/protocol/signature.h"

#define RVL_BOOT_SLOT_MAGIC 0x534c5652u /* "RVLS" */
#define RVL_BOOT_SLOT_VERSION RVL_VERSION(2, 0)
#define RVL_BOOT_TRIES 3
#define RVL_SECURITY_VERSIONS 1024u /* the highest */
#define RVL_DIGEST_BYTES 64
#define RVL_UNMARKED 0xffffffffu

typedef struct rvl_boot_slot {
    uint32_t magic; /* written last */
    uint32_t version;
    uint64_t reserved;
    rvl_firmware_statement firmware;
    uint8_t digest[RVL_DIGEST_BYTES];       /* SHA-512 of version to statement, and of the
                                             * firmware */
    uint8_t signature[RVL_SIGNATURE_BYTES]; /* of statement and firmware; zeros: unsigned */
    uint8_t before_marks[176];
    uint32_t tried[16]; /* one mark per try, the first RVL_BOOT_TRIES are used */
    uint32_t healthy;   /* marked by the firmware once it has booted */
    uint32_t padding[15];
} rvl_boot_slot;
RVL_STATIC_ASSERT(offsetof(rvl_boot_slot, digest) == 144, "layout of a slot");
RVL_STATIC_ASSERT(offsetof(rvl_boot_slot, tried) == 448, "layout of a slot");
RVL_STATIC_ASSERT(offsetof(rvl_boot_slot, healthy) == 512, "layout of a slot");
RVL_STATIC_ASSERT(sizeof(rvl_boot_slot) == 576, "layout of a slot");

/* At byte 32 of the boot stage: locations of its slots, as offsets in the flash. */
#define RVL_BOOT_LAYOUT_OFFSET 32
typedef struct rvl_boot_layout {
    uint32_t magic; /* RVL_BOOT_LAYOUT_MAGIC */
    uint32_t version;
    uint64_t slot[2];    /* offsets of the blocks; 0: none */
    uint32_t slot_bytes; /* space for firmware */
    uint32_t floor;      /* the block with its marks */
    uint32_t block_bytes;
    uint32_t stage_bytes; /* size of the boot stage in flash */
} rvl_boot_layout;
RVL_STATIC_ASSERT(sizeof(rvl_boot_layout) == 40, "layout of the layout");
#define RVL_BOOT_LAYOUT_MAGIC 0x4c4c5652u /* "RVLL" */

/* In the last bytes of the mailbox's region: tells the firmware which slot it was started from.
 * The firmware removes it at once. */
typedef struct rvl_boot_report {
    uint32_t magic; /* RVL_BOOT_SLOT_MAGIC */
    uint32_t version;
    uint64_t slot;  /* address of its rvl_boot_slot                    */
    uint64_t check; /* ~slot, since memory may hold anything after power-on */
    uint64_t reserved[5];
} rvl_boot_report;
RVL_STATIC_ASSERT(sizeof(rvl_boot_report) == 64, "one cache block");

/* A request to the boot stage to write an update to the slot it would not start. It is 64 KiB
 * after the start of the board's region `boot`, where no kernel can write: this struct, then the
 * firmware on the next page. A debugger or the host writes it and resets the board; firmware
 * clears the magic number when it starts or accepts a host. */
#define RVL_UPDATE_MAGIC 0x554c5652u /* "RVLU" */
typedef enum rvl_update_state {
    RVL_UPDATE_REQUESTED = 1,
    RVL_UPDATE_WRITING = 2,
    RVL_UPDATE_DONE = 3,
    RVL_UPDATE_REFUSED = 4,
} rvl_update_state;
typedef struct rvl_update {
    uint32_t magic;
    uint32_t state;   /* rvl_update_state */
    uint32_t written; /* bytes, set by the boot stage */
    uint32_t version; /* RVL_BOOT_SLOT_VERSION    */
    char reason[112]; /* of a rejection, set by the boot stage */
    uint8_t
        check[RVL_DIGEST_BYTES]; /* SHA-512 of statement and firmware: memory may hold anything */
    rvl_firmware_statement firmware; /* unsigned: the boot stage assigns the sequence number */
    uint8_t signature[RVL_SIGNATURE_BYTES];
} rvl_update;
RVL_STATIC_ASSERT(offsetof(rvl_update, firmware) == 192, "layout of an update");

#endif
