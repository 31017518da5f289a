/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware in NOR flash: a boot stage, and one slot or two. Each part begins on an erase block.
 *
 *   +------------+---------------+------------------+-------+---------------+------------------+
 *   | boot stage | slot A: block | slot A: firmware | floor | slot B: block | slot B: firmware |
 *   +------------+---------------+------------------+-------+---------------+------------------+
 *                 rvl_boot_slot
 *
 * A slot is valid if its digest is right, and its signature where the board has a key. Of those
 * that are, the one with the newest sequence number starts, unless it has been tried RVL_BOOT_TRIES
 * times and its firmware has never come up. An update goes to the other slot: its block is erased,
 * the firmware written, then the block, the magic number last. So at any moment one slot is whole.
 *
 * Marks are words that are all ones until they are made 0, which flash can without an erase. The
 * floor is the lowest security version that starts: as many marks as its block has from the first
 * on. The boot stage marks as many as the version of a valid slot whose firmware has come up, one
 * after the other, and nobody erases them: so a power cut leaves it no higher than that slot.
 *
 * Format 2.0 signs the numbers. What an older boot stage or tool wrote is refused by these, and the
 * other way round; the way over is to write the whole chip, with a boot stage of this release.
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
    uint8_t digest[RVL_DIGEST_BYTES];       /* SHA-512 from version to statement, and of firmware */
    uint8_t signature[RVL_SIGNATURE_BYTES]; /* of statement, firmware; zeros: unsigned */
    uint8_t before_marks[176];
    uint32_t tried[16]; /* a mark for each try, the first RVL_BOOT_TRIES of them */
    uint32_t healthy;   /* marked by the firmware once it has come up */
    uint32_t padding[15];
} rvl_boot_slot;
RVL_STATIC_ASSERT(offsetof(rvl_boot_slot, digest) == 144, "layout of a slot");
RVL_STATIC_ASSERT(offsetof(rvl_boot_slot, tried) == 448, "layout of a slot");
RVL_STATIC_ASSERT(offsetof(rvl_boot_slot, healthy) == 512, "layout of a slot");
RVL_STATIC_ASSERT(sizeof(rvl_boot_slot) == 576, "layout of a slot");

/* At byte 32 of the boot stage: where its slots are, from the flash's start. */
#define RVL_BOOT_LAYOUT_OFFSET 32
typedef struct rvl_boot_layout {
    uint32_t magic; /* RVL_BOOT_LAYOUT_MAGIC */
    uint32_t version;
    uint64_t slot[2];    /* of the blocks; 0: there is none */
    uint32_t slot_bytes; /* room for firmware               */
    uint32_t floor;      /* the block with its marks        */
    uint32_t block_bytes;
    uint32_t stage_bytes; /* of the boot stage in flash */
} rvl_boot_layout;
RVL_STATIC_ASSERT(sizeof(rvl_boot_layout) == 40, "layout of the layout");
#define RVL_BOOT_LAYOUT_MAGIC 0x4c4c5652u /* "RVLL" */

/* The boot stage tells the firmware this, in the last bytes of the mailbox's region: which slot it
 * was started from. The firmware takes it out at once. */
typedef struct rvl_boot_report {
    uint32_t magic; /* RVL_BOOT_SLOT_MAGIC */
    uint32_t version;
    uint64_t slot;  /* address of its rvl_boot_slot                    */
    uint64_t check; /* ~slot: memory may hold anything after power-on */
    uint64_t reserved[5];
} rvl_boot_report;
RVL_STATIC_ASSERT(sizeof(rvl_boot_report) == 64, "one cache block");

/* An update that the boot stage shall write to the slot that it wouldn't start, 64 KiB behind the
 * begin of the board's region `boot`, where no kernel can write: this, then the firmware on the
 * next page. A debug port or the host puts it there and resets the board; firmware that starts or
 * takes a host makes the magic number 0. */
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
    uint32_t written; /* bytes, by the boot stage */
    uint32_t version; /* RVL_BOOT_SLOT_VERSION    */
    char reason[112]; /* of a refusal, by the boot stage */
    uint8_t
        check[RVL_DIGEST_BYTES]; /* SHA-512 of statement and firmware: memory may hold anything */
    rvl_firmware_statement firmware; /* unsigned: the boot stage gives it a sequence number */
    uint8_t signature[RVL_SIGNATURE_BYTES];
} rvl_update;
RVL_STATIC_ASSERT(offsetof(rvl_update, firmware) == 192, "layout of an update");

#endif
