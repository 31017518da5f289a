/* SPDX-License-Identifier: Apache-2.0
 *
 * Word-wise memset, memcpy and memmove. Newlib's versions, built for size, copy byte by byte and
 * took two thirds of the firmware's time between launches. */
#include <stddef.h>
#include <stdint.h>

#define WORD sizeof(uintptr_t)
enum { WORDS_AT_ONCE = 8 };
/* May alias any type. */
typedef uintptr_t __attribute__((may_alias)) word;

static size_t to_boundary(const void *at) { return -(uintptr_t)at % WORD; }

void *memset(void *to, int value, size_t bytes);
void *memset(void *to, int value, size_t bytes) {
    uint8_t *at = to, *const end = at + bytes;
    const uint8_t byte = (uint8_t)value;
    if (bytes >= 2 * WORD) {
        const word all = byte * (UINTPTR_MAX / 255);
        for (size_t head = to_boundary(at); head; --head)
            *at++ = byte;
        for (; (size_t)(end - at) >= WORDS_AT_ONCE * WORD; at += WORDS_AT_ONCE * WORD) {
            word *words = (word *)at;
            words[0] = words[1] = words[2] = words[3] = all;
            words[4] = words[5] = words[6] = words[7] = all;
        }
        for (; (size_t)(end - at) >= WORD; at += WORD)
            *(word *)at = all;
    }
    while (at < end)
        *at++ = byte;
    return to;
}

/* Copies from low to high addresses, reading each word before writing anything above it, so that
 * it is also correct for overlapping memory if `to` is lower. Overlapping regions with the same
 * alignment are at least a word apart. */
static void copy_up(uint8_t *to, const uint8_t *from, size_t bytes) {
    const uint8_t *const end = from + bytes;
    if (to_boundary(to) == to_boundary(from) && bytes >= 2 * WORD) {
        for (size_t head = to_boundary(from); head; --head)
            *to++ = *from++;
        for (; (size_t)(end - from) >= 4 * WORD; from += 4 * WORD, to += 4 * WORD) {
            const word *source = (const word *)from;
            const word a = source[0], b = source[1], c = source[2], d = source[3];
            word *target = (word *)to;
            target[0] = a, target[1] = b, target[2] = c, target[3] = d;
        }
        for (; (size_t)(end - from) >= WORD; from += WORD, to += WORD)
            *(word *)to = *(const word *)from;
    }
    while (from < end)
        *to++ = *from++;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    copy_up(to, from, bytes);
    return to;
}

void *memmove(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes) {
    if ((uintptr_t)to - (uintptr_t)from >= bytes) {
        copy_up(to, from, bytes);
        return to;
    }
    for (size_t left = bytes; left; --left)
        ((uint8_t *)to)[left - 1] = ((const uint8_t *)from)[left - 1];
    return to;
}
