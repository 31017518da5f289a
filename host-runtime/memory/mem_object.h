// SPDX-License-Identifier: Apache-2.0
//
// cl_mem: common to buffers, images and pipes.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "host-runtime/context/context.h"
#include "host-runtime/memory/storage.h"
#include "host-runtime/object/object.h"

namespace rivulet {

/// A region of a memory object to which the application has a pointer.
struct Mapping {
    void *pointer = nullptr;
    cl_map_flags flags = 0;
    Layout layout; // region within the storage
    Extent extent;
    Layout host_layout; // the same region, relative to `pointer`
    std::unique_ptr<void, void (*)(void *)> shadow{
        nullptr, std::free}; // host copy, if neither the device's memory nor host_ptr can be used
    bool in_place = false;   // pointer refers to the device's memory itself
    [[nodiscard]] bool writes() const {
        return flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
    }
};

class MemObject : public Object {
public:
    ~MemObject() override;

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] const Ref<Context> &context_ref() const { return context_; }
    [[nodiscard]] cl_mem_object_type type() const { return type_; }
    [[nodiscard]] bool is_buffer() const { return type_ == CL_MEM_OBJECT_BUFFER; }
    [[nodiscard]] bool is_image() const { return !is_buffer() && type_ != CL_MEM_OBJECT_PIPE; }
    [[nodiscard]] cl_mem_flags flags() const { return flags_; }
    [[nodiscard]] size_t size() const { return size_; }
    /// The buffer from which a sub-buffer or image was created.
    [[nodiscard]] const Ref<MemObject> &parent() const { return parent_; }
    /// Offset of the object's first byte in its storage, which a sub-buffer shares with its buffer.
    [[nodiscard]] size_t origin() const { return origin_; }
    [[nodiscard]] Storage &storage() const { return *storage_; }
    /// Its bytes in the storage. Images of buffers may include padding beyond the buffer.
    [[nodiscard]] Range range() const {
        return {origin_, std::min(origin_ + size_, storage_->bytes())};
    }
    /// The host's copy of the object's first byte, for CL_MEM_USE_HOST_PTR.
    [[nodiscard]] std::byte *host_pointer() const { return host_pointer_; }
    [[nodiscard]] const std::vector<cl_mem_properties> &properties() const { return properties_; }

    /// The kernel argument: address of the data (buffer) or of the descriptor (image).
    [[nodiscard]] virtual uint64_t argument(const ContextDevice &context_device) const = 0;

    // 5.2.3, 5.2.4, Table 5.3: permitted host accesses.
    [[nodiscard]] bool host_may_read() const;
    [[nodiscard]] bool host_may_write() const;

    /// 5.4.2: chooses the pointer; `host_layout` is used if the region is in host memory.
    [[nodiscard]] std::shared_ptr<Mapping> mapping_of(cl_map_flags flags, const Layout &layout,
                                                      const Layout &host_layout,
                                                      const Extent &extent) const;
    /// Chooses the pointer and records the mapping. Fails with CL_INVALID_OPERATION if two
    /// overlapping regions would be mapped for writing.
    std::shared_ptr<Mapping> map(cl_map_flags flags, const Layout &layout,
                                 const Layout &host_layout, const Extent &extent);
    /// Makes the device's data visible through the pointer, when the map command executes.
    void fetch(const Mapping &mapping) const;
    using Mappings = std::multimap<void *, std::shared_ptr<Mapping>>; // by their pointer
    struct Unmapped {
        Mappings::node_type mapping;
        Storage::WrittenBoxes::node_type written;
    };
    /// Removes a mapping (the latest with that pointer); CL_INVALID_VALUE if there is none.
    Unmapped unmap(void *pointer);
    /// Restores it. Allocates nothing, so it can't fail.
    void keep(Unmapped unmapped);
    /// Transfers what was written through the pointer to the device, when the unmap command
    /// executes.
    void store(const Mapping &mapping) const;
    [[nodiscard]] cl_uint map_count() const;

    /// 5.4.1: called when the object is deleted, in reverse order of registration.
    void on_destruction(std::unique_ptr<Task> callback);

protected:
    struct Setup {
        Ref<Context> context;
        cl_mem_object_type type;
        cl_mem_flags flags;
        size_t size;
        std::shared_ptr<Storage> storage;
        std::byte *host_pointer = nullptr;
        Ref<MemObject> parent = nullptr;
        size_t origin = 0;
        std::vector<cl_mem_properties> properties = {};
    };
    explicit MemObject(Setup setup);

private:
    const Ref<Context> context_;
    const cl_mem_object_type type_;
    const cl_mem_flags flags_;
    const size_t size_;
    const std::shared_ptr<Storage> storage_;
    std::byte *const host_pointer_;
    const Ref<MemObject> parent_;
    const size_t origin_;
    const std::vector<cl_mem_properties> properties_;

    mutable Mutex mutex_{LockRank::memory};
    Mappings mappings_; // ordered by pointer; the latest of equal ones last
    std::vector<std::unique_ptr<Task>> destruction_callbacks_;
};

} // namespace rivulet
