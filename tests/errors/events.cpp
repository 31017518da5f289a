// SPDX-License-Identifier: Apache-2.0
//
// 5.9, 5.10, 5.12: events, markers, barriers, profiling.
#include "errors.h"

namespace rivulet::test {
namespace {

TEST_F(Errors, OfEvents) {
    const auto notify = +[](cl_event, cl_int, void *) {};
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateUserEvent, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT, clSetUserEventStatus, nullptr, CL_COMPLETE);
    cl_event marker = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marker), CL_SUCCESS);
    released_later(clReleaseEvent, marker);
    EXPECT_FAILS(CL_INVALID_EVENT, clSetUserEventStatus, marker, CL_COMPLETE);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetUserEventStatus, event, CL_RUNNING);
    EXPECT_FAILS(CL_INVALID_OPERATION, clSetUserEventStatus, failed, CL_COMPLETE);

    const cl_event mixed[] = {event, other_event};
    const cl_event wrong[] = {event, as<cl_event>(queue)};
    EXPECT_FAILS(CL_INVALID_VALUE, clWaitForEvents, 0u, &event);
    EXPECT_FAILS(CL_INVALID_VALUE, clWaitForEvents, 1u, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clWaitForEvents, 2u, mixed);
    EXPECT_FAILS(CL_INVALID_EVENT, clWaitForEvents, 2u, wrong);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents, 1u, &failed);

    EXPECT_FAILS(CL_INVALID_EVENT, clGetEventInfo, nullptr, CL_EVENT_CONTEXT, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetEventInfo, event, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetEventInfo, event, CL_EVENT_CONTEXT, 1u, data, &size);
    EXPECT_FAILS(CL_INVALID_EVENT, clSetEventCallback, nullptr, CL_COMPLETE, notify, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetEventCallback, event, CL_COMPLETE, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetEventCallback, event, CL_QUEUED, notify, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetEventCallback, event, -1, notify, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT, clRetainEvent, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT, clReleaseEvent, as<cl_event>(queue));
}

TEST_F(Errors, OfProfiling) {
    constexpr cl_profiling_info end = CL_PROFILING_COMMAND_END;
    const cl_command_queue profiled =
        released_later(clReleaseCommandQueue, made(clCreateCommandQueue, context, device,
                                                   cl_ulong{CL_QUEUE_PROFILING_ENABLE}));
    cl_event timed = nullptr;
    cl_event untimed = nullptr;
    cl_event waiting = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(profiled, 0, nullptr, &timed), CL_SUCCESS);
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &untimed), CL_SUCCESS);
    ASSERT_EQ(clFinish(profiled), CL_SUCCESS);
    ASSERT_EQ(clEnqueueMarkerWithWaitList(profiled, 1, &event, &waiting), CL_SUCCESS);
    for (const cl_event marker : {timed, untimed, waiting})
        released_later(clReleaseEvent, marker);
    EXPECT_FAILS(CL_INVALID_EVENT, clGetEventProfilingInfo, nullptr, end, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetEventProfilingInfo, timed, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetEventProfilingInfo, timed, end, 1u, data, &size);
    for (const cl_event unknown : {event, untimed, waiting})
        EXPECT_FAILS(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo, unknown, end,
                     sizeof data, data, &size);
    ASSERT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
}

TEST_F(Errors, OfMarkersAndBarriers) {
    const auto no_queue = as<cl_command_queue>(device);
    const cl_event wrong = as<cl_event>(queue);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList, no_queue, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList, queue, 1u, &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList, queue, 1u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList, queue, 1u, &wrong,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList, no_queue, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueBarrierWithWaitList, queue, 1u, &other_event,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList, queue, 0u, &event,
                 nullptr);
    cl_event marker = nullptr;
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker, nullptr, &marker);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMarker, queue, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueWaitForEvents, nullptr, 1u, &event);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueWaitForEvents, queue, 1u, &other_event);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueWaitForEvents, queue, 0u, &event);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueWaitForEvents, queue, 1u, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT, clEnqueueWaitForEvents, queue, 1u, &wrong);
}

} // namespace
} // namespace rivulet::test
