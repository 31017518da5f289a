// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/storage.h"

#include <algorithm>
#include <cstring>

#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

constexpr size_t bounce_bytes = 64 * 1024;

/// Calls row(offset here, offset there, bytes) for each run that is contiguous on both sides.
template <class F>
void for_each_run(const Layout &here, const Layout &there, Extent extent, F &&row) {
    if (!extent.bytes())
        return;
    if (here.row_pitch == extent.width && there.row_pitch == extent.width) {
        extent.width *= extent.rows;
        extent.rows = 1;
        if (here.slice_pitch == extent.width && there.slice_pitch == extent.width) {
            extent.width *= extent.slices;
            extent.slices = 1;
        }
    }
    for (size_t slice = 0; slice < extent.slices; ++slice)
        for (size_t y = 0; y < extent.rows; ++y)
            row(here.at(y, slice), there.at(y, slice), extent.width);
}

/// The first byte of the box from `offset` on; behind its end if there is none.
size_t next_byte(const Rect &rect, size_t offset) {
    const auto &[layout, extent] = rect;
    if (offset <= layout.offset)
        return layout.offset;
    size_t left = offset - layout.offset;
    size_t slice = 0;
    size_t row = 0;
    if (extent.slices > 1) {
        slice = std::min(left / layout.slice_pitch, extent.slices - 1);
        left -= slice * layout.slice_pitch;
    }
    if (extent.rows > 1) {
        row = std::min(left / layout.row_pitch, extent.rows - 1);
        left -= row * layout.row_pitch;
    }
    if (left < extent.width)
        return offset;
    if (row + 1 < extent.rows)
        return layout.at(row + 1, slice);
    return slice + 1 < extent.slices ? layout.at(0, slice + 1) : layout.end(extent);
}

} // namespace

bool overlap(const Rect &a, const Rect &b) {
    if (a.layout.offset >= b.layout.end(b.extent) || b.layout.offset >= a.layout.end(a.extent))
        return false;
    // Two boxes of many rows and with the same pitches are known to be apart if the
    // rows, or the slices, of one fit between those of the other (appendix E).
    const auto apart = [&](size_t length_a, size_t length_b, size_t pitch) {
        const size_t at_a = a.layout.offset % pitch;
        const size_t at_b = b.layout.offset % pitch;
        const size_t distance = at_b >= at_a ? at_b - at_a : pitch - (at_a - at_b);
        return distance >= length_a && length_b <= pitch - distance;
    };
    const size_t row_pitch = a.layout.row_pitch;
    const size_t slice_pitch = a.layout.slice_pitch;
    if (row_pitch && row_pitch == b.layout.row_pitch &&
        apart(a.extent.width, b.extent.width, row_pitch))
        return false;
    const auto slice = [](const Rect &rect) {
        return (rect.extent.rows - 1) * rect.layout.row_pitch + rect.extent.width;
    };
    if (slice_pitch && slice_pitch == b.layout.slice_pitch &&
        apart(slice(a), slice(b), slice_pitch))
        return false;
    for (size_t z = 0; z < a.extent.slices; ++z)
        for (size_t y = 0; y < a.extent.rows; ++y) {
            const size_t start = a.layout.at(y, z);
            const size_t next = next_byte(b, start);
            if (next < start + a.extent.width && next < b.layout.end(b.extent))
                return true;
        }
    return false;
}

Storage::Storage(const Context &context, size_t bytes,
                 std::shared_ptr<const SharedAllocation> shared, const void *pointer)
    : bytes_(bytes), shared_(std::move(shared)) {
    for (const auto &context_device : context.context_devices()) {
        if (shared_ && shared_->context_device == context_device.get()) {
            latest_ = copies_.size();
            copies_.push_back({context_device.get(), {}, reinterpret_cast<uintptr_t>(pointer)});
            continue;
        }
        Block block = context_device->allocate(bytes, buffer_alignment);
        const uint64_t address = block.address();
        copies_.push_back({context_device.get(), std::move(block), address});
    }
}

std::shared_ptr<Storage> Storage::made_for(const Context &context, cl_mem_flags flags, size_t bytes,
                                           const void *host_ptr) {
    auto shared = flags & CL_MEM_USE_HOST_PTR ? context.shared_memory().find(host_ptr) : nullptr;
    require(!shared || shared->contains(host_ptr, bytes), CL_INVALID_BUFFER_SIZE);
    return std::make_shared<Storage>(context, bytes, std::move(shared), host_ptr);
}

uint64_t Storage::address(const ContextDevice &context_device) const {
    for (const Copy &copy : copies_)
        if (copy.context_device == &context_device)
            return copy.address;
    fail(CL_INVALID_CONTEXT);
}

std::byte *Storage::pointer() const {
    if (copies_.size() > 1)
        return nullptr;
    return latest().context_device->instance().host_pointer(latest().address);
}

void Storage::acquire(size_t offset, size_t bytes) const {
    latest().context_device->instance().sync(latest().address + offset, bytes,
                                             RVL_SYNC_FROM_DEVICE);
}

void Storage::release(size_t offset, size_t bytes) const {
    latest().context_device->instance().sync(latest().address + offset, bytes, RVL_SYNC_TO_DEVICE);
}

void Storage::read(size_t offset, std::span<std::byte> to) const {
    latest().context_device->instance().read(latest().address + offset, to);
}

void Storage::write(size_t offset, std::span<const std::byte> from) {
    latest().context_device->instance().write(latest().address + offset, from);
}

void Storage::move_to(const ContextDevice &context_device) {
    if (latest().context_device == &context_device)
        return;
    const auto target = static_cast<size_t>(
        std::ranges::find(copies_, &context_device, &Copy::context_device) - copies_.begin());
    std::vector<std::byte> bounce(std::min(bounce_bytes, bytes_));
    for (size_t offset = 0; offset < bytes_; offset += bounce.size()) {
        const auto part = std::span(bounce).first(std::min(bounce.size(), bytes_ - offset));
        read(offset, part);
        copies_[target].context_device->instance().write(copies_[target].address + offset, part);
    }
    latest_ = target;
}

bool Storage::map_for_writing(const void *owner, const Rect &rect) {
    const Lock lock(mutex_);
    for (const Written &other : written_)
        if (overlap(rect, other.rect))
            return false;
    written_.push_back({owner, rect});
    return true;
}

void Storage::unmap_for_writing(const void *owner) {
    const Lock lock(mutex_);
    std::erase_if(written_, [owner](const Written &mapped) { return mapped.owner == owner; });
}

std::vector<std::byte> pattern_run(std::span<const std::byte> pattern, size_t bytes) {
    std::vector<std::byte> run(std::min(bytes, bounce_bytes / pattern.size() * pattern.size()));
    for (size_t at = 0; at < run.size(); at += pattern.size())
        std::memcpy(run.data() + at, pattern.data(), std::min(pattern.size(), run.size() - at));
    return run;
}

void read_box(const Storage &from, const Layout &from_layout, std::byte *to,
              const Layout &to_layout, const Extent &extent) {
    for_each_run(from_layout, to_layout, extent, [&](size_t here, size_t there, size_t bytes) {
        from.read(here, {to + there, bytes});
    });
}

void write_box(Storage &to, const Layout &to_layout, const std::byte *from,
               const Layout &from_layout, const Extent &extent) {
    for_each_run(to_layout, from_layout, extent, [&](size_t here, size_t there, size_t bytes) {
        to.write(here, {from + there, bytes});
    });
}

void copy_box(const Storage &from, const Layout &from_layout, Storage &to, const Layout &to_layout,
              const Extent &extent) {
    std::vector<std::byte> bounce;
    for_each_run(from_layout, to_layout, extent, [&](size_t here, size_t there, size_t bytes) {
        if (const std::byte *source = from.pointer()) {
            from.acquire(here, bytes);
            return to.write(there, {source + here, bytes});
        }
        bounce.resize(std::min(bounce_bytes, bytes));
        for (size_t done = 0; done < bytes; done += bounce.size()) {
            const auto part = std::span(bounce).first(std::min(bounce.size(), bytes - done));
            from.read(here + done, part);
            to.write(there + done, part);
        }
    });
}

void fill_box(Storage &to, const Layout &layout, const Extent &extent,
              std::span<const std::byte> pattern) {
    const std::vector<std::byte> run = pattern_run(pattern, extent.bytes());
    for_each_run(layout, layout, extent, [&](size_t here, size_t, size_t bytes) {
        for (size_t done = 0; done < bytes; done += run.size())
            to.write(here + done, std::span(run).first(std::min(run.size(), bytes - done)));
    });
}

} // namespace rivulet
