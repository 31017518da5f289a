// SPDX-License-Identifier: Apache-2.0
//
// Buffers and sub-buffers (5.2).
#pragma once

#include "host-runtime/memory/mem_object.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

class Buffer final : public MemObject {
public:
    /// Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE. `host_ptr` is used according to `flags`.
    Buffer(const Ref<Context> &context, cl_mem_flags flags, size_t size, void *host_ptr,
           std::vector<cl_mem_properties> properties,
           std::shared_ptr<const ExternalMemory> external = nullptr, bool is_addressed = false);
    /// A sub-buffer.
    Buffer(const Ref<Buffer> &parent, cl_mem_flags flags, size_t origin, size_t size);
    ~Buffer() override;

    [[nodiscard]] uint64_t argument(const ContextDevice &context_device) const override {
        return storage().address(context_device) + origin();
    }

    [[nodiscard]] bool contains(size_t offset, size_t bytes) const {
        return offset <= size() && bytes <= size() - offset;
    }
    [[nodiscard]] bool is_sub_buffer() const { return bool(parent()); }
    /// cl_ext_buffer_device_address: the application may know the addresses, and kernels find them
    /// in memory.
    [[nodiscard]] bool is_addressed() const { return is_addressed_; }
    /// A range of the buffer, in its storage.
    [[nodiscard]] Layout layout(size_t offset) const { return {origin() + offset, 0, 0}; }

private:
    void tell_address();
    void forget_address(size_t devices);

    bool is_addressed_ = false;
};

/// The addressed buffer that has a byte at `address` of the device, if there is one.
Ref<Buffer> find_addressed(const ContextDevice &context_device, uint64_t address);

/// Checks that a cl_mem is a buffer: CL_INVALID_MEM_OBJECT.
inline Ref<Buffer> checked_buffer(cl_mem handle) {
    auto object = checked(handle);
    require(object->is_buffer(), CL_INVALID_MEM_OBJECT, "% is an image, not a buffer",
            address_of(handle));
    return Ref<Buffer>(static_cast<Buffer &>(*object));
}
inline Ref<Buffer> checked_buffer(cl_mem handle, const Context &context) {
    auto buffer = checked_buffer(handle);
    require(&buffer->context() == &context, CL_INVALID_CONTEXT, "% is a buffer of another context",
            address_of(handle));
    return buffer;
}

/// A sub-buffer is aligned for one device of its context at least: for this one too, or
/// CL_MISALIGNED_SUB_BUFFER_OFFSET.
void require_aligned(const MemObject &memory, const ContextDevice &context_device);

} // namespace rivulet
