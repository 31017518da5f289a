/* SPDX-License-Identifier: Apache-2.0
 *
 * Ed25519 (RFC 8032, 5.1), verification only. Optimised for size; not constant-time, because
 * nothing here is secret. A verification takes about 5 million instructions and 1.5 KiB of
 * stack. */
#ifndef RIVULET_FIRMWARE_ED25519_H
#define RIVULET_FIRMWARE_ED25519_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ED25519_KEY_BYTES = 32, ED25519_SIGNATURE_BYTES = 64 };

typedef struct ed25519_part {
    const void *data;
    size_t bytes;
} ed25519_part;

/* The message is the concatenation of the parts. Apart from wrong signatures it rejects S of the
 * group's order or more, keys and R that are not canonically encoded, and keys of small order. */
bool ed25519_verify(const uint8_t key[ED25519_KEY_BYTES],
                    const uint8_t signature[ED25519_SIGNATURE_BYTES], const ed25519_part *parts,
                    size_t count);

#endif
