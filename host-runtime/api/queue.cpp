// SPDX-License-Identifier: Apache-2.0
//
// 5.1: command queues. 5.10: markers, barriers, waiting for events. 5.13: flush and finish.
#include "host-runtime/graph/queue.h"

#include "host-runtime/graph/graph.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

using Q = const Queue &;

constexpr cl_command_queue_properties known_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties device_queue_properties =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

constexpr auto queue_queries = queries<Queue>(
    row(CL_QUEUE_CONTEXT, [](Q q) { return handle_of<cl_context>(&q.context()); }),
    row(CL_QUEUE_DEVICE, [](Q q) { return handle_of<cl_device_id>(&q.device()); }),
    row(CL_QUEUE_REFERENCE_COUNT, [](Q q) { return q.handle_references(); }),
    row(CL_QUEUE_PROPERTIES, [](Q q) { return q.properties(); }),
    row(CL_QUEUE_PROPERTIES_ARRAY, [](Q q) { return q.properties_array(); }),
    // 3.0: not valid for host-side queues.
    row(CL_QUEUE_SIZE,
        [](Q) -> cl_uint {
            fail(CL_INVALID_COMMAND_QUEUE, "CL_QUEUE_SIZE is only valid for device-side queues");
        }),
    row(CL_QUEUE_DEVICE_DEFAULT, [](Q) -> cl_command_queue { return nullptr; }));

cl_command_queue create_queue(Context &context, cl_device_id device_handle,
                              cl_command_queue_properties properties,
                              std::vector<cl_queue_properties> array,
                              cl_queue_priority_khr priority = CL_QUEUE_PRIORITY_MED_KHR) {
    auto device = checked(device_handle);
    require(context.has(*device), CL_INVALID_DEVICE, "device is not in the context");
    require(!(properties & ~(known_properties | device_queue_properties)), CL_INVALID_VALUE,
            "properties % have bits beyond %", Hex{properties}, Hex{known_properties});
    require(!(properties & device_queue_properties), CL_INVALID_QUEUE_PROPERTIES,
            "properties % request a device-side queue, which is not supported: remove "
            "CL_QUEUE_ON_DEVICE "
            "and CL_QUEUE_ON_DEVICE_DEFAULT",
            Hex{properties});
    return give<cl_command_queue>(make<Queue>(Ref<Context>(context), std::move(device), properties,
                                              std::move(array), priority));
}

} // namespace

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties,
                                                  cl_int *errcode_ret) {
    return create(context, errcode_ret,
                  [&](Context &object) { return create_queue(object, device, properties, {}); });
}

// cl_khr_priority_hints
static cl_queue_priority_khr checked_priority(cl_queue_properties value) {
    require(value == CL_QUEUE_PRIORITY_HIGH_KHR || value == CL_QUEUE_PRIORITY_MED_KHR ||
                value == CL_QUEUE_PRIORITY_LOW_KHR,
            CL_INVALID_VALUE, "CL_QUEUE_PRIORITY_KHR is %; it must be %, % or %", value,
            CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_LOW_KHR);
    return static_cast<cl_queue_priority_khr>(value);
}

static cl_command_queue create_with_properties(cl_context context, cl_device_id device,
                                               const cl_queue_properties *properties,
                                               cl_int *errcode_ret,
                                               Caller caller = __builtin_FUNCTION()) {
    return create(
        context, errcode_ret,
        [&](Context &object) {
            cl_command_queue_properties flags = 0;
            cl_queue_priority_khr priority = CL_QUEUE_PRIORITY_MED_KHR;
            std::vector<cl_queue_properties> array;
            for (auto *at = properties; at && *at; at += 2) {
                // CL_QUEUE_SIZE applies to device-side queues, which are not supported.
                require(at[0] == CL_QUEUE_PROPERTIES || at[0] == CL_QUEUE_PRIORITY_KHR,
                        CL_INVALID_VALUE,
                        "property % is not known; CL_QUEUE_PROPERTIES, %, and "
                        "CL_QUEUE_PRIORITY_KHR, %, are",
                        Hex{at[0]}, Hex{CL_QUEUE_PROPERTIES}, Hex{CL_QUEUE_PRIORITY_KHR});
                if (at[0] == CL_QUEUE_PROPERTIES)
                    flags = at[1];
                else
                    priority = checked_priority(at[1]);
                array.insert(array.end(), at, at + 2);
            }
            if (properties)
                array.push_back(0);
            return create_queue(object, device, flags, std::move(array), priority);
        },
        caller);
}

cl_command_queue CL_API_CALL
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties *properties, cl_int *errcode_ret) {
    return create_with_properties(context, device, properties, errcode_ret);
}

extern "C" CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties_khr *properties,
    cl_int *errcode_ret) {
    return create_with_properties(context, device, properties, errcode_ret);
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue) { return retain_entry(queue); }

// 5.1: an implicit flush.
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue) {
    return entry(queue, [](Queue &object) {
        object.flush();
        require(object.release_handle(), CL_INVALID_COMMAND_QUEUE,
                "the last reference was released already");
    });
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                                         size_t param_value_size, void *param_value,
                                         size_t *param_value_size_ret) {
    return entry(queue, [&](Q object) {
        query(queue_queries, object, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}

// Existed in OpenCL 1.0; since 1.1, queue properties can't be changed.
cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties,
                                             cl_bool, cl_command_queue_properties *) {
    return entry(queue, [](Q) { fail(CL_INVALID_OPERATION, "queue properties can't be changed"); });
}

cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue queue) {
    return entry(context, [&](const Context &object) {
        require(object.has(*checked(device)), CL_INVALID_DEVICE, "device is not in the context");
        (void)queue;
        fail(CL_INVALID_OPERATION, "device-side queues are not supported");
    });
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint num_events,
                                               const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit_marker(WaitList::checked(num_events, wait_list, object.context()), event);
    });
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint num_events,
                                                const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit_barrier(WaitList::checked(num_events, wait_list, object.context()), event);
    });
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        require(event, CL_INVALID_VALUE, "event is NULL");
        object.submit_marker({}, event);
    });
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue) {
    return entry(queue, [](Queue &object) { object.submit_barrier({}, nullptr); });
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint num_events,
                                          const cl_event *event_list) {
    return entry(queue, [&](Queue &object) {
        require(num_events > 0 && event_list, CL_INVALID_VALUE, "num_events is %, event_list is %",
                num_events, address_of(event_list));
        for (cl_uint index = 0; index < num_events; ++index)
            require(bool(find(event_list[index])), CL_INVALID_EVENT,
                    "event_list[%] is %, which is not a valid event", index,
                    address_of(event_list[index]));
        object.submit_barrier(WaitList::checked(num_events, event_list, object.context()), nullptr);
    });
}

cl_int CL_API_CALL clFlush(cl_command_queue queue) {
    return entry(queue, [](Queue &object) { object.flush(); });
}

cl_int CL_API_CALL clFinish(cl_command_queue queue) {
    return entry(queue, [](Queue &object) { object.finish(); });
}
