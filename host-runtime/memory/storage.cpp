// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/storage.h"

#include <algorithm>

#include "host-runtime/memory/host_access.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/object/pattern.h"

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

/// True if the gaps between rows are smaller than the rows.
bool is_dense(const Layout &layout, const Extent &extent) {
    return layout.end(extent) - layout.offset <= 2 * extent.bytes();
}

/// The first byte of the box at or after `offset`; past its end if there is none.
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
    // Two boxes with many rows and equal pitches are disjoint if the rows or slices of one fit
    // between those of the other (appendix E).
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
    make_copies(context, shared_ ? shared_->context_device : nullptr,
                reinterpret_cast<uintptr_t>(pointer));
}

Storage::Storage(const Context &context, size_t bytes,
                 std::shared_ptr<const ExternalMemory> external)
    : bytes_(bytes), external_(std::move(external)) {
    make_copies(context, &external_->home(context), external_->address());
}

// One of the devices may have the bytes at an address already.
void Storage::make_copies(const Context &context, const ContextDevice *home,
                          uint64_t address_there) {
    const auto &context_devices = context.context_devices();
    copies_.reserve(context_devices.size());
    for (const auto &context_device : context_devices) {
        if (context_device.get() == home) {
            home_ = &copies_.emplace_back(context_device.get(), Block{}, address_there);
            continue;
        }
        Block block = context_device->allocate(bytes_, buffer_alignment);
        const uint64_t address = block.address();
        copies_.emplace_back(context_device.get(), std::move(block), address);
    }
    for (Copy &copy : copies_) // all copies are equally undefined at first
        if (!is_one_copy() && (!home_ || home_ == &copy))
            copy.latest.add({0, bytes_});
}

std::shared_ptr<Storage> Storage::made_for(const Context &context, cl_mem_flags flags, size_t bytes,
                                           const void *host_ptr,
                                           std::shared_ptr<const ExternalMemory> external) {
    if (external)
        return std::make_shared<Storage>(context, bytes, std::move(external));
    auto shared = flags & CL_MEM_USE_HOST_PTR ? context.shared_memory().find(host_ptr) : nullptr;
    require(!shared || shared->contains(host_ptr, bytes), CL_INVALID_BUFFER_SIZE,
            "size is %, beyond the end of the shared allocation that contains host_ptr %", bytes,
            address_of(host_ptr));
    return std::make_shared<Storage>(context, bytes, std::move(shared), host_ptr);
}

Storage::Copy &Storage::copy_on(const ContextDevice &context_device) const {
    for (Copy &copy : copies_)
        if (copy.context_device == &context_device)
            return copy;
    fail(CL_INVALID_CONTEXT, "the memory object is not on the device");
}

uint64_t Storage::address(const ContextDevice &context_device) const {
    return copy_on(context_device).address;
}

std::byte *Storage::pointer() const {
    const Copy &copy = copies_.front();
    return is_one_copy() ? copy.context_device->instance().host_pointer(copy.address) : nullptr;
}

void Storage::acquire(size_t offset, size_t bytes) const {
    const Copy &copy = copies_.front();
    copy.context_device->instance().sync(copy.address + offset, bytes, RVL_SYNC_FROM_DEVICE);
}

void Storage::release(size_t offset, size_t bytes) const {
    const Copy &copy = copies_.front();
    copy.context_device->instance().sync(copy.address + offset, bytes, RVL_SYNC_TO_DEVICE);
}

// The longest run of valid bytes from the range's start, preferably on a device that is alive, and
// among those where it was used last. Bytes that only a lost device had can be rewritten on another
// one; shared memory has everything that completed commands wrote there.
Storage::Part Storage::first_part(const Range &range, bool writes) const {
    Copy *best = nullptr;
    std::pair<bool, uint64_t> best_rank;
    for (Copy &copy : copies_) {
        const Range part = copy.latest.first_part(range);
        if (part.begin != range.begin || !part.bytes())
            continue;
        const std::pair rank(copy.context_device->instance().alive(), part.end);
        if (!best || rank > best_rank || (rank == best_rank && &copy == last_used_)) {
            best = &copy;
            best_rank = rank;
        }
    }
    const Range part{range.begin, best_rank.second};
    if (!best_rank.first)
        for (Copy &copy : copies_)
            if (copy.context_device->instance().alive() && (home_ ? home_ == &copy : writes)) {
                copy.latest.add(part);
                return {copy, part};
            }
    return {*best, part};
}

bool Storage::in_use(const Copy &copy, const Range &range) const {
    for (const Access *access = accesses_; access; access = access->next)
        if ((access->copy == &copy || access->source == &copy) && overlap(access->range, range))
            return true;
    return false;
}

// Records an access to one copy, under the lock: after a write, only this copy is up to date.
// Shared memory may be changed by the host at any time without a command, so what another device
// has read from it counts as outdated right after its use.
void Storage::note(Copy &copy, const Range &range, bool writes) const {
    if (!copy.context_device->instance().alive()) // it will not write any more
        return;
    last_used_ = &copy;
    if (writes) {
        for (Copy &other : copies_)
            if (&other != &copy)
                other.latest.remove(range);
    } else if (home_ && home_ != &copy) { // it may change without notice
        Range rest = range;
        for (Range part = home_->latest.first_part(rest); part.bytes();
             part = home_->latest.first_part(rest)) {
            copy.latest.remove(part);
            rest.begin = part.end;
        }
    }
}

// Runs `body`, a transfer of the host, without the lock but registered in accesses_, so that no
// other transfer overwrites these bytes meanwhile. The list consists of stack frames: registering
// can't fail.
template <class F> void Storage::access(Lock &lock, Access access, F &&body) const {
    access.next = accesses_;
    accesses_ = &access;
    lock.unlock();
    const auto end = [&] {
        lock.lock();
        Access **link = &accesses_;
        while (*link != &access)
            link = &(*link)->next;
        *link = access.next;
        accessed_.notify_all();
    };
    try {
        body();
    } catch (...) {
        end();
        throw;
    }
    end();
}

template <class F> void Storage::for_each_part(Range left, bool writes, F &&use) const {
    if (is_one_copy())
        return use(copies_.front(), left);
    Lock lock(mutex_);
    while (left.bytes()) {
        const auto [copy, part] = first_part(left, writes);
        if (writes)
            note(copy, part, true);
        access(lock, {part, &copy}, [&] { use(copy, part); });
        left.begin = part.end;
    }
}

void Storage::read(size_t offset, std::span<std::byte> to) const {
    for_each_part({offset, offset + to.size()}, false, [&](const Copy &copy, const Range &part) {
        copy.context_device->instance().read(copy.address + part.begin,
                                             to.subspan(part.begin - offset, part.bytes()));
    });
}

void Storage::write(size_t offset, std::span<const std::byte> from) {
    for_each_part({offset, offset + from.size()}, true, [&](const Copy &copy, const Range &part) {
        copy.context_device->instance().write(copy.address + part.begin,
                                              from.subspan(part.begin - offset, part.bytes()));
    });
}

size_t Storage::claim(const ContextDevice &context_device, const Range &range,
                      bool writes) noexcept {
    constexpr size_t unknown = ~size_t{0};
    if (is_one_copy())
        return 0;
    const Lock lock(mutex_);
    Copy &copy = copy_on(context_device);
    if (const uint64_t missing = copy.latest.missing(range))
        return in_use(copy, range) ? unknown : missing;
    try {
        note(copy, range, writes);
    } catch (const std::bad_alloc &) {
        return unknown; // `fetch` fails, where an error can be reported
    }
    return 0;
}

void Storage::fetch(const ContextDevice &context_device, const Range &range, bool writes) {
    if (is_one_copy())
        return;
    Copy &to = copy_on(context_device);
    Lock lock(mutex_);
    for (Range gap = to.latest.first_gap(range); gap.bytes(); gap = to.latest.first_gap(range)) {
        const auto [from, part] = first_part(gap, false);
        if (&from == &to) // shared memory has it, and the device that wrote it is lost
            continue;
        if (in_use(to, part)) {
            accessed_.wait(lock);
            continue;
        }
        access(lock, {part, &to, &from}, [&] {
            DeviceInstance &source = from.context_device->instance();
            DeviceInstance &target = to.context_device->instance();
            const uint64_t bytes = part.bytes();
            if (const std::byte *pointer = source.host_pointer(from.address + part.begin)) {
                source.sync(from.address + part.begin, bytes, RVL_SYNC_FROM_DEVICE);
                return target.write(to.address + part.begin, {pointer, bytes});
            }
            std::vector<std::byte> bounce(std::min(bounce_bytes, bytes));
            for (uint64_t at = part.begin; at < part.end; at += bounce.size()) {
                const auto some = std::span(bounce).first(std::min(bounce.size(), part.end - at));
                source.read(from.address + at, some);
                target.write(to.address + at, some);
            }
        });
        to.latest.add(part);
    }
    note(to, range, writes);
}

void Storage::discard(const ContextDevice &context_device, const Range &range) {
    if (is_one_copy() || home_) // who writes by the pointer of shared memory notes nothing
        return;
    Copy &copy = copy_on(context_device);
    Lock lock(mutex_);
    while (in_use(copy, range))
        accessed_.wait(lock);
    copy.latest.add(range);
    note(copy, range, true);
}

void Storage::write_back(const ContextDevice &context_device, const Range &range) {
    if (!writes_back(context_device))
        return;
    {
        const Lock lock(mutex_);
        Copy &copy = copy_on(context_device);
        copy.latest.add(range);
        note(copy, range, true);
    }
    fetch(*home_->context_device, range, true);
}

// Boxes are sorted by their first byte. One that overlaps `rect` can begin before it by at most the
// size of the longest box, so the search starts there instead of at the beginning.
bool Storage::map_for_writing(const void *owner, const Rect &rect) {
    const Lock lock(mutex_);
    const size_t begin = rect.layout.offset;
    const size_t end = rect.layout.end(rect.extent);
    if (written_.empty())
        longest_written_ = 0;
    const size_t reaching = begin - std::min(begin, longest_written_);
    for (auto other = written_.lower_bound(reaching); other != written_.end() && other->first < end;
         ++other)
        if (overlap(rect, other->second.rect))
            return false;
    written_.emplace(begin, Written{owner, rect});
    longest_written_ = std::max(longest_written_, end - begin);
    return true;
}

Storage::WrittenBoxes::node_type Storage::unmap_for_writing(const void *owner, size_t offset) {
    const Lock lock(mutex_);
    const auto [first, last] = written_.equal_range(offset);
    const auto found =
        std::find_if(first, last, [owner](const auto &item) { return item.second.owner == owner; });
    return found == last ? WrittenBoxes::node_type() : written_.extract(found);
}

void Storage::map_for_writing(WrittenBoxes::node_type taken) {
    if (!taken)
        return;
    const Rect &rect = taken.mapped().rect;
    const size_t reach = rect.layout.end(rect.extent) - rect.layout.offset;
    const Lock lock(mutex_);
    longest_written_ = std::max(longest_written_, reach);
    written_.insert(std::move(taken));
}

void read_box(const Storage &from, const Layout &from_layout, std::byte *to,
              const Layout &to_layout, const Extent &extent) {
    for_each_run(from_layout, to_layout, extent, [&](size_t here, size_t there, size_t bytes) {
        from.read(here, {to + there, bytes});
    });
}

void require_mapped(const std::byte *memory, const Layout &layout, const Extent &extent) {
    if (is_dense(layout, extent))
        return require_mapped(memory + layout.offset, layout.end(extent) - layout.offset);
    for_each_run(layout, layout, extent,
                 [&](size_t here, size_t, size_t bytes) { require_mapped(memory + here, bytes); });
}

void read_changes(const Storage &from, const Layout &from_layout, std::byte *to,
                  const Layout &to_layout, const Extent &extent) {
    require_mapped(to, to_layout, extent);
    std::vector<std::byte> bounce;
    for_each_run(from_layout, to_layout, extent, [&](size_t here, size_t there, size_t bytes) {
        if (const std::byte *source = from.pointer()) {
            from.acquire(here, bytes);
            return store_changes(to + there, {source + here, bytes});
        }
        bounce.resize(std::min(bounce_bytes, bytes));
        for (size_t done = 0; done < bytes; done += bounce.size()) {
            const auto part = std::span(bounce).first(std::min(bounce.size(), bytes - done));
            from.read(here + done, part);
            store_changes(to + there + done, part);
        }
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
