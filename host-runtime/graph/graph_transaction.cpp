// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/now.h"
#include "hal/core/trace.h"
#include "host-runtime/graph/device_scheduler.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"

namespace rivulet {

GraphTransaction::GraphTransaction(Flush flush)
    : graph_(Graph::get()), lock_(graph_.mutex_), flush_(flush) {}

// Calls `each` for what is in the list. Calls made from one of these calls hand their lists to the
// outermost one, so long chains don't recurse.
template <class List, class F> static void drain(List &list, F &&each) {
    if (list.empty())
        return;
    thread_local List *draining = nullptr;
    if (draining) {
        while (auto *item = list.pop())
            draining->push(*item);
        return;
    }
    draining = &list;
    while (auto *item = list.pop())
        each(*item);
    draining = nullptr;
}

// Tasks make further tasks ready.
void GraphTransaction::run_inline(Task::List &tasks) {
    drain(tasks, [](Task &task) { task.run(); });
}

// What a command's work releases may end further commands, as failed signals of semaphores do.
void GraphTransaction::release_resources(Event::List &ended) {
    drain(ended, [](Event &event) {
        if (hal::trace::is_on())
            event.trace();
        event.release_resources();
    });
}

bool GraphTransaction::is_empty() const {
    return to_schedule_.empty() && inline_.empty() && long_.empty() && foreign_.empty() &&
           done_.empty() && !scheduler_;
}

GraphTransaction::~GraphTransaction() {
    if (is_empty())
        return;
    std::fputs("rivulet: a transaction on the command graph was not committed\n", stderr);
    std::abort();
}

void GraphTransaction::commit(const DeviceScheduler *flushed_by_caller) {
    while (Event *event = to_schedule_.pop()) { // grows meanwhile
        event->to_be_scheduled_ = false;
        try_schedule(*event);
    }
    lock_.unlock();
    release_resources(done_); // first, because they may be needed on the way to the ring
    if (DeviceScheduler *scheduler = std::exchange(scheduler_, nullptr);
        scheduler && flush_ == at_once && scheduler != flushed_by_caller)
        scheduler->flush();
    run_inline(inline_);
    while (Task *task = long_.pop())
        run_later(Worker::commands, *task);
    while (Task *task = foreign_.pop())
        run_later(Worker::foreign, *task);
}

void GraphTransaction::make_edges(Event &event, std::span<const Ref<Event>> waits, size_t more) {
    if (const size_t edges = waits.size() + more; edges > event.own_edges_.size()) {
        event.more_edges_.reset(new Event::Edge[edges]);
        event.predecessors_ = event.more_edges_.get();
    }
    for (const Ref<Event> &predecessor : waits)
        event.predecessors_[event.predecessor_count_++].from = predecessor.get();
}

void GraphTransaction::add_edges(Event &event) {
    const auto noted = event.edges();
    event.predecessor_count_ = 0;
    for (const Event::Edge &edge : noted) // drops edges from events that have ended
        add_edge(*edge.from, event, true);
    // The queue has forgotten commands that ended after this one was created: all ended before now.
    if (event.is_sync_command())
        event.latest_end_ = now_ns();
}

void GraphTransaction::add_edge(Event &from, Event &to, bool success) {
    if (from.stage_ == Event::Stage::done) {
        to.predecessor_failed_ |= success && from.status() < 0;
        to.latest_end_ = std::max(to.latest_end_, from.times_[Event::ended]);
        return;
    }
    Event::Edge &edge = to.predecessors_[to.predecessor_count_++];
    edge = {&from, &to, nullptr, success};
    *from.successors_end_ = &edge;
    from.successors_end_ = &edge.next;
    ++to.incomplete_;
    to.unsubmitted_ += !from.is_submitted();
}

void GraphTransaction::start(Event &event) { schedule_later(event); }

// Events on the device are in another list.
void GraphTransaction::schedule_later(Event &event) {
    const bool waits = event.stage_ == Event::Stage::waiting || event.stage_ == Event::Stage::ended;
    if (waits && !std::exchange(event.to_be_scheduled_, true))
        to_schedule_.push(event);
}

void GraphTransaction::try_schedule(Event &event) {
    if (event.stage_ == Event::Stage::ended && event.incomplete_ == 0) {
        const bool succeeded = event.end_status_ >= CL_COMPLETE;
        return complete(event, succeeded && event.predecessor_failed_
                                   ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
                                   : event.end_status_);
    }
    if (event.stage_ != Event::Stage::waiting)
        return;
    if (event.incomplete_ == 0) {
        if (event.predecessor_failed_) {
            complete(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        } else if (event.host_work_) {
            event.stage_ = Event::Stage::ready;
            advance(event, CL_SUBMITTED);
            if (event.awaited_)
                return event.wake();
            event.retain(); // referenced by the task
            // Inline work is run right here; waking another thread would take longer.
            (event.host_work_->runs_inline()                 ? inline_
             : event.host_work_->worker() == Worker::foreign ? foreign_
                                                             : long_)
                .push(event);
        } else if (event.device_work_) {
            const size_t missing = event.device_work_->claim_memory();
            missing ? fetch_memory(event, missing) : submit(event);
        } else {
            complete(event, CL_COMPLETE);
        }
    } else if (event.wanted_on_device_ == Event::Wanted::no) {
        return;
    } else if (event.unsubmitted_ != 0) {
        want_predecessors(event);
    } else if (!event.predecessor_failed_ && event.incomplete_ <= event.recheck_at_) {
        if (device_orders(event) && event.device_work_->claim_memory() == 0)
            return submit(event);
        event.waits_on_device_ = false;
        // Check again when half of them have ended: linear cost for any wait list.
        event.recheck_at_ = std::max(event.incomplete_ / 2, 8u);
    }
}

// Host work between the event and launches that the device could do as well goes there, so that it
// doesn't wait for the host. What a thread waits for stays with that thread.
void GraphTransaction::want_predecessors(Event &event) {
    if (std::exchange(event.wanted_on_device_, Event::Wanted::passed_on) ==
        Event::Wanted::passed_on)
        return;
    for (const Event::Edge &edge : event.edges())
        if (Event *from = edge.from; from && from->stage_ == Event::Stage::waiting &&
                                     from->device_work_ && !from->awaited_ &&
                                     from->wanted_on_device_ == Event::Wanted::no) {
            from->wanted_on_device_ = Event::Wanted::yes;
            schedule_later(*from);
        }
}

// A separate task that a thread waiting for the event does not take.
void GraphTransaction::fetch_memory(Event &event, size_t bytes) {
    event.stage_ = Event::Stage::running;
    event.fetches_memory_ = true;
    event.retain();
    (bytes <= inline_bytes ? inline_ : long_).push(event);
}

// True if the device itself keeps the event behind all of its unfinished predecessors: they are in
// one stream and include that stream's last launch.
bool GraphTransaction::stream_orders(Event &event) const {
    const Event *last = nullptr;
    const Event *any = nullptr;
    bool any_success = false;
    bool last_success = false;
    uint64_t first_needed = ~uint64_t{0};
    for (const auto &[from, to, next, success] : event.edges()) {
        if (!from)
            continue;
        if (from->queue_ != event.queue_ ||
            &from->device_work_->scheduler() != &event.device_work_->scheduler() ||
            (any && any->stream_ != from->stream_))
            return false;
        any = from;
        if (!from->superseded_) {
            last = from;
            last_success |= success;
        }
        if (success) {
            any_success = true;
            first_needed = std::min(first_needed, from->sequence_);
        }
    }
    // The launches that must succeed include the last one, or one that the last one depends on.
    return last && (!any_success || (last_success && first_needed >= last->chain_start_));
}

// True if a command ahead of the event's can hold it back on the device until all of its unfinished
// predecessors, which are on that device too, have ended.
bool GraphTransaction::device_can_wait(const Event &event) {
    DeviceScheduler &scheduler = event.device_work_->scheduler();
    if (event.incomplete_ > RVL_WAITS || !scheduler.serves_waits())
        return false;
    return std::ranges::all_of(event.edges(), [&](const Event::Edge &edge) {
        return !edge.from || &edge.from->device_work_->scheduler() == &scheduler;
    });
}

bool GraphTransaction::device_orders(Event &event) const {
    if (stream_orders(event))
        return true;
    return event.waits_on_device_ = device_can_wait(event);
}

// The predecessor that is the last launch of its stream, which the event then continues. One that
// waits on the device may have predecessors in other streams, too, or only there.
const Event *GraphTransaction::stream_end(const Event &event) {
    for (const Event::Edge &edge : event.edges())
        if (edge.from && !edge.from->superseded_ && edge.from->queue_ == event.queue_)
            return edge.from;
    return nullptr;
}

void GraphTransaction::submit(Event &event) {
    DeviceScheduler &scheduler = event.device_work_->scheduler();
    event.is_device_work_ = true;
    event.stage_ = Event::Stage::submitted;
    if (!scheduler.alive()) {
        note_submitted(event);
        return end(event, CL_DEVICE_NOT_AVAILABLE);
    }
    event.number_ = scheduler.next_launch();
    event.sequence_ = event.chain_start_ = graph_.next_sequence_++;
    if (const Event *last = stream_end(event)) {
        event.stream_ = last->stream_;
        event.slot_flags_ = RVL_FLAG_BARRIER;
        for (const Event::Edge &edge : event.edges()) {
            if (!edge.from || edge.from->stream_ != event.stream_)
                continue;
            edge.from->superseded_ = true;
            if (edge.from != last || !edge.success)
                continue;
            event.slot_flags_ |= RVL_FLAG_ON_SUCCESS;
            event.chain_start_ = last->chain_start_;
            event.tied_to_ = last->number_;
        }
    } else {
        event.stream_ = graph_.next_stream_++;
    }
    scheduler.put(event);
    if (DeviceScheduler *other = std::exchange(scheduler_, &scheduler);
        other && other != &scheduler && flush_ == at_once)
        other->flush_soon();
    note_submitted(event);
}

void GraphTransaction::note_submitted(Event &event) {
    for (Event::Edge *edge = event.successors_; edge; edge = edge->next) {
        --edge->to->unsubmitted_;
        schedule_later(*edge->to);
    }
}

void GraphTransaction::end(Event &event, cl_int status) {
    event.end_status_ = status;
    event.stage_ = Event::Stage::ended;
    try_schedule(event);
}

void GraphTransaction::complete(Event &event, cl_int status) {
    if (event.stage_ == Event::Stage::done)
        return;
    const bool was_submitted = event.is_submitted();
    event.stage_ = Event::Stage::done;
    auto &times = event.times_;
    if (event.has_commands && times[Event::started])
        times[Event::submitted] = times[Event::started] =
            std::max(times[Event::started], times[Event::queued]);
    if (!times[Event::ended]) {
        // Commands that only wait take no time: they end with their last predecessor, so that on an
        // in-order queue a later launch, which the device may already have started, does not begin
        // before them.
        const bool only_waits = event.is_sync_command() && status == CL_COMPLETE;
        const uint64_t end =
            only_waits ? std::max(times[Event::queued], event.latest_end_) : now_ns();
        for (uint64_t &time : times)
            if (!time)
                time = end;
    }
    advance(event, status);
    for (Event::Edge *edge = event.successors_; edge; edge = edge->next) {
        Event &to = *edge->to;
        edge->from = nullptr;
        --to.incomplete_;
        to.unsubmitted_ -= !was_submitted;
        to.predecessor_failed_ |= edge->success && status < 0;
        to.latest_end_ = std::max(to.latest_end_, times[Event::ended]);
        if (to.has_commands && edge->success)
            start_with(to, event);
        schedule_later(to);
    }
    if (event.queue_)
        event.queue_->ended(event);
    event.wake();
    if (event.type_ == CL_COMMAND_USER) // user events are not started by a transaction, so it holds
                                        // no reference
        event.retain();
    done_.push(event);
}

// A command buffer has started when its first command has.
void GraphTransaction::start_with(Event &buffer, const Event &command) {
    uint64_t &started = buffer.times_[Event::started];
    const uint64_t begin = command.times_[Event::started];
    started = started ? std::min(started, begin) : begin;
    advance(buffer, CL_RUNNING);
}

void GraphTransaction::advance(Event &event, cl_int status) {
    const cl_int before = event.status();
    if (status >= before)
        return;
    if (status == CL_SUBMITTED && !event.times_[Event::submitted])
        event.times_[Event::submitted] = now_ns();
    if (status == CL_RUNNING && !event.times_[Event::started])
        event.times_[Event::started] = now_ns();
    event.status_.store(status, std::memory_order_release);
    if (event.callbacks_)
        event.call_back(before, status);
    if (status <= CL_COMPLETE)
        return;
    for (Event::Edge *edge = event.successors_; edge; edge = edge->next)
        if (edge->to->has_commands && edge->success)
            status == CL_RUNNING ? start_with(*edge->to, event) : advance(*edge->to, status);
}

} // namespace rivulet
