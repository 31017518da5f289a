// SPDX-License-Identifier: Apache-2.0
//
// Device memory. The heap is what the firmware reports; every context has two arenas in it, one for
// buffers and one for kernel code and launch records, which kernels can't write. Each is a
// contiguous run of pages, since that is what the harts' memory protection fences. An arena grows
// at either end and is placed where there is room to grow; blocks lie in the arena. On a device
// with a second heap the arena of buffers has a run of pages there, too, once the first heap is
// full.
//
//   heap  |[ buffers A ]·········[ buffers B ]·········[ code B ]··[ code A ]··|
//                    └ blocks, page or cache-block aligned
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

namespace rivulet {

class Arena;

struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;
    [[nodiscard]] uint64_t bytes() const { return end - begin; }
};

/// Hands out runs of pages to arenas. One lock for the heap and all its arenas.
class Heap {
public:
    /// `second` has what the first has no room for. `grain`: blocks consist of whole cache blocks
    /// of that size, so that maintenance of one never touches another's bytes.
    Heap(uint64_t base, uint64_t bytes, Range second = {}, size_t grain = RVL_CACHE_BLOCK);

    [[nodiscard]] uint64_t bytes() const { return whole_[0].bytes() + whole_[1].bytes(); }

private:
    friend class Arena;
    void insert(Arena &arena, bool at_end);
    [[nodiscard]] uint64_t start_in(size_t heap, bool at_end) const;
    void remove(Arena &arena);
    [[nodiscard]] size_t rounded(size_t bytes) const;
    /// The free range around an arena, itself included.
    [[nodiscard]] Range surroundings(const Arena &arena, size_t heap) const;

    Mutex mutex_{LockRank::heap};
    std::array<Range, 2> whole_; // never adjacent, or blocks would reach from one to the other
    const size_t grain_;
    std::set<Arena *> arenas_;
};

/// Memory in an arena, freed with the object.
class Block {
public:
    Block() = default;
    Block(Block &&other) noexcept;
    Block &operator=(Block &&other) noexcept;
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
    /// Code stands apart, so that launches can name all of a context's: towards the heap's end, and
    /// buffers have the rest in one piece.
    enum class Use { buffers, code };
    explicit Arena(std::shared_ptr<Heap> heap, Use use = Use::buffers);
    ~Arena();
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;

    /// An empty block when there is no room. Large blocks start on a page, each on another page
    /// number modulo 256 than the last ones: QEMU's TLB maps pages by these bits, and kernels
    /// walk through several buffers at the same pace.
    [[nodiscard]] Block allocate(size_t bytes, size_t alignment);

    /// Whole pages, as a launch names them. `heap` 1: of the second heap.
    [[nodiscard]] Range extent(size_t heap = 0);
    [[nodiscard]] uint64_t bytes_in_use();

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
    using Gaps = std::map<uint64_t, uint64_t>; // begin → end
    using Allocations = std::map<uint64_t, Allocation>;
    void free(uint64_t address, size_t bytes);
    void return_block(uint64_t address, size_t bytes);
    void release_oldest();
    void reserve();
    void add_gap(uint64_t begin, uint64_t end);
    void remove_gap(Gaps::iterator gap);
    bool take(size_t bytes, size_t alignment, uint64_t &address);
    bool take_in(size_t heap, size_t bytes, size_t alignment, uint64_t &address);
    bool grow(size_t bytes);
    bool grow_in(size_t heap, size_t bytes);
    [[nodiscard]] uint64_t staggered(uint64_t address) const;

    std::shared_ptr<Heap> heap_;
    std::array<Range, 2> extent_; // of each heap; lock: heap_->mutex_, and so below
    bool is_code_;                // which lies in the first heap only
    Gaps free_;                   // never adjacent
    /// Holds as many nodes as `free_` may still need, whatever is given back: freeing never fails.
    Gaps spare_;
    uint64_t spares_made_ = 0;
    uint64_t blocks_ = 0;
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
