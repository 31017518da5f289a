// SPDX-License-Identifier: Apache-2.0
//
// 5.2.1: creating buffers. 5.4: retaining, releasing and querying memory objects.
#include "host-runtime/memory/buffer.h"

#include <algorithm>

#include "host-runtime/api/external_memory.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/memory/flags.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

using MemoryObject = const MemObject &;

/// cl_ext_buffer_device_address: an address for each of the context's devices.
std::vector<cl_mem_device_address_ext> addresses_of(MemoryObject memory) {
    require(memory.is_buffer() && static_cast<const Buffer &>(memory).is_addressed(),
            CL_INVALID_OPERATION,
            "the memory object was created without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
    std::vector<cl_mem_device_address_ext> addresses;
    for (const Ref<Device> &device : memory.context().devices())
        addresses.push_back(memory.argument(memory.context().context_device(*device)));
    return addresses;
}

constexpr auto memory_queries = queries<MemObject>(
    row(CL_MEM_TYPE, [](MemoryObject m) { return m.type(); }),
    row(CL_MEM_FLAGS, [](MemoryObject m) { return m.flags(); }),
    row(CL_MEM_SIZE, [](MemoryObject m) { return m.size(); }),
    row(CL_MEM_HOST_PTR, [](MemoryObject m) -> void * { return m.host_pointer(); }),
    row(CL_MEM_MAP_COUNT, [](MemoryObject m) { return m.map_count(); }),
    row(CL_MEM_REFERENCE_COUNT, [](MemoryObject m) { return m.handle_references(); }),
    row(CL_MEM_CONTEXT, [](MemoryObject m) { return handle_of<cl_context>(&m.context()); }),
    row(CL_MEM_ASSOCIATED_MEMOBJECT,
        [](MemoryObject m) { return handle_of<cl_mem>(m.parent().get()); }),
    row(CL_MEM_OFFSET, [](MemoryObject m) { return m.is_buffer() ? m.origin() : 0; }),
    row(CL_MEM_USES_SVM_POINTER,
        [](MemoryObject m) -> cl_bool { return m.host_pointer() && m.storage().is_shared(); }),
    row(CL_MEM_PROPERTIES, [](MemoryObject m) { return m.properties(); }),
    row<addresses_of>(CL_MEM_DEVICE_ADDRESS_EXT));

cl_mem create_buffer(Context &context, cl_mem_flags flags, size_t size, void *host_ptr,
                     const MemoryProperties &properties = {}) {
    check_mem_flags(flags);
    check_contents(flags);
    check_allocation(context, size, CL_INVALID_BUFFER_SIZE);
    check_host_pointer(flags, host_ptr);
    auto buffer = make<Buffer>(Ref<Context>(context), flags, size, host_ptr, properties.list(),
                               properties.memory(context, flags, size, CL_INVALID_BUFFER_SIZE),
                               properties.has_address());
    properties.take_over();
    return give<cl_mem>(std::move(buffer));
}

} // namespace

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                  void *host_ptr, cl_int *errcode_ret) {
    return create(context, errcode_ret,
                  [&](Context &object) { return create_buffer(object, flags, size, host_ptr); });
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                const cl_mem_properties *properties,
                                                cl_mem_flags flags, size_t size, void *host_ptr,
                                                cl_int *errcode_ret) {
    return create(context, errcode_ret, [&](Context &object) {
        return create_buffer(object, flags, size, host_ptr, {object, properties});
    });
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                     cl_buffer_create_type buffer_create_type,
                                     const void *buffer_create_info, cl_int *errcode_ret) {
    return create(buffer, errcode_ret, [&](const MemObject &) {
        auto parent = checked_buffer(buffer);
        require(!parent->is_sub_buffer(), CL_INVALID_MEM_OBJECT, "buffer is a sub-buffer itself");
        flags = inherited_flags(flags, parent->flags());
        require(buffer_create_type == CL_BUFFER_CREATE_TYPE_REGION && buffer_create_info,
                CL_INVALID_VALUE,
                "buffer_create_type is %, buffer_create_info is %: CL_BUFFER_CREATE_TYPE_REGION, "
                "%, and a region are required",
                Hex{buffer_create_type}, address_of(buffer_create_info),
                Hex{CL_BUFFER_CREATE_TYPE_REGION});
        const auto &region = *static_cast<const cl_buffer_region *>(buffer_create_info);
        require(parent->contains(region.origin, region.size), CL_INVALID_VALUE,
                "origin % and size % reach beyond the buffer's % bytes", region.origin, region.size,
                parent->size());
        require(region.size > 0, CL_INVALID_BUFFER_SIZE, "the region's size is 0");
        size_t least = SIZE_MAX;
        for (const Ref<Device> &device : parent->context().devices())
            least = std::min(least, device->base_alignment());
        require(region.origin % least == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET,
                "the region's origin is %, and must be a multiple of % bytes "
                "(CL_DEVICE_MEM_BASE_ADDR_ALIGN)",
                region.origin, least);
        return give<cl_mem>(make<Buffer>(parent, flags, region.origin, region.size));
    });
}

cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) { return retain_entry(memobj); }

cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) { return release_entry(memobj); }

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memobj,
                                                    void(CL_CALLBACK *pfn_notify)(cl_mem, void *),
                                                    void *user_data) {
    return entry(memobj, [&](MemObject &object) {
        require(pfn_notify, CL_INVALID_VALUE, "pfn_notify is NULL");
        object.on_destruction(callback([=] { pfn_notify(memobj, user_data); }));
    });
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name,
                                      size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret) {
    return entry(memobj, [&](MemoryObject object) {
        query(memory_queries, object, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}
