/* SPDX-License-Identifier: Apache-2.0
 *
 * Ed25519 signatures of firmware and kernel images, for boards that require them. A signed ELF file
 * has a trailer at its end, which other readers ignore:
 *
 *   +-----------+----------+---------+------------------+ end of the file
 *   | signature | key      | numbers | "RivuletSigned01"|
 *   +-----------+----------+---------+------------------+
 *   64          32         16        16
 *
 * It signs a statement followed by the bytes that the harts will execute: for a kernel image its
 * code and constants up to the first data page, for firmware everything between its first and last
 * byte in memory. A kernel image's note is not signed; only the host reads it.
 *
 * A firmware statement has two numbers. `sequence` orders releases (rvl_is_newer).
 * `security_version` is increased when older firmware must no longer start: a board remembers the
 * highest one that has booted and starts none below it (boot_slot.h). Statements of the first
 * format, "Rivulet firmware", had neither: such firmware has to be signed again.
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
    uint8_t key[RVL_PUBLIC_KEY_BYTES]; /* for messages only: not trusted */
    uint64_t sequence;                 /* from the firmware's statement */
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

/* Serial number arithmetic (RFC 1982): for any number there is a newer one. */
static inline int rvl_is_newer(uint64_t sequence, uint64_t than) {
    return (int64_t)(sequence - than) > 0;
}

#endif
