// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 3.0, 5.6: shared virtual memory, and the related kernel arguments in 5.9.2.
#include <algorithm>
#include <bit>

#include "host-runtime/api/shared_memory.h"
#include "host-runtime/api/transfer.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/memory/flags.h"
#include "host-runtime/object/checked_size.h"
#include "host-runtime/program/kernel.h"
#include "host-runtime/program/transfer.h"

using namespace rivulet;

namespace {

void require_svm(const Queue &queue) {
    require(svm_capabilities(queue.device()) != 0, CL_INVALID_OPERATION,
            "the device does not support shared virtual memory");
}

void require_svm(const Kernel &kernel) {
    require(std::ranges::any_of(kernel.context().devices(),
                                [](const auto &device) { return svm_capabilities(*device) != 0; }),
            CL_INVALID_OPERATION, "no device of the context supports shared virtual memory");
}

/// What clSetKernelExecInfo says about pointers in memory.
constexpr struct ExecInfo {
    cl_kernel_exec_info name;
    enum : uint8_t { pointers, addresses, flag, never } value;
} exec_infos[] = {
    {CL_KERNEL_EXEC_INFO_SVM_PTRS, ExecInfo::pointers},
    {CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, ExecInfo::never},
    {CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, ExecInfo::addresses},
    {CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, ExecInfo::pointers},
    {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, ExecInfo::flag},
    {CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, ExecInfo::flag},
    {CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, ExecInfo::flag},
};

} // namespace

namespace rivulet {

void check_alignment(size_t alignment, size_t most) {
    require(!(alignment & (alignment - 1)) && alignment <= most, CL_INVALID_VALUE,
            "alignment is %, and must be 0 or a power of two up to %", alignment, most);
}

void check_range(const Context &context, const void *pointer, size_t size) {
    require(pointer && end_of(pointer, size).fits(UINTPTR_MAX), CL_INVALID_VALUE,
            "the pointer % with size % is NULL or exceeds the address space", address_of(pointer),
            size);
    const auto allocation = context.shared_memory().find(pointer);
    require(!allocation || allocation->contains(pointer, size), CL_INVALID_VALUE,
            "% and size % extend beyond the end of the pointer's allocation", address_of(pointer),
            size);
}

HostCommand checked_shared_copy(cl_command_type type, Queue &queue, void *to, const void *from,
                                size_t size) {
    check_range(queue.context(), to, size);
    check_range(queue.context(), from, size);
    const auto target = reinterpret_cast<uintptr_t>(to);
    const auto source = reinterpret_cast<uintptr_t>(from);
    require(target + size <= source || source + size <= target, CL_MEM_COPY_OVERLAP,
            "% bytes at % and at % overlap", size, address_of(from), address_of(to));
    // The application passed it for reading; nothing writes to it.
    auto *const unwritten = static_cast<std::byte *>(const_cast<void *>(from));
    return Transfer::command(type, {{}, {}, static_cast<std::byte *>(to)}, {{}, {}, unwritten}, {},
                             {.width = size}, &queue.context().shared_memory());
}

HostCommand checked_shared_fill(cl_command_type type, Queue &queue, void *to, const void *pattern,
                                size_t pattern_size, size_t size) {
    check_pattern(pattern, pattern_size);
    require(reinterpret_cast<uintptr_t>(to) % pattern_size == 0 && size % pattern_size == 0,
            CL_INVALID_VALUE, "the pointer % and size % must be multiples of pattern_size, %",
            address_of(to), size, pattern_size);
    check_range(queue.context(), to, size);
    return Transfer::command(type, {{}, {}, static_cast<std::byte *>(to)}, {},
                             {static_cast<const std::byte *>(pattern), pattern_size},
                             {.width = size}, &queue.context().shared_memory());
}

HostCommand checked_svm_copy(Queue &queue, void *to, const void *from, size_t size) {
    require_svm(queue);
    return checked_shared_copy(CL_COMMAND_SVM_MEMCPY, queue, to, from, size);
}

HostCommand checked_svm_fill(Queue &queue, void *to, const void *pattern, size_t pattern_size,
                             size_t size) {
    require_svm(queue);
    return checked_shared_fill(CL_COMMAND_SVM_MEMFILL, queue, to, pattern, pattern_size, size);
}

void set_pointer_argument(Kernel &kernel, cl_uint index, const void *pointer) {
    require_svm(kernel);
    kernel.set_pointer(index, pointer);
}

void set_exec_info(Kernel &kernel, cl_kernel_exec_info name, size_t size, const void *value) {
    const auto info = std::ranges::find(exec_infos, name, &ExecInfo::name);
    require(info != std::end(exec_infos), CL_INVALID_VALUE,
            "param_name % is invalid for this function", Hex{name});
    if (info->value == ExecInfo::addresses) {
        constexpr size_t each = sizeof(cl_mem_device_address_ext);
        require((size == 0) == (value == nullptr) && size % each == 0, CL_INVALID_VALUE,
                "param_value_size is %, and must be a multiple of %; param_value is %", size, each,
                address_of(value));
        return kernel.set_device_addresses({static_cast<const uint64_t *>(value), size / each});
    }
    if (info->value == ExecInfo::pointers) { // none: removes earlier ones
        require_svm(kernel);
        return require((size == 0) == (value == nullptr) && size % sizeof(void *) == 0,
                       CL_INVALID_VALUE,
                       "param_value_size is %, and must be a multiple of %; param_value is %", size,
                       sizeof(void *), address_of(value));
    }
    require(value && size == sizeof(cl_bool), CL_INVALID_VALUE,
            "param_value_size is %, a cl_bool has %; param_value is %", size, sizeof(cl_bool),
            address_of(value));
    // No device supports fine-grain system SVM.
    require(info->value == ExecInfo::flag || !*static_cast<const cl_bool *>(value),
            CL_INVALID_OPERATION, "no device supports fine-grain system SVM");
}

} // namespace rivulet

void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                             cl_uint alignment) {
    return create(context, nullptr, [&](const Context &object) {
        constexpr cl_svm_mem_flags known =
            device_access_flags | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
        require(!(flags & ~known) && at_most_one(flags & device_access_flags) &&
                    (!(flags & CL_MEM_SVM_ATOMICS) || flags & CL_MEM_SVM_FINE_GRAIN_BUFFER),
                CL_INVALID_VALUE,
                "flags % have unknown bits, exclude each other, or ask for atomics that are not "
                "fine-grained",
                Hex{flags});
        check_alignment(alignment, RVL_PAGE_BYTES);
        cl_device_svm_capabilities needed = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
        if (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER)
            needed |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
        if (flags & CL_MEM_SVM_ATOMICS)
            needed |= CL_DEVICE_SVM_ATOMICS;
        const Device *owner = nullptr;
        for (const Ref<Device> &device : object.devices()) {
            check_allocation(*device, size, CL_INVALID_BUFFER_SIZE);
            if ((svm_capabilities(*device) & needed) == needed)
                owner = device.get();
        }
        require(owner, CL_INVALID_OPERATION,
                "no device of the context has shared virtual memory of that kind "
                "(CL_DEVICE_SVM_CAPABILITIES)");
        return object.shared_memory().allocate(
            {.bytes = size, .context_device = &object.context_device(*owner)}, alignment);
    });
}

void CL_API_CALL clSVMFree(cl_context context, void *svm_pointer) {
    entry(context, [&](const Context &object) { object.shared_memory().free(svm_pointer); });
}

cl_int CL_API_CALL
clEnqueueSVMFree(cl_command_queue queue, cl_uint num_svm_pointers, void *svm_pointers[],
                 void(CL_CALLBACK *pfn_free_func)(cl_command_queue, cl_uint, void *[], void *),
                 void *user_data, cl_uint num_events, const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        require_svm(object);
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        require((num_svm_pointers == 0) == (svm_pointers == nullptr), CL_INVALID_VALUE,
                "num_svm_pointers is %, svm_pointers is %", num_svm_pointers,
                address_of(svm_pointers));
        auto work = [=, &memory = object.context().shared_memory(),
                     pointers =
                         std::vector(svm_pointers, svm_pointers + num_svm_pointers)]() mutable {
            if (pfn_free_func)
                return pfn_free_func(queue, num_svm_pointers, pointers.data(), user_data);
            for (const void *pointer : pointers)
                memory.free(pointer);
        };
        object.submit({CL_COMMAND_SVM_FREE, pfn_free_func ? foreign_work(std::move(work))
                                                          : host_work(std::move(work), true)},
                      waits, event);
    });
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking_copy, void *dst_ptr,
                                      const void *src_ptr, size_t size, cl_uint num_events,
                                      const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit(checked_svm_copy(object, dst_ptr, src_ptr, size), num_events, wait_list,
                      event, blocking_copy);
    });
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void *svm_ptr, const void *pattern,
                                       size_t pattern_size, size_t size, cl_uint num_events,
                                       const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit(checked_svm_fill(object, svm_ptr, pattern, pattern_size, size), num_events,
                      wait_list, event);
    });
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking_map, cl_map_flags flags,
                                   void *svm_ptr, size_t size, cl_uint num_events,
                                   const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        require_svm(object);
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        require(size > 0, CL_INVALID_VALUE, "size is 0");
        check_range(object.context(), svm_ptr, size);
        constexpr cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
        require(!(flags & ~known), CL_INVALID_VALUE, "flags % have bits beyond %", Hex{flags},
                Hex{known});
        auto work = [=, &memory = object.context().shared_memory()] {
            memory.sync(svm_ptr, size, RVL_SYNC_FROM_DEVICE);
        };
        object.submit({CL_COMMAND_SVM_MAP, host_work(std::move(work), true)}, waits, event,
                      blocking_map);
    });
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *svm_ptr, cl_uint num_events,
                                     const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        require_svm(object);
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        require(svm_ptr, CL_INVALID_VALUE, "svm_ptr is NULL");
        // The size of the mapping is unknown, so everything from the pointer on is synchronised.
        auto work = [=, &memory = object.context().shared_memory()] {
            if (const auto allocation = memory.find(svm_ptr)) {
                const auto offset = static_cast<std::byte *>(svm_ptr) - allocation->pointer;
                memory.sync(svm_ptr, allocation->bytes - static_cast<size_t>(offset),
                            RVL_SYNC_TO_DEVICE);
            }
        };
        object.submit({CL_COMMAND_SVM_UNMAP, host_work(std::move(work), true)}, waits, event);
    });
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint num_svm_pointers,
                                          const void **svm_pointers, const size_t *sizes,
                                          cl_mem_migration_flags flags, cl_uint num_events,
                                          const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        require_svm(object);
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        require(num_svm_pointers > 0 && svm_pointers, CL_INVALID_VALUE,
                "num_svm_pointers is %, svm_pointers is %", num_svm_pointers,
                address_of(svm_pointers));
        check_migration(flags);
        for (cl_uint i = 0; i < num_svm_pointers; ++i) {
            const auto allocation = object.context().shared_memory().find(svm_pointers[i]);
            require(
                allocation && allocation->contains(svm_pointers[i], sizes ? sizes[i] : 0),
                CL_INVALID_VALUE,
                "svm_pointers[%], %, is not in an allocation, or its size % extends beyond the end",
                i, address_of(svm_pointers[i]), sizes ? sizes[i] : 0);
        }
        object.submit(nothing(CL_COMMAND_SVM_MIGRATE_MEM), waits, event);
    });
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                            const void *arg_value) {
    return entry(kernel,
                 [&](Kernel &object) { set_pointer_argument(object, arg_index, arg_value); });
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                       size_t param_value_size, const void *param_value) {
    return entry(kernel, [&](Kernel &object) {
        set_exec_info(object, param_name, param_value_size, param_value);
    });
}
