/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures (Ed25519) of firmware and of kernel images, for boards that demand them. A signed ELF
 * file has a trailer behind all else, where other readers don't look:
 *
 *   +-----------+----------+---------+------------------+ end of the file
 *   | signature | key      | numbers | "RivuletSigned01"|
 *   +-----------+----------+---------+------------------+
 *   64          32         16        16
 *
 * The signature is of a statement, and behind it the bytes that the harts will execute: of a kernel
 * image its code and constants up to the data's first page, of firmware what lies between its first
 * and last byte in memory. Nothing is said of a kernel image's note, which only the host reads.
 *
 * Firmware's statement has two numbers. `sequence` says which of two is the newer
 * (rvl_is_newer). `security_version` is raised when older firmware must not start any more: a board
 * remembers the highest that has come up, and starts none below (boot_slot.h). Statements of the
 * first format, "Rivulet firmware", had neither: that firmware has to be signed again.
 */
#ifndef RIVULET_PROTOCOL_SIGNATURE_H
#define RIVULET_PROTOCOL_SIGNATURE_H

#include "hal/protocol/version.h"

#define RVL_SIGNATURE_BYTES 64
#define RVL_PUBLIC_KEY_BYTES 32
#define RVL_SIGNATURE_MAGIC "RivuletSigned01"     /* with its NUL */
#define RVL_KERNEL_STATEMENT "Rivulet kernel"     /* padded with NULs to 16 bytes */
#define RVL_FIRMWARE_STATEMENT "RivuletFirmware2" /* 16 bytes, without a NUL */
#define RVL_FIRMWARE_FORMAT 2u

typedef struct rvl_signature_trailer {
    uint8_t signature[RVL_SIGNATURE_BYTES];
    uint8_t key[RVL_PUBLIC_KEY_BYTES]; /* for people and messages: it is not believed */
    uint64_t sequence;                 /* of firmware: its statement's numbers */
    uint32_t security_version;
    uint32_t format; /* RVL_FIRMWARE_FORMAT; 0: a kernel image, or firmware of the first format */
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
    uint64_t sequence;
    uint32_t security_version; /* up to RVL_SECURITY_VERSIONS */
    uint32_t xlen;
    char board[64];
    uint64_t reserved;
} rvl_firmware_statement;
RVL_STATIC_ASSERT(sizeof(rvl_firmware_statement) == 128, "layout of the statement");

/* As of serial numbers (RFC 1982): whatever number firmware has, the next one is newer. */
static inline int rvl_is_newer(uint64_t sequence, uint64_t than) {
    return (int64_t)(sequence - than) > 0;
}

#endif
