// SPDX-License-Identifier: Apache-2.0
//
// The path from the graph to one device and back: launches go from the ready queue to the ring in
// batches, and completions end their events. Completions are taken from the ring by the application
// thread that waits for one ("polls"), otherwise by the scheduler's own thread.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "base/lock.h"
#include "host-runtime/device/device_instance.h"
#include "host-runtime/device/heap.h"
#include "host-runtime/device/scheduler.h"
#include "host-runtime/graph/event.h"

namespace rivulet {

class DeviceScheduler final : public Scheduler {
public:
    explicit DeviceScheduler(DeviceInstance &instance);
    ~DeviceScheduler() override;

    [[nodiscard]] bool alive() const override;

    enum Poll : bool { scheduler_polls, caller_polls };
    /// Writes the contents of the ready queue to the ring.
    void flush(Poll poll = scheduler_polls);

    /// Takes completions until the event is done, or ready to run on the host. Returns false if
    /// nothing is on the device or another application thread is polling it.
    bool poll_completions(Event &event);

    void retire(std::string_view reason) override;

    /// Launch numbers are not reused within an instance, until all but 0 have been.
    uint32_t next_launch() {
        const uint32_t number = next_launch_++;
        return number != 0 ? number : next_launch_++;
    }
    /// True if launches can wait on the device for those of other streams.
    [[nodiscard]] bool serves_waits() const {
        return (instance_.hello().flags & RVL_HELLO_WAITS) != 0;
    }

    /// Writes new kernel samples to the trace, if sampling is on.
    void trace_samples(hal::trace::TraceWriter &writer, uint64_t row);

    /// Reports CL_RUNNING for the launches that harts are working on.
    void look_for_started();

    // Called under the graph's lock.
    void put(Event &event);
    /// Has the ready queue written to the ring at once, by the scheduler's thread or the polling
    /// one.
    void flush_soon();
    /// From now on, checks whether an awaited launch has started.
    void expect_start();
    void wake_poller(const Event &event);
    [[nodiscard]] bool unpolled() const { return in_flight_ && poller_ == Poller::none; }

private:
    void start_samples();

    enum class Poller : uint8_t { none, scheduler, application };

    void run();
    void take_completions();
    void finish(std::span<const rvl_slot> completions);
    void finish_in_batches(std::span<const rvl_slot> completions);
    [[nodiscard]] Event *ended_event(const rvl_slot &slot);
    void set_times(Event &event, const rvl_completion &completion, uint64_t received);
    bool fill_ring();
    [[nodiscard]] bool may_overtake(const Event &event) const;
    [[nodiscard]] Event *first_ready() const;
    [[nodiscard]] Event *take_next(size_t most_slots);
    [[nodiscard]] bool has_place(const Event &event) const;
    [[nodiscard]] static bool predecessors_were_sent(const Event &event);
    [[nodiscard]] bool must_be_held_back(const Event &event) const;
    void hold_back(Event &event);
    [[nodiscard]] Event *take_held_back();
    void put_back(Event &event);
    static bool stream_holds(const Event &event, const Event &predecessor, bool success);
    [[nodiscard]] bool add_wait(rvl_slot &slot, const Event &event);
    void die(std::string_view reason) noexcept;
    void ring_failed(std::string_view reason) noexcept;
    void notice_death() noexcept;
    [[nodiscard]] bool died_at_rest() const;
    [[nodiscard]] bool settled(const Event &event) const;
    [[nodiscard]] bool oldest_waits(const Event *oldest) const;

    DeviceInstance &instance_;
    std::atomic<bool> alive_ = true;
    std::atomic<uint32_t> next_launch_ = 1;
    std::atomic<uint64_t> next_look_ = 0; // check for started launches

    /// A command on the device, or on its way there.
    struct InFlight {
        Event *event = nullptr;
        uint8_t generation = 0;         // of the commands that use this entry
        uint8_t places = 0;             // that it takes on the device, unless it is urgent
        std::atomic<uint64_t> sent = 0; // identity repeated by the completion; 0: not encoded yet
    };
    [[nodiscard]] InFlight &in_flight(uint16_t token);
    [[nodiscard]] uint16_t take_token(Event &event);
    Event *release_token(uint16_t token);
    void forget_places(const InFlight &command, Event &event);

    Mutex ring_mutex_{LockRank::ring}; // preserves the order of the ready queue on its way to the
                                       // ring
    std::vector<rvl_slot> slots_; // guarded by ring_mutex_: encoded commands, not yet in the ring

    // Guarded by the graph's lock:
    Event::List ready_queue_;
    Event::List urgent_queue_; // launches of queues with the highest priority
    Queue *holding_ = nullptr; // the queues whose launches are held back, linked
    bool flush_soon_ = false;
    std::vector<InFlight> commands_; // indexed by token modulo their number
    std::vector<uint16_t> free_;     // indices of free entries
    size_t in_flight_ = 0;
    size_t places_taken_ = 0;
    Poller poller_ = Poller::none;
    const Event *polled_for_ = nullptr; // by an application thread
    std::thread::id polling_thread_;
    unsigned wanted_ = 0;                      // application threads that want to poll
    std::atomic<bool> starts_awaited_ = false; // for some commands on the device
    bool stop_ = false;
    bool device_stopped_ = false; // set by the scheduler's thread after the device's death
    Condition changed_;

    Block samples_; // kernel samples, from which the trace is written
    std::thread thread_;
};

inline DeviceScheduler &scheduler_of(DeviceInstance &instance) {
    return static_cast<DeviceScheduler &>(instance.scheduler()); // by make_scheduler
}

} // namespace rivulet
