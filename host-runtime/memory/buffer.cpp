// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/buffer.h"

namespace rivulet {

Buffer::Buffer(const Ref<Context> &context, cl_mem_flags flags, size_t size, void *host_ptr,
               std::vector<cl_mem_properties> properties,
               std::shared_ptr<const ExternalMemory> external)
    : MemObject({.context = context,
                 .type = CL_MEM_OBJECT_BUFFER,
                 .flags = flags,
                 .size = size,
                 .storage = Storage::made_for(*context, flags, size, host_ptr, std::move(external)),
                 .host_pointer =
                     flags & CL_MEM_USE_HOST_PTR ? static_cast<std::byte *>(host_ptr) : nullptr,
                 .properties = std::move(properties)}) {
    if (!host_ptr || storage().is_shared())
        return;
    const auto *contents = static_cast<const std::byte *>(host_ptr);
    require_mapped(contents, {}, {.width = size});
    storage().write(0, {contents, size});
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
