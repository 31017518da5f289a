// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/range_set.h"

#include <algorithm>

namespace rivulet {

RangeSet::Map::const_iterator RangeSet::ending_behind(uint64_t offset) const {
    auto next = ends_.upper_bound(offset);
    return next != ends_.begin() && std::prev(next)->second > offset ? std::prev(next) : next;
}

void RangeSet::add(const Range &range) {
    if (!range.bytes())
        return;
    auto at = ends_.upper_bound(range.begin);
    if (at != ends_.begin() && std::prev(at)->second >= range.begin)
        --at;
    else
        at = ends_.emplace_hint(at, range.begin, range.end);
    uint64_t &end = at->second;
    end = std::max(end, range.end);
    for (auto next = std::next(at); next != ends_.end() && next->first <= end;
         next = ends_.erase(next))
        end = std::max(end, next->second);
}

void RangeSet::remove(const Range &range) {
    if (!range.bytes())
        return;
    auto at = ends_.erase(ending_behind(range.begin), ending_behind(range.begin)); // not const
    if (at != ends_.end() && at->first < range.begin) {
        if (at->second > range.end)
            ends_.emplace_hint(std::next(at), range.end, at->second);
        at->second = range.begin;
        ++at;
    }
    while (at != ends_.end() && at->second <= range.end)
        at = ends_.erase(at);
    if (at != ends_.end() && at->first < range.end) {
        auto node = ends_.extract(at); // moves the start without allocating
        node.key() = range.end;
        ends_.insert(std::move(node));
    }
}

Range RangeSet::first_part(const Range &range) const {
    const auto at = ending_behind(range.begin);
    if (at == ends_.end() || at->first >= range.end)
        return {range.end, range.end};
    return {std::max(at->first, range.begin), std::min(at->second, range.end)};
}

Range RangeSet::first_gap(const Range &range) const {
    auto at = ending_behind(range.begin);
    uint64_t begin = range.begin;
    if (at != ends_.end() && at->first <= begin)
        begin = at++->second;
    if (begin >= range.end)
        return {range.end, range.end};
    return {begin, at == ends_.end() ? range.end : std::min(at->first, range.end)};
}

uint64_t RangeSet::missing(Range range) const {
    uint64_t bytes = 0;
    for (Range gap = first_gap(range); gap.bytes(); gap = first_gap(range)) {
        bytes += gap.bytes();
        range.begin = gap.end;
    }
    return bytes;
}

} // namespace rivulet
