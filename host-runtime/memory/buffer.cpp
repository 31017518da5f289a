// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/buffer.h"

#include "host-runtime/device/limits.h"

namespace rivulet {

Buffer::Buffer(const Ref<Context> &context, cl_mem_flags flags, size_t size, void *host_ptr,
               std::vector<cl_mem_properties> properties,
               std::shared_ptr<const ExternalMemory> external, bool is_addressed)
    : MemObject({.context = context,
                 .type = CL_MEM_OBJECT_BUFFER,
                 .flags = flags,
                 .size = size,
                 .storage = Storage::made_for(*context, flags, size, host_ptr, std::move(external)),
                 .host_pointer =
                     flags & CL_MEM_USE_HOST_PTR ? static_cast<std::byte *>(host_ptr) : nullptr,
                 .properties = std::move(properties)}) {
    if (host_ptr && !storage().is_shared()) {
        const auto *contents = static_cast<const std::byte *>(host_ptr);
        require_mapped(contents, {}, {.width = size});
        storage().write(0, {contents, size});
    }
    if (is_addressed)
        tell_address();
}

Buffer::~Buffer() {
    if (is_addressed_)
        forget_address(context().context_devices().size());
}

void Buffer::tell_address() {
    const auto &devices = context().context_devices();
    size_t told = 0;
    try {
        for (; told < devices.size(); ++told) {
            devices[told]->add_addressed(argument(*devices[told]), *this);
            // Kernels may find the address anywhere, as those of shared memory.
            devices[told]->large_shared_allocations += size() > largest_small_buffer;
        }
    } catch (...) {
        forget_address(told);
        throw;
    }
    is_addressed_ = true;
}

void Buffer::forget_address(size_t devices) {
    for (size_t i = 0; i < devices; ++i) {
        ContextDevice &device = *context().context_devices()[i];
        device.remove_addressed(argument(device), *this);
        device.large_shared_allocations -= size() > largest_small_buffer;
    }
}

Ref<Buffer> find_addressed(const ContextDevice &context_device, uint64_t address) {
    const Ref<Object> object = context_device.addressed_before(address);
    auto *buffer = static_cast<Buffer *>(object.get());
    if (!buffer || address - buffer->argument(context_device) >= buffer->size())
        return nullptr;
    return Ref<Buffer>(*buffer);
}

Buffer::Buffer(const Ref<Buffer> &parent, cl_mem_flags flags, size_t origin, size_t size)
    : MemObject({.context = parent->context_ref(),
                 .type = CL_MEM_OBJECT_BUFFER,
                 .flags = flags,
                 .size = size,
                 // Aliasing pointer: the parent, to which this object holds a reference, keeps it
                 // alive.
                 .storage = std::shared_ptr<Storage>(std::shared_ptr<void>(), &parent->storage()),
                 .host_pointer = parent->host_pointer() ? parent->host_pointer() + origin : nullptr,
                 .parent = parent,
                 .origin = origin}) {}

void require_aligned(const MemObject &memory, const ContextDevice &context_device) {
    const size_t alignment = context_device.physical_device().base_alignment();
    require(memory.origin() % alignment == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET,
            "the sub-buffer's origin is %, and must be a multiple of % bytes on this device "
            "(CL_DEVICE_MEM_BASE_ADDR_ALIGN)",
            memory.origin(), alignment);
}

} // namespace rivulet
