// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/queue.h"

#include "host-runtime/graph/engine.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

WaitList WaitList::checked(cl_uint count, const cl_event *list, const Context &context) {
    require((count == 0) == (list == nullptr), CL_INVALID_EVENT_WAIT_LIST);
    WaitList waits;
    waits.events_.reserve(count);
    for (const cl_event handle : std::span(list, count)) {
        auto event = find(handle);
        require(bool(event), CL_INVALID_EVENT_WAIT_LIST);
        require(&event->context() == &context, CL_INVALID_CONTEXT);
        waits.events_.push_back(std::move(event));
    }
    return waits;
}

Queue::Queue(Ref<Context> context, Ref<Device> device, cl_command_queue_properties properties,
             std::vector<cl_queue_properties> properties_array)
    : Object(Kind::queue), context_(std::move(context)), device_(std::move(device)),
      properties_(properties), properties_array_(std::move(properties_array)),
      place_(context_->place(*device_)) {
    context_->add(*this);
}

Queue::~Queue() { context_->remove(*this); }

Engine &Queue::engine() const { return place_.session().engine(); }

void Queue::insert(const Ref<Event> &event, Role role, const WaitList &waits, cl_event *event_ret) {
    Change change(Change::later);
    const bool after_all = !in_order() && role != Role::command && waits.events().empty();
    Change::make_edges(*event, waits.events().size() + (after_all ? outstanding_count_ : 1));
    if (event_ret) // nothing fails any more
        *event_ret = give<cl_event>(event);
    for (const Ref<Event> &predecessor : waits.events())
        change.add_edge(*predecessor, *event, true);
    if (after_all) {
        for (Event *predecessor = outstanding_; predecessor; predecessor = predecessor->queue_next_)
            change.add_edge(*predecessor, *event, false);
    } else if (Event *ahead = in_order() ? last_ : barrier_) {
        change.add_edge(*ahead, *event, false);
    }
    event->queue_next_ = outstanding_;
    if (outstanding_)
        outstanding_->queue_previous_ = event.get();
    outstanding_ = event.get();
    ++outstanding_count_;
    // In order, a marker that waits for nothing else holds up nobody: what follows may hang on
    // the command before it, and so stay in one stream with that.
    if (in_order() && role != Role::summary &&
        (role == Role::command || !waits.events().empty() || !last_))
        last_ = event.get();
    if (role == Role::barrier)
        barrier_ = event.get();
    change.start(*event);
}

void Queue::ended(Event &event) {
    if (last_ == &event)
        last_ = nullptr;
    if (barrier_ == &event)
        barrier_ = nullptr;
    if (in_order())
        last_end_ = event.time(Event::ended);
    (event.queue_previous_ ? event.queue_previous_->queue_next_ : outstanding_) = event.queue_next_;
    if (event.queue_next_)
        event.queue_next_->queue_previous_ = event.queue_previous_;
    --outstanding_count_;
}

Ref<Event> Queue::submit(cl_command_type type, std::shared_ptr<HostWork> work,
                         const WaitList &waits, cl_event *event_ret, bool blocking) {
    auto event = make<Event>(context_, Ref<Queue>(*this), type, std::move(work));
    event->awaited_ = blocking;
    insert(event, Role::command, waits, event_ret);
    if (!blocking)
        return event;
    Graph::get().wait(*event);
    if (event->status() < 0 && event_ret) {
        release_entry(*event_ret);
        *event_ret = nullptr;
    }
    require(event->status() >= 0, event->status());
    return event;
}

Ref<Event> Queue::submit(cl_command_type type, std::unique_ptr<DeviceWork> work,
                         const WaitList &waits, cl_event *event_ret) {
    auto event = make<Event>(context_, Ref<Queue>(*this), type, std::move(work));
    insert(event, Role::command, waits, event_ret);
    return event;
}

void Queue::submit_marker(const WaitList &waits, cl_event *event_ret) {
    auto event = make<Event>(context_, Ref<Queue>(*this), CL_COMMAND_MARKER);
    insert(event, Role::marker, waits, event_ret);
}

void Queue::submit_barrier(const WaitList &waits, cl_event *event_ret) {
    auto event = make<Event>(context_, Ref<Queue>(*this), CL_COMMAND_BARRIER);
    insert(event, Role::barrier, waits, event_ret);
}

void Queue::submit_summary(const WaitList &commands, cl_event *event_ret) {
    auto event = make<Event>(context_, Ref<Queue>(*this), CL_COMMAND_COMMAND_BUFFER_KHR);
    insert(event, Role::summary, commands, event_ret);
}

void Queue::flush() { engine().flush(); }

void Queue::finish() {
    auto event = make<Event>(context_, Ref<Queue>(*this), CL_COMMAND_MARKER);
    event->awaited_ = true;
    insert(event, Role::marker, {}, nullptr);
    Graph::get().wait(*event);
}

} // namespace rivulet
