// SPDX-License-Identifier: Apache-2.0
//
// cl_command_queue: determines the edges of commands in the graph.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "host-runtime/context/context.h"
#include "host-runtime/graph/event.h"
#include "host-runtime/graph/work.h"

namespace rivulet {

class DeviceScheduler;
class GraphTransaction;

/// A validated event_wait_list.
class WaitList {
public:
    WaitList() = default;
    /// Throws CL_INVALID_EVENT_WAIT_LIST or CL_INVALID_CONTEXT.
    static WaitList checked(cl_uint count, const cl_event *list, const Context &context);

    void add(Ref<Event> event) { events_.push_back(std::move(event)); }
    [[nodiscard]] std::span<const Ref<Event>> events() const { return events_; }
    [[nodiscard]] size_t size() const { return events_.size(); }

private:
    std::vector<Ref<Event>> events_;
};

class Queue final : public Object {
public:
    Queue(Ref<Context> context, Ref<Device> device, cl_command_queue_properties properties,
          std::vector<cl_queue_properties> properties_array,
          cl_queue_priority_khr priority = CL_QUEUE_PRIORITY_MED_KHR);
    ~Queue() override;

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] const Ref<Context> &context_ref() const { return context_; }
    [[nodiscard]] const Device &device() const { return *device_; }
    [[nodiscard]] cl_command_queue_properties properties() const { return properties_; }
    [[nodiscard]] const std::vector<cl_queue_properties> &properties_array() const {
        return properties_array_;
    }
    [[nodiscard]] bool in_order() const {
        return !(properties_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    }
    /// Flags of its launches' commands.
    [[nodiscard]] uint8_t priority_flags() const { return priority_flags_; }
    [[nodiscard]] bool profiles() const { return properties_ & CL_QUEUE_PROFILING_ENABLE; }
    [[nodiscard]] ContextDevice &context_device() const { return context_device_; }
    [[nodiscard]] DeviceScheduler &scheduler() const;

    /// Adds a command to the graph. A blocking one has ended on return, and its error is thrown.
    /// `event_ret`: where to return the application's event.
    Ref<Event> submit(cl_command_type type, std::shared_ptr<HostWork> work, const WaitList &waits,
                      cl_event *event_ret, bool blocking = false);
    void submit(HostCommand command, cl_uint num_events, const cl_event *wait_list,
                cl_event *event_ret, bool blocking = false) {
        submit(std::move(command), WaitList::checked(num_events, wait_list, *context_), event_ret,
               blocking);
    }
    void submit(HostCommand command, const WaitList &waits, cl_event *event_ret,
                bool blocking = false) {
        submit(command.type, std::move(command.work), waits, event_ret, blocking);
    }

    /// 5.10: without a wait list, they wait for all earlier commands; all later commands wait for a
    /// barrier.
    void submit_marker(const WaitList &waits, cl_event *event_ret);
    void submit_barrier(const WaitList &waits, cl_event *event_ret);

    void flush();
    void finish();
    /// True if kernels have not ended yet, as far as this thread knows.
    [[nodiscard]] bool has_kernels() const { return kernels_.load(std::memory_order_relaxed) != 0; }

private:
    friend class Batch;
    friend class DeviceScheduler;
    friend class GraphTransaction;
    /// Called by the graph when a command has ended.
    void ended(Event &event);

    const Ref<Context> context_;
    const Ref<Device> device_;
    const cl_command_queue_properties properties_;
    const std::vector<cl_queue_properties> properties_array_;
    ContextDevice &context_device_;
    const uint8_t priority_flags_;

    // Guarded by the graph's lock:
    Event *outstanding_ = nullptr;    // the latest command, linked to the others
    Event *last_ = nullptr;           // of an in-order queue, while outstanding
    Event *barrier_ = nullptr;        // the latest, while outstanding
    std::atomic<size_t> kernels_ = 0; // outstanding; `has_kernels` reads it without the lock
    // Changed by the scheduler alone:
    size_t places_ = 0;             // that its launches take on the device
    Event::List held_back_;         // launches that wait until it takes fewer
    Queue *next_holding_ = nullptr; // the next queue that has such launches
};

/// The queues of a context that the application or a command still holds.
std::vector<Ref<Queue>> queues_of(const Context &context);

/// Commands that are ready except for their position in the queue, which they get together.
class Batch {
public:
    explicit Batch(Queue &queue) : queue_(queue) {}
    ~Batch();

    /// `work` as for Event. The wait list must live until `submit`.
    template <class... Work>
    Event &add(cl_command_type type, const WaitList &waits, Work &&...work) {
        return add(make<Event>(queue_.context_ref(), Ref<Queue>(queue_), type,
                               std::forward<Work>(work)...),
                   waits);
    }
    /// `awaited`: a thread will wait for it (Event::expect_wait), and do it unless it's too late.
    Event &add(cl_command_type type, const WaitList &waits, std::shared_ptr<HostWork> work,
               bool awaited = false);
    [[nodiscard]] Queue &queue() const { return queue_; }

    /// Submits all of them or, if memory runs out, none. The application gets the last one's event.
    void submit(cl_event *event_ret);

private:
    Event &add(Ref<Event> event, const WaitList &waits);
    [[nodiscard]] bool waits_for_all(const Event &event) const;
    template <class F> void for_each_ahead(F &&visit) const;
    void insert(GraphTransaction &transaction, Event &event);

    Queue &queue_;
    Event::List events_; // each holds a reference
    Event *last_ = nullptr;
    bool has_kernels_ = false;
};

} // namespace rivulet
