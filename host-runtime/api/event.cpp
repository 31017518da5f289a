// SPDX-License-Identifier: Apache-2.0
//
// 5.9: event objects. 5.12: profiling.
#include "host-runtime/graph/event.h"

#include "host-runtime/graph/device_scheduler.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

using E = const Event &;

constexpr auto event_queries = queries<Event>(
    row(CL_EVENT_COMMAND_QUEUE, [](E e) { return handle_of<cl_command_queue>(e.queue().get()); }),
    row(CL_EVENT_CONTEXT, [](E e) { return handle_of<cl_context>(&e.context()); }),
    row(CL_EVENT_COMMAND_TYPE, [](E e) { return e.type(); }),
    row(CL_EVENT_COMMAND_EXECUTION_STATUS, [](E e) { return e.status_now(); }),
    row(CL_EVENT_REFERENCE_COUNT, [](E e) { return e.handle_references(); }));

cl_ulong counted(E event, uint64_t value) {
    const bool counts =
        event.queue()->device().physical_device().has(RVL_DEVICE_COUNTS_INSTRUCTIONS);
    require(counts && event.is_kernel() && event.harts(), CL_PROFILING_INFO_NOT_AVAILABLE,
            "the device does not count instructions, or the command is not a kernel");
    return value;
}

constexpr auto profiling_queries = queries<Event>(
    row(CL_PROFILING_COMMAND_QUEUED, [](E e) -> cl_ulong { return e.time(Event::queued); }),
    row(CL_PROFILING_COMMAND_SUBMIT, [](E e) -> cl_ulong { return e.time(Event::submitted); }),
    row(CL_PROFILING_COMMAND_START, [](E e) -> cl_ulong { return e.time(Event::started); }),
    row(CL_PROFILING_COMMAND_END, [](E e) -> cl_ulong { return e.time(Event::ended); }),
    // Commands have no children here, so they are complete when they end.
    row(CL_PROFILING_COMMAND_COMPLETE, [](E e) -> cl_ulong { return e.time(Event::ended); }),
    row(CL_PROFILING_COMMAND_INSTRUCTIONS_RIVULET,
        [](E e) { return counted(e, e.instructions()); }),
    row(CL_PROFILING_COMMAND_HARTS_RIVULET, [](E e) -> cl_ulong {
        require(e.is_kernel() && e.harts(), CL_PROFILING_INFO_NOT_AVAILABLE,
                "the command is not a kernel, or ran only on harts that have no bit in the mask");
        return e.harts();
    }));

} // namespace

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
    return create(context, errcode_ret, [](Context &object) {
        return give<cl_event>(make<Event>(Ref<Context>(object), nullptr,
                                          static_cast<cl_command_type>(CL_COMMAND_USER)));
    });
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status) {
    return entry(event, [&](Event &object) {
        require(object.type() == CL_COMMAND_USER, CL_INVALID_EVENT,
                "the event is not a user event");
        require(execution_status <= CL_COMPLETE, CL_INVALID_VALUE,
                "execution_status is %, and must be CL_COMPLETE, 0, or negative", execution_status);
        require(Graph::get().set_user_status(object, execution_status), CL_INVALID_OPERATION,
                "the event's status has already been set to %",
                object.status() < 0 ? "negative" : "CL_COMPLETE");
    });
}

cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event *event_list) {
    if (num_events == 0 || !event_list)
        return entry([&] {
            fail(CL_INVALID_VALUE, "num_events is %, event_list is %",
                 {num_events, address_of(event_list)});
        });
    return entry(*event_list, [&](E first) {
        std::vector<Ref<Event>> events;
        for (cl_uint index = 0; index < num_events; ++index) {
            events.push_back(checked(event_list[index]));
            require(&events.back()->context() == &first.context(), CL_INVALID_CONTEXT,
                    "event_list[%] is of another context than the first", index);
        }
        for (const Ref<Event> &event : events) // flushes all queues before the first wait
            if (DeviceScheduler *scheduler = event->scheduler(); scheduler && !event->done())
                scheduler->flush();
        const Event *failed = nullptr;
        for (const Ref<Event> &event : events) {
            Graph::get().wait(*event);
            if (event->status() < 0 && !failed)
                failed = event.get();
        }
        if (failed)
            fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command ended with %",
                 {failure_text(failed->status(), {})});
    });
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret) {
    return entry(event, [&](E object) {
        query(event_queries, object, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                      Event::Notify pfn_notify, void *user_data) {
    return entry(event, [&](Event &object) {
        require(pfn_notify, CL_INVALID_VALUE, "pfn_notify is NULL");
        require(command_exec_callback_type == CL_SUBMITTED ||
                    command_exec_callback_type == CL_RUNNING ||
                    command_exec_callback_type == CL_COMPLETE,
                CL_INVALID_VALUE,
                "command_exec_callback_type is none of CL_SUBMITTED, CL_RUNNING and CL_COMPLETE");
        object.on_status(command_exec_callback_type, pfn_notify, user_data);
    });
}

cl_int CL_API_CALL clRetainEvent(cl_event event) { return retain_entry(event); }

cl_int CL_API_CALL clReleaseEvent(cl_event event) { return release_entry(event); }

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                           size_t param_value_size, void *param_value,
                                           size_t *param_value_size_ret) {
    return entry(event, [&](E object) {
        require(object.queue() && object.queue()->profiles(), CL_PROFILING_INFO_NOT_AVAILABLE,
                "the event's queue does not have CL_QUEUE_PROFILING_ENABLE");
        require(object.status() == CL_COMPLETE, CL_PROFILING_INFO_NOT_AVAILABLE,
                "the command is not complete");
        query(profiling_queries, object, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}
