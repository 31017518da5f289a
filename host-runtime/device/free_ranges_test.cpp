// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/free_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "hal/protocol/version.h"

namespace rivulet {
namespace {

constexpr uint64_t page = RVL_PAGE_BYTES;
constexpr uint64_t grain = 128;

/// A reference model that examines each unit of a small address range.
class Model {
public:
    static constexpr uint64_t units = 1024;
    void set(Range range, bool is_free) {
        for (uint64_t at = range.begin; at < range.end; at += grain)
            free_[at / grain] = is_free;
    }
    [[nodiscard]] std::vector<Range> ranges() const {
        std::vector<Range> all;
        for (uint64_t unit = 0; unit < units; ++unit) {
            if (!free_[unit])
                continue;
            if (all.empty() || all.back().end != unit * grain)
                all.push_back({unit * grain, unit * grain});
            all.back().end += grain;
        }
        return all;
    }
    [[nodiscard]] Range best(uint64_t bytes, uint64_t alignment) const {
        // Usable size from the first page boundary, or grain.
        const uint64_t unit = alignment < page ? grain : page;
        const auto usable = [&](const Range &range) {
            const uint64_t begin = round_up(range.begin, unit);
            return begin < range.end ? range.end - begin : 0;
        };
        Range best;
        for (const Range &range : ranges())
            if (usable(range) >= bytes && (best.empty() || usable(range) < usable(best)))
                best = range;
        return best;
    }

private:
    std::array<bool, units> free_{};
};

TEST(FreeRanges, AreThoseOfABruteForceModel) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Model model;
    FreeRanges ranges(grain);
    ranges.reserve(Model::units);
    const Range all{0, Model::units * grain};
    ranges.add(all);
    model.set(all, true);
    std::vector<Range> taken;
    for (int round = 0; round < 20'000; ++round) {
        if (!taken.empty() && (random() % 2 || taken.size() > 200)) {
            std::swap(taken[random() % taken.size()], taken.back());
            ranges.add(taken.back());
            model.set(taken.back(), true);
            taken.pop_back();
        } else {
            const uint64_t bytes = (random() % (random() % 4 ? 8 : 100) + 1) * grain;
            const uint64_t alignment = random() % 2 ? grain : page;
            const Range found = ranges.find(bytes, alignment);
            ASSERT_EQ(found, model.best(bytes, alignment)) << bytes << " at " << alignment;
            if (found.empty())
                continue;
            const uint64_t at = round_up(found.begin, alignment);
            taken.push_back({at, at + bytes});
            ranges.remove(taken.back());
            model.set(taken.back(), false);
        }
        ASSERT_EQ(ranges.size(), model.ranges().size());
        for (const Range &range : model.ranges()) {
            ASSERT_EQ(ranges.beginning_at(range.begin), range);
            ASSERT_EQ(ranges.ending_at(range.end), range);
        }
        const uint64_t odd = (1 + random() % 31) * grain; // not matching a range
        ASSERT_EQ(ranges.beginning_at(odd).empty(), ranges.beginning_at(odd).begin != odd);
    }
}

// A range found for an alignment between grain and page, or above a page, fits.
TEST(FreeRanges, HaveRoomForAnyAlignment) {
    std::mt19937 random(1);
    FreeRanges ranges(grain);
    ranges.reserve(2000);
    for (uint64_t at = 0; at < 1000; ++at)
        ranges.add({at * 8 * page + (random() % 64) * grain,
                    at * 8 * page + (70 + random() % 100) * grain});
    for (uint64_t alignment = 1; alignment <= 8 * page; alignment *= 2)
        for (uint64_t bytes = grain; bytes < 4 * page; bytes += grain) {
            const Range found = ranges.find(bytes, alignment);
            const uint64_t at = round_up(found.begin, std::max(alignment, grain));
            EXPECT_TRUE(found.empty() || at + bytes <= found.end) << bytes << " at " << alignment;
        }
}

} // namespace
} // namespace rivulet
