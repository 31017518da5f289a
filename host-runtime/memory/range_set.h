// SPDX-License-Identifier: Apache-2.0
//
// Sets of bytes, stored as ranges of offsets.
#pragma once

#include <map>

#include "host-runtime/device/heap.h"

namespace rivulet {

[[nodiscard]] constexpr bool overlap(const Range &a, const Range &b) {
    return a.begin < b.end && b.begin < a.end;
}

/// Disjoint ranges with gaps between them. If a change throws, the set is unchanged.
class RangeSet {
public:
    void add(const Range &range);
    void remove(const Range &range);

    /// The first part of `range` that is, or is not, in the set; empty if there is none.
    [[nodiscard]] Range first_part(const Range &range) const;
    [[nodiscard]] Range first_gap(const Range &range) const;
    /// Number of bytes of the range that are not in the set.
    [[nodiscard]] uint64_t missing(Range range) const;

private:
    using Map = std::map<uint64_t, uint64_t>;
    /// The first range that ends after `offset`.
    [[nodiscard]] Map::const_iterator ending_behind(uint64_t offset) const;

    Map ends_; // end of each range, by its start
};

} // namespace rivulet
