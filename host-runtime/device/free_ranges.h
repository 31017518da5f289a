// SPDX-License-Identifier: Apache-2.0
//
// The free parts of an address range: ordered by address, to merge neighbours, and by size, to find
// the smallest one that fits (best fit). All operations take logarithmic time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace rivulet {

struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;
    [[nodiscard]] uint64_t bytes() const { return end - begin; }
    [[nodiscard]] bool empty() const { return begin == end; }
    friend bool operator==(const Range &, const Range &) = default;
};

constexpr uint64_t round_up(uint64_t value, uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}
constexpr uint64_t round_down(uint64_t value, uint64_t alignment) {
    return value / alignment * alignment;
}

/// A set whose nodes are allocated in advance, so that inserting can't fail.
template <class Key> class PreparedSet {
public:
    void reserve(size_t count) {
        if (spare_.capacity() < count)
            spare_.reserve(2 * count);
        while (set_.size() + spare_.size() < count) {
            std::set<Key> made;
            made.emplace();
            spare_.push_back(made.extract(made.begin()));
        }
    }
    void insert(const Key &key) {
        auto node = std::move(spare_.back());
        spare_.pop_back();
        node.value() = key;
        set_.insert(std::move(node));
    }
    void erase(const Key &key) { spare_.push_back(set_.extract(key)); }
    /// `key` must not be beyond the last element.
    [[nodiscard]] auto lower_bound(const Key &key) const { return set_.lower_bound(key); }
    [[nodiscard]] auto begin() const { return set_.begin(); }
    [[nodiscard]] auto end() const { return set_.end(); }
    [[nodiscard]] size_t size() const { return set_.size(); }

private:
    std::set<Key> set_;
    std::vector<typename std::set<Key>::node_type> spare_;
};

class FreeRanges {
public:
    /// All ranges begin and end at multiples of `grain`.
    explicit FreeRanges(uint64_t grain) : grain_(grain) {}

    /// Reserves memory for this many ranges, so that the functions below can't fail.
    void reserve(size_t count);

    /// Adds a range, merging it with its neighbours.
    void add(Range range);
    /// Removes a range from the one that contains it.
    void remove(Range range);
    void clear();

    /// The smallest range that fits a block with this alignment, the lowest among equals; empty if
    /// there is none. Exact for alignments up to the grain and for page alignment; for others, a
    /// range that just fits may be missed.
    [[nodiscard]] Range find(uint64_t bytes, uint64_t alignment) const;
    /// The range that begins or ends there, or an empty one.
    [[nodiscard]] Range beginning_at(uint64_t address) const;
    [[nodiscard]] Range ending_at(uint64_t address) const;

    [[nodiscard]] size_t size() const { return by_address_.size(); }
    /// Total number of ranges examined by all searches.
    [[nodiscard]] uint64_t looked_at() const { return looked_at_; }

private:
    struct ByAddress {
        uint64_t begin = 0;
        uint64_t end = 0;
        bool operator<(const ByAddress &other) const { return begin < other.begin; }
    };
    struct BySize {
        uint64_t bytes = 0;
        uint64_t begin = 0;
        uint64_t end = 0;
        bool operator<(const BySize &other) const {
            return bytes != other.bytes ? bytes < other.bytes : begin < other.begin;
        }
    };
    void insert(Range range);
    void erase(Range range);

    uint64_t grain_;
    PreparedSet<ByAddress> by_address_;
    PreparedSet<BySize> by_bytes_;
    PreparedSet<BySize> by_page_bytes_; // by size from the first page boundary in it; 0 without one
    mutable uint64_t looked_at_ = 0;
};

} // namespace rivulet
