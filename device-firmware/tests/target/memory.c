/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory and string functions, as compiled for the target. */
#include <stdio.h>
#include <string.h>

#include "device-firmware/tests/target/target.h"

enum { WINDOW = 192, MOST = 96, OFFSETS = 2 * sizeof(uintptr_t) + 1, MIDDLE = 48 };

static uint8_t got[WINDOW], expected[WINDOW], source[WINDOW];

static void number(uint8_t *bytes) {
    for (uint32_t i = 0; i < WINDOW; ++i)
        bytes[i] = (uint8_t)(i + 1);
}

static bool alike(void) {
    for (uint32_t i = 0; i < WINDOW; ++i)
        if (got[i] != expected[i])
            return false;
    return true;
}

static void set(firmware *f) {
    (void)f;
    for (uint32_t at = 0; at < OFFSETS; ++at)
        for (uint32_t bytes = 0; bytes <= MOST; ++bytes) {
            number(got), number(expected);
            for (volatile uint32_t i = 0; i < bytes; ++i)
                expected[MIDDLE + at + i] = 0xa5;
            CHECK(memset(&got[MIDDLE + at], 0x1a5, bytes) == &got[MIDDLE + at]);
            CHECK(alike());
        }
}

static void copy(firmware *f) {
    (void)f;
    number(source);
    for (uint32_t from = 0; from < OFFSETS; ++from)
        for (uint32_t to = 0; to < OFFSETS; ++to)
            for (uint32_t bytes = 0; bytes <= MOST; bytes += bytes < 40 ? 1 : 7) {
                number(got), number(expected);
                for (volatile uint32_t i = 0; i < bytes; ++i)
                    expected[MIDDLE + to + i] = source[from + i];
                CHECK(memcpy(&got[MIDDLE + to], &source[from], bytes) == &got[MIDDLE + to]);
                CHECK(alike());
            }
}

static void move(firmware *f) {
    (void)f;
    for (uint32_t to = 0; to <= 2 * MIDDLE; ++to)
        for (uint32_t bytes = 0; bytes <= MOST; bytes += bytes < 40 ? 1 : 7) {
            number(got), number(expected), number(source);
            for (volatile uint32_t i = 0; i < bytes; ++i)
                expected[to + i] = source[MIDDLE + i];
            CHECK(memmove(&got[to], &got[MIDDLE], bytes) == &got[to]);
            CHECK(alike());
        }
}

static void strings(firmware *f) {
    (void)f;
    char text[40];
    CHECK(snprintf(text, sizeof text, "%s %u 0x%lx %d", "a", 7u, 0xffful, -3) == 12);
    CHECK(strcmp(text, "a 7 0xfff -3") == 0);
    CHECK(snprintf(text, 4, "%s", "longer") == 6 && strcmp(text, "lon") == 0);
    CHECK(strstr("rv64_zicbom", "zicbom") && !strstr("rv64_zicbo", "zicbom"));
}

/* On RV32, division and popcount are functions of our own. */
static void wide_arithmetic(firmware *f) {
    (void)f;
    volatile uint64_t big = 0xfedcba9876543210, one = 1, ten_to_9 = 1000000000, top = 1ull << 63;
    CHECK(big / one == big && big / big == 1 && one / big == 0);
    CHECK(big / ten_to_9 == 18364758544);
    CHECK(top / 3 == 0x2aaaaaaaaaaaaaaa && (top - 1) / top == 0);
    CHECK(__builtin_popcountll(big) == 32 && __builtin_popcountll(top) == 1);
}

/* Whole blocks, wherever the range begins; QEMU has no caches, so the contents do not change. */
static void cache_operations(firmware *f) {
    enum { ALL = 1024 };
    uint8_t *block = (uint8_t *)(uintptr_t)f->heap;
    CHECK(f->has_cache_operations);
    for (uint32_t i = 0; i < ALL; ++i)
        block[i] = (uint8_t)i;
    for (uint32_t at = 0; at < 130; at += 13)
        for (uint32_t bytes = 0; bytes < 300; bytes += 37) {
            arch_cache_clean(f, (uintptr_t)&block[at], bytes);
            arch_cache_invalidate(f, (uintptr_t)&block[at], bytes);
        }
    for (uint32_t i = 0; i < ALL; ++i)
        CHECK(block[i] == (uint8_t)i);
}

static void clears(firmware *f) {
    enum { ALL = 4096 };
    uint8_t *memory = (uint8_t *)(uintptr_t)f->heap;
    for (uint32_t bytes = 64; bytes <= 1024; bytes += 64) {
        for (uint32_t i = 0; i < ALL; ++i)
            memory[i] = 0xee;
        arch_clear_hart(f, (uintptr_t)&memory[64], bytes);
        for (uint32_t i = 0; i < ALL; ++i)
            CHECK(memory[i] == (i >= 64 && i < 64 + bytes ? 0 : 0xee));
    }
}

const target_test memory_tests[] = {
    {"memset of all small sizes at all alignments", set},
    {"memcpy of all small sizes between all alignments", copy},
    {"memmove over all small distances", move},
    {"snprintf and strstr", strings},
    {"64-bit division and count of bits", wide_arithmetic},
    {"cache operations leave memory as it is", cache_operations},
    {"memory of a hart is cleared from end to end", clears},
    {0},
};
