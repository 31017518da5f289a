// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/buffer.h"

namespace rivulet {
namespace {

/// CL_MEM_USE_HOST_PTR of shared memory: the buffer is that memory.
std::shared_ptr<Storage> storage_for(const Context &context, cl_mem_flags flags, size_t size,
                                     const void *host_ptr) {
    auto shared = flags & CL_MEM_USE_HOST_PTR ? context.shared_memory().find(host_ptr) : nullptr;
    require(!shared || shared->contains(host_ptr, size), CL_INVALID_BUFFER_SIZE);
    return std::make_shared<Storage>(context, size, std::move(shared), host_ptr);
}

} // namespace

Buffer::Buffer(Ref<Context> context, cl_mem_flags flags, size_t size, void *host_ptr,
               std::vector<cl_mem_properties> properties)
    : MemObject({.context = context,
                 .type = CL_MEM_OBJECT_BUFFER,
                 .flags = flags,
                 .size = size,
                 .storage = storage_for(*context, flags, size, host_ptr),
                 .host_pointer =
                     flags & CL_MEM_USE_HOST_PTR ? static_cast<std::byte *>(host_ptr) : nullptr,
                 .properties = std::move(properties)}) {
    if (host_ptr && !storage().is_shared())
        storage().write(0, {static_cast<const std::byte *>(host_ptr), size});
}

Buffer::Buffer(Ref<Buffer> parent, cl_mem_flags flags, size_t origin, size_t size)
    : MemObject({.context = parent->context_ref(),
                 .type = CL_MEM_OBJECT_BUFFER,
                 .flags = flags,
                 .size = size,
                 // Aliased: lives as long as the parent, which this holds anyway.
                 .storage = std::shared_ptr<Storage>(std::shared_ptr<void>(), &parent->storage()),
                 .host_pointer = parent->host_pointer() ? parent->host_pointer() + origin : nullptr,
                 .parent = parent,
                 .origin = origin}) {}

} // namespace rivulet
