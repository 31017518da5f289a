/* SPDX-License-Identifier: Apache-2.0
 *
 * SHA-512 (FIPS 180-4), for input that comes in pieces. */
#ifndef RIVULET_FIRMWARE_SHA512_H
#define RIVULET_FIRMWARE_SHA512_H

#include <stddef.h>
#include <stdint.h>

enum { SHA512_BYTES = 64, SHA512_BLOCK = 128 };

typedef struct sha512 {
    uint64_t state[8];
    uint64_t bytes;
    uint8_t block[SHA512_BLOCK]; /* the last bytes % SHA512_BLOCK are in use */
} sha512;

void sha512_begin(sha512 *);
void sha512_add(sha512 *, const void *, size_t bytes);
void sha512_end(sha512 *, uint8_t digest[SHA512_BYTES]);

#endif
