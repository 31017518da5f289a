// SPDX-License-Identifier: Apache-2.0
//
// The way from the graph to one device and back: launches go from the outbox to the ring in
// batches, completions end their events. Completions are taken off the ring by the application's
// thread that waits for one ("watches"), else by the engine's own thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <span>
#include <string>
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
    void retire(const std::string &reason);

    /// Numbers of launches are never reused within a session.
    uint32_t next_launch() { return next_launch_++; }

    // Under the graph's lock.
    void put(Ref<Event> event);
    void wake_watcher(const Event &event);
    [[nodiscard]] bool unwatched() const { return in_flight_ && watcher_ == Watcher::none; }

private:
    enum class Watcher : uint8_t { none, engine, application };

    void run();
    void take_completions();
    void finish(std::span<const rvl_slot> completions);
    bool fill_ring();
    bool put_back(std::span<Ref<Event>> events);
    void die(const std::string &reason);
    [[nodiscard]] bool settled(const Event &event) const;

    Session &session_;
    std::atomic<bool> alive_ = true;
    std::atomic<uint32_t> next_launch_ = 1;

    Mutex ring_mutex_{LockRank::ring}; // keeps the order of the outbox on its way to the ring

    // Under the graph's lock:
    std::deque<Ref<Event>> outbox_;
    std::vector<Ref<Event>> tokens_; // commands on the device, by their token
    std::vector<uint16_t> free_tokens_;
    size_t in_flight_ = 0;
    Watcher watcher_ = Watcher::none;
    const Event *watched_ = nullptr; // by a thread of the application
    std::thread::id watching_thread_;
    unsigned wanted_ = 0; // threads of the application that want to be the watcher
    bool stop_ = false;
    std::condition_variable_any changed_;

    std::thread thread_;
};

} // namespace rivulet
