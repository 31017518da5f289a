// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/free_ranges.h"

#include <algorithm>

#include "hal/protocol/version.h"

namespace rivulet {
namespace {

constexpr uint64_t page_size = RVL_PAGE_BYTES;

uint64_t page_bytes(Range range) {
    const uint64_t first = round_up(range.begin, page_size);
    return range.end > first ? range.end - first : 0;
}

} // namespace

void FreeRanges::reserve(size_t count) {
    by_address_.reserve(count);
    by_bytes_.reserve(count);
    by_page_bytes_.reserve(count);
}

void FreeRanges::insert(Range range) {
    by_address_.insert({range.begin, range.end});
    by_bytes_.insert({range.bytes(), range.begin, range.end});
    by_page_bytes_.insert({page_bytes(range), range.begin, range.end});
}

void FreeRanges::erase(Range range) {
    by_address_.erase({range.begin, range.end});
    by_bytes_.erase({range.bytes(), range.begin, range.end});
    by_page_bytes_.erase({page_bytes(range), range.begin, range.end});
}

void FreeRanges::add(Range range) {
    if (const Range below = ending_at(range.begin); !below.empty()) {
        erase(below);
        range.begin = below.begin;
    }
    if (const Range above = beginning_at(range.end); !above.empty()) {
        erase(above);
        range.end = above.end;
    }
    insert(range);
}

void FreeRanges::remove(Range range) {
    auto holder = by_address_.lower_bound({range.begin + 1, 0});
    --holder;
    const Range whole{holder->begin, holder->end};
    erase(whole);
    if (whole.begin < range.begin)
        insert({whole.begin, range.begin});
    if (range.end < whole.end)
        insert({range.end, whole.end});
}

void FreeRanges::clear() {
    while (by_address_.size() != 0)
        erase({by_address_.begin()->begin, by_address_.begin()->end});
}

Range FreeRanges::find(uint64_t bytes, uint64_t alignment) const {
    const bool by_page = alignment >= page_size;
    const PreparedSet<BySize> &sizes = by_page ? by_page_bytes_ : by_bytes_;
    const uint64_t unit = by_page ? page_size : grain_;
    // First the smallest range that may fit, then the smallest that fits wherever it begins.
    const uint64_t sure = alignment > unit ? bytes + (alignment - unit) : bytes;
    for (const uint64_t least : {bytes, sure}) {
        const auto candidate = sizes.lower_bound({least, 0, 0});
        if (candidate == sizes.end())
            return {};
        ++looked_at_;
        const uint64_t at = round_up(candidate->begin, std::max(alignment, unit));
        if (at <= candidate->end && candidate->end - at >= bytes)
            return {candidate->begin, candidate->end};
    }
    return {};
}

Range FreeRanges::beginning_at(uint64_t address) const {
    const auto found = by_address_.lower_bound({address, 0});
    return found != by_address_.end() && found->begin == address ? Range{found->begin, found->end}
                                                                 : Range{};
}

Range FreeRanges::ending_at(uint64_t address) const {
    const auto next = by_address_.lower_bound({address, 0});
    if (next == by_address_.begin())
        return {};
    const auto below = std::prev(next);
    return below->end == address ? Range{below->begin, below->end} : Range{};
}

} // namespace rivulet
