// SPDX-License-Identifier: Apache-2.0
//
// The bytes of memory objects on the devices of their context, and moving them about. On a device
// that maps, the host reads and writes them in place; else through the driver.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "host-runtime/device/context.h"
#include "host-runtime/memory/heap.h"
#include "host-runtime/memory/range_set.h"
#include "host-runtime/memory/shared_memory.h"
#include "host-runtime/object/checked_size.h"

namespace rivulet {

/// A box of bytes: width, rows, slices.
struct Extent {
    size_t width = 0;
    size_t rows = 1;
    size_t slices = 1;
    [[nodiscard]] size_t bytes() const { return width * rows * slices; }
};

/// The position of a box: its first byte, and how far apart rows and slices are. The sums are those
/// of boxes whose checked_end has been found to fit.
struct Layout {
    size_t offset = 0;
    size_t row_pitch = 0;
    size_t slice_pitch = 0;

    [[nodiscard]] size_t at(size_t row, size_t slice) const {
        return offset + row * row_pitch + slice * slice_pitch;
    }
    /// Just behind the last byte.
    [[nodiscard]] size_t end(const Extent &extent) const {
        return at(extent.rows - 1, extent.slices - 1) + extent.width;
    }

    // The same of numbers that the application gave.
    [[nodiscard]] CheckedSize checked_at(size_t row, size_t slice) const {
        return CheckedSize(offset) + CheckedSize(row) * row_pitch +
               CheckedSize(slice) * slice_pitch;
    }
    [[nodiscard]] CheckedSize checked_end(const Extent &extent) const {
        return checked_at(extent.rows - 1, extent.slices - 1) + extent.width;
    }
};

/// A region in a memory object's storage, or in memory of the application.
struct Rect {
    Layout layout;
    Extent extent;
};

/// True if two boxes have a byte in common. The rows of one slice end before the next slice.
bool overlap(const Rect &a, const Rect &b);

/// A block on each device of the context. Each has the latest contents of some ranges of the bytes,
/// and each byte is the latest in one block at least: in several where no command has written it
/// since it was copied, or at all.
///
/// Validity is decided when a command begins, not when it is enqueued. At that moment all that the
/// application has ordered before it, by queues or events, has ended, or is a launch ahead of it in
/// its own stream of the same device. So all writes that it must see are noted, and noted bytes are
/// either written or will be by that device before the command. At the time of clEnqueue… that is
/// not so: a copy noted then might be one that a user event holds up for ever, which other readers
/// would wait for in vain. A launch whose memory is there is claimed under the graph's lock on its
/// way to the device; one whose memory isn't becomes host work first, which fetches and claims it.
/// The two need not be one step: once the bytes are in a device's block, nobody but the
/// application's own data race can change them there before the launch has ended. Another command
/// may note the same bytes as written in its block meanwhile, if it could write them but doesn't
/// (see may_write); what is then fetched back are the same bytes. That transfer still waits for the
/// host's accesses to the place that it overwrites (Access), so that it is no data race of ours,
/// and so does a second command that needs bytes which are on their way: they are copied once.
///
/// Commands whose ranges don't overlap share no byte, so two devices may write sub-buffers of one
/// buffer at the same time. The host writes where the bytes are the latest, and reads from there.
class Storage {
public:
    /// Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE. `shared`: an allocation that holds the bytes,
    /// from that pointer on, instead of a block of the storage's own.
    Storage(const Context &context, size_t bytes,
            std::shared_ptr<const SharedAllocation> shared = nullptr,
            const void *pointer = nullptr);
    /// The storage of a memory object: CL_MEM_USE_HOST_PTR of shared memory is that memory.
    static std::shared_ptr<Storage> made_for(const Context &context, cl_mem_flags flags,
                                             size_t bytes, const void *host_ptr);

    [[nodiscard]] size_t bytes() const { return bytes_; }
    [[nodiscard]] uint64_t address(const ContextDevice &context_device) const;
    [[nodiscard]] bool is_shared() const { return shared_ != nullptr; }

    /// A pointer through which the host can use the bytes in place, between acquire and release;
    /// nullptr: it can't, since the driver does not map or several devices have copies.
    [[nodiscard]] std::byte *pointer() const;
    void acquire(size_t offset, size_t bytes) const; // what the device wrote, to the host
    void release(size_t offset, size_t bytes) const; // what the host wrote, to the device

    void read(size_t offset, std::span<std::byte> to) const;
    void write(size_t offset, std::span<const std::byte> from);

    /// For a command that is about to begin on the device: 0 if the device has the latest of these
    /// bytes, which then are noted as used there, and written if it `writes`. Else how many it has
    /// to fetch first; the largest number if it has to wait for others that fetch them.
    [[nodiscard]] size_t claim(const ContextDevice &context_device, const Range &range,
                               bool writes) noexcept;
    /// Copies what the device lacks, and claims it.
    void fetch(const ContextDevice &context_device, const Range &range, bool writes);
    /// After a launch that may have written there, whatever became of it: shared memory has another
    /// pointer, whose users fetch nothing. The device's bytes are the latest, even if a launch
    /// ahead of it in its stream was written back while it ran.
    void write_back(const ContextDevice &context_device, const Range &range);

    /// 5.4.3: notes a box that `owner` maps for writing. `false`: one that overlaps is mapped so
    /// already, by this memory object or by another one of the same storage.
    bool map_for_writing(const void *owner, const Rect &rect);
    struct Written {
        const void *owner;
        Rect rect;
    };
    using WrittenBoxes = std::multimap<size_t, Written>; // by their offset
    /// Takes out what was noted; empty if nothing was.
    WrittenBoxes::node_type unmap_for_writing(const void *owner, size_t offset);
    /// Puts it back. Allocates nothing, so it can't fail.
    void map_for_writing(WrittenBoxes::node_type taken);

private:
    struct Copy {
        const ContextDevice *context_device;
        Block block; // none where the bytes are shared
        uint64_t address;
        RangeSet latest;
    };
    /// An access of the host's under way: to bytes of a copy, or from one copy to another.
    struct Access {
        Range range;
        const Copy *copy;
        const Copy *source = nullptr;
        Access *next = nullptr;
    };
    struct Part {
        Copy &copy;
        Range range;
    };
    [[nodiscard]] bool is_one_copy() const { return copies_.size() == 1; }
    [[nodiscard]] Copy &copy_on(const ContextDevice &context_device) const;
    [[nodiscard]] Part first_part(const Range &range, bool writes) const;
    [[nodiscard]] bool in_use(const Copy &copy, const Range &range) const;
    void note(Copy &copy, const Range &range, bool writes) const;
    template <class F> void access(Lock &lock, Access access, F &&body) const;
    template <class F> void for_each_part(Range left, bool writes, F &&use) const;

    size_t bytes_;
    std::shared_ptr<const SharedAllocation> shared_;
    mutable Mutex mutex_{LockRank::memory};
    mutable Condition accessed_;

    // Guarded by mutex_:
    mutable std::vector<Copy> copies_; // what they have; their number and places never change
    mutable Copy *last_used_ = nullptr;
    Copy *home_ = nullptr; // the one that is shared memory
    mutable Access *accesses_ = nullptr;
    WrittenBoxes written_;
    size_t longest_written_ = 0; // at least: how far one reaches
};

/// The pattern, repeated until it has that many bytes, or as many as are handy.
std::vector<std::byte> pattern_run(std::span<const std::byte> pattern, size_t bytes);

void read_box(const Storage &from, const Layout &from_layout, std::byte *to,
              const Layout &to_layout, const Extent &extent);
void write_box(Storage &to, const Layout &to_layout, const std::byte *from,
               const Layout &from_layout, const Extent &extent);
/// Fails with CL_INVALID_HOST_PTR if a row of the application's memory is not, or no longer, there.
void require_mapped(const std::byte *memory, const Layout &layout, const Extent &extent);
/// read_box to memory that the application may be allowed to read only: pages that have the
/// contents already are not stored to. Fails with CL_INVALID_HOST_PTR.
void read_changes(const Storage &from, const Layout &from_layout, std::byte *to,
                  const Layout &to_layout, const Extent &extent);
void copy_box(const Storage &from, const Layout &from_layout, Storage &to, const Layout &to_layout,
              const Extent &extent);
/// Repeats the pattern along each row; the width is a multiple of its size.
void fill_box(Storage &to, const Layout &layout, const Extent &extent,
              std::span<const std::byte> pattern);

} // namespace rivulet
