// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_external_memory, and the handles of our own memory, for which Khronos has no function.
#include "host-runtime/api/external_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "host-runtime/device/limits.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/memory/buffer.h"
#include "host-runtime/memory/flags.h"

namespace rivulet {

std::vector<cl_external_memory_handle_type_khr> imported_handle_types() {
    return {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR};
}

std::vector<cl_external_memory_handle_type_khr> imported_handle_types(const Device &device) {
    auto types = imported_handle_types();
    if (device.physical_device().has(RVL_DEVICE_EXPORTS | RVL_DEVICE_IMPORTS))
        types.push_back(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR);
    return types;
}

MemoryProperties::MemoryProperties(const Context &context, const cl_mem_properties *properties) {
    const cl_mem_properties *at = properties;
    std::vector<const ContextDevice *> devices;
    while (at && *at) {
        const cl_mem_properties name = *at++;
        switch (name) {
        case CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR:
            require(!opaque_fd_, CL_INVALID_PROPERTY, "property % comes twice", Hex{name});
            opaque_fd_ = static_cast<int>(*at++);
            break;
        case CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR:
            require(!dma_buf_, CL_INVALID_PROPERTY, "property % comes twice", Hex{name});
            dma_buf_ = static_cast<int>(*at++);
            break;
        case CL_MEM_DEVICE_HANDLE_LIST_KHR:
            require(devices.empty(), CL_INVALID_PROPERTY, "property % comes twice", Hex{name});
            for (; *at != CL_MEM_DEVICE_HANDLE_LIST_END_KHR; ++at) {
                const auto device = checked(reinterpret_cast<cl_device_id>(*at));
                require(context.has(*device), CL_INVALID_DEVICE,
                        "device % of the list is not in the context", Hex{*at});
                devices.push_back(&context.context_device(*device));
            }
            ++at;
            break;
        case CL_MEM_EXPORT_HANDLE_TYPES_RIVULET:
            require(!is_exported_, CL_INVALID_PROPERTY, "property % comes twice", Hex{name});
            for (; *at != CL_MEM_EXPORT_HANDLE_TYPES_LIST_END_RIVULET; ++at) {
                require(*at == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR ||
                            *at == CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                        CL_INVALID_PROPERTY, "memory has no handles of type %", Hex{*at});
                is_exported_ = true;
            }
            ++at;
            break;
        case CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT:
            require(!has_address_, CL_INVALID_PROPERTY, "property % comes twice", Hex{name});
            require(*at == CL_TRUE || *at == CL_FALSE, CL_INVALID_PROPERTY,
                    "property % is %, and must be CL_TRUE or CL_FALSE", Hex{name}, *at);
            has_address_ = *at++ == CL_TRUE;
            break;
        default:
            fail(CL_INVALID_PROPERTY, "property % is not known", {Hex{name}});
        }
    }
    require(opaque_fd_.has_value() + dma_buf_.has_value() + is_exported_ <= 1, CL_INVALID_PROPERTY,
            "memory comes from one handle, and then gets no others");
    if (properties)
        list_.assign(properties, at + 1); // with the 0 at the end
    choose_device(context, devices);
}

MemoryProperties::MemoryProperties(const Context &context, int dma_buf) : dma_buf_(dma_buf) {
    choose_device(context, {});
}

void MemoryProperties::choose_device(const Context &context,
                                     const std::vector<const ContextDevice *> &named) {
    device_ = !named.empty()                          ? named.front()
              : context.context_devices().size() == 1 ? context.context_devices().front().get()
                                                      : nullptr;
    require(!is_exported_ || (device_ && named.size() <= 1), CL_INVALID_PROPERTY,
            "memory with handles is on one device: CL_MEM_DEVICE_HANDLE_LIST_KHR names it");
}

std::shared_ptr<const ExternalMemory> MemoryProperties::memory(const Context &context,
                                                               cl_mem_flags flags, size_t bytes,
                                                               cl_int too_large) const {
    if (is_exported_) {
        require(!(flags & CL_MEM_USE_HOST_PTR), CL_INVALID_VALUE,
                "flags %: memory with handles is the device's own", Hex{flags});
        return std::make_shared<const ExternalMemory>(*device_, bytes);
    }
    if (!opaque_fd_ && !dma_buf_)
        return nullptr;
    require(!(flags & host_pointer_flags), CL_INVALID_VALUE,
            "flags %: the memory and its contents are those of the handle", Hex{flags});
    auto memory = ExternalMemory::of_handle(opaque_fd_ ? *opaque_fd_ : *dma_buf_);
    if (!memory && dma_buf_) {
        const off_t size = lseek(*dma_buf_, 0, SEEK_END);
        require(size > 0, CL_INVALID_VALUE, "file descriptor % is not a dma-buf", *dma_buf_);
        require(bytes <= static_cast<size_t>(size), too_large,
                "the object has % bytes, the dma-buf %", bytes, size);
        require(device_ != nullptr, CL_INVALID_DEVICE,
                "of several devices, CL_MEM_DEVICE_HANDLE_LIST_KHR names the one that has the "
                "memory of a dma-buf");
        return std::make_shared<const ExternalMemory>(*device_, bytes, *dma_buf_);
    }
    require(memory != nullptr, CL_INVALID_VALUE,
            "file descriptor % is not a handle that this process got for its memory: a device "
            "serves one process",
            *opaque_fd_);
    require(bytes <= memory->bytes(), too_large, "the object has % bytes, the handle's memory %",
            bytes, memory->bytes());
    static_cast<void>(memory->home(context));
    return memory;
}

void MemoryProperties::take_over() const {
    if (opaque_fd_)
        close(*opaque_fd_);
}

namespace {

/// Both commands are points where caches are maintained, for users that see the memory only.
cl_int enqueue_exchange(cl_command_type type, cl_command_queue queue_handle, cl_uint count,
                        const cl_mem *handles, cl_uint num_events, const cl_event *wait_list,
                        cl_event *event, Caller caller = __builtin_FUNCTION()) {
    return entry(
        queue_handle,
        [&](Queue &queue) {
            require((count == 0) == (handles == nullptr), CL_INVALID_VALUE,
                    "num_mem_objects is %, mem_objects is %", count, address_of(handles));
            std::vector<Ref<MemObject>> objects;
            for (const cl_mem handle : std::span(handles, count)) {
                objects.push_back(checked(handle, queue.context()));
                require(objects.back()->storage().external() != nullptr, CL_INVALID_MEM_OBJECT,
                        "% does not come from a handle and has none", address_of(handle));
            }
            const auto direction = type == CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR
                                       ? RVL_SYNC_TO_DEVICE
                                       : RVL_SYNC_FROM_DEVICE;
            const bool is_quick = queue.device().physical_device().has(RVL_DEVICE_COHERENT) &&
                                  std::ranges::none_of(objects, [](const Ref<MemObject> &object) {
                                      return object->storage().external()->is_imported();
                                  });
            auto maintain = [objects = std::move(objects), direction] {
                for (const Ref<MemObject> &object : objects) {
                    const ExternalMemory &memory = *object->storage().external();
                    direction == RVL_SYNC_TO_DEVICE ? memory.begin_access() : memory.end_access();
                    memory.home(object->context())
                        .instance()
                        .sync(memory.address() + object->range().begin, object->range().bytes(),
                              direction);
                }
            };
            queue.submit(HostCommand{type, host_work(std::move(maintain), is_quick)}, num_events,
                         wait_list, event);
        },
        caller);
}

} // namespace
} // namespace rivulet

using namespace rivulet;

extern "C" CL_API_ENTRY cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
    return enqueue_exchange(CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, command_queue,
                            num_mem_objects, mem_objects, num_events_in_wait_list, event_wait_list,
                            event);
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
    return enqueue_exchange(CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, command_queue,
                            num_mem_objects, mem_objects, num_events_in_wait_list, event_wait_list,
                            event);
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL
clGetMemHandleForTypeRIVULET(cl_mem memobj, cl_external_memory_handle_type_khr handle_type,
                             size_t handle_size, void *handle_ptr, size_t *handle_size_ret) {
    return entry(memobj, [&](const MemObject &object) {
        const std::vector<cl_mem_properties> &list = object.properties();
        require(object.storage().external() && !object.parent() && !list.empty(),
                CL_INVALID_MEM_OBJECT, "% was not created with CL_MEM_EXPORT_HANDLE_TYPES_RIVULET",
                address_of(memobj));
        const auto list_of_types =
            std::ranges::find(list, cl_mem_properties{CL_MEM_EXPORT_HANDLE_TYPES_RIVULET});
        const auto end_of_types = std::ranges::find(list_of_types, list.end(), 0u);
        require(std::ranges::find(list_of_types, end_of_types, handle_type) != end_of_types,
                CL_INVALID_VALUE, "the memory was not created for handles of type %",
                Hex{handle_type});
        if (handle_size_ret)
            *handle_size_ret = sizeof(int);
        if (!handle_ptr)
            return;
        require(handle_size >= sizeof(int), CL_INVALID_VALUE, "handle_size is %, a handle has %",
                handle_size, sizeof(int));
        const auto &memory = object.storage().external();
        FileDescriptor handle = handle_type == CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR
                                    ? ExternalMemory::dma_buf(memory)
                                    : ExternalMemory::opaque_handle(memory);
        const int given = handle.release();
        std::memcpy(handle_ptr, &given, sizeof given);
    });
}

extern "C" CL_API_ENTRY cl_mem CL_API_CALL clImportMemoryARM(
    cl_context context, cl_mem_flags flags, const cl_import_properties_arm *properties,
    void *memory, size_t size, cl_int *errcode_ret) {
    return create(context, errcode_ret, [&](Context &object) {
        cl_import_properties_arm type = CL_IMPORT_TYPE_HOST_ARM;
        for (const auto *at = properties; at && *at; at += 2) {
            require(*at == CL_IMPORT_TYPE_ARM ||
                        *at == CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM,
                    CL_INVALID_PROPERTY, "property % is not known", Hex(*at));
            if (*at == CL_IMPORT_TYPE_ARM)
                type = at[1];
        }
        require(type == CL_IMPORT_TYPE_DMA_BUF_ARM, CL_INVALID_PROPERTY,
                "memory of type % is out of the device's reach: only dma-bufs, %, are imported",
                Hex(type), Hex(CL_IMPORT_TYPE_DMA_BUF_ARM));
        check_mem_flags(flags);
        require(memory != nullptr, CL_INVALID_VALUE, "memory is NULL");
        const int dma_buf = *static_cast<const int *>(memory);
        if (size == CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM) {
            const off_t whole = lseek(dma_buf, 0, SEEK_END);
            require(whole > 0, CL_INVALID_VALUE, "file descriptor % is not a dma-buf", dma_buf);
            size = static_cast<size_t>(whole);
        }
        check_allocation(object, size, CL_INVALID_BUFFER_SIZE);
        const MemoryProperties from(object, dma_buf);
        return give<cl_mem>(make<Buffer>(Ref<Context>(object), flags, size, nullptr, from.list(),
                                         from.memory(object, flags, size, CL_INVALID_BUFFER_SIZE)));
    });
}
