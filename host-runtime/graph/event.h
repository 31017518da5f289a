// SPDX-License-Identifier: Apache-2.0
//
// cl_event: a node of the command graph. What the graph changes is under the graph's lock.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "host-runtime/device/context.h"
#include "host-runtime/graph/work.h"
#include "host-runtime/object/object.h"

namespace rivulet {

struct Waiter; // where a waiting thread sleeps

class Event final : public Object {
public:
    using Notify = void(CL_CALLBACK *)(cl_event, cl_int, void *);
    enum Point : uint8_t { queued, submitted, started, ended };

    /// Without a queue: a user event, or a command of the library's own.
    Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type,
          std::shared_ptr<HostWork> work);
    Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type,
          std::unique_ptr<DeviceWork> work);
    Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type);
    ~Event() override;

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] const Ref<Context> &context_ref() const { return context_; }
    [[nodiscard]] const Ref<Queue> &queue() const { return queue_; }
    [[nodiscard]] cl_command_type type() const { return type_; }

    /// CL_QUEUED … CL_COMPLETE, or the error that it ended with.
    [[nodiscard]] cl_int status() const { return status_.load(std::memory_order_acquire); }
    [[nodiscard]] bool done() const { return status() <= CL_COMPLETE; }

    /// Of the device that the command's queue belongs to; none for user events.
    [[nodiscard]] Engine *engine() const;

    // Once done: host time in ns, and what the device counted.
    [[nodiscard]] uint64_t time(Point point) const { return times_[point]; }
    /// In an in-order queue no command starts before the one ahead of it has ended, whatever the
    /// clocks say: the device's may be virtual, and is related to the host's anew now and then.
    [[nodiscard]] uint64_t earliest_start() const;
    [[nodiscard]] uint64_t instructions() const { return instructions_; }
    [[nodiscard]] uint64_t harts() const { return harts_; }

    /// 5.9: for CL_SUBMITTED, CL_RUNNING or CL_COMPLETE; at once when it is past already.
    void on_status(cl_int status, Notify notify, void *user_data);

private:
    friend class Graph;
    friend class Change;
    friend class Engine;
    friend class Queue;
    friend void wake(Event &event);

    struct Edge {
        Ref<Event> event;
        bool success; // an entry of a wait list: its failure is the dependant's
    };
    struct Callback {
        cl_int status;
        Notify notify;
        void *user_data;
    };
    enum class Stage : uint8_t {
        waiting, // for other events
        ready,   // host work that nobody has taken yet
        issued,  // device work, in the engine's outbox or on the device
        running, // host work
        done,
    };

    void on_last_handle() override;

    const Ref<Context> context_;
    const Ref<Queue> queue_;
    const cl_command_type type_;
    std::atomic<cl_int> status_;
    std::array<uint64_t, 4> times_{};
    uint64_t instructions_ = 0;
    uint64_t harts_ = 0;

    Engine *engine_ = nullptr; // of device work without a queue
    std::shared_ptr<HostWork> host_work_;
    std::unique_ptr<DeviceWork> device_work_;
    Stage stage_ = Stage::waiting;
    bool predecessor_failed_ = false;
    bool awaited_ = false;    // a thread waits for it, or is about to
    uint32_t incomplete_ = 0; // predecessors that have not ended
    uint32_t unissued_ = 0;   // … and are not on their device either
    std::vector<Edge> predecessors_;
    std::vector<Edge> successors_;
    std::vector<Callback> callbacks_;
    std::vector<Waiter *> waiters_;
    size_t queue_index_ = 0; // in the queue's list of outstanding commands

    // Device work: its place in a stream, in which the device keeps launches in order.
    uint32_t stream_ = 0;
    uint64_t sequence_ = 0;    // rises along a stream
    uint64_t chain_start_ = 0; // from there on, each launch runs only if the one before succeeded
    uint8_t slot_flags_ = 0;
    bool superseded_ = false; // another launch follows in the stream
};

} // namespace rivulet
