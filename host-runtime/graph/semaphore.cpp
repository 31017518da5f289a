// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/semaphore.h"

#include <algorithm>

#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"

namespace rivulet {

bool Semaphore::is_signaled() const {
    if (counter_)
        return counter_->is_signaled();
    const Lock lock(mutex_);
    return open_side_ == Side::signal &&
           std::ranges::any_of(open_, [](const Ref<Event> &event) { return event->done(); });
}

void Semaphore::abandon(Event &event) {
    {
        const Lock lock(mutex_);
        open_.remove_if([&](const Ref<Event> &open) { return open.get() == &event; });
    }
    Graph::get().set_user_status(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

void Semaphore::withdraw(std::list<Ref<Event>> share) {
    const Ref<Event> own = share.front();
    Event &event = *own;
    if (counter_) {
        const cl_int status = DescriptorWaits::get().withdraw(event);
        if (status == CL_COMPLETE)
            counter_->signal(true);
        else if (status > CL_COMPLETE)
            Graph::get().set_user_status(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        return;
    }
    std::list<Ref<Event>> next;
    bool is_open = false; // no signal has come
    {
        const Lock lock(mutex_);
        const auto at = std::ranges::find(open_, own);
        is_open = at != open_.end();
        if (is_open)
            next.splice(next.end(), open_, at);
        else if (event.status() < CL_COMPLETE) // the signal failed
            return;
        else if (!open_.empty() && open_side_ == Side::wait)
            next.splice(next.end(), open_, open_.begin());
        else {
            open_side_ = Side::signal;
            open_.splice(open_.begin(), share);
            return;
        }
    }
    if (is_open) {
        Graph::get().set_user_status(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        return;
    }
    // The next wait has an event of its own, which ends as the signal's does.
    const auto follow = [](cl_event, cl_int status, void *waiting) {
        Graph::get().set_user_status(*Ref<Event>::adopt(static_cast<Event *>(waiting)), status);
    };
    Ref<Event> waiting = next.front();
    try {
        event.on_status(CL_COMPLETE, follow, waiting.get());
        waiting.detach();
    } catch (const std::bad_alloc &) {
        Graph::get().set_user_status(*waiting, CL_OUT_OF_HOST_MEMORY);
    }
}

Ref<Event> Semaphore::take_signal() {
    const Lock lock(mutex_);
    if (open_.empty() || open_side_ != Side::signal)
        return nullptr;
    Ref<Event> event = std::move(open_.front());
    open_.pop_front();
    return event;
}

Semaphore::End::End(Ref<Semaphore> semaphore, Side side)
    : semaphore_(std::move(semaphore)), side_(side) {
    // Made before the lock is taken: this allocates.
    std::list<Ref<Event>> own;
    own.push_back(
        make<Event>(semaphore_->context_, nullptr, static_cast<cl_command_type>(CL_COMMAND_USER)));
    const Lock lock(semaphore_->mutex_);
    std::list<Ref<Event>> &open = semaphore_->open_;
    if (!open.empty() && semaphore_->open_side_ != side)
        taken_.splice(taken_.end(), open, open.begin());
    event_ = taken_.empty() ? own.front() : taken_.front();
    if (taken_.empty()) {
        semaphore_->open_side_ = side;
        open.splice(open.end(), own);
    }
}

Semaphore::End::~End() {
    if (!semaphore_ || !event_)
        return;
    bool is_shared = false; // with a command of the other side that was enqueued meanwhile
    {
        const Lock lock(semaphore_->mutex_);
        std::list<Ref<Event>> &open = semaphore_->open_;
        if (taken_.empty()) {
            is_shared = open.remove(event_) == 0;
        } else if (open.empty() || semaphore_->open_side_ != side_) {
            semaphore_->open_side_ = side_ == Side::signal ? Side::wait : Side::signal;
            open.splice(open.begin(), taken_);
        }
    }
    if (is_shared && side_ == Side::signal)
        Graph::get().set_user_status(*event_, CL_OUT_OF_HOST_MEMORY);
}

} // namespace rivulet
