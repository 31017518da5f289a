// SPDX-License-Identifier: Apache-2.0
//
// The way from the graph to one device and back: launches go from the ready queue to the ring in
// batches, completions end their events. Completions are taken off the ring by the application's
// thread that waits for one ("polls"), else by the scheduler's own thread.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "hal/core/lock.h"
#include "host-runtime/graph/event.h"
#include "host-runtime/memory/heap.h"

namespace rivulet {

class DeviceInstance;

class DeviceScheduler {
public:
    explicit DeviceScheduler(DeviceInstance &instance);
    ~DeviceScheduler();

    [[nodiscard]] bool alive() const;

    enum Poll : bool { scheduler_polls, caller_polls };
    /// Writes what is in the ready queue to the ring.
    void flush(Poll poll = scheduler_polls);

    /// Takes completions until the event is done, or ready to run on the host. `false`: nothing
    /// is on the device, or another thread of the application is at it.
    bool poll_completions(Event &event);

    /// Ends everything with an error and leaves the device alone for ever.
    void retire(std::string_view reason);

    /// Numbers of launches are never reused within an instance.
    uint32_t next_launch() { return next_launch_++; }

    /// Writes the new samples of kernels to the trace, if samples are taken.
    void trace_samples(hal::trace::TraceWriter &writer, uint64_t row);

    /// Reports CL_RUNNING of the launches that harts are at.
    void look_for_started();

    // Under the graph's lock.
    void put(Event &event);
    /// What is in the ready queue goes to the ring at once, by its own thread or the one that
    /// polls.
    void flush_soon();
    /// From now on it is looked whether a launch has started that somebody waits for.
    void expect_start();
    void wake_poller(const Event &event);
    [[nodiscard]] bool unpolled() const { return in_flight_ && poller_ == Poller::none; }

private:
    void start_samples();

    enum class Poller : uint8_t { none, scheduler, application };

    void run();
    void take_completions();
    void finish(const rvl_slot &completion);
    void set_times(Event &event, const rvl_completion &completion, uint64_t received);
    bool fill_ring();
    void die(std::string_view reason) noexcept;
    void ring_failed(std::string_view reason) noexcept;
    void notice_death() noexcept;
    [[nodiscard]] bool died_at_rest() const;
    [[nodiscard]] bool settled(const Event &event) const;
    [[nodiscard]] bool oldest_waits(const Event *oldest) const;

    DeviceInstance &instance_;
    std::atomic<bool> alive_ = true;
    std::atomic<uint32_t> next_launch_ = 1;
    std::atomic<uint64_t> next_look_ = 0; // for launches that have started

    /// A command on the device, or on its way there.
    struct InFlight {
        Event *event = nullptr;
        uint8_t generation = 0;         // of the commands that had this entry
        std::atomic<uint64_t> sent = 0; // what its completion repeats; 0: not encoded yet
    };
    [[nodiscard]] InFlight &in_flight(uint16_t token);
    [[nodiscard]] uint16_t take_token(Event &event);
    Event *release_token(uint16_t token);

    Mutex ring_mutex_{LockRank::ring}; // keeps the order of the ready queue on its way to the ring
    std::vector<rvl_slot> slots_; // guarded by ring_mutex_: encoded commands, not yet in the ring

    // Under the graph's lock:
    Event::List ready_queue_;
    bool flush_soon_ = false;
    std::vector<InFlight> commands_; // by their token, modulo their number
    std::vector<uint16_t> free_;     // its free entries
    size_t in_flight_ = 0;
    Poller poller_ = Poller::none;
    const Event *polled_for_ = nullptr; // by a thread of the application
    std::thread::id polling_thread_;
    unsigned wanted_ = 0; // threads of the application that want to be the poller
    std::atomic<bool> starts_awaited_ = false; // of some commands on the device
    bool stop_ = false;
    bool device_stopped_ = false; // after its death, by the scheduler's thread
    Condition changed_;

    Block samples_; // of kernels, which the trace is written from
    std::thread thread_;
};

} // namespace rivulet
