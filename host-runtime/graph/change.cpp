// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>

#include "host-runtime/graph/callbacks.h"
#include "host-runtime/graph/engine.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/graph/waiter.h"

namespace rivulet {

Change::Change(Flush flush) : graph_(Graph::get()), lock_(graph_.mutex_), flush_(flush) {}

// What is run makes more ready: one loop, however long the chain.
void Change::run_brief(std::vector<Ref<Event>> events) {
    thread_local std::deque<Ref<Event>> *running = nullptr;
    std::deque<Ref<Event>> own;
    auto &due = running ? *running : own;
    std::ranges::move(events, std::back_inserter(due));
    if (running)
        return;
    running = &own;
    for (; !own.empty(); own.pop_front())
        if (graph_.take(*own.front())) // a thread that waits may have been faster
            graph_.run(*own.front());
    running = nullptr;
}

Change::~Change() {
    for (size_t next = 0; next < to_consider_.size(); ++next) { // grows meanwhile
        Ref<Event> event = to_consider_[next];
        consider(*event);
        garbage_.push_back({std::move(event), false});
    }
    lock_.unlock();
    if (flush_ == at_once)
        for (Engine *engine : engines_)
            engine->flush();
    run_brief(std::move(brief_));
    for (Ref<Event> &event : long_)
        run_on_worker([event = std::move(event)] {
            if (Graph::get().take(*event))
                Graph::get().run(*event);
        });
}

void Change::add_edge(Event &from, Event &to, bool success) {
    if (from.stage_ == Event::Stage::done) {
        to.predecessor_failed_ |= success && from.status() < 0;
        return;
    }
    from.successors_.push_back({Ref<Event>(to), success});
    to.predecessors_.push_back({Ref<Event>(from), success});
    ++to.incomplete_;
    to.unissued_ += from.stage_ != Event::Stage::issued;
}

void Change::start(Event &event) { to_consider_.emplace_back(event); }

void Change::consider(Event &event) {
    if (event.stage_ != Event::Stage::waiting)
        return;
    if (event.incomplete_ == 0) {
        if (event.predecessor_failed_) {
            complete(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        } else if (event.host_work_) {
            event.stage_ = Event::Stage::ready;
            advance(event, CL_SUBMITTED);
            if (event.awaited_)
                wake(event);
            else // brief work here and now; a wake-up of another thread would take longer
                (event.host_work_->brief() ? brief_ : long_).emplace_back(event);
        } else if (event.device_work_) {
            issue(event);
        } else {
            complete(event, CL_COMPLETE);
        }
    } else if (event.device_work_ && event.unissued_ == 0 && !event.predecessor_failed_ &&
               stream_orders(event)) {
        issue(event);
    }
}

// True when the device itself can keep the event behind all of its predecessors that have not
// ended: they are in one stream, and the last of that stream is among them.
bool Change::stream_orders(Event &event) const {
    const Event *last = nullptr;
    const Event *any = nullptr;
    bool any_success = false;
    bool last_success = false;
    uint64_t first_needed = ~uint64_t{0};
    for (const auto &[predecessor, success] : event.predecessors_) {
        if (predecessor->stage_ == Event::Stage::done)
            continue;
        if (predecessor->queue_ != event.queue_ ||
            &predecessor->device_work_->engine() != &event.device_work_->engine() ||
            (any && any->stream_ != predecessor->stream_))
            return false;
        any = predecessor.get();
        if (!predecessor->superseded_) {
            last = predecessor.get();
            last_success |= success;
        }
        if (success) {
            any_success = true;
            first_needed = std::min(first_needed, predecessor->sequence_);
        }
    }
    // What the event needs to succeed must be the last launch, or one that the last hangs on.
    return last && (!any_success || (last_success && first_needed >= last->chain_start_));
}

void Change::issue(Event &event) {
    Engine &engine = event.device_work_->engine();
    if (!engine.alive())
        return complete(event, CL_DEVICE_NOT_AVAILABLE);
    event.stage_ = Event::Stage::issued;
    event.sequence_ = event.chain_start_ = graph_.next_sequence_++;
    for (const auto &[predecessor, success] : event.predecessors_) {
        if (predecessor->stage_ == Event::Stage::done)
            continue;
        event.stream_ = predecessor->stream_;
        event.slot_flags_ |= RVL_FLAG_BARRIER;
        if (!success || predecessor->superseded_)
            continue;
        event.slot_flags_ |= RVL_FLAG_ON_SUCCESS;
        event.chain_start_ = predecessor->chain_start_;
    }
    for (const auto &edge : event.predecessors_)
        if (edge.event->stage_ != Event::Stage::done)
            edge.event->superseded_ = true;
    if (!event.stream_)
        event.stream_ = graph_.next_stream_++;
    engine.put(Ref<Event>(event));
    if (std::ranges::find(engines_, &engine) == engines_.end())
        engines_.push_back(&engine);
    for (const auto &edge : event.successors_) {
        --edge.event->unissued_;
        to_consider_.push_back(edge.event);
    }
}

void Change::complete(Event &event, cl_int status) {
    if (event.stage_ == Event::Stage::done)
        return;
    const bool was_issued = event.stage_ == Event::Stage::issued;
    event.stage_ = Event::Stage::done;
    const uint64_t now = host_time_now();
    auto &times = event.times_;
    if (event.type_ == CL_COMMAND_COMMAND_BUFFER_KHR) { // has started when its first command has
        uint64_t first = now;
        for (const auto &edge : event.predecessors_)
            if (edge.event->queue_ == event.queue_)
                first = std::min(first, edge.event->times_[Event::started]);
        times[Event::submitted] = times[Event::started] = std::max(first, times[Event::queued]);
    }
    for (size_t point = Event::submitted; point <= Event::ended; ++point)
        if (!times[point])
            times[point] = std::max(now, times[point - 1]);
    advance(event, status);
    for (auto &[successor, success] : event.successors_) {
        --successor->incomplete_;
        successor->unissued_ -= !was_issued;
        successor->predecessor_failed_ |= success && status < 0;
        to_consider_.push_back(std::move(successor));
    }
    event.successors_.clear();
    std::ranges::move(event.predecessors_, std::back_inserter(garbage_));
    event.predecessors_.clear();
    if (event.host_work_)
        shared_garbage_.push_back(std::move(event.host_work_));
    if (event.device_work_)
        garbage_work_.push_back(std::move(event.device_work_));
    if (event.queue_)
        event.queue_->ended(event, *this);
    wake(event);
}

void Change::advance(Event &event, cl_int status) {
    const cl_int before = event.status();
    if (status >= before)
        return;
    if (status == CL_SUBMITTED && !event.times_[Event::submitted])
        event.times_[Event::submitted] = host_time_now();
    if (status == CL_RUNNING)
        event.times_[Event::started] = std::max(host_time_now(), event.earliest_start());
    event.status_.store(status, std::memory_order_release);
    if (event.callbacks_.empty())
        return;
    // 5.9: in the order of the states; an error ends all of them.
    for (cl_int state = before - 1; state >= std::max(status, CL_COMPLETE); --state)
        for (const auto &callback : event.callbacks_)
            if (callback.status == state)
                run_callback([callback, status, state, event = Ref<Event>(event)] {
                    callback.notify(handle_of<cl_event>(event.get()), status < 0 ? status : state,
                                    callback.user_data);
                });
    std::erase_if(event.callbacks_,
                  [&](const auto &callback) { return callback.status >= status; });
}

} // namespace rivulet
