/* SPDX-License-Identifier: Apache-2.0
 *
 * The header between loader and firmware. pack.py writes it; all of it is little endian. */
#ifndef RIVULET_LOADER_PAYLOAD_H
#define RIVULET_LOADER_PAYLOAD_H

#include <stdint.h>

#define RVL_PAYLOAD_MAGIC 0x504c5652u /* "RVLP" */

enum rvl_payload_state {
    RVL_PAYLOAD_WAITS = 0,
    RVL_PAYLOAD_ENTERED = 1,
    RVL_PAYLOAD_DAMAGED = 2,    /* in the slot: it did not arrive whole       */
    RVL_PAYLOAD_NO_MEMORY = 3,  /* the destination does not hold what is written */
    RVL_PAYLOAD_NO_PAYLOAD = 4, /* no magic                                    */
};

typedef struct rvl_payload {
    uint32_t magic;
    uint32_t state; /* rvl_payload_state; written by the loader */
    uint64_t destination;
    uint64_t entry;
    uint64_t bytes;
    uint32_t crc; /* CRC-32 as zlib's, of the bytes */
    uint32_t reserved[7];
} rvl_payload;
_Static_assert(sizeof(rvl_payload) == 64, "pack.py");

#endif
