/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of harts. With up to 64 harts they are one word, and cost what a mask does. */
#ifndef RIVULET_FIRMWARE_HART_SET_H
#define RIVULET_FIRMWARE_HART_SET_H

#include "device-firmware/core/firmware.h"

static inline uint32_t hart_set_word(const hart *hart) {
    return HART_WORDS == 1 ? 0 : hart->index / 64;
}
static inline uint64_t hart_set_bit(const hart *hart) { return 1ull << hart->index % 64; }

static inline bool hart_set_has(hart_set set, const hart *hart) {
    return set.word[hart_set_word(hart)] & hart_set_bit(hart);
}
static inline void hart_set_add(hart_set *set, const hart *hart) {
    set->word[hart_set_word(hart)] |= hart_set_bit(hart);
}
static inline void hart_set_remove(hart_set *set, const hart *hart) {
    set->word[hart_set_word(hart)] &= ~hart_set_bit(hart);
}
static inline hart_set hart_set_of(const hart *hart) {
    hart_set set = {{0}};
    hart_set_add(&set, hart);
    return set;
}
static inline bool hart_set_is_empty(hart_set set) {
    uint64_t any = 0;
    for (uint32_t i = 0; i < HART_WORDS; ++i)
        any |= set.word[i];
    return !any;
}
static inline hart_set hart_set_common(hart_set a, hart_set b) {
    for (uint32_t i = 0; i < HART_WORDS; ++i)
        a.word[i] &= b.word[i];
    return a;
}
static inline hart_set hart_set_without(hart_set a, hart_set b) {
    for (uint32_t i = 0; i < HART_WORDS; ++i)
        a.word[i] &= ~b.word[i];
    return a;
}
static inline bool hart_sets_meet(hart_set a, hart_set b) {
    return !hart_set_is_empty(hart_set_common(a, b));
}
static inline bool hart_sets_are_equal(hart_set a, hart_set b) {
    uint64_t difference = 0;
    for (uint32_t i = 0; i < HART_WORDS; ++i)
        difference |= a.word[i] ^ b.word[i];
    return !difference;
}

#define FOR_ALL_HARTS(f, hart_)                                                                    \
    for (hart *hart_ = (f)->hart; hart_ < (f)->hart + (f)->harts; ++hart_)

#define FOR_EACH_HART(f, hart_, set) FOR_ALL_HARTS(f, hart_) if (hart_set_has(set, hart_))

#endif
