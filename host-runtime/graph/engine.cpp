// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/engine.h"

#include <algorithm>
#include <chrono>

#include "host-runtime/device/platform.h"
#include "host-runtime/device/session.h"
#include "host-runtime/graph/graph.h"
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

Engine::Engine(Session &session) : session_(session), tokens_(most_in_flight) {
    for (size_t token = most_in_flight; token-- > 0;)
        free_tokens_.push_back(static_cast<uint16_t>(token));
    thread_ = std::thread([this] { run(); });
}

Engine::~Engine() { retire("closed"); }

bool Engine::alive() const { return alive_ && session_.hal().alive(); }

bool Engine::settled(const Event &event) const {
    return event.done() || event.stage_ == Event::Stage::ready;
}

void Engine::put(Ref<Event> event) {
    outbox_.push_back(std::move(event));
    if (outbox_.size() == 1)
        changed_.notify_all();
}

void Engine::flush(Watch watch) {
    try {
        while (fill_ring())
            ;
    } catch (const Failure &) {
        die("its memory can't be written any more");
    }
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
    std::vector<Ref<Event>> batch;
    std::vector<rvl_slot> slots;
    const size_t room = alive() ? session_.hal().room() : 0;
    {
        Change change(Change::later);
        while (!outbox_.empty() && slots.size() < room && !free_tokens_.empty()) {
            Ref<Event> event = std::move(outbox_.front());
            outbox_.pop_front();
            change.advance(*event, CL_SUBMITTED);
            rvl_slot slot{};
            slot.header.flags = event->slot_flags_;
            slot.header.token = free_tokens_.back();
            free_tokens_.pop_back();
            tokens_[slot.header.token] = event;
            ++in_flight_;
            slots.push_back(slot);
            batch.push_back(std::move(event));
        }
    }
    if (batch.empty())
        return false;
    size_t encoded = 0;
    while (encoded < batch.size() && batch[encoded]->device_work_->encode(slots[encoded]))
        ++encoded;
    auto written = session_.hal().submit(std::span(slots).first(encoded));
    if (!written) {
        ring.unlock();
        die(written.error().message);
        return false;
    }
    if (*written == batch.size())
        return true;
    // No memory for records, or less room than there was: the rest waits for completions.
    Lock lock(Graph::get().mutex_);
    for (size_t index = batch.size(); index-- > *written;) {
        const uint16_t token = slots[index].header.token;
        tokens_[token] = nullptr;
        free_tokens_.push_back(token);
        --in_flight_;
        outbox_.push_front(std::move(batch[index]));
    }
    return false;
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
    if (in_flight_ || !outbox_.empty() || wanted_)
        changed_.notify_all();
    return true;
}

void Engine::wake_watcher(const Event &event) {
    if (watched_ == &event && watching_thread_ != std::this_thread::get_id())
        session_.hal().wake();
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
        } else if (!outbox_.empty() && watcher_ == Watcher::none && !wanted_) {
            const Event *oldest = outbox_.front().get();
            if (outbox_.size() < full_outbox)
                changed_.wait_for(lock, patience, [&] {
                    return stop_ || outbox_.empty() || outbox_.front().get() != oldest ||
                           outbox_.size() >= full_outbox;
                });
            if (stop_ || outbox_.empty() || outbox_.front().get() != oldest)
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
    auto completions = session_.hal().completions(1s);
    if (!completions)
        return die(completions.error().message);
    if (!completions->empty())
        finish(*completions);
    flush(caller_watches);
}

void Engine::finish(std::span<const rvl_slot> completions) {
    hal::Device &device = session_.hal();
    std::vector<Ref<Event>> finished; // let go after the change
    Change change(Change::later);
    for (const rvl_slot &slot : completions) {
        const rvl_completion &completion = slot.completion;
        const uint16_t token = slot.header.token;
        if (token >= tokens_.size() || !tokens_[token]) {
            log(1, "the device completed a command that it was not given");
            continue;
        }
        Ref<Event> event = std::exchange(tokens_[token], nullptr);
        free_tokens_.push_back(token);
        --in_flight_;
        // QUEUED ≤ SUBMIT ≤ START ≤ END; the duration is the device's own.
        auto &times = event->times_;
        times[Event::started] = std::max(
            {device.host_time(completion.start), times[Event::submitted], event->earliest_start()});
        times[Event::ended] =
            times[Event::started] + (device.host_time(std::max(completion.start, completion.end)) -
                                     device.host_time(completion.start));
        event->instructions_ = completion.instructions;
        event->harts_ = completion.harts;
        const cl_int status = event->device_work_->ended(completion);
        change.complete(*event, status);
        finished.push_back(std::move(event));
    }
}

void Engine::die(const std::string &reason) {
    std::vector<Ref<Event>> lost;
    {
        Lock ring(ring_mutex_);
        Lock lock(Graph::get().mutex_);
        if (alive_.exchange(false))
            log(0, "device lost: " + reason);
        for (Ref<Event> &event : tokens_)
            if (event)
                lost.push_back(std::exchange(event, nullptr));
        std::ranges::move(outbox_, std::back_inserter(lost));
        outbox_.clear();
        in_flight_ = 0;
        changed_.notify_all();
    }
    {
        Change change(Change::at_once);
        for (const Ref<Event> &event : lost)
            change.complete(*event, CL_DEVICE_NOT_AVAILABLE);
    }
    std::vector<const Context *> told;
    for (const Ref<Event> &event : lost) {
        const Context *context = event->context_ref().get(); // none: a command of our own
        if (!context || std::ranges::find(told, context) != told.end())
            continue;
        told.push_back(context);
        context->report("the device was lost: " + reason);
    }
}

void Engine::retire(const std::string &reason) {
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
