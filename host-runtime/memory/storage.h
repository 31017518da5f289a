// SPDX-License-Identifier: Apache-2.0
//
// The contents of memory objects on their context's devices, and transfers between them. On devices
// that map, the host accesses them in place, otherwise through the driver.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "host-runtime/context/context.h"
#include "host-runtime/context/shared_memory.h"
#include "host-runtime/device/heap.h"
#include "host-runtime/memory/external_memory.h"
#include "host-runtime/memory/range_set.h"
#include "host-runtime/object/checked_size.h"

namespace rivulet {

/// A box of bytes: width, rows, slices.
struct Extent {
    size_t width = 0;
    size_t rows = 1;
    size_t slices = 1;
    [[nodiscard]] size_t bytes() const { return width * rows * slices; }
};

/// The position of a box: its first byte, and the pitches of rows and slices. The unchecked sums
/// are for boxes whose checked_end has been validated.
struct Layout {
    size_t offset = 0;
    size_t row_pitch = 0;
    size_t slice_pitch = 0;

    [[nodiscard]] size_t at(size_t row, size_t slice) const {
        return offset + row * row_pitch + slice * slice_pitch;
    }
    /// One past the last byte.
    [[nodiscard]] size_t end(const Extent &extent) const {
        return at(extent.rows - 1, extent.slices - 1) + extent.width;
    }

    // The same for values given by the application.
    [[nodiscard]] CheckedSize checked_at(size_t row, size_t slice) const {
        return CheckedSize(offset) + CheckedSize(row) * row_pitch +
               CheckedSize(slice) * slice_pitch;
    }
    [[nodiscard]] CheckedSize checked_end(const Extent &extent) const {
        return checked_at(extent.rows - 1, extent.slices - 1) + extent.width;
    }
};

/// A region in a memory object's storage, or in application memory.
struct Rect {
    Layout layout;
    Extent extent;
};

/// True if two boxes share a byte. The rows of a slice end before the next slice.
bool overlap(const Rect &a, const Rect &b);

/// A block on each device of the context. Each has the latest contents of some byte ranges,
/// and each byte is up to date in at least one block: in several if no command has written it
/// since it was copied, or ever.
///
/// Validity is decided when a command begins, not when it is enqueued. At that moment, everything
/// that the application has ordered before it, by queues or events, has ended, or is a launch ahead
/// of it in its own stream on the same device. So all writes that it must see are recorded, and
/// recorded bytes have been written or will be written by that device before the command runs. At
/// the time of clEnqueue… this is not so: a copy recorded then might be one that a user event
/// delays indefinitely, and other readers would wait for it in vain.
///
/// A launch whose memory is on the device is claimed under the graph's lock on its way there;
/// otherwise it first becomes host work, which fetches and claims the memory. The two need not be
/// atomic: once the bytes are in a device's block, only a data race in the application can change
/// them before the launch has ended. Meanwhile another command may record the same bytes as written
/// in its block if it could write them but doesn't (see may_write); what is then fetched back is
/// identical. That transfer still waits for host accesses to the bytes it overwrites (Access), so
/// that the library has no data race. A second command that needs bytes already being copied waits,
/// too: they are copied once.
///
/// Commands whose ranges don't overlap share no byte, so two devices may write sub-buffers of one
/// buffer concurrently. The host accesses bytes where they are up to date.
class Storage {
public:
    /// Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE. `shared`: an existing allocation that holds the
    /// bytes, starting at that pointer, instead of a block of the storage's own.
    Storage(const Context &context, size_t bytes,
            std::shared_ptr<const SharedAllocation> shared = nullptr,
            const void *pointer = nullptr);
    /// The first `bytes` of memory that others may access, too. Fails as ExternalMemory::home does.
    Storage(const Context &context, size_t bytes, std::shared_ptr<const ExternalMemory> external);
    /// The storage of a memory object: external memory if there is some; with CL_MEM_USE_HOST_PTR
    /// of shared memory, that memory.
    static std::shared_ptr<Storage> made_for(const Context &context, cl_mem_flags flags,
                                             size_t bytes, const void *host_ptr,
                                             std::shared_ptr<const ExternalMemory> external);

    [[nodiscard]] size_t bytes() const { return bytes_; }
    [[nodiscard]] uint64_t address(const ContextDevice &context_device) const;
    [[nodiscard]] bool is_shared() const { return shared_ != nullptr; }
    [[nodiscard]] const std::shared_ptr<const ExternalMemory> &external() const {
        return external_;
    }

    /// A pointer through which the host can access the bytes in place, between acquire and release;
    /// nullptr if the driver does not map or several devices have copies.
    [[nodiscard]] std::byte *pointer() const;
    void acquire(size_t offset, size_t bytes) const; // the device's writes, for the host
    void release(size_t offset, size_t bytes) const; // the host's writes, for the device

    void read(size_t offset, std::span<std::byte> to) const;
    void write(size_t offset, std::span<const std::byte> from);

    /// For a command about to begin on the device. Returns 0 if the device has the latest version
    /// of these bytes, which are then recorded as used there, and as written if it `writes`.
    /// Otherwise returns how many bytes it has to fetch first, or the maximum if it has to wait for
    /// other fetches.
    [[nodiscard]] size_t claim(const ContextDevice &context_device, const Range &range,
                               bool writes) noexcept;
    /// Copies what the device lacks, and claims it.
    void fetch(const ContextDevice &context_device, const Range &range, bool writes);
    /// 5.4.4, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED: what the device has there counts as the
    /// latest, whatever it is, so that the next command copies nothing.
    void discard(const ContextDevice &context_device, const Range &range);
    /// Called after a launch that may have written there, whatever its result: shared memory has
    /// another pointer, whose users fetch nothing. The device's bytes are the latest, even if a
    /// launch ahead of it in its stream was written back while it ran.
    void write_back(const ContextDevice &context_device, const Range &range);
    [[nodiscard]] bool writes_back(const ContextDevice &context_device) const {
        return home_ && home_->context_device != &context_device;
    }

    /// 5.4.3: records a box that `owner` maps for writing. Returns false if an overlapping one is
    /// already mapped for writing, by this or another memory object with the same storage.
    bool map_for_writing(const void *owner, const Rect &rect);
    struct Written {
        const void *owner;
        Rect rect;
    };
    using WrittenBoxes = std::multimap<size_t, Written>; // by offset
    /// Removes and returns a record; empty if there was none.
    WrittenBoxes::node_type unmap_for_writing(const void *owner, size_t offset);
    /// Restores it. Allocates nothing, so it can't fail.
    void map_for_writing(WrittenBoxes::node_type taken);

private:
    struct Copy {
        const ContextDevice *context_device;
        Block block; // none if the bytes are in shared memory
        uint64_t address;
        RangeSet latest;
    };
    /// A host access in progress: to bytes of a copy, or from one copy to another.
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
    void make_copies(const Context &context, const ContextDevice *home, uint64_t address);
    [[nodiscard]] bool is_one_copy() const { return copies_.size() == 1; }
    [[nodiscard]] Copy &copy_on(const ContextDevice &context_device) const;
    [[nodiscard]] Part first_part(const Range &range, bool writes) const;
    [[nodiscard]] bool in_use(const Copy &copy, const Range &range) const;
    void note(Copy &copy, const Range &range, bool writes) const;
    template <class F> void access(Lock &lock, Access access, F &&body) const;
    template <class F> void for_each_part(Range left, bool writes, F &&use) const;

    size_t bytes_;
    std::shared_ptr<const SharedAllocation> shared_;
    std::shared_ptr<const ExternalMemory> external_;
    mutable Mutex mutex_{LockRank::memory};
    mutable Condition accessed_;

    // Guarded by mutex_:
    mutable std::vector<Copy> copies_; // only their contents change, never their number or
                                       // addresses
    mutable Copy *last_used_ = nullptr;
    Copy *home_ = nullptr; // the copy in shared or external memory
    mutable Access *accesses_ = nullptr;
    WrittenBoxes written_;
    size_t longest_written_ = 0; // upper bound of the size of a written box
};

void read_box(const Storage &from, const Layout &from_layout, std::byte *to,
              const Layout &to_layout, const Extent &extent);
void write_box(Storage &to, const Layout &to_layout, const std::byte *from,
               const Layout &from_layout, const Extent &extent);
/// Fails with CL_INVALID_HOST_PTR if a row of the application's memory is not mapped (any more).
void require_mapped(const std::byte *memory, const Layout &layout, const Extent &extent);
/// read_box to memory that may be read-only for the application: pages that already have the
/// contents are not written to. Fails with CL_INVALID_HOST_PTR.
void read_changes(const Storage &from, const Layout &from_layout, std::byte *to,
                  const Layout &to_layout, const Extent &extent);
void copy_box(const Storage &from, const Layout &from_layout, Storage &to, const Layout &to_layout,
              const Extent &extent);
/// Repeats the pattern along each row; the width is a multiple of its size.
void fill_box(Storage &to, const Layout &layout, const Extent &extent,
              std::span<const std::byte> pattern);

} // namespace rivulet
