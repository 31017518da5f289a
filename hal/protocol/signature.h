/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures (Ed25519) of firmware and of kernel images, for boards that demand them. A signed ELF
 * file has a trailer behind all else, where other readers don't look:
 *
 *   +-----------+----------+-----+------------------+ end of the file
 *   | signature | key      | 0   | "RivuletSigned01"|
 *   +-----------+----------+-----+------------------+
 *   64          32         16    16
 *
 * The signature is of a statement, and behind it the bytes that the harts will execute: of a kernel
 * image its code and constants up to the data's first page, of firmware what lies between its first
 * and last byte in memory. Nothing is said of a kernel image's note, which only the host reads.
 */
#ifndef RIVULET_PROTOCOL_SIGNATURE_H
#define RIVULET_PROTOCOL_SIGNATURE_H

#include "hal/protocol/version.h"

#define RVL_SIGNATURE_BYTES 64
#define RVL_PUBLIC_KEY_BYTES 32
#define RVL_SIGNATURE_MAGIC "RivuletSigned01" /* with its NUL */
#define RVL_KERNEL_STATEMENT "Rivulet kernel" /* padded with NULs to 16 bytes */
#define RVL_FIRMWARE_STATEMENT "Rivulet firmware"

typedef struct rvl_signature_trailer {
    uint8_t signature[RVL_SIGNATURE_BYTES];
    uint8_t key[RVL_PUBLIC_KEY_BYTES]; /* for people and messages: it is not believed */
    uint8_t reserved[16];
    char magic[16];
} rvl_signature_trailer;
RVL_STATIC_ASSERT(sizeof(rvl_signature_trailer) == 128, "layout of the trailer");

typedef struct rvl_kernel_statement {
    char what[16];
    uint64_t bytes;
    uint64_t reserved;
} rvl_kernel_statement;
RVL_STATIC_ASSERT(sizeof(rvl_kernel_statement) == 32, "layout of the statement");

typedef struct rvl_firmware_statement {
    char what[16];
    uint64_t address; /* of the first byte in memory */
    uint64_t entry;
    uint64_t bytes;
    uint32_t xlen;
    uint32_t reserved;
    char board[64];
} rvl_firmware_statement;
RVL_STATIC_ASSERT(sizeof(rvl_firmware_statement) == 112, "layout of the statement");

#endif
