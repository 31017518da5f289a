// SPDX-License-Identifier: Apache-2.0
//
// Device memory. The heap is what the firmware reports; every context has two arenas in it, one for
// buffers and one for kernel code and launch records, which kernels can't write. Each is a
// contiguous run of pages, since that is what the harts' memory protection fences. On a device
// with a second heap the arena of buffers has a run of pages there, too, once the first heap is
// full.
//
//   heap  |[ buffers A ]············[ buffers B ]············[ code B ]··hB|[ code A ]··hA|
//                    └ blocks, page or cache-block aligned
//
// Arenas of code are at the heap's end, one below the other, each with room to grow into. An arena
// of buffers has pages only while it has blocks: its first block places it, in the largest gap, and
// it then grows at either end as long as there is room. What has no blocks at the ends is given
// back. Launches of a context without blocks find their words on a page of its own, its home (h).
//
// Launches name the runs that they may reach when they are written to the ring, so a run that was
// given back is no other context's before the launches have ended that were told of it (Lease).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "hal/core/lock.h"
#include "hal/protocol/version.h"
#include "host-runtime/memory/free_ranges.h"

namespace rivulet {

class Arena;

/// Hands out runs of pages to arenas. One lock for the heap and all its arenas.
class Heap {
public:
    /// `second` has what the first has no room for. `grain`: blocks consist of whole cache blocks
    /// of that size, so that maintenance of one never touches another's bytes.
    Heap(uint64_t base, uint64_t bytes, Range second = {}, size_t grain = RVL_CACHE_BLOCK);

    [[nodiscard]] uint64_t bytes() const { return whole_[0].bytes() + whole_[1].bytes(); }

private:
    friend class Arena;
    friend class Lease;
    /// Between what arenas have; whether the arena below it may want to grow into it.
    struct Gap {
        Range range;
        bool below_grows = false;
    };
    /// The room that code has to grow into may be kept for it.
    enum class Room { kept, given };
    [[nodiscard]] std::vector<Gap> gaps(size_t heap, const Arena &asking, Room room) const;
    /// Places an arena of code.
    void insert_code(Arena &arena);
    void reclaim();
    [[nodiscard]] size_t rounded(size_t bytes) const;
    /// The free range around an arena, itself included.
    [[nodiscard]] Range surroundings(const Arena &arena, size_t heap) const;
    template <class F>
    void for_each_taken(size_t heap, const Arena &asking, Room room, F &&taken) const;

    Mutex mutex_{LockRank::heap};
    std::array<Range, 2> whole_; // never adjacent, or blocks would reach from one to the other
    const size_t grain_;
    std::set<Arena *> arenas_;
};

/// Memory in an arena, freed with the object.
class Block {
public:
    Block() = default;
    Block(Block &&) noexcept;
    Block &operator=(Block &&) noexcept;
    ~Block();

    [[nodiscard]] uint64_t address() const { return address_; }
    [[nodiscard]] size_t bytes() const { return bytes_; }
    explicit operator bool() const { return arena_ != nullptr; }

private:
    friend class Arena;
    Block(std::shared_ptr<Arena> arena, uint64_t address, size_t bytes);

    std::shared_ptr<Arena> arena_;
    uint64_t address_ = 0;
    size_t bytes_ = 0;
};

/// What a launch may reach: nothing of it becomes another context's before the lease has ended.
class Lease {
public:
    Lease() = default;
    /// Of an arena of buffers that has code, which must outlive it.
    explicit Lease(Arena &arena);
    Lease(Lease &&) noexcept;
    Lease &operator=(Lease &&) noexcept;
    ~Lease();

    // Whole pages. The page of words is the first record's of the context and lies in `buffers`.
    Range buffers, second_buffers, code;
    uint64_t words = 0;
    uint64_t placement = 0; // changes when the page of words is another than before

private:
    Arena *arena_ = nullptr;
    uint8_t generation_ = 0; // of the arena, and of its code
    uint8_t code_generation_ = 0;
};

/// A block of an arena, as reports name it.
struct Allocation {
    uint64_t address = 0;
    size_t bytes = 0;    // as asked for
    uint64_t number = 0; // of the arena's blocks, in the order of their creation, from 1
    bool is_released = false;
};

/// One context's memory on one device.
class Arena : public std::enable_shared_from_this<Arena> {
public:
    /// Code stands apart, so that launches can name all of a context's.
    enum class Use { buffers, code };
    explicit Arena(std::shared_ptr<Heap> heap, Use use = Use::buffers);
    /// Of buffers, for launches of that code.
    explicit Arena(std::shared_ptr<Arena> code);
    ~Arena();
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;

    /// An empty block when there is no room. Large blocks start on a page, each on another page
    /// number modulo 256 than the last ones: QEMU's TLB maps pages by these bits, and kernels
    /// walk through several buffers at the same pace.
    [[nodiscard]] Block allocate(size_t bytes, size_t alignment);

    /// Whole pages; none without blocks. `heap` 1: of the second heap.
    [[nodiscard]] Range extent(size_t heap = 0);
    [[nodiscard]] uint64_t bytes_in_use();
    /// How many free ranges all allocations so far have looked at.
    [[nodiscard]] uint64_t ranges_looked_at();

    /// From now on what is freed is handed out again only after much else was freed, so that
    /// kernels built with -rv-sanitize=address find who still uses it.
    void quarantine_released();
    /// All blocks that are not freed, by address.
    [[nodiscard]] std::vector<Allocation> allocations();
    /// The block that an address lies in, freed ones included, or the last one before it.
    [[nodiscard]] Allocation allocation_at(uint64_t address);

private:
    friend class Block;
    friend class Heap;
    friend class Lease;
    using Allocations = std::map<uint64_t, Allocation>;

    /// Its run of pages in one of the heaps.
    struct Piece {
        Range extent;
        Range held; // what leases of the former generation may reach
        FreeRanges free;
        size_t blocks = 0;
    };
    void free(uint64_t address, size_t bytes);
    void return_block(uint64_t address, size_t bytes);
    void release_oldest();
    void reserve();
    bool take(size_t bytes, size_t alignment, uint64_t &address);
    bool take_in(Piece &piece, size_t bytes, size_t alignment, uint64_t &address);
    bool grow(size_t bytes);
    bool grow_in(size_t heap, size_t bytes);
    bool place_in(size_t heap, size_t bytes);
    bool place_in(size_t heap, size_t bytes, const std::vector<Heap::Gap> &gaps);
    [[nodiscard]] uint64_t staggered(uint64_t address) const;
    [[nodiscard]] Range needed(const Piece &piece) const;
    void give_back(uint64_t least);
    uint8_t lend();
    void take_back(uint8_t generation);

    const std::shared_ptr<Heap> heap_;
    const bool is_code_;                // which lies in the first heap only
    const std::shared_ptr<Arena> code_; // of the same context
    std::array<Piece, 2> pieces_;       // of each heap; lock: heap_->mutex_, and so below
    Range home_;                        // beside code, for the words of launches without buffers
    uint64_t words_ = 0;                // their page in the first piece, while that has blocks
    uint64_t placements_ = 0;           // of the first piece
    // Leases of the present generation, and of the former one until there are none. It ends when
    // pages are given back that its leases may reach.
    std::array<size_t, 2> leases_{};
    uint8_t generation_ = 0;
    std::array<uint64_t, 8> recent_{}; // pages where the last large blocks start
    unsigned next_recent_ = 0;
    uint64_t in_use_ = 0;
    Allocations allocations_; // by address
    Allocations released_;    // in quarantine, by the order of release
    uint64_t allocations_made_ = 0;
    uint64_t releases_ = 0;
    uint64_t released_bytes_ = 0;
    bool quarantines_ = false;
};

} // namespace rivulet
