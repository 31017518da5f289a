// SPDX-License-Identifier: Apache-2.0
//
// Device memory. The firmware reports the heap; every context has two arenas in it, one for buffers
// and one for kernel code and launch records, which kernels can't write. Each is a contiguous run
// of pages, as required by the harts' memory protection. On a device with a second heap, the buffer
// arena also has a run of pages there once the first heap is full.
//
//   heap  |[ buffers A ]············[ buffers B ]············[ code B ]··hB|[ code A ]··hA|
//                    └ blocks, page or cache-block aligned
//
// Code arenas are at the heap's end, one below the other, each with room to grow. A buffer arena
// has pages only while it has blocks: its first block places it in the largest gap, and it then
// grows at either end as long as there is room. Unused pages at the ends are given back. Launches
// of a context without blocks have their words on a page of its own, its home (h).
//
// When a launch is written to the ring, it names the runs it may access. So a run that was given
// back is not reused for another context before all launches that were told of it have ended
// (Lease).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/brief_lock.h"
#include "hal/protocol/version.h"
#include "host-runtime/device/free_ranges.h"

namespace rivulet {

class Arena;

/// Hands out runs of pages to arenas. One lock for the heap and all its arenas.
class Heap {
public:
    /// `second` is used when the first heap is full. `grain`: blocks consist of whole cache blocks
    /// of this size, so that maintaining one never affects another's bytes.
    Heap(uint64_t base, uint64_t bytes, Range second = {}, size_t grain = RVL_CACHE_BLOCK);

    [[nodiscard]] uint64_t bytes() const { return whole_[0].bytes() + whole_[1].bytes(); }

private:
    friend class Arena;
    friend class Lease;
    /// A gap between arenas, and whether the arena below may want to grow into it.
    struct Gap {
        Range range;
        bool below_grows = false;
    };
    /// Whether the room that code arenas have for growing stays reserved for them.
    enum class Room { kept, given };
    [[nodiscard]] std::vector<Gap> gaps(size_t heap, const Arena &asking, Room room) const;
    /// Places a code arena.
    void insert_code(Arena &arena);
    void reclaim();
    [[nodiscard]] size_t rounded(size_t bytes) const;
    /// The free range around an arena, including the arena.
    [[nodiscard]] Range surroundings(const Arena &arena, size_t heap) const;
    template <class F>
    void for_each_taken(size_t heap, const Arena &asking, Room room, F &&taken) const;

    BriefMutex mutex_{LockRank::heap};
    std::array<Range, 2> whole_; // never adjacent, or a block could span both
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

/// The memory that a launch may access: none of it is reused for another context before the lease
/// has ended.
class Lease {
public:
    Lease() = default;
    /// Of a buffer arena with a code arena, and of pages that contexts share, if the context has
    /// some. It must not outlive the arenas.
    explicit Lease(Arena &arena, Arena *shared = nullptr);
    Lease(Lease &&) noexcept;
    Lease &operator=(Lease &&) noexcept;
    ~Lease();

    // Whole pages. The page of words belongs to the context's first records and is part of
    // `buffers`.
    Range buffers, code;
    Range second_buffers; // in the second heap, or shared
    uint64_t words = 0;
    uint64_t placement = 0; // changes when the page of words does

private:
    Arena *arena_ = nullptr;
    Arena *shared_ = nullptr;
    uint8_t generation_ = 0; // of the arena, of its code, and of the shared pages
    uint8_t code_generation_ = 0;
    uint8_t shared_generation_ = 0;
};

/// A block of an arena, as named in reports.
struct Allocation {
    uint64_t address = 0;
    size_t bytes = 0;    // as requested
    uint64_t number = 0; // numbers the arena's blocks in order of creation, from 1
    bool is_released = false;
};

/// One context's memory on one device.
class Arena : public std::enable_shared_from_this<Arena> {
public:
    /// Code is separate, so that launches can name all of a context's code as one range.
    enum class Use { buffers, code };
    explicit Arena(std::shared_ptr<Heap> heap, Use use = Use::buffers);
    /// A buffer arena for launches of that code.
    explicit Arena(std::shared_ptr<Arena> code);
    ~Arena();
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;

    /// Returns an empty block if there is no room. Large blocks start on a page whose number modulo
    /// 256 differs from the most recent ones': QEMU's TLB is indexed by these bits, and kernels
    /// often traverse several buffers in lockstep.
    [[nodiscard]] Block allocate(size_t bytes, size_t alignment);

    /// Whole pages; empty if there are no blocks. `heap` 1 is the second heap.
    [[nodiscard]] Range extent(size_t heap = 0);
    [[nodiscard]] uint64_t bytes_in_use();
    /// Number of free ranges examined by all allocations so far.
    [[nodiscard]] uint64_t ranges_looked_at();

    /// Delays the reuse of freed memory from now on, so that kernels built with
    /// -rv-sanitize=address detect a use after free.
    void quarantine_released();
    /// All blocks in use, by address.
    [[nodiscard]] std::vector<Allocation> allocations();
    /// The block that contains an address, freed ones included, or the last one before it.
    [[nodiscard]] Allocation allocation_at(uint64_t address);

private:
    friend class Block;
    friend class Heap;
    friend class Lease;
    using Allocations = std::map<uint64_t, Allocation>;

    /// Its run of pages in one of the heaps.
    struct Piece {
        explicit Piece(uint64_t grain) : free(grain) {}
        Range extent;
        Range held; // what leases of the previous generation may access
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
    const bool is_code_;                // in the first heap only
    const std::shared_ptr<Arena> code_; // of the same context
    std::array<Piece, 2> pieces_;       // one per heap; guarded by heap_->mutex_, like all below
    Range home_;                        // next to the code; for words of launches without buffers
    uint64_t words_ = 0;                // page of words in the first piece, while that has blocks
    uint64_t placements_ = 0;           // number of times the first piece was placed
    // Leases of the current generation, and of the previous one until there are none. A generation
    // ends when pages that its leases may access are given back.
    std::array<size_t, 2> leases_{};
    uint8_t generation_ = 0;
    std::array<uint64_t, 8> recent_{}; // starting pages of the most recent large blocks
    unsigned next_recent_ = 0;
    uint64_t in_use_ = 0;
    Allocations allocations_; // by address
    Allocations released_;    // in quarantine, by order of release
    uint64_t allocations_made_ = 0;
    uint64_t releases_ = 0;
    uint64_t released_bytes_ = 0;
    bool quarantines_ = false;
};

} // namespace rivulet
