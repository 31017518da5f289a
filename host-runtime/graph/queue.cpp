// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/queue.h"

#include <algorithm>

#include "host-runtime/graph/device_scheduler.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

WaitList WaitList::checked(cl_uint count, const cl_event *list, const Context &context) {
    require((count == 0) == (list == nullptr), CL_INVALID_EVENT_WAIT_LIST,
            "num_events_in_wait_list is %, event_wait_list is %", count, address_of(list));
    WaitList waits;
    waits.events_.reserve(count);
    for (const cl_event handle : std::span(list, count)) {
        auto event = find(handle);
        require(bool(event), CL_INVALID_EVENT_WAIT_LIST,
                "event_wait_list[%] is %, which is not a valid event", waits.events_.size(),
                address_of(handle));
        require(&event->context() == &context, CL_INVALID_CONTEXT,
                "event_wait_list[%] is of another context", waits.events_.size());
        waits.events_.push_back(std::move(event));
    }
    return waits;
}

namespace {

uint8_t flags_of(cl_queue_priority_khr priority) {
    switch (priority) {
    case CL_QUEUE_PRIORITY_HIGH_KHR:
        return RVL_FLAG_HIGH;
    case CL_QUEUE_PRIORITY_LOW_KHR:
        return RVL_FLAG_LOW;
    default:
        return 0;
    }
}

} // namespace

Queue::Queue(Ref<Context> context, Ref<Device> device, cl_command_queue_properties properties,
             std::vector<cl_queue_properties> properties_array, cl_queue_priority_khr priority)
    : Object(Kind::queue), context_(std::move(context)), device_(std::move(device)),
      properties_(properties), properties_array_(std::move(properties_array)),
      context_device_(context_->context_device(*device_)), priority_flags_(flags_of(priority)) {
    context_->add_queue(*this);
}

Queue::~Queue() { context_->remove_queue(*this); }

std::vector<Ref<Queue>> queues_of(const Context &context) {
    std::vector<Ref<Queue>> queues;
    for (Ref<Object> &queue : context.queues())
        queues.push_back(Ref<Queue>::adopt(static_cast<Queue *>(queue.detach())));
    return queues;
}

DeviceScheduler &Queue::scheduler() const { return scheduler_of(context_device_.instance()); }

void Queue::ended(Event &event) {
    if (last_ == &event)
        last_ = nullptr;
    if (barrier_ == &event)
        barrier_ = nullptr;
    if (event.is_kernel())
        kernels_.fetch_sub(1, std::memory_order_relaxed);
    const auto [next, previous] = event.in_queue;
    (previous ? previous->in_queue.next : outstanding_) = next;
    if (next)
        next->in_queue.previous = previous;
}

Ref<Event> Queue::submit(cl_command_type type, std::shared_ptr<HostWork> work,
                         const WaitList &waits, cl_event *event_ret, bool blocking) {
    Batch batch(*this);
    const Ref<Event> event(batch.add(type, waits, std::move(work), blocking));
    batch.submit(event_ret);
    if (!blocking)
        return event;
    Graph::get().wait(*event);
    if (event->status() < 0 && event_ret) {
        release_entry(*event_ret);
        *event_ret = nullptr;
    }
    require(event->status() >= 0, event->status(), "the command failed, or one that it waited for");
    return event;
}

void Queue::submit_marker(const WaitList &waits, cl_event *event_ret) {
    Batch batch(*this);
    batch.add(CL_COMMAND_MARKER, waits);
    batch.submit(event_ret);
}

void Queue::submit_barrier(const WaitList &waits, cl_event *event_ret) {
    Batch batch(*this);
    batch.add(CL_COMMAND_BARRIER, waits);
    batch.submit(event_ret);
}

void Queue::flush() { scheduler().flush(); }

void Queue::finish() {
    Batch batch(*this);
    const Ref<Event> event(batch.add(CL_COMMAND_MARKER, {}));
    event->expect_wait();
    batch.submit(nullptr);
    Graph::get().wait(*event);
}

Batch::~Batch() {
    while (Event *event = events_.pop())
        event->release();
}

Event &Batch::add(cl_command_type type, const WaitList &waits, std::shared_ptr<HostWork> work,
                  bool awaited) {
    // Of other queues, fills and copies count, too: they may come between kernels themselves.
    const auto is_behind_kernels = [&] {
        return has_kernels_ || std::ranges::any_of(waits.events(), [](const Ref<Event> &event) {
                   return event->could_run_on_device() && !event->done();
               });
    };
    auto on_device = awaited ? nullptr : work->on_device(queue_, is_behind_kernels());
    auto event = make<Event>(queue_.context_ref(), Ref<Queue>(queue_), type, std::move(work));
    if (awaited)
        event->expect_wait();
    if (on_device)
        event->may_run_on_device(std::move(on_device));
    return add(std::move(event), waits);
}

Event &Batch::add(Ref<Event> event, const WaitList &waits) {
    GraphTransaction::make_edges(*event, waits.events());
    last_ = event.detach();
    has_kernels_ |= last_->is_kernel();
    events_.push(*last_);
    return *last_;
}

// 5.10; the event of a command buffer is excluded, because its commands are already in the queue.
bool Batch::waits_for_all(const Event &event) const {
    return !queue_.in_order() && event.is_sync_command() && !event.has_predecessors();
}

// The outstanding commands from which a command that waits for all needs edges: the latest ones,
// back to one that itself waits for all earlier ones. So a queue of barriers has as many edges as
// commands.
template <class F> void Batch::for_each_ahead(F &&visit) const {
    for (Event *event = queue_.outstanding_; event; event = event->in_queue.next) {
        visit(*event);
        if (event->waits_for_all)
            break;
    }
}

void Batch::submit(cl_event *event_ret) {
    GraphTransaction transaction(GraphTransaction::later);
    if (last_ && waits_for_all(*last_)) {
        size_t edges = events_.size();
        for_each_ahead([&](Event &) { ++edges; });
        last_->waits_for_all = true;
        GraphTransaction::make_edges(*last_, {}, edges);
    }
    if (event_ret) // nothing below can fail
        *event_ret = give<cl_event>(Ref<Event>(*last_));
    while (Event *event = events_.pop())
        insert(transaction, *event);
    transaction.commit();
}

void Batch::insert(GraphTransaction &transaction, Event &event) {
    const bool is_free = !event.has_predecessors();
    transaction.add_edges(event);
    if (event.waits_for_all) {
        for_each_ahead(
            [&](Event &predecessor) { transaction.add_edge(predecessor, event, false); });
    } else if (Event *ahead = queue_.in_order() ? queue_.last_ : queue_.barrier_) {
        transaction.add_edge(*ahead, event, false);
    }
    event.in_queue.next = queue_.outstanding_;
    if (queue_.outstanding_)
        queue_.outstanding_->in_queue.previous = &event;
    queue_.outstanding_ = &event;
    if (event.is_kernel())
        queue_.kernels_.fetch_add(1, std::memory_order_relaxed);
    // On an in-order queue, a marker that waits for nothing else delays no command, nor does the
    // event of a command buffer: later commands may depend on the command before it, and so stay in
    // the same stream.
    if (queue_.in_order() && event.type() != CL_COMMAND_COMMAND_BUFFER_KHR &&
        (!event.is_sync_command() || !is_free || !queue_.last_))
        queue_.last_ = &event;
    if (event.type() == CL_COMMAND_BARRIER)
        queue_.barrier_ = &event;
    transaction.start(event);
}

} // namespace rivulet
