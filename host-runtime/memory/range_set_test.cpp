// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/range_set.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace rivulet {
namespace {

TEST(RangeSet, HasWhatASetOfBytesHas) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    constexpr uint64_t size = 40;
    RangeSet set;
    std::vector<bool> bytes(size);
    for (int round = 0; round < 20'000; ++round) {
        Range range{random() % (size + 1), random() % (size + 1)};
        if (range.begin > range.end)
            std::swap(range.begin, range.end);
        const auto from = bytes.begin() + static_cast<long>(range.begin);
        const auto to = bytes.begin() + static_cast<long>(range.end);
        const auto offset = [&](auto at) { return static_cast<uint64_t>(at - bytes.begin()); };
        const auto part = std::find(from, to, true);
        const auto gap = std::find(from, to, false);
        ASSERT_EQ(set.first_part(range).begin, offset(part));
        ASSERT_EQ(set.first_part(range).end, offset(std::find(part, to, false)));
        ASSERT_EQ(set.first_gap(range).begin, offset(gap));
        ASSERT_EQ(set.first_gap(range).end, offset(std::find(gap, to, true)));
        ASSERT_EQ(set.missing(range), static_cast<uint64_t>(std::count(from, to, false)));
        const bool adds = random() % 2;
        adds ? set.add(range) : set.remove(range);
        std::fill(from, to, adds);
    }
}

} // namespace
} // namespace rivulet
