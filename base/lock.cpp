// SPDX-License-Identifier: Apache-2.0
#include "base/lock.h"

#ifndef NDEBUG
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace rivulet {
namespace {

constexpr const char *names[] = {
#define RIVULET_LOCK_RANK(name, guards) #name,
#include "base/lock_ranks.def"
};
static_assert(std::size(names) <= 32);

thread_local uint32_t held = 0; // bit mask of ranks: a thread holds at most one lock per rank

uint32_t bit(LockRank rank) { return uint32_t{1} << static_cast<unsigned>(rank); }

} // namespace

void check_lock_order(LockRank rank) {
    if (held >= bit(rank)) {
        std::fprintf(stderr, "rivulet: lock of rank \"%s\" taken under one of rank \"%s\"\n",
                     names[static_cast<unsigned>(rank)], names[std::bit_width(held) - 1]);
        std::abort();
    }
    held |= bit(rank);
}

void note_unlocked(LockRank rank) { held &= ~bit(rank); }

} // namespace rivulet
#endif
