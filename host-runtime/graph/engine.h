// SPDX-License-Identifier: Apache-2.0
//
// The way from the graph to one device and back: launches go from the outbox to the ring in
// batches, completions end their events. Completions are taken off the ring by the application's
// thread that waits for one ("watches"), else by the engine's own thread.
#pragma once

#include <atomic>
#include <string_view>
#include <thread>
#include <vector>

#include "host-runtime/graph/event.h"
#include "host-runtime/object/lock.h"

namespace rivulet {

class Session;

class Engine {
public:
    explicit Engine(Session &session);
    ~Engine();

    [[nodiscard]] bool alive() const;

    enum Watch : bool { engine_watches, caller_watches };
    /// Writes what is in the outbox to the ring.
    void flush(Watch watch = engine_watches);

    /// Takes completions until the event is done, or ready to run on the host. `false`: nothing
    /// is on the device, or another thread of the application is at it.
    bool watch(Event &event);

    /// Ends everything with an error and leaves the device alone for ever.
    void retire(std::string_view reason);

    /// Numbers of launches are never reused within a session.
    uint32_t next_launch() { return next_launch_++; }

    // Under the graph's lock.
    void put(Event &event);
    void wake_watcher(const Event &event);
    [[nodiscard]] bool unwatched() const { return in_flight_ && watcher_ == Watcher::none; }

private:
    enum class Watcher : uint8_t { none, engine, application };

    void run();
    void take_completions();
    void finish(const rvl_slot &completion);
    bool fill_ring();
    void die(std::string_view reason) noexcept;
    [[nodiscard]] bool settled(const Event &event) const;
    [[nodiscard]] bool oldest_waits(const Event *oldest) const;

    Session &session_;
    std::atomic<bool> alive_ = true;
    std::atomic<uint32_t> next_launch_ = 1;

    Mutex ring_mutex_{LockRank::ring}; // keeps the order of the outbox on its way to the ring
    std::vector<rvl_slot> slots_;      // under that way's lock: what goes to the ring

    // Under the graph's lock:
    Event::List outbox_;
    std::vector<Event *> tokens_; // commands on the device, by their token
    std::vector<uint16_t> free_tokens_;
    size_t in_flight_ = 0;
    Watcher watcher_ = Watcher::none;
    const Event *watched_ = nullptr; // by a thread of the application
    std::thread::id watching_thread_;
    unsigned wanted_ = 0; // threads of the application that want to be the watcher
    bool stop_ = false;
    Condition changed_;

    std::thread thread_;
};

} // namespace rivulet
