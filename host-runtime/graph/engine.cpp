// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/engine.h"

#include <algorithm>
#include <chrono>

#include "hal/core/error.h"
#include "host-runtime/device/platform.h"
#include "host-runtime/device/session.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

using namespace std::chrono_literals;

constexpr size_t most_in_flight = 1024;
/// The application should flush (5.13); what it forgets goes to the device after this time.
constexpr auto patience = 1ms;
/// So many launches make a batch without being flushed.
constexpr size_t full_outbox = 128;

} // namespace

Engine::Engine(Session &session)
    : session_(session), slots_(most_in_flight), tokens_(most_in_flight) {
    for (size_t token = most_in_flight; token-- > 0;)
        free_tokens_.push_back(static_cast<uint16_t>(token));
    thread_ = std::thread([this] { run(); });
}

Engine::~Engine() { retire("closed"); }

bool Engine::alive() const { return alive_ && session_.hal().alive(); }

bool Engine::settled(const Event &event) const {
    return event.done() || event.stage_ == Event::Stage::ready;
}

void Engine::put(Event &event) {
    outbox_.push(event);
    if (outbox_.size() == 1)
        changed_.notify_all();
}

void Engine::flush(Watch watch) {
    const cl_int code = guarded([&] {
        while (fill_ring())
            ;
    });
    if (code != CL_SUCCESS)
        die("its memory can't be written any more");
    if (alive_ && !session_.hal().alive())
        die("it stopped while nothing ran on it");
    if (watch == engine_watches) {
        Lock lock(Graph::get().mutex_);
        if (unwatched())
            changed_.notify_all();
    }
}

// One batch from the outbox to the ring; `false`: nothing more to do, or no room.
bool Engine::fill_ring() {
    Lock ring(ring_mutex_);
    const size_t room = alive() ? session_.hal().room() : 0;
    size_t count = 0;
    {
        Change change(Change::later);
        for (; count < room && !free_tokens_.empty() && outbox_.first(); ++count) {
            Event *event = outbox_.pop();
            change.advance(*event, CL_SUBMITTED);
            rvl_slot &slot = slots_[count] = {};
            slot.header.flags = event->slot_flags_;
            slot.launch.stream = event->stream_; // of no meaning to other services
            slot.header.token = free_tokens_.back();
            free_tokens_.pop_back();
            tokens_[slot.header.token] = event;
            ++in_flight_;
        }
    }
    if (!count)
        return false;
    // What is in flight stays there: it ends by a completion, or by `die`, which needs the ring.
    size_t encoded = 0;
    while (encoded < count &&
           tokens_[slots_[encoded].header.token]->device_work_->encode(slots_[encoded]))
        ++encoded;
    const auto written = session_.hal().submit(std::span(slots_).first(encoded));
    if (!written) {
        ring.unlock();
        die(written.error().message);
        return false;
    }
    // No memory for records, or less room than there was: the rest waits for completions.
    Lock lock(Graph::get().mutex_);
    for (size_t index = count; index-- > *written;) {
        const uint16_t token = slots_[index].header.token;
        outbox_.push_front(*std::exchange(tokens_[token], nullptr));
        free_tokens_.push_back(token);
        --in_flight_;
    }
    return *written == count;
}

bool Engine::watch(Event &event) {
    Lock lock(Graph::get().mutex_);
    ++wanted_;
    if (watcher_ == Watcher::engine) {
        session_.hal().wake();
        changed_.wait(lock, [&] { return watcher_ != Watcher::engine; });
    }
    --wanted_;
    if (watcher_ != Watcher::none || !in_flight_ || settled(event)) {
        if (unwatched() && !wanted_)
            changed_.notify_all();
        return false;
    }
    watcher_ = Watcher::application;
    watched_ = &event;
    watching_thread_ = std::this_thread::get_id();
    event.awaited_ = true;
    while (in_flight_ && !settled(event)) {
        lock.unlock();
        take_completions();
        lock.lock();
    }
    watcher_ = Watcher::none;
    watched_ = nullptr;
    if (in_flight_ || outbox_.first() || wanted_)
        changed_.notify_all();
    return true;
}

void Engine::wake_watcher(const Event &event) {
    if (watched_ == &event && watching_thread_ != std::this_thread::get_id())
        session_.hal().wake();
}

bool Engine::oldest_waits(const Event *oldest) const {
    return !stop_ && outbox_.first() == oldest && outbox_.size() < full_outbox;
}

void Engine::run() {
    Lock lock(Graph::get().mutex_);
    while (!stop_) {
        if (unwatched() && !wanted_) {
            watcher_ = Watcher::engine;
            lock.unlock();
            take_completions();
            lock.lock();
            watcher_ = Watcher::none;
            changed_.notify_all();
        } else if (outbox_.first() && watcher_ == Watcher::none && !wanted_) {
            const Event *oldest = outbox_.first();
            const auto until = std::chrono::steady_clock::now() + patience;
            while (oldest_waits(oldest) && std::chrono::steady_clock::now() < until)
                changed_.wait_until(lock, until);
            if (stop_ || outbox_.first() != oldest)
                continue;
            lock.unlock();
            flush();
            lock.lock();
        } else {
            changed_.wait(lock);
        }
    }
}

void Engine::take_completions() {
    const cl_int code = guarded([&] {
        const auto completions = session_.hal().completions(1s);
        if (!completions)
            return die(completions.error().message);
        for (const rvl_slot &slot : *completions)
            finish(slot);
    });
    if (code != CL_SUCCESS)
        die("the host has no memory left to look after it");
    flush(caller_watches);
}

void Engine::finish(const rvl_slot &slot) {
    const rvl_completion &completion = slot.completion;
    const uint16_t token = slot.header.token;
    Event *event = nullptr;
    {
        const Lock lock(Graph::get().mutex_);
        if (token < tokens_.size() && (event = std::exchange(tokens_[token], nullptr))) {
            free_tokens_.push_back(token);
            --in_flight_;
        }
    }
    if (!event)
        return log(1, "the device completed a command that it was not given");
    const cl_int status = event->device_work_->ended(completion);
    Change change(Change::later);
    // QUEUED ≤ SUBMIT ≤ START ≤ END; the duration is the device's own.
    const hal::Device &device = session_.hal();
    auto &times = event->times_;
    times[Event::started] = std::max(
        {device.host_time(completion.start), times[Event::submitted], event->earliest_start()});
    times[Event::ended] =
        times[Event::started] + (device.host_time(std::max(completion.start, completion.end)) -
                                 device.host_time(completion.start));
    event->instructions_ = completion.instructions;
    event->harts_ = completion.harts;
    if (event->device_work_->prints()) {
        event->end_status_ = status;
        event->retain(); // as a task
        run_later(Worker::output, *event);
    } else {
        change.end(*event, status);
    }
}

void Engine::die(std::string_view reason) noexcept {
    Event::List lost;
    {
        const Lock ring(ring_mutex_);
        const Lock lock(Graph::get().mutex_);
        if (alive_.exchange(false))
            (void)guarded([&] { log(0, hal::text({"device lost: ", reason})); });
        for (Event *&event : tokens_)
            if (event)
                lost.push(*std::exchange(event, nullptr));
        while (Event *event = outbox_.pop())
            lost.push(*event);
        in_flight_ = 0;
        changed_.notify_all();
    }
    Change change(Change::at_once);
    while (Event *event = lost.pop()) {
        change.complete(*event, CL_DEVICE_NOT_AVAILABLE);
        const Ref<Context> &context = event->context_ref(); // none: a command of our own
        if (context && !event->queue()->place().loss_told.exchange(true))
            (void)guarded([&] { context->report(hal::text({"the device was lost: ", reason})); });
    }
}

void Engine::retire(std::string_view reason) {
    {
        Lock lock(Graph::get().mutex_);
        if (stop_)
            return;
        stop_ = true;
        changed_.notify_all();
    }
    session_.hal().wake();
    die(reason);
    thread_.join();
    // A thread of the application may still be in the driver.
    Lock lock(Graph::get().mutex_);
    changed_.wait(lock, [&] { return watcher_ == Watcher::none; });
}

} // namespace rivulet
