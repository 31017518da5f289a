// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_semaphore.
#include "host-runtime/graph/semaphore.h"

#include <unistd.h>

#include <algorithm>
#include <list>

#include "host-runtime/api/external_semaphore.h"
#include "host-runtime/device/device.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

using ConstSemaphore = const Semaphore &;

constexpr auto semaphore_queries = queries<Semaphore>(
    row(CL_SEMAPHORE_CONTEXT_KHR,
        [](ConstSemaphore s) { return handle_of<cl_context>(&s.context()); }),
    row(CL_SEMAPHORE_REFERENCE_COUNT_KHR, [](ConstSemaphore s) { return s.handle_references(); }),
    row(CL_SEMAPHORE_PROPERTIES_KHR, [](ConstSemaphore s) { return s.properties(); }),
    row(CL_SEMAPHORE_TYPE_KHR,
        [](ConstSemaphore) -> cl_semaphore_type_khr { return CL_SEMAPHORE_TYPE_BINARY_KHR; }),
    row(CL_SEMAPHORE_PAYLOAD_KHR,
        [](ConstSemaphore s) -> cl_semaphore_payload_khr { return s.is_signaled(); }),
    row(CL_SEMAPHORE_EXPORTABLE_KHR,
        [](ConstSemaphore s) -> cl_bool { return s.exported() ? CL_TRUE : CL_FALSE; }),
    row(CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
        [](ConstSemaphore s) {
            std::vector<cl_external_semaphore_handle_type_khr> types;
            if (s.exported())
                types.push_back(*s.exported());
            return types;
        }),
    row(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, [](ConstSemaphore s) {
        std::vector<cl_device_id> handles;
        for (const Ref<Device> &device : s.devices())
            handles.push_back(handle_of<cl_device_id>(device.get()));
        return handles;
    }));

Ref<Semaphore> make_semaphore(Context &context, const cl_semaphore_properties_khr *properties) {
    require(properties, CL_INVALID_VALUE, "sema_props is NULL");
    bool has_type = false;
    std::optional<cl_external_semaphore_handle_type_khr> exported;
    std::optional<int> opaque_fd, sync_fd;
    std::vector<Ref<Device>> devices;
    const cl_semaphore_properties_khr *at = properties;
    while (*at) {
        const cl_semaphore_properties_khr name = *at++;
        if (name == CL_SEMAPHORE_TYPE_KHR) {
            require(!has_type && *at == CL_SEMAPHORE_TYPE_BINARY_KHR, CL_INVALID_PROPERTY,
                    "CL_SEMAPHORE_TYPE_KHR is %, or comes twice: semaphores are binary, %",
                    Hex{*at}, Hex{CL_SEMAPHORE_TYPE_BINARY_KHR});
            has_type = true;
            ++at;
        } else if (name == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) {
            require(devices.empty(), CL_INVALID_PROPERTY,
                    "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR comes twice");
            for (; *at != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR; ++at) {
                devices.push_back(checked(reinterpret_cast<cl_device_id>(*at)));
                require(context.has(*devices.back()), CL_INVALID_DEVICE,
                        "a semaphore's device is not in the context");
            }
            require(devices.size() == 1, CL_INVALID_DEVICE,
                    "the list of a semaphore's devices has %, and must have one", devices.size());
            ++at;
        } else if (name == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR) {
            require(!exported, CL_INVALID_PROPERTY,
                    "CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR comes twice");
            for (; *at != CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR; ++at) {
                require(*at == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR ||
                            *at == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR,
                        CL_INVALID_PROPERTY, "semaphores have no handles of type %", Hex{*at});
                require(!exported, CL_INVALID_VALUE, "a semaphore has handles of one type only");
                exported = static_cast<cl_external_semaphore_handle_type_khr>(*at);
            }
            ++at;
        } else if (name == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR ||
                   name == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR) {
            require(!opaque_fd && !sync_fd, CL_INVALID_PROPERTY,
                    "a semaphore comes from one handle only");
            (name == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR ? sync_fd : opaque_fd) =
                static_cast<int>(*at++);
        } else {
            fail(CL_INVALID_PROPERTY, "property % is not known", {Hex{name}});
        }
    }
    require(has_type, CL_INVALID_VALUE, "sema_props lack CL_SEMAPHORE_TYPE_KHR");
    if (devices.empty()) {
        devices = context.devices();
        require(devices.size() == 1, CL_INVALID_PROPERTY,
                "a context of % devices needs CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR", devices.size());
    }
    require(!exported || (!opaque_fd && !sync_fd), CL_INVALID_OPERATION,
            "a semaphore that comes from a handle gets no others");
    std::optional<SignalCounter> counter;
    if (opaque_fd) {
        counter = SignalCounter::of(*opaque_fd);
        require(counter.has_value(), CL_INVALID_VALUE,
                "file descriptor % is not a handle of a semaphore", *opaque_fd);
    } else if (exported == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR) {
        counter = SignalCounter::make();
    }
    if (counter)
        DescriptorWaits::get().prepare();
    auto semaphore = make<Semaphore>(Ref(context), std::move(devices),
                                     std::vector(properties, at + 1), // with the 0 at the end
                                     exported, std::move(counter), sync_fd.has_value());
    if (opaque_fd)
        close(*opaque_fd);
    if (sync_fd)
        import_sync_file(semaphore, *sync_fd);
    return semaphore;
}

/// What a signal command does. If it fails before, its semaphores stay as they are, and waits that
/// count on it fail, too.
struct Signal {
    std::vector<Ref<Semaphore>> semaphores;
    std::vector<Ref<Event>> events; // nullptr for those with a counter
    bool is_over = false;           // it has executed, or was never enqueued

    Signal(std::vector<Ref<Semaphore>> of, std::vector<Ref<Event>> shared)
        : semaphores(std::move(of)), events(std::move(shared)) {}
    Signal(const Signal &) = delete;
    Signal &operator=(const Signal &) = delete;
    ~Signal() {
        for (size_t i = 0; i < events.size() && !is_over; ++i)
            if (events[i])
                semaphores[i]->abandon(*events[i]);
            else
                semaphores[i]->counter()->signal(false);
    }
    void run() {
        for (size_t i = 0; i < events.size(); ++i)
            if (events[i])
                Graph::get().set_user_status(*events[i], CL_COMPLETE);
            else
                semaphores[i]->counter()->signal(true);
        is_over = true;
    }
};

/// What a wait command has registered. If it fails before it executes, its semaphores are as if it
/// had not been enqueued.
struct Wait {
    std::vector<Ref<Semaphore>> semaphores;
    std::list<Ref<Event>> events;
    bool is_over = false; // it has executed

    explicit Wait(std::vector<Ref<Semaphore>> of) : semaphores(std::move(of)) {}
    Wait(const Wait &) = delete;
    Wait &operator=(const Wait &) = delete;
    ~Wait() {
        for (size_t i = 0; !events.empty() && !is_over; ++i) {
            std::list<Ref<Event>> share;
            share.splice(share.end(), events, events.begin());
            semaphores[i]->withdraw(std::move(share));
        }
    }
    /// Registers the command with each semaphore.
    void begin(const Ref<Context> &context) {
        DescriptorWaits::List counted;
        for (const Ref<Semaphore> &semaphore : semaphores)
            if (semaphore->counter()) {
                auto event =
                    make<Event>(context, nullptr, static_cast<cl_command_type>(CL_COMMAND_USER));
                counted.push_back({.descriptor = semaphore->counter()->duplicate(),
                                   .kind = DescriptorWaits::Kind::counter,
                                   .event = event});
                events.push_back(std::move(event));
            } else {
                Semaphore::End end(semaphore, Semaphore::Side::wait);
                events.push_back(end.event()); // if this fails, `end` withdraws itself
                end.keep();
            }
        if (!counted.empty())
            DescriptorWaits::get().add(std::move(counted));
    }
};

cl_int enqueue_semaphores(Semaphore::Side side, cl_command_queue queue_handle, cl_uint count,
                          const cl_semaphore_khr *list, cl_uint num_events,
                          const cl_event *wait_list, cl_event *event,
                          Caller caller = __builtin_FUNCTION()) {
    return entry(
        queue_handle,
        [&](Queue &queue) {
            require(count > 0 && list, CL_INVALID_VALUE, "num_sema_objects is %, sema_objects is %",
                    count, address_of(list));
            std::vector<Ref<Semaphore>> semaphores;
            for (const cl_semaphore_khr handle : std::span(list, count)) {
                semaphores.push_back(checked(handle, queue.context()));
                require(std::ranges::any_of(
                            semaphores.back()->devices(),
                            [&](const Ref<Device> &d) { return d.get() == &queue.device(); }),
                        CL_INVALID_COMMAND_QUEUE, "semaphore % is of another device than the queue",
                        address_of(handle));
            }
            auto waits = WaitList::checked(num_events, wait_list, queue.context());
            for (const Ref<Event> &before : waits.events())
                require(before->status() >= 0, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                        "an event of the wait list has ended with an error");
            if (side == Semaphore::Side::wait) {
                const auto wait = std::make_shared<Wait>(std::move(semaphores));
                wait->begin(queue.context_ref());
                for (const Ref<Event> &each : wait->events)
                    waits.add(each);
                queue.submit(CL_COMMAND_SEMAPHORE_WAIT_KHR,
                             host_work([wait] { wait->is_over = true; }, true), waits, event);
                return;
            }
            std::vector<Semaphore::End> ends;
            ends.reserve(semaphores.size());
            std::vector<Ref<Event>> events;
            for (const Ref<Semaphore> &semaphore : semaphores)
                events.push_back(semaphore->counter() ? nullptr
                                                      : ends.emplace_back(semaphore, side).event());
            // The command keeps its semaphores and their events until it ends.
            const auto signal = std::make_shared<Signal>(semaphores, std::move(events));
            try {
                queue.submit(CL_COMMAND_SEMAPHORE_SIGNAL_KHR,
                             host_work([signal] { signal->run(); }, true), waits, event);
            } catch (...) {
                signal->is_over = true;
                throw;
            }
            for (Semaphore::End &end : ends)
                end.keep();
            // A thread may wait for the signal in a way that flushes nothing.
            if (std::ranges::any_of(semaphores,
                                    [](const auto &each) { return each->exported().has_value(); }))
                queue.flush();
        },
        caller);
}

} // namespace

extern "C" CL_API_ENTRY cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr *sema_props, cl_int *errcode_ret) {
    return create(context, errcode_ret, [&](Context &object) {
        return give<cl_semaphore_khr>(make_semaphore(object, sema_props));
    });
}

// Payloads are ignored: binary semaphores have none.
extern "C" CL_API_ENTRY cl_int CL_API_CALL
clEnqueueWaitSemaphoresKHR(cl_command_queue queue, cl_uint num_sema_objects,
                           const cl_semaphore_khr *sema_objects, const cl_semaphore_payload_khr *,
                           cl_uint num_events, const cl_event *wait_list, cl_event *event) {
    return enqueue_semaphores(Semaphore::Side::wait, queue, num_sema_objects, sema_objects,
                              num_events, wait_list, event);
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL
clEnqueueSignalSemaphoresKHR(cl_command_queue queue, cl_uint num_sema_objects,
                             const cl_semaphore_khr *sema_objects, const cl_semaphore_payload_khr *,
                             cl_uint num_events, const cl_event *wait_list, cl_event *event) {
    return enqueue_semaphores(Semaphore::Side::signal, queue, num_sema_objects, sema_objects,
                              num_events, wait_list, event);
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr semaphore,
                                                                 cl_semaphore_info_khr param_name,
                                                                 size_t param_value_size,
                                                                 void *param_value,
                                                                 size_t *param_value_size_ret) {
    return entry(semaphore, [&](ConstSemaphore object) {
        query(semaphore_queries, object, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr semaphore) {
    return retain_entry(semaphore);
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr semaphore) {
    return release_entry(semaphore);
}
