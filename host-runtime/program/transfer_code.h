/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's own kernel, which fills and copies memory between an application's kernels, and its
 * arguments. Written by the host (transfer.cpp), read on the device (transfer_code.c).
 */
#pragma once

#include <stdint.h>

enum { RVL_TRANSFER_RUN = 256 }; /* a multiple of every pattern's size */

typedef struct rvl_transfer {
    uint64_t to;
    uint64_t from; /* 0: the run below, which fills each row */
    uint64_t to_pitch;
    uint64_t from_pitch;
    uint32_t width;       /* bytes of a row                     */
    uint32_t bytes;       /* of all rows; the last may be shorter */
    uint32_t has_vectors; /* the hart has a vector unit         */
    uint32_t reserved;
    uint8_t run[RVL_TRANSFER_RUN];
} rvl_transfer;
