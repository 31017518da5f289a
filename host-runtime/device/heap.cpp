// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/heap.h"

#include <algorithm>
#include <utility>

#include "hal/core/trace.h"

namespace rivulet {
namespace {

/// Bytes in use on all devices, for traces.
hal::trace::Counter &memory_in_use() {
    static hal::trace::Counter counter("device memory", "bytes");
    return counter;
}

constexpr uint64_t page = RVL_PAGE_BYTES;
constexpr uint64_t tlb_pages = 256;
constexpr size_t large = 16 * page;
constexpr uint64_t least_growth = 64 * page;
// The fraction of the largest gap that a code arena may grow into.
constexpr uint64_t share_of_code = 32;
constexpr uint64_t least_for_code = 32 * page;
constexpr uint64_t most_for_code = 8 << 20;
// A smaller range stays with its arena until another one runs out of space.
constexpr uint64_t worth_giving_back = 1 << 20;

constexpr uint64_t most_quarantined = uint64_t{16} << 20;

} // namespace

Heap::Heap(uint64_t base, uint64_t bytes, Range second, size_t grain)
    : whole_{{{round_up(base, page), round_down(base + bytes, page)}, second}}, grain_(grain) {
    auto &[first, other] = whole_;
    if (other.begin == first.end)
        other.begin = std::min(other.begin + page, other.end);
    if (other.end == first.begin)
        other.end = std::max(other.end - page, other.begin);
}

size_t Heap::rounded(size_t bytes) const {
    return std::max<size_t>(round_up(bytes, grain_), grain_);
}

/// Calls taken(range, grows) for everything that is not free for an arena, except its own extent.
template <class F>
void Heap::for_each_taken(size_t heap, const Arena &asking, Room room, F &&taken) const {
    for (const Arena *arena : arenas_) {
        const Arena::Piece &piece = arena->pieces_[heap];
        const bool has_home = heap == 0 && !arena->home_.empty();
        if (has_home && room == Room::kept)
            taken(Range{piece.extent.end, arena->home_.end}, false);
        else if (has_home)
            taken(arena->home_, false);
        if (arena == &asking)
            continue;
        if (!piece.extent.empty())
            taken(piece.extent, !arena->is_code_);
        if (!piece.held.empty())
            taken(piece.held, !arena->is_code_); // the rest of it may grow again
    }
}

// The gaps in which an arena may be placed, in ascending order. Ranges held for old leases may
// overlap extents, so the taken ranges are merged while walking over them in sorted order.
std::vector<Heap::Gap> Heap::gaps(size_t heap, const Arena &asking, Room room) const {
    struct Taken {
        Range range;
        bool grows;
    };
    std::vector<Taken> all;
    for_each_taken(heap, asking, room,
                   [&](const Range &range, bool grows) { all.push_back({range, grows}); });
    std::ranges::sort(all, {}, [](const Taken &taken) { return taken.range.begin; });
    std::vector<Gap> gaps;
    Gap gap{.range = {whole_[heap].begin, 0}};
    for (const auto &[range, grows] : all) {
        if (range.begin > gap.range.begin) {
            gap.range.end = range.begin;
            gaps.push_back(gap);
        }
        if (range.end >= gap.range.begin)
            gap = {.range = {range.end, 0}, .below_grows = grows};
    }
    if (gap.range.begin < whole_[heap].end) {
        gap.range.end = whole_[heap].end;
        gaps.push_back(gap);
    }
    return gaps;
}

// At the end of the highest gap that fits, so that the space below stays contiguous. Its home page
// is at the end of the space into which it grows upwards; it may grow downwards beyond that.
void Heap::insert_code(Arena &arena) {
    reclaim();
    const std::vector<Gap> gaps = this->gaps(0, arena, Room::kept);
    uint64_t largest = 0;
    for (const Gap &gap : gaps)
        largest = std::max(largest, gap.range.bytes());
    const uint64_t room =
        std::min(round_up(std::clamp(largest / share_of_code, least_for_code, most_for_code), page),
                 largest);
    Range place;
    for (const Gap &gap : gaps)
        if (gap.range.bytes() >= room)
            place = gap.range;
    if (room < 2 * page) // it gets no memory, and no block can be allocated
        return;
    arena.home_ = {place.end - page, place.end};
    const uint64_t begin = place.end - room;
    Range &extent = arena.pieces_[0].extent;
    extent = {begin, std::min(begin + large, arena.home_.begin)};
    arena.reserve();
    arena.pieces_[0].free.add(extent);
}

void Heap::reclaim() {
    for (Arena *arena : arenas_)
        arena->give_back(page);
}

Range Heap::surroundings(const Arena &arena, size_t heap) const {
    Range range = whole_[heap];
    const Range &extent = arena.pieces_[heap].extent;
    for_each_taken(heap, arena, Room::given, [&](const Range &taken, bool) {
        if (taken.end <= extent.begin)
            range.begin = std::max(range.begin, taken.end);
        else
            range.end = std::min(range.end, taken.begin);
    });
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
    : heap_(std::move(heap)), is_code_(use == Use::code),
      pieces_{Piece(heap_->grain_), Piece(heap_->grain_)} {
    recent_.fill(~uint64_t{0});
    const BriefLock lock(heap_->mutex_);
    if (is_code_)
        heap_->insert_code(*this);
    heap_->arenas_.insert(this);
}

Arena::Arena(std::shared_ptr<Arena> code)
    : heap_(code->heap_), is_code_(false), code_(std::move(code)),
      pieces_{Piece(heap_->grain_), Piece(heap_->grain_)} {
    recent_.fill(~uint64_t{0});
    const BriefLock lock(heap_->mutex_);
    heap_->arenas_.insert(this);
}

Arena::~Arena() {
    const BriefLock lock(heap_->mutex_);
    heap_->arenas_.erase(this);
}

Range Arena::extent(size_t heap) {
    BriefLock lock(heap_->mutex_);
    return pieces_[heap].extent;
}

uint64_t Arena::bytes_in_use() {
    BriefLock lock(heap_->mutex_);
    return in_use_;
}

uint64_t Arena::ranges_looked_at() {
    BriefLock lock(heap_->mutex_);
    return pieces_[0].free.looked_at() + pieces_[1].free.looked_at();
}

Block Arena::allocate(size_t bytes, size_t alignment) {
    const size_t size = heap_->rounded(bytes);
    if (size < bytes)
        return {};
    alignment = std::max<size_t>(alignment, size >= large ? page : heap_->grain_);
    auto self = shared_from_this();
    Allocations made;
    made.emplace(0, Allocation{.bytes = bytes});
    BriefLock lock(heap_->mutex_);
    reserve();
    uint64_t address = 0;
    // To stagger a large block, up to as many pages as there are recent blocks may have to be
    // skipped.
    const size_t slack = alignment + (size >= large ? recent_.size() * page : 0);
    bool reclaimed = false;
    while (!take(size, alignment, address)) {
        if ((grow(size + slack) || grow(size + alignment) || grow(size)) &&
            take(size, alignment, address))
            break;
        if (!std::exchange(reclaimed, true)) {
            heap_->reclaim();
            continue;
        }
        if (released_.empty())
            return {};
        release_oldest();
    }
    in_use_ += size;
    memory_in_use().add(static_cast<int64_t>(size));
    auto node = made.extract(made.begin());
    node.key() = node.mapped().address = address;
    node.mapped().number = ++allocations_made_;
    allocations_.insert(std::move(node));
    return {std::move(self), address, size};
}

// Between n blocks and the page of words, and at both ends, there are at most n + 2 gaps; two more
// while a block is allocated and the arena grows.
void Arena::reserve() {
    for (size_t heap = 0; heap < pieces_.size(); ++heap)
        if (!heap_->whole_[heap].empty())
            pieces_[heap].free.reserve(pieces_[heap].blocks + 6);
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
    return take_in(pieces_[0], bytes, alignment, address) ||
           take_in(pieces_[1], bytes, alignment, address);
}

// Best fit; large blocks are staggered if there is room for it.
bool Arena::take_in(Piece &piece, size_t bytes, size_t alignment, uint64_t &address) {
    const auto fits = [&](const Range &gap, uint64_t at) {
        return at <= gap.end && gap.end - at >= bytes;
    };
    Range gap;
    uint64_t at = 0;
    if (bytes >= large && alignment <= page)
        for (const size_t more : {size_t{0}, recent_.size() * page}) {
            gap = piece.free.find(bytes + more, alignment);
            at = staggered(round_up(gap.begin, alignment));
            if (gap.empty() || fits(gap, at))
                break;
        }
    if (gap.empty() || !fits(gap, at)) {
        gap = piece.free.find(bytes, alignment);
        at = round_up(gap.begin, alignment);
    }
    if (gap.empty())
        return false;
    piece.free.remove({at, at + bytes});
    ++piece.blocks;
    if (bytes >= large) {
        recent_[next_recent_] = at / page % tlb_pages;
        next_recent_ = (next_recent_ + 1) % recent_.size();
    }
    address = at;
    return true;
}

bool Arena::grow(size_t bytes) { return grow_in(0, bytes) || (!is_code_ && grow_in(1, bytes)); }

bool Arena::grow_in(size_t heap, size_t bytes) {
    Piece &piece = pieces_[heap];
    Range &extent = piece.extent;
    if (extent.empty())
        return !is_code_ && place_in(heap, bytes);
    const Range around = heap_->surroundings(*this, heap);
    // Free bytes at either end count as available. Returns 0 if there is not enough room.
    const auto addition = [&](const Range &free, uint64_t room) -> uint64_t {
        const uint64_t need = round_up(bytes > free.bytes() ? bytes - free.bytes() : 0, page);
        return need <= room ? std::min(std::max(need, least_growth), room) : 0;
    };
    if (const uint64_t add = addition(piece.free.ending_at(extent.end), around.end - extent.end)) {
        piece.free.add({extent.end, extent.end + add});
        extent.end += add;
        return true;
    }
    if (const uint64_t add =
            addition(piece.free.beginning_at(extent.begin), extent.begin - around.begin)) {
        piece.free.add({extent.begin - add, extent.begin});
        extent.begin -= add;
        return true;
    }
    return false;
}

// At the start of the largest gap unless another arena grows into it from there, otherwise in its
// middle, to grow both ways. Never at its end, because another context's code may be placed after
// that.
bool Arena::place_in(size_t heap, size_t bytes, const std::vector<Heap::Gap> &gaps) {
    const auto largest =
        std::ranges::max_element(gaps, {}, [](const Heap::Gap &gap) { return gap.range.bytes(); });
    const bool has_words = heap == 0 && code_;
    if (largest == gaps.end() || (has_words && code_->home_.empty()))
        return false;
    const auto &[gap, below_grows] = *largest;
    if (bytes > gap.bytes())
        return false;
    const uint64_t need = round_up(bytes, page) + (has_words ? page : 0);
    if (need > gap.bytes())
        return false;
    const uint64_t size = std::min(std::max(need, least_growth), gap.bytes());
    const uint64_t middle = round_down(gap.begin + gap.bytes() / 2, page);
    const uint64_t begin = below_grows ? std::min(middle, gap.end - size) : gap.begin;
    Piece &piece = pieces_[heap];
    piece.extent = {begin, begin + size};
    piece.free.add(piece.extent);
    if (has_words) {
        ++placements_;
        words_ = begin;
        piece.free.remove({words_, words_ + page});
    }
    return true;
}

bool Arena::place_in(size_t heap, size_t bytes) {
    return place_in(heap, bytes, heap_->gaps(heap, *this, Heap::Room::kept)) ||
           place_in(heap, bytes, heap_->gaps(heap, *this, Heap::Room::given));
}

// Everything except unused pages at the ends.
Range Arena::needed(const Piece &piece) const {
    if (piece.blocks == 0)
        return is_code_ ? piece.extent : Range{};
    Range range = piece.extent;
    if (const Range first = piece.free.beginning_at(range.begin); !first.empty())
        range.begin = round_down(first.end, page);
    if (const Range last = piece.free.ending_at(range.end); !last.empty())
        range.end = round_up(last.begin, page);
    return range;
}

// Shrinks the arena to the pages it needs if that frees at least `least` bytes. Launches in flight
// may still access the old extent, so it stays held until their leases have ended; later leases
// form the next generation. Only one old generation is kept, so a second shrink has to wait for its
// leases.
void Arena::give_back(uint64_t least) {
    if (leases_[1 - generation_] != 0)
        return; // done when they have ended
    uint64_t unneeded = 0;
    for (const Piece &piece : pieces_)
        unneeded += piece.extent.bytes() - needed(piece).bytes();
    if (unneeded < least)
        return;
    const bool may_be_reached = leases_[generation_] != 0;
    if (may_be_reached)
        generation_ = 1 - generation_;
    for (Piece &piece : pieces_) {
        const Range before = piece.extent;
        const Range after = needed(piece);
        if (may_be_reached)
            piece.held = before;
        piece.extent = after;
        if (after.empty()) {
            piece.free.clear();
            continue;
        }
        if (before.begin < after.begin)
            piece.free.remove({before.begin, after.begin});
        if (after.end < before.end)
            piece.free.remove({after.end, before.end});
    }
}

uint8_t Arena::lend() {
    ++leases_[generation_];
    return generation_;
}

void Arena::take_back(uint8_t generation) {
    if (--leases_[generation] != 0 || generation == generation_)
        return;
    for (Piece &piece : pieces_)
        piece.held = {};
    give_back(worth_giving_back);
}

void Arena::quarantine_released() {
    BriefLock lock(heap_->mutex_);
    quarantines_ = true;
}

std::vector<Allocation> Arena::allocations() {
    BriefLock lock(heap_->mutex_);
    std::vector<Allocation> all;
    all.reserve(allocations_.size());
    for (const auto &[address, allocation] : allocations_)
        all.push_back(allocation);
    return all;
}

Allocation Arena::allocation_at(uint64_t address) {
    BriefLock lock(heap_->mutex_);
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
    BriefLock lock(heap_->mutex_);
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
    const bool is_first = address >= pieces_[0].extent.begin && address < pieces_[0].extent.end;
    Piece &piece = pieces_[is_first ? 0 : 1];
    --piece.blocks;
    piece.free.add({address, address + bytes});
    give_back(worth_giving_back);
}

} // namespace rivulet
