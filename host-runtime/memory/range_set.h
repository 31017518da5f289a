// SPDX-License-Identifier: Apache-2.0
//
// Sets of bytes, as ranges of offsets.
#pragma once

#include <map>

#include "host-runtime/memory/heap.h"

namespace rivulet {

[[nodiscard]] constexpr bool overlap(const Range &a, const Range &b) {
    return a.begin < b.end && b.begin < a.end;
}

/// Disjoint ranges, with a gap between any two. A change that throws has changed nothing.
class RangeSet {
public:
    void add(const Range &range);
    void remove(const Range &range);

    /// The first part of the range that is in the set, and that isn't; without bytes: none.
    [[nodiscard]] Range first_part(const Range &range) const;
    [[nodiscard]] Range first_gap(const Range &range) const;
    /// How many of the range's bytes aren't in the set.
    [[nodiscard]] uint64_t missing(Range range) const;

private:
    using Map = std::map<uint64_t, uint64_t>;
    /// The first range that ends behind an offset.
    [[nodiscard]] Map::const_iterator ending_behind(uint64_t offset) const;

    Map ends_; // of the ranges, by their begin
};

} // namespace rivulet
