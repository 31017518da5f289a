// SPDX-License-Identifier: Apache-2.0
//
// cl_event: a node of the command graph. What the graph changes is under the graph's lock.
//
// All memory that a command needs on its way is there once it is in the graph: lists go through the
// events themselves. So a host without memory refuses commands, but does not lose them. What is in
// the graph holds a reference to itself until it has ended.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>

#include "host-runtime/device/context.h"
#include "host-runtime/graph/task.h"
#include "host-runtime/graph/work.h"
#include "host-runtime/object/object.h"

namespace rivulet {

struct Waiter; // where a waiting thread sleeps

class Event final : public Object, private Task {
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
    [[nodiscard]] const Context *reports_to() const final { return &context(); }
    [[nodiscard]] const Ref<Context> &context_ref() const { return context_; }
    [[nodiscard]] const Ref<Queue> &queue() const { return queue_; }
    [[nodiscard]] cl_command_type type() const { return type_; }
    /// Does nothing but wait for commands, all if none are named.
    [[nodiscard]] bool is_sync_command() const {
        return type_ == CL_COMMAND_MARKER || type_ == CL_COMMAND_BARRIER ||
               type_ == CL_COMMAND_COMMAND_BUFFER_KHR;
    }

    /// CL_QUEUED … CL_COMPLETE, or the error that it ended with.
    [[nodiscard]] cl_int status() const { return status_.load(std::memory_order_acquire); }
    /// Asks the device first whether a launch is running.
    [[nodiscard]] cl_int status_now() const;
    [[nodiscard]] bool done() const { return status() <= CL_COMPLETE; }

    /// The scheduler of the device that the command's queue belongs to; none for user events.
    [[nodiscard]] DeviceScheduler *scheduler() const;

    // Once done: host time in ns, and what the device counted.
    [[nodiscard]] uint64_t time(Point point) const { return times_[point]; }
    [[nodiscard]] uint64_t instructions() const { return instructions_; }
    [[nodiscard]] uint64_t harts() const { return harts_; }

    /// A thread is about to wait for it: it does the event's host work itself. Before it is in the
    /// graph.
    void expect_wait() { awaited_ = true; }
    /// True if it has a wait list or was given memory for edges.
    [[nodiscard]] bool has_predecessors() const { return predecessor_count_ != 0; }

    /// Its neighbours among the outstanding commands of its queue, which alone changes them.
    struct Neighbours {
        Event *next = nullptr;
        Event *previous = nullptr;
    };
    Neighbours in_queue;
    bool waits_for_all = false; // that were outstanding in its queue; decided when it gets there
    bool has_commands = false;  // a command buffer's event, which waits for them

    /// 5.9: for CL_SUBMITTED, CL_RUNNING or CL_COMPLETE; at once when it is past already.
    void on_status(cl_int status, Notify notify, void *user_data);

private:
    friend class GraphTransaction; // the three that take a command through its stages
    friend class DeviceScheduler;
    friend class Graph;

    /// On the list of what `from` is waited for by, until that has ended.
    struct Edge {
        Event *from = nullptr; // none: has ended
        Event *to = nullptr;
        Edge *next = nullptr;
        bool success = false; // an entry of a wait list: its failure is the dependant's
    };
    class Callback;
    enum class Stage : uint8_t {
        waiting,   // for other events
        ready,     // host work that nobody has taken yet
        submitted, // device work, in the scheduler's ready queue or on the device
        running,   // host work, or the transfer of memory ahead of device work
        ended,     // finished on the device; completes when output and earlier commands have
        done,
    };

    /// Handed to its device, and not complete yet.
    [[nodiscard]] bool is_submitted() const {
        return stage_ == Stage::submitted || stage_ == Stage::ended;
    }
    [[nodiscard]] std::span<Edge> edges() const {
        return {predecessors_.get(), predecessor_count_};
    }
    void on_last_handle() override;
    void call_back(cl_int before, cl_int status);
    void await_start();
    void wake();         // those that wait for it, sleeping or polling a device
    void run() override; // as a task: host work, or the output of device work
    /// For traces: its number among all commands.
    [[nodiscard]] uint64_t flow() const {
        return reinterpret_cast<uintptr_t>(this) ^ times_[queued];
    }
    void trace() const;       // once done, before its resources are released
    void release_resources(); // of what a command holds, once it has ended

    const Ref<Context> context_;
    const Ref<Queue> queue_;
    const cl_command_type type_;
    std::atomic<cl_int> status_;
    std::array<uint64_t, 4> times_{};
    uint64_t latest_end_ = 0; // of what it has waited for
    uint64_t instructions_ = 0;
    uint64_t harts_ = 0;

    DeviceScheduler *scheduler_ = nullptr; // of device work without a queue
    std::shared_ptr<HostWork> host_work_;
    std::unique_ptr<DeviceWork> device_work_;
    Stage stage_ = Stage::waiting;
    bool predecessor_failed_ = false;
    bool fetches_memory_ = false; // as a task; set by who makes it one, then by itself
    bool awaited_ = false;        // a thread waits for it, or is about to
    bool start_awaited_ = false;  // there was a callback for CL_RUNNING, of a buffer that it is in
    uint32_t incomplete_ = 0;     // predecessors that have not ended
    uint32_t unsubmitted_ = 0;    // predecessors that are neither on their device nor have ended
    uint32_t recheck_at_ = ~0u; // from so few incomplete ones on, a stream may order it behind them
    cl_int end_status_ = CL_COMPLETE; // of device work, when it is known but not told yet
    std::unique_ptr<Edge[]> predecessors_;
    size_t predecessor_count_ = 0;
    Edge *successors_ = nullptr;
    Edge **successors_end_ = &successors_;
    std::unique_ptr<Callback> callbacks_;
    std::unique_ptr<Callback> *callbacks_end_ = &callbacks_;
    Waiter *waiters_ = nullptr;
    Event *next_ = nullptr; // on a List
    bool to_be_scheduled_ = false;

    // Device work: its position in a stream, in which the device keeps launches in order.
    uint32_t stream_ = 0;
    uint64_t sequence_ = 0;    // rises along a stream
    uint64_t chain_start_ = 0; // from there on, each launch runs only if the one before succeeded
    uint8_t slot_flags_ = 0;
    bool superseded_ = false; // another launch follows in the stream

public:
    using List = rivulet::List<Event, &Event::next_>;
};

} // namespace rivulet
