// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/heap.h"

#include <algorithm>
#include <utility>

#include "hal/core/trace.h"

namespace rivulet {
namespace {

/// The bytes in use of all devices, for traces.
hal::trace::Counter &memory_in_use() {
    static hal::trace::Counter counter("device memory", "bytes");
    return counter;
}

constexpr uint64_t page = RVL_PAGE_BYTES;
constexpr uint64_t tlb_pages = 256;
constexpr size_t large = 16 * page;
constexpr uint64_t least_growth = 64 * page;
// Kept above an arena of code, for it to grow into, of the gap that it is placed in.
constexpr uint64_t share_of_code = 16;
constexpr uint64_t most_for_code = 8 << 20;

constexpr uint64_t most_quarantined = uint64_t{16} << 20;

constexpr uint64_t up(uint64_t value, uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}
constexpr uint64_t down(uint64_t value, uint64_t alignment) {
    return value / alignment * alignment;
}

} // namespace

Heap::Heap(uint64_t base, uint64_t bytes, Range second, size_t grain)
    : whole_{{{up(base, page), down(base + bytes, page)}, second}}, grain_(grain) {
    auto &[first, other] = whole_;
    if (other.begin == first.end)
        other.begin = std::min(other.begin + page, other.end);
    if (other.end == first.begin)
        other.end = std::max(other.end - page, other.begin);
}

size_t Heap::rounded(size_t bytes) const { return std::max<size_t>(up(bytes, grain_), grain_); }

// In an empty heap at the start; else in the middle of the largest gap, to grow both ways. Code: at
// the end of the largest gap, but for some pages.
void Heap::insert(Arena &arena, bool at_end) {
    Lock lock(mutex_);
    for (size_t heap = 0; heap < whole_.size(); ++heap) {
        const bool unused = at_end && heap == 1; // out of the others' way
        const uint64_t start = unused ? whole_[heap].end : start_in(heap, at_end);
        arena.extent_[heap] = {start, start};
    }
    arenas_.insert(&arena);
}

uint64_t Heap::start_in(size_t heap, bool at_end) const {
    const Range &whole = whole_[heap];
    Range largest{whole.begin, whole.begin};
    auto consider = [&](uint64_t begin, uint64_t end) {
        if (end > begin && end - begin > largest.bytes())
            largest = {begin, end};
    };
    std::map<uint64_t, uint64_t> taken;
    for (const Arena *other : arenas_)
        taken[other->extent_[heap].begin] =
            std::max(taken[other->extent_[heap].begin], other->extent_[heap].end);
    uint64_t at = whole.begin;
    for (auto [begin, end] : taken) {
        consider(at, begin);
        at = std::max(at, end);
    }
    consider(at, whole.end);
    if (at_end)
        return down(largest.end - std::min(largest.bytes() / share_of_code, most_for_code), page);
    return arenas_.empty() ? whole.begin : down(largest.begin + largest.bytes() / 2, page);
}

void Heap::remove(Arena &arena) {
    Lock lock(mutex_);
    arenas_.erase(&arena);
}

Range Heap::surroundings(const Arena &arena, size_t heap) const {
    Range range = whole_[heap];
    for (const Arena *other : arenas_) {
        if (other == &arena)
            continue;
        const Range &its = other->extent_[heap];
        if (its.end <= arena.extent_[heap].begin)
            range.begin = std::max(range.begin, its.end);
        else
            range.end = std::min(range.end, its.begin);
    }
    return range;
}

Block::Block(std::shared_ptr<Arena> arena, uint64_t address, size_t bytes)
    : arena_(std::move(arena)), address_(address), bytes_(bytes) {}

Block::Block(Block &&other) noexcept
    : arena_(std::move(other.arena_)), address_(other.address_), bytes_(other.bytes_) {}

Block &Block::operator=(Block &&other) noexcept {
    std::swap(arena_, other.arena_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

Block::~Block() {
    if (arena_)
        arena_->free(address_, bytes_);
}

Arena::Arena(std::shared_ptr<Heap> heap, Use use)
    : heap_(std::move(heap)), is_code_(use == Use::code) {
    recent_.fill(~uint64_t{0});
    heap_->insert(*this, is_code_);
}

Arena::~Arena() { heap_->remove(*this); }

Range Arena::extent(size_t heap) {
    Lock lock(heap_->mutex_);
    return extent_[heap];
}

uint64_t Arena::bytes_in_use() {
    Lock lock(heap_->mutex_);
    return in_use_;
}

Block Arena::allocate(size_t bytes, size_t alignment) {
    const size_t size = heap_->rounded(bytes);
    if (size < bytes)
        return {};
    alignment = std::max<size_t>(alignment, size >= large ? page : heap_->grain_);
    auto self = shared_from_this();
    Allocations made;
    made.emplace(0, Allocation{.bytes = bytes});
    Lock lock(heap_->mutex_);
    reserve();
    uint64_t address = 0;
    // A large block may have to step over as many pages as there are recent ones.
    const size_t slack = alignment + (size >= large ? recent_.size() * page : 0);
    while (!take(size, alignment, address)) {
        if ((grow(size + slack) || grow(size + alignment) || grow(size)) &&
            take(size, alignment, address))
            break;
        if (released_.empty())
            return {};
        release_oldest();
    }
    in_use_ += size;
    memory_in_use().add(static_cast<int64_t>(size));
    ++blocks_;
    auto node = made.extract(made.begin());
    node.key() = node.mapped().address = address;
    node.mapped().number = ++allocations_made_;
    allocations_.insert(std::move(node));
    return {std::move(self), address, size};
}

// Between n blocks, and at both ends, there are at most n + 1 gaps, in two heaps one more; while a
// block is taken, and the arena grows, two more.
void Arena::reserve() {
    while (free_.size() + spare_.size() < blocks_ + 5)
        spare_.emplace(spares_made_++, 0);
}

void Arena::add_gap(uint64_t begin, uint64_t end) {
    auto node = spare_.extract(spare_.begin());
    node.key() = begin;
    node.mapped() = end;
    free_.insert(std::move(node));
}

void Arena::remove_gap(Gaps::iterator gap) {
    auto node = free_.extract(gap);
    node.key() = spares_made_++;
    spare_.insert(std::move(node));
}

uint64_t Arena::staggered(uint64_t address) const {
    auto clashes = [&](uint64_t at) {
        return std::ranges::any_of(recent_,
                                   [&](uint64_t used) { return used == at / page % tlb_pages; });
    };
    while (clashes(address))
        address += page;
    return address;
}

bool Arena::take(size_t bytes, size_t alignment, uint64_t &address) {
    return take_in(0, bytes, alignment, address) || take_in(1, bytes, alignment, address);
}

bool Arena::take_in(size_t heap, size_t bytes, size_t alignment, uint64_t &address) {
    const Range &extent = extent_[heap];
    // First fit; large blocks staggered where there is room for it, as they come where not.
    for (const bool stagger : {true, false}) {
        if (stagger && (bytes < large || alignment > page))
            continue;
        for (auto gap = free_.lower_bound(extent.begin);
             gap != free_.end() && gap->first < extent.end; ++gap) {
            const auto [begin, end] = *gap;
            uint64_t at = up(begin, alignment);
            if (stagger)
                at = staggered(at);
            if (at > end || end - at < bytes)
                continue;
            remove_gap(gap);
            if (begin < at)
                add_gap(begin, at);
            if (at + bytes < end)
                add_gap(at + bytes, end);
            if (bytes >= large) {
                recent_[next_recent_] = at / page % tlb_pages;
                next_recent_ = (next_recent_ + 1) % recent_.size();
            }
            address = at;
            return true;
        }
    }
    return false;
}

bool Arena::grow(size_t bytes) { return grow_in(0, bytes) || (!is_code_ && grow_in(1, bytes)); }

bool Arena::grow_in(size_t heap, size_t bytes) {
    const Range around = heap_->surroundings(*this, heap);
    Range &extent = extent_[heap];
    // Free bytes at either end count already.
    const auto behind = free_.lower_bound(extent.end);
    const auto last = behind == free_.begin() ? free_.end() : std::prev(behind);
    const auto first = free_.find(extent.begin);
    const bool at_end = last != free_.end() && last->second == extent.end;
    const uint64_t free_above = at_end ? last->second - last->first : 0;
    const uint64_t free_below = first != free_.end() ? first->second - first->first : 0;
    auto missing = [&](uint64_t free_here) {
        return up(bytes > free_here ? bytes - free_here : 0, page);
    };
    if (const uint64_t need = missing(free_above), room = around.end - extent.end; need <= room) {
        const uint64_t add = std::min(std::max(need, least_growth), room);
        extent.end += add;
        if (at_end)
            last->second = extent.end;
        else
            add_gap(extent.end - add, extent.end);
        return true;
    }
    if (const uint64_t need = missing(free_below), room = extent.begin - around.begin;
        need <= room) {
        const uint64_t add = std::min(std::max(need, least_growth), room);
        const uint64_t old = extent.begin;
        extent.begin -= add;
        if (free_below)
            remove_gap(first);
        add_gap(extent.begin, old + free_below);
        return true;
    }
    return false;
}

void Arena::quarantine_released() {
    Lock lock(heap_->mutex_);
    quarantines_ = true;
}

std::vector<Allocation> Arena::allocations() {
    Lock lock(heap_->mutex_);
    std::vector<Allocation> all;
    all.reserve(allocations_.size());
    for (const auto &[address, allocation] : allocations_)
        all.push_back(allocation);
    return all;
}

Allocation Arena::allocation_at(uint64_t address) {
    Lock lock(heap_->mutex_);
    const auto contains = [&](const Allocation &allocation) {
        return address >= allocation.address && address - allocation.address < allocation.bytes;
    };
    for (const auto &[order, allocation] : released_)
        if (contains(allocation))
            return allocation;
    const auto next = allocations_.upper_bound(address);
    return next == allocations_.begin() ? Allocation{} : std::prev(next)->second;
}

void Arena::release_oldest() {
    const auto oldest = released_.extract(released_.begin());
    const size_t bytes = heap_->rounded(oldest.mapped().bytes);
    released_bytes_ -= bytes;
    return_block(oldest.mapped().address, bytes);
}

void Arena::free(uint64_t address, size_t bytes) {
    Lock lock(heap_->mutex_);
    in_use_ -= bytes;
    memory_in_use().add(-static_cast<int64_t>(bytes));
    auto node = allocations_.extract(address);
    if (!quarantines_)
        return return_block(address, bytes);
    node.mapped().is_released = true;
    node.key() = ++releases_;
    released_.insert(std::move(node));
    released_bytes_ += bytes;
    while (released_bytes_ > std::min(most_quarantined, heap_->bytes() / 8))
        release_oldest();
}

void Arena::return_block(uint64_t address, size_t bytes) {
    auto next = free_.lower_bound(address);
    uint64_t begin = address;
    uint64_t end = address + bytes;
    if (next != free_.begin())
        if (auto previous = std::prev(next); previous->second == begin) {
            begin = previous->first;
            remove_gap(previous);
        }
    if (next != free_.end() && next->first == end) {
        end = next->second;
        remove_gap(next);
    }
    --blocks_;
    add_gap(begin, end);
}

} // namespace rivulet
