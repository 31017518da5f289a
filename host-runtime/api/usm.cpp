// SPDX-License-Identifier: Apache-2.0
//
// cl_intel_unified_shared_memory: host, device and shared allocations. All three are in the
// device's memory, which the host accesses at the same addresses.
#include <algorithm>

#include "host-runtime/api/shared_memory.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/memory/flags.h"
#include "host-runtime/object/query.h"
#include "host-runtime/program/kernel.h"

using namespace rivulet;

namespace {

using A = const SharedAllocation &;

/// The extension allows no more than the size of the largest type, 128 bytes. But programs for
/// other devices ask for whole pages, of the processor or of the device.
constexpr size_t most_alignment = 2 << 20;

constexpr auto allocation_queries = queries<SharedAllocation>(
    row(CL_MEM_ALLOC_TYPE_INTEL, [](A a) { return a.type; }),
    row(CL_MEM_ALLOC_BASE_PTR_INTEL, [](A a) -> const void * { return a.pointer; }),
    row(CL_MEM_ALLOC_SIZE_INTEL, [](A a) { return a.bytes; }),
    row(CL_MEM_ALLOC_DEVICE_INTEL, [](A a) { return a.device; }),
    row(CL_MEM_ALLOC_FLAGS_INTEL, [](A a) { return a.flags; }));

cl_mem_alloc_flags_intel checked_flags(const cl_mem_properties_intel *properties,
                                       cl_unified_shared_memory_type_intel type) {
    if (!properties || !*properties)
        return 0;
    require(properties[0] == CL_MEM_ALLOC_FLAGS_INTEL && !properties[2], CL_INVALID_PROPERTY,
            "property % is unknown or repeated: CL_MEM_ALLOC_FLAGS_INTEL, %, may be given",
            Hex{properties[0]}, Hex{CL_MEM_ALLOC_FLAGS_INTEL});
    constexpr cl_mem_alloc_flags_intel placements =
        CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
    const cl_mem_alloc_flags_intel flags = properties[1];
    require(!(flags & ~(placements | CL_MEM_ALLOC_WRITE_COMBINED_INTEL)) &&
                at_most_one(flags & placements),
            CL_INVALID_PROPERTY, "flags % have unknown bits, or exclude each other", Hex{flags});
    require(!(flags & placements) || type == CL_MEM_TYPE_SHARED_INTEL, CL_INVALID_PROPERTY,
            "flags % specify the initial placement, which is for shared allocations only",
            Hex{flags});
    return flags;
}

/// The device for an allocation: the given one, or a device of the context that supports it.
const Device &checked_owner(const Context &context, cl_device_id handle, bool needs_device,
                            cl_device_svm_capabilities needed) {
    if (handle || needs_device) {
        const Ref<Device> device = checked(handle);
        require(context.has(*device), CL_INVALID_DEVICE, "device is not in the context");
        require(svm_capabilities(*device) & needed, CL_INVALID_OPERATION,
                "the device does not support shared memory of that kind");
        return *device; // the context holds it
    }
    for (const Ref<Device> &device : context.devices())
        if (svm_capabilities(*device) & needed)
            return *device;
    fail(CL_INVALID_OPERATION, "no device of the context supports shared memory of that kind");
}

void *allocate(cl_context context, cl_device_id device, cl_unified_shared_memory_type_intel type,
               const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
               cl_int *errcode_ret, Caller caller = __builtin_FUNCTION()) {
    return create(
        context, errcode_ret,
        [&](const Context &object) {
            const bool on_device = type == CL_MEM_TYPE_DEVICE_INTEL;
            const Device &owner = checked_owner(
                object, device, on_device,
                on_device ? cl_device_svm_capabilities{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER}
                          : cl_device_svm_capabilities{CL_DEVICE_SVM_FINE_GRAIN_BUFFER});
            check_alignment(alignment, most_alignment);
            const auto flags = checked_flags(properties, type);
            check_allocation(owner, size, CL_INVALID_BUFFER_SIZE);
            return object.shared_memory().allocate({.bytes = size,
                                                    .context_device = &object.context_device(owner),
                                                    .type = type,
                                                    .device = device,
                                                    .flags = flags},
                                                   alignment);
        },
        caller);
}

cl_int free_allocation(cl_context context, const void *ptr, bool blocking,
                       Caller caller = __builtin_FUNCTION()) {
    return entry(
        context,
        [&](const Context &object) {
            if (!ptr)
                return;
            const auto allocation = object.shared_memory().find(ptr);
            require(allocation && allocation->pointer == ptr, CL_INVALID_VALUE,
                    "ptr % is not the start of an allocation", address_of(ptr));
            if (blocking) // any command may use it, through a pointer stored in memory
                for (const Ref<Queue> &queue : queues_of(object))
                    queue->finish();
            object.shared_memory().free(ptr);
        },
        caller);
}

} // namespace

void *CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
                                      size_t size, cl_uint alignment, cl_int *errcode_ret) {
    return allocate(context, nullptr, CL_MEM_TYPE_HOST_INTEL, properties, size, alignment,
                    errcode_ret);
}

void *CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel *properties, size_t size,
                                        cl_uint alignment, cl_int *errcode_ret) {
    return allocate(context, device, CL_MEM_TYPE_DEVICE_INTEL, properties, size, alignment,
                    errcode_ret);
}

void *CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel *properties, size_t size,
                                        cl_uint alignment, cl_int *errcode_ret) {
    return allocate(context, device, CL_MEM_TYPE_SHARED_INTEL, properties, size, alignment,
                    errcode_ret);
}

cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void *ptr) {
    return free_allocation(context, ptr, false);
}

cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void *ptr) {
    return free_allocation(context, ptr, true);
}

cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void *ptr,
                                          cl_mem_info_intel param_name, size_t param_value_size,
                                          void *param_value, size_t *param_value_size_ret) {
    return entry(context, [&](const Context &object) {
        auto allocation = object.shared_memory().find(ptr);
        // not an allocation of this extension
        if (!allocation || allocation->type == CL_MEM_TYPE_UNKNOWN_INTEL)
            allocation = std::make_shared<const SharedAllocation>();
        query(allocation_queries, *allocation, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}

cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                 const void *arg_value) {
    return entry(kernel,
                 [&](Kernel &object) { set_pointer_argument(object, arg_index, arg_value); });
}

static cl_int fill(cl_command_queue queue, void *dst_ptr, const void *pattern, size_t pattern_size,
                   size_t size, cl_uint num_events, const cl_event *wait_list, cl_event *event,
                   Caller caller = __builtin_FUNCTION()) {
    return entry(
        queue,
        [&](Queue &object) {
            object.submit(checked_shared_fill(CL_COMMAND_MEMFILL_INTEL, object, dst_ptr, pattern,
                                              pattern_size, size),
                          num_events, wait_list, event);
        },
        caller);
}

cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue queue, void *dst_ptr, const void *pattern,
                                         size_t pattern_size, size_t size, cl_uint num_events,
                                         const cl_event *wait_list, cl_event *event) {
    return fill(queue, dst_ptr, pattern, pattern_size, size, num_events, wait_list, event);
}

// Deprecated: fills with a single byte.
cl_int CL_API_CALL clEnqueueMemsetINTEL(cl_command_queue queue, void *dst_ptr, cl_int value,
                                        size_t size, cl_uint num_events, const cl_event *wait_list,
                                        cl_event *event) {
    const auto pattern = static_cast<cl_uchar>(value);
    return fill(queue, dst_ptr, &pattern, 1, size, num_events, wait_list, event);
}

cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *dst_ptr,
                                        const void *src_ptr, size_t size, cl_uint num_events,
                                        const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit(checked_shared_copy(CL_COMMAND_MEMCPY_INTEL, object, dst_ptr, src_ptr, size),
                      num_events, wait_list, event, blocking);
    });
}

cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue queue, const void *ptr, size_t size,
                                            cl_mem_migration_flags flags, cl_uint num_events,
                                            const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        check_migration(flags);
        check_range(object.context(), ptr, size);
        object.submit(nothing(CL_COMMAND_MIGRATEMEM_INTEL), waits, event);
    });
}

cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue queue, const void *ptr, size_t size,
                                           cl_mem_advice_intel advice, cl_uint num_events,
                                           const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        require(advice == 0, CL_INVALID_VALUE, "advice is %: only 0 is defined", Hex{advice});
        check_range(object.context(), ptr, size);
        object.submit(nothing(CL_COMMAND_MEMADVISE_INTEL), waits, event);
    });
}
