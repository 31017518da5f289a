// SPDX-License-Identifier: Apache-2.0
//
// The bytes of memory objects on the devices of their context, and moving them about. On a device
// that maps, the host reads and writes them in place; else through the driver.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "host-runtime/device/context.h"
#include "host-runtime/memory/heap.h"
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

/// A block on each device; one of them has the latest contents.
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

    /// Makes the device's copy the latest, for what is about to run there.
    void move_to(const ContextDevice &context_device);

    /// 5.4.3: notes a box that `owner` maps for writing. `false`: one that overlaps is mapped so
    /// already, by this memory object or by another one of the same storage.
    bool map_for_writing(const void *owner, const Rect &rect);
    void unmap_for_writing(const void *owner);

private:
    struct Copy {
        const ContextDevice *context_device;
        Block block; // none where the bytes are shared
        uint64_t address;
    };
    [[nodiscard]] const Copy &latest() const { return copies_[latest_]; }

    size_t bytes_;
    std::shared_ptr<const SharedAllocation> shared_;
    std::vector<Copy> copies_;
    std::atomic<size_t> latest_ = 0; // commands that change it are ordered by the application

    struct Written {
        const void *owner;
        Rect rect;
    };
    Mutex mutex_{LockRank::memory};
    std::vector<Written> written_;
};

/// The pattern, repeated until it has that many bytes, or as many as are handy.
std::vector<std::byte> pattern_run(std::span<const std::byte> pattern, size_t bytes);

void read_box(const Storage &from, const Layout &from_layout, std::byte *to,
              const Layout &to_layout, const Extent &extent);
void write_box(Storage &to, const Layout &to_layout, const std::byte *from,
               const Layout &from_layout, const Extent &extent);
void copy_box(const Storage &from, const Layout &from_layout, Storage &to, const Layout &to_layout,
              const Extent &extent);
/// Repeats the pattern along each row; the width is a multiple of its size.
void fill_box(Storage &to, const Layout &layout, const Extent &extent,
              std::span<const std::byte> pattern);

} // namespace rivulet
