// SPDX-License-Identifier: Apache-2.0
//
// 5.8: executing kernels.
#include "host-runtime/api/launch.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/program/kernel.h"

using namespace rivulet;

namespace {

/// Sizes supported by the device: 32 bits per dimension, without the sign bit.
constexpr size_t largest = std::numeric_limits<int32_t>::max();

NDRange checked_range(cl_uint work_dim, const size_t *offset, const size_t *global) {
    require(work_dim >= 1 && work_dim <= 3, CL_INVALID_WORK_DIMENSION,
            "work_dim is %, and must be 1 to 3", work_dim);
    NDRange range;
    range.dimensions = work_dim;
    if (global)
        std::copy_n(global, work_dim, range.global.begin());
    else // 3.0: as if all sizes were 0
        std::fill_n(range.global.begin(), work_dim, 0);
    if (offset)
        std::copy_n(offset, work_dim, range.offset.begin());
    for (cl_uint axis = 0; axis < work_dim; ++axis) {
        require(range.global[axis] <= largest, CL_INVALID_GLOBAL_WORK_SIZE,
                "global_work_size[%] is %, the most is %", axis, range.global[axis], largest);
        require(range.offset[axis] <= largest - range.global[axis], CL_INVALID_GLOBAL_OFFSET,
                "global_work_offset[%] is %, the most is % with global_work_size[%] of %", axis,
                range.offset[axis], largest - range.global[axis], axis, range.global[axis]);
    }
    return range;
}

void check_global_size(const NDRange &range, const hal::BuiltInKernel &kernel) {
    for (size_t axis = 0; axis < 3; ++axis)
        require(range.global[axis] <= kernel.max_global_size[axis], CL_INVALID_GLOBAL_WORK_SIZE,
                "global_work_size[%] is %, the most is % for built-in kernel %", axis,
                range.global[axis], kernel.max_global_size[axis], kernel.name);
}

void check_local_size(const NDRange &range, const KernelSnapshot &kernel) {
    const rvl_kernel_note &note = *kernel.note;
    for (size_t axis = 0; axis < 3; ++axis) {
        const size_t local = range.local[axis];
        require(local > 0, CL_INVALID_WORK_GROUP_SIZE, "local_work_size[%] is 0", axis);
        require(local <= max_work_group_size, CL_INVALID_WORK_ITEM_SIZE,
                "local_work_size[%] is %, the most is %", axis, local, max_work_group_size);
        require(!note.required_group_size[0] || note.required_group_size[axis] == local,
                CL_INVALID_WORK_GROUP_SIZE,
                "local_work_size[%] is %, kernel % has reqd_work_group_size(%, %, %)", axis, local,
                kernel.name, note.required_group_size[0], note.required_group_size[1],
                note.required_group_size[2]);
        require(
            !(note.flags & RVL_KERNEL_UNIFORM) || range.global[axis] % local == 0,
            CL_INVALID_WORK_GROUP_SIZE,
            "local_work_size[%] is %, which does not divide global_work_size[%], %: kernel % was "
            "built for uniform work-groups, as all OpenCL C below 2.0 (-cl-std=CL3.0 lifts that)",
            axis, local, axis, range.global[axis], kernel.name);
    }
}

/// Fails with a message that says which memory limits the size of the work-group, if any.
[[noreturn]] void refuse_group(const Device &device, const KernelSnapshot &kernel, size_t items,
                               cl_int code) {
    const size_t most = max_group_size(device, *kernel.note, kernel.local_bytes);
    const PhysicalDevice &physical_device = device.physical_device();
    if (most == max_work_group_size)
        fail(code, "kernel %: local_work_size makes a work-group of % work-items, the most is %",
             {kernel.name, items, most});
    fail(code,
         "kernel %: a work-group of % needs more memory than a hart has: % bytes, % of them "
         "local; it takes % bytes of stack, % of local memory, % for each work-item: at most % "
         "work-items fit",
         {kernel.name, items, physical_device.hart_memory_bytes(),
          physical_device.local_memory_bytes(), kernel.note->stack_bytes, kernel.local_bytes,
          kernel.note->saved_bytes, most});
}

} // namespace

namespace rivulet {

CheckedLaunch CheckedLaunch::of(const Kernel &kernel, const Device &device, cl_uint work_dim,
                                const size_t *offset, const size_t *global, const size_t *local,
                                Arguments arguments) {
    (void)kernel.note(device); // CL_INVALID_PROGRAM_EXECUTABLE
    const NDRange checked = checked_range(work_dim, offset, global);
    const bool has_arguments = arguments == complete || kernel.has_all_arguments();
    CheckedLaunch launch{.range = checked,
                         .has_arguments = has_arguments,
                         .kernel = has_arguments ? kernel.snapshot(device)
                                                 : kernel.snapshot_without_arguments(device)};
    NDRange &range = launch.range;
    const KernelSnapshot &snapshot = launch.kernel;
    const hal::BuiltInKernel *built_in = snapshot.kernel->built_in;
    if (built_in)
        check_global_size(range, *built_in);
    const size_t most = max_group_size(device, *snapshot.note, snapshot.local_bytes);
    if (local)
        std::copy_n(local, range.dimensions, range.local.begin());
    if (most == 0)
        refuse_group(device, snapshot, range.local[0] * range.local[1] * range.local[2],
                     CL_OUT_OF_RESOURCES);
    if (!local)
        range.local = suggested_local_size(device, snapshot, range);
    if (launch.is_empty())
        return launch;
    check_local_size(range, snapshot);
    const size_t items = range.local[0] * range.local[1] * range.local[2];
    if (items > most)
        refuse_group(device, snapshot, items, CL_INVALID_WORK_GROUP_SIZE);
    if (built_in) // the unit takes the NDRange as a whole
        return launch;
    uint64_t groups = 1;
    for (size_t axis = 0; axis < 3; ++axis) {
        groups *= (range.global[axis] + range.local[axis] - 1) / range.local[axis];
        require(groups <= largest, CL_OUT_OF_RESOURCES,
                "the NDRange has % work-groups or more, the most is %: a larger local_work_size "
                "makes fewer",
                groups, largest);
    }
    return launch;
}

bool CheckedLaunch::is_empty() const {
    return std::ranges::find(range.global, 0u) != range.global.end();
}

Ref<Event> CheckedLaunch::add_to(Batch &batch, const WaitList &waits, cl_command_type type) && {
    if (is_empty()) // 5.8, 3.0: it only keeps its place in the queue
        return Ref<Event>(batch.add(type, waits, nothing(type).work));
    return Ref<Event>(batch.add(type, waits, launch_work(batch.queue(), std::move(kernel), range)));
}

} // namespace rivulet

namespace {

cl_int launch(cl_command_type type, cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
              const size_t *offset, const size_t *global, const size_t *local, cl_uint num_events,
              const cl_event *wait_list, cl_event *event, Caller caller = __builtin_FUNCTION()) {
    return entry(
        queue,
        [&](Queue &object) {
            const auto checked_kernel = checked(kernel, object.context());
            auto launch = CheckedLaunch::of(*checked_kernel, object.device(), work_dim, offset,
                                            global, local);
            const auto waits = WaitList::checked(num_events, wait_list, object.context());
            Batch batch(object);
            std::move(launch).add_to(batch, waits, type);
            batch.submit(event);
        },
        caller);
}

} // namespace

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                          cl_uint work_dim, const size_t *global_work_offset,
                                          const size_t *global_work_size,
                                          const size_t *local_work_size,
                                          cl_uint num_events_in_wait_list,
                                          const cl_event *event_wait_list, cl_event *event) {
    return launch(CL_COMMAND_NDRANGE_KERNEL, queue, kernel, work_dim, global_work_offset,
                  global_work_size, local_work_size, num_events_in_wait_list, event_wait_list,
                  event);
}

// 5.8: the same as an NDRange of one work-item.
cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                 cl_event *event) {
    constexpr size_t one = 1;
    return launch(CL_COMMAND_TASK, queue, kernel, 1, nullptr, &one, &one, num_events_in_wait_list,
                  event_wait_list, event);
}

static cl_int suggest_local_size(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                                 const size_t *offset, const size_t *global, size_t *suggested,
                                 Caller caller = __builtin_FUNCTION()) {
    return entry(
        queue,
        [&](Queue &object) {
            auto checked_kernel = checked(kernel, object.context());
            require(suggested, CL_INVALID_VALUE, "suggested_local_work_size is NULL");
            const NDRange range = checked_range(work_dim, offset, global);
            require(std::ranges::find(range.global, 0u) == range.global.end(),
                    CL_INVALID_GLOBAL_WORK_SIZE, "a global_work_size is 0");
            const auto local = suggested_local_size(
                object.device(), checked_kernel->snapshot(object.device()), range);
            std::copy_n(local.begin(), work_dim, suggested);
        },
        caller);
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel,
                                                     cl_uint work_dim,
                                                     const size_t *global_work_offset,
                                                     const size_t *global_work_size,
                                                     size_t *suggested_local_work_size) {
    return suggest_local_size(queue, kernel, work_dim, global_work_offset, global_work_size,
                              suggested_local_work_size);
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel,
                                                        cl_uint work_dim,
                                                        const size_t *global_work_offset,
                                                        const size_t *global_work_size,
                                                        size_t *suggested_local_work_size) {
    return suggest_local_size(queue, kernel, work_dim, global_work_offset, global_work_size,
                              suggested_local_work_size);
}
