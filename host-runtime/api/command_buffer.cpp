// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_command_buffer. Commands are validated by the same functions as those of queues.
#include "host-runtime/api/command_buffer.h"

#include "host-runtime/api/mutable_command.h"
#include "host-runtime/api/shared_memory.h"
#include "host-runtime/api/transfer.h"
#include "host-runtime/graph/command_buffer.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

using B = const CommandBuffer &;

constexpr auto command_buffer_queries = queries<CommandBuffer>(
    row(CL_COMMAND_BUFFER_QUEUES_KHR, [](B b) { return handle_of<cl_command_queue>(&b.queue()); }),
    row(CL_COMMAND_BUFFER_NUM_QUEUES_KHR, [](B) -> cl_uint { return 1; }),
    row(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, [](B b) { return b.handle_references(); }),
    row(CL_COMMAND_BUFFER_STATE_KHR,
        [](B b) -> cl_command_buffer_state_khr {
            if (!b.is_finalized())
                return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
            return b.is_executable() ? CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR
                                     : CL_COMMAND_BUFFER_STATE_FINALIZED_KHR;
        }),
    row(CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, [](B b) { return b.properties(); }),
    row(CL_COMMAND_BUFFER_CONTEXT_KHR, [](B b) { return handle_of<cl_context>(&b.context()); }));

using Properties = std::vector<cl_command_buffer_properties_khr>;

/// The value of a property, or 0.
cl_command_buffer_properties_khr value_of(const Properties &properties,
                                          cl_command_buffer_properties_khr name) {
    for (size_t i = 0; i + 1 < properties.size(); i += 2)
        if (properties[i] == name)
            return properties[i + 1];
    return 0;
}

/// `bits` are the known ones of the property `name`.
void check_bits(cl_command_buffer_properties_khr name, cl_command_buffer_properties_khr value,
                cl_command_buffer_properties_khr bits) {
    require(!(value & ~bits), CL_INVALID_VALUE, "property % is %, its known bits are %", Hex{name},
            Hex{value}, Hex{bits});
}

Properties checked_buffer_properties(const cl_command_buffer_properties_khr *properties) {
    Properties list;
    for (auto *at = properties; at && *at; at += 2) {
        require(at[0] == CL_COMMAND_BUFFER_FLAGS_KHR ||
                    at[0] == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
                CL_INVALID_VALUE, "property % is not known", Hex{at[0]});
        for (size_t i = 0; i < list.size(); i += 2)
            require(list[i] != at[0], CL_INVALID_VALUE, "property % is given twice", Hex{at[0]});
        check_bits(at[0], at[1],
                   at[0] == CL_COMMAND_BUFFER_FLAGS_KHR
                       ? CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR
                       : CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR);
        list.insert(list.end(), at, at + 2);
    }
    if (properties)
        list.push_back(0);
    return list;
}

using Waits = std::span<const cl_sync_point_khr>;

/// Checks common to all recording functions; `record` returns the sync point.
cl_int record_any(cl_command_buffer_khr command_buffer, cl_command_queue queue,
                  cl_uint num_sync_points, const cl_sync_point_khr *sync_points,
                  cl_sync_point_khr *sync_point,
                  FunctionRef<cl_sync_point_khr(CommandBuffer &, Waits)> record, Caller caller) {
    return entry(
        command_buffer,
        [&](CommandBuffer &object) {
            require(!queue, CL_INVALID_COMMAND_QUEUE,
                    "command_queue must be NULL: the command buffer already has its only queue");
            require(!object.is_finalized(), CL_INVALID_OPERATION,
                    "the command buffer is finalized: it records no more");
            require((num_sync_points == 0) == (sync_points == nullptr),
                    CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
                    "num_sync_points_in_wait_list is %, sync_point_wait_list is %", num_sync_points,
                    address_of(sync_points));
            const cl_sync_point_khr point = record(object, Waits(sync_points, num_sync_points));
            if (sync_point)
                *sync_point = point;
        },
        caller);
}

/// Of the commands, only launches have properties and can be changed.
void require_fixed(const cl_command_properties_khr *properties,
                   const cl_mutable_command_khr *mutable_handle) {
    require((!properties || !*properties) && !mutable_handle, CL_INVALID_VALUE,
            "properties and mutable_handle must be NULL: only launches can be changed");
}

/// Records a command that runs on the host.
cl_int record(cl_command_buffer_khr command_buffer, cl_command_queue queue,
              const cl_command_properties_khr *properties, cl_uint num_sync_points,
              const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
              const cl_mutable_command_khr *mutable_handle,
              FunctionRef<HostCommand(CommandBuffer &)> checked_command,
              Caller caller = __builtin_FUNCTION()) {
    return record_any(
        command_buffer, queue, num_sync_points, sync_points, sync_point,
        [&](CommandBuffer &object, Waits waits) {
            require_fixed(properties, mutable_handle);
            return object.record({checked_command(object), nullptr}, waits);
        },
        caller);
}

} // namespace

extern "C" cl_command_buffer_khr CL_API_CALL
clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                         const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret) {
    if (num_queues != 1 || !queues)
        return create(errcode_ret, [&]() -> cl_command_buffer_khr {
            fail(CL_INVALID_VALUE, "num_queues is %, queues is %: exactly one queue is required",
                 {num_queues, address_of(queues)});
        });
    return create(*queues, errcode_ret, [&](Queue &queue) {
        Properties list = checked_buffer_properties(properties);
        const CommandBuffer::Updates updates{
            .allowed =
                (value_of(list, CL_COMMAND_BUFFER_FLAGS_KHR) & CL_COMMAND_BUFFER_MUTABLE_KHR) != 0,
            .add_no_groups = value_of(list, CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR) != 0};
        return give<cl_command_buffer_khr>(
            make<CommandBuffer>(Ref(queue), std::move(list), updates));
    });
}

extern "C" cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer) {
    return retain_entry(command_buffer);
}

extern "C" cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer) {
    return release_entry(command_buffer);
}

extern "C" cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer) {
    return entry(command_buffer, [](CommandBuffer &object) { object.finalize(); });
}

extern "C" cl_int CL_API_CALL clEnqueueCommandBufferKHR(
    cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr command_buffer,
    cl_uint num_events, const cl_event *wait_list, cl_event *event) {
    return entry(command_buffer, [&](const CommandBuffer &object) {
        require(object.is_executable(), CL_INVALID_OPERATION,
                "the command buffer is not finalized, or has kernels with arguments that are not "
                "set");
        require((num_queues == 0) == (queues == nullptr) && num_queues <= 1, CL_INVALID_VALUE,
                "num_queues is %, queues is %: at most one queue is supported", num_queues,
                address_of(queues));
        const Ref<Queue> queue = queues ? checked(*queues, object.context()) : Ref(object.queue());
        // Its properties may differ, because all queue properties are supported.
        require(&queue->device() == &object.queue().device(), CL_INVALID_DEVICE,
                "the queue is on another device than the command buffer");
        object.enqueue(*queue, WaitList::checked(num_events, wait_list, object.context()), event);
    });
}

extern "C" cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer,
                                                        cl_command_buffer_info_khr param_name,
                                                        size_t param_value_size, void *param_value,
                                                        size_t *param_value_size_ret) {
    return entry(command_buffer, [&](const CommandBuffer &object) {
        query(command_buffer_queries, object, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}

namespace rivulet::command_buffer {

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer,
                                                   cl_command_queue queue,
                                                   const cl_command_properties_khr *properties,
                                                   cl_uint num_sync_points,
                                                   const cl_sync_point_khr *sync_points,
                                                   cl_sync_point_khr *sync_point,
                                                   cl_mutable_command_khr *mutable_handle) {
    return record_any(
        command_buffer, queue, num_sync_points, sync_points, sync_point,
        [&](CommandBuffer &object, Waits waits) {
            require_fixed(properties, mutable_handle);
            return object.record_barrier(waits);
        },
        __builtin_FUNCTION());
}

cl_int CL_API_CALL clCommandNDRangeKernelKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue queue,
    const cl_command_properties_khr *properties, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size, const size_t *local_work_size,
    cl_uint num_sync_points, const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle) {
    return record_any(
        command_buffer, queue, num_sync_points, sync_points, sync_point,
        [&](CommandBuffer &object, Waits waits) {
            const auto checked_kernel = checked(kernel, object.context());
            const LaunchProperties checked_properties(object, properties, local_work_size);
            const bool may_change = object.updates().allowed && mutable_handle;
            const auto dispatch = Dispatch::recorded(
                *checked_kernel, object.queue().device(), checked_properties, may_change,
                {work_dim, global_work_offset, global_work_size, local_work_size});
            if (!mutable_handle)
                return object.record({{}, dispatch}, waits);
            const auto command =
                make<MutableCommand>(Ref(object), checked_kernel, checked_properties);
            command->set_point(object.record({{}, dispatch}, waits, command));
            *mutable_handle = give<cl_mutable_command_khr>(command);
            return command->point();
        },
        __builtin_FUNCTION());
}

cl_int CL_API_CALL clCommandCopyBufferKHR(cl_command_buffer_khr command_buffer,
                                          cl_command_queue queue,
                                          const cl_command_properties_khr *properties,
                                          cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                                          size_t dst_offset, size_t size, cl_uint num_sync_points,
                                          const cl_sync_point_khr *sync_points,
                                          cl_sync_point_khr *sync_point,
                                          cl_mutable_command_khr *mutable_handle) {
    return record(command_buffer, queue, properties, num_sync_points, sync_points, sync_point,
                  mutable_handle, [&](CommandBuffer &object) {
                      return copy_buffer(object.queue(), src_buffer, dst_buffer, src_offset,
                                         dst_offset, size);
                  });
}

cl_int CL_API_CALL clCommandCopyBufferRectKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region, size_t src_row_pitch,
    size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch, cl_uint num_sync_points,
    const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle) {
    return record(command_buffer, queue, properties, num_sync_points, sync_points, sync_point,
                  mutable_handle, [&](CommandBuffer &object) {
                      return copy_buffer_rect(object.queue(), src_buffer, dst_buffer, src_origin,
                                              dst_origin, region, src_row_pitch, src_slice_pitch,
                                              dst_row_pitch, dst_slice_pitch);
                  });
}

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_image,
    size_t src_offset, const size_t *dst_origin, const size_t *region, cl_uint num_sync_points,
    const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle) {
    return record(command_buffer, queue, properties, num_sync_points, sync_points, sync_point,
                  mutable_handle, [&](CommandBuffer &object) {
                      return copy_buffer_to_image(object.queue(), src_buffer, dst_image, src_offset,
                                                  dst_origin, region);
                  });
}

cl_int CL_API_CALL clCommandCopyImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue queue,
    const cl_command_properties_khr *properties, cl_mem src_image, cl_mem dst_image,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region,
    cl_uint num_sync_points, const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle) {
    return record(command_buffer, queue, properties, num_sync_points, sync_points, sync_point,
                  mutable_handle, [&](CommandBuffer &object) {
                      return copy_image(object.context(), src_image, dst_image, src_origin,
                                        dst_origin, region);
                  });
}

cl_int CL_API_CALL clCommandCopyImageToBufferKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue queue,
    const cl_command_properties_khr *properties, cl_mem src_image, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *region, size_t dst_offset, cl_uint num_sync_points,
    const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle) {
    return record(command_buffer, queue, properties, num_sync_points, sync_points, sync_point,
                  mutable_handle, [&](CommandBuffer &object) {
                      return copy_image_to_buffer(object.queue(), src_image, dst_buffer, src_origin,
                                                  region, dst_offset);
                  });
}

cl_int CL_API_CALL clCommandFillBufferKHR(cl_command_buffer_khr command_buffer,
                                          cl_command_queue queue,
                                          const cl_command_properties_khr *properties,
                                          cl_mem buffer, const void *pattern, size_t pattern_size,
                                          size_t offset, size_t size, cl_uint num_sync_points,
                                          const cl_sync_point_khr *sync_points,
                                          cl_sync_point_khr *sync_point,
                                          cl_mutable_command_khr *mutable_handle) {
    return record(command_buffer, queue, properties, num_sync_points, sync_points, sync_point,
                  mutable_handle, [&](CommandBuffer &object) {
                      return fill_buffer(object.queue(), buffer, pattern, pattern_size, offset,
                                         size);
                  });
}

cl_int CL_API_CALL clCommandFillImageKHR(cl_command_buffer_khr command_buffer,
                                         cl_command_queue queue,
                                         const cl_command_properties_khr *properties, cl_mem image,
                                         const void *fill_color, const size_t *origin,
                                         const size_t *region, cl_uint num_sync_points,
                                         const cl_sync_point_khr *sync_points,
                                         cl_sync_point_khr *sync_point,
                                         cl_mutable_command_khr *mutable_handle) {
    return record(command_buffer, queue, properties, num_sync_points, sync_points, sync_point,
                  mutable_handle, [&](CommandBuffer &object) {
                      return fill_image(object.context(), image, fill_color, origin, region);
                  });
}

cl_int CL_API_CALL clCommandSVMMemcpyKHR(cl_command_buffer_khr command_buffer,
                                         cl_command_queue queue,
                                         const cl_command_properties_khr *properties, void *dst_ptr,
                                         const void *src_ptr, size_t size, cl_uint num_sync_points,
                                         const cl_sync_point_khr *sync_points,
                                         cl_sync_point_khr *sync_point,
                                         cl_mutable_command_khr *mutable_handle) {
    return record(command_buffer, queue, properties, num_sync_points, sync_points, sync_point,
                  mutable_handle, [&](CommandBuffer &object) {
                      return checked_svm_copy(object.queue(), dst_ptr, src_ptr, size);
                  });
}

cl_int CL_API_CALL clCommandSVMMemFillKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue queue,
    const cl_command_properties_khr *properties, void *svm_ptr, const void *pattern,
    size_t pattern_size, size_t size, cl_uint num_sync_points, const cl_sync_point_khr *sync_points,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle) {
    return record(command_buffer, queue, properties, num_sync_points, sync_points, sync_point,
                  mutable_handle, [&](CommandBuffer &object) {
                      return checked_svm_fill(object.queue(), svm_ptr, pattern, pattern_size, size);
                  });
}

} // namespace rivulet::command_buffer
