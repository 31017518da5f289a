// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/mem_object.h"

#include <algorithm>
#include <new>

#include "host-runtime/object/entry.h"

namespace rivulet {

MemObject::MemObject(Setup setup)
    : Object(Kind::memory), context_(std::move(setup.context)), type_(setup.type),
      flags_(setup.flags), size_(setup.size), storage_(std::move(setup.storage)),
      host_pointer_(setup.host_pointer), parent_(std::move(setup.parent)), origin_(setup.origin),
      properties_(std::move(setup.properties)) {}

MemObject::~MemObject() {
    for (const auto &[pointer, mapping] : mappings_) // the storage may live on in a sub-buffer
        storage_->unmap_for_writing(mapping.get(), mapping->layout.offset);
    for (; !destruction_callbacks_.empty(); destruction_callbacks_.pop_back())
        run_callback(std::move(destruction_callbacks_.back()));
}

void MemObject::on_destruction(std::unique_ptr<Task> callback) {
    Lock lock(mutex_);
    destruction_callbacks_.push_back(std::move(callback));
}

bool MemObject::host_may_read() const {
    return !(flags_ & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS));
}

bool MemObject::host_may_write() const {
    return !(flags_ & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_IMMUTABLE_EXT));
}

std::shared_ptr<Mapping> MemObject::map(cl_map_flags flags, const Layout &layout,
                                        const Layout &host_layout, const Extent &extent) {
    auto mapping = mapping_of(flags, layout, host_layout, extent);
    require(!mapping->writes() || storage_->map_for_writing(mapping.get(), {layout, extent}),
            CL_INVALID_OPERATION, "the region is already mapped for writing");
    try {
        const Lock lock(mutex_);
        mappings_.emplace(mapping->pointer, mapping);
    } catch (...) {
        storage_->unmap_for_writing(mapping.get(), layout.offset);
        throw;
    }
    return mapping;
}

std::shared_ptr<Mapping> MemObject::mapping_of(cl_map_flags flags, const Layout &layout,
                                               const Layout &host_layout,
                                               const Extent &extent) const {
    auto mapping = std::make_shared<Mapping>();
    mapping->flags = flags;
    mapping->layout = layout;
    mapping->extent = extent;
    std::byte *device_memory = storage_->pointer();
    if (host_pointer_ && !(device_memory && storage_->is_shared())) {
        // 5.2.1: the pointer is derived from host_ptr
        mapping->host_layout = {0, host_layout.row_pitch, host_layout.slice_pitch};
        mapping->pointer = host_pointer_ + host_layout.offset;
    } else if (device_memory) {
        mapping->host_layout = {0, layout.row_pitch, layout.slice_pitch};
        mapping->pointer = device_memory + layout.offset;
        mapping->in_place = true;
    } else {
        mapping->host_layout = {0, host_layout.row_pitch, host_layout.slice_pitch};
        const size_t bytes = mapping->host_layout.end(extent) + buffer_alignment - 1;
        mapping->shadow.reset(
            std::aligned_alloc(buffer_alignment, bytes / buffer_alignment * buffer_alignment));
        if (!mapping->shadow)
            throw std::bad_alloc();
        mapping->pointer = mapping->shadow.get();
    }
    return mapping;
}

void MemObject::keep(Unmapped unmapped) {
    storage_->map_for_writing(std::move(unmapped.written));
    const Lock lock(mutex_);
    mappings_.insert(std::move(unmapped.mapping));
}

void MemObject::fetch(const Mapping &mapping) const {
    if (mapping.in_place)
        return storage_->acquire(mapping.layout.offset,
                                 mapping.layout.end(mapping.extent) - mapping.layout.offset);
    if (!(mapping.flags & CL_MAP_WRITE_INVALIDATE_REGION))
        (mapping.shadow ? read_box : read_changes)(*storage_, mapping.layout,
                                                   static_cast<std::byte *>(mapping.pointer),
                                                   mapping.host_layout, mapping.extent);
}

MemObject::Unmapped MemObject::unmap(void *pointer) {
    Lock lock(mutex_);
    const auto next = mappings_.upper_bound(pointer);
    require(next != mappings_.begin() && std::prev(next)->first == pointer, CL_INVALID_VALUE,
            "mapped_ptr % was not returned by mapping this memory object, or has been unmapped",
            address_of(pointer));
    Unmapped taken{mappings_.extract(std::prev(next)), {}};
    lock.unlock(); // the storage's lock has the same rank
    const Mapping &mapping = *taken.mapping.mapped();
    taken.written = storage_->unmap_for_writing(&mapping, mapping.layout.offset);
    return taken;
}

void MemObject::store(const Mapping &mapping) const {
    if (!mapping.writes())
        return;
    if (mapping.in_place)
        return storage_->release(mapping.layout.offset,
                                 mapping.layout.end(mapping.extent) - mapping.layout.offset);
    const auto *pointer = static_cast<const std::byte *>(mapping.pointer);
    if (!mapping.shadow)
        require_mapped(pointer, mapping.host_layout, mapping.extent);
    write_box(*storage_, mapping.layout, pointer, mapping.host_layout, mapping.extent);
}

cl_uint MemObject::map_count() const {
    Lock lock(mutex_);
    return static_cast<cl_uint>(mappings_.size());
}

} // namespace rivulet
