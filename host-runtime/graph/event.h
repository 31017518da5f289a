// SPDX-License-Identifier: Apache-2.0
//
// cl_event: a node of the command graph. State changed by the graph is guarded by its lock.
//
// All memory that a command needs later is allocated before it enters the graph: lists are linked
// through the events themselves. So if memory runs out, commands are rejected but never lost. An
// event in the graph holds a reference to itself until it has ended.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>

#include "host-runtime/context/context.h"
#include "host-runtime/graph/work.h"
#include "host-runtime/object/object.h"
#include "host-runtime/object/recycled.h"
#include "host-runtime/object/task.h"

namespace rivulet {

struct Waiter; // what a waiting thread sleeps on

class Event final : public Object, private Task, public Recycled<Event, recycled_commands> {
public:
    using Notify = void(CL_CALLBACK *)(cl_event, cl_int, void *);
    enum Point : uint8_t { queued, submitted, started, ended };

    /// Without a queue: a user event, or an internal command of the library.
    Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type,
          std::shared_ptr<HostWork> work);
    Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type,
          std::unique_ptr<DeviceWork> work);
    Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type);
    ~Event() override;

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] const Ref<Context> &context_ref() const { return context_; }
    [[nodiscard]] const Ref<Queue> &queue() const { return queue_; }
    [[nodiscard]] cl_command_type type() const { return type_; }
    [[nodiscard]] bool is_kernel() const {
        return type_ == CL_COMMAND_NDRANGE_KERNEL || type_ == CL_COMMAND_TASK;
    }
    /// Only waits for commands, for all of them if none are named.
    [[nodiscard]] bool is_sync_command() const {
        return type_ == CL_COMMAND_MARKER || type_ == CL_COMMAND_BARRIER ||
               type_ == CL_COMMAND_COMMAND_BUFFER_KHR;
    }

    /// CL_QUEUED … CL_COMPLETE, or the error with which it ended.
    [[nodiscard]] cl_int status() const { return status_.load(std::memory_order_acquire); }
    /// First asks the device whether the launch is running.
    [[nodiscard]] cl_int status_now() const;
    [[nodiscard]] bool done() const { return status() <= CL_COMPLETE; }

    /// The scheduler of the queue's device; none for user events.
    [[nodiscard]] DeviceScheduler *scheduler() const;

    // Valid once done: host time in ns, and the device's counters.
    [[nodiscard]] uint64_t time(Point point) const { return times_[point]; }
    [[nodiscard]] uint64_t instructions() const { return instructions_; }
    [[nodiscard]] uint64_t harts() const { return harts_; }

    /// Announces that a thread will wait for the event and do its host work itself. To be called
    /// before it enters the graph.
    void expect_wait() { awaited_ = true; }
    /// Host work that the device does if a launch behind it would wait for the host otherwise. To
    /// be called before it enters the graph.
    void may_run_on_device(std::unique_ptr<DeviceWork> work);
    /// Launches, and host work for which that was called.
    [[nodiscard]] bool could_run_on_device() const { return could_run_on_device_; }
    /// True if it has a wait list or memory reserved for edges.
    [[nodiscard]] bool has_predecessors() const { return predecessor_count_ != 0; }

    /// Its neighbours among the queue's outstanding commands; changed only by the queue.
    struct Neighbours {
        Event *next = nullptr;
        Event *previous = nullptr;
    };
    Neighbours in_queue;
    bool waits_for_all = false; // all commands outstanding in its queue; determined when it is
                                // enqueued
    bool has_commands = false;  // the event of a command buffer, which waits for its commands

    /// 5.9: for CL_SUBMITTED, CL_RUNNING or CL_COMPLETE; called at once if the state has been
    /// passed.
    void on_status(cl_int status, Notify notify, void *user_data);

private:
    friend class GraphTransaction; // the three classes that take a command through its stages
    friend class DeviceScheduler;
    friend class Graph;

    /// Linked in the list of `from`'s dependants until that has ended.
    struct Edge {
        Event *from = nullptr; // nullptr once ended
        Event *to = nullptr;
        Edge *next = nullptr;
        bool success = false; // from a wait list: if `from` fails, the dependant does
    };
    class Callback;
    enum class Stage : uint8_t {
        waiting,   // for other events
        ready,     // host work not yet taken by a thread
        submitted, // device work, in the scheduler's ready queue or on the device
        running,   // host work, or fetching memory for device work
        ended,     // finished on the device; completes when output and earlier commands have
        done,
    };

    /// Handed to its device and not complete yet.
    [[nodiscard]] bool is_submitted() const {
        return stage_ == Stage::submitted || stage_ == Stage::ended;
    }
    [[nodiscard]] std::span<Edge> edges() const { return {predecessors_, predecessor_count_}; }
    void on_last_handle() override;
    void call_back(cl_int before, cl_int status);
    void await_start();
    void wake();         // wakes threads that sleep or poll for it
    void run() override; // as a task: host work, or printing the output of device work
    /// Flow id in traces.
    [[nodiscard]] uint64_t flow() const {
        return reinterpret_cast<uintptr_t>(this) ^ times_[queued];
    }
    void trace() const;       // called once done, before its resources are released
    void release_resources(); // called once it has ended

    const Ref<Context> context_;
    const Ref<Queue> queue_;
    const cl_command_type type_;
    std::atomic<cl_int> status_;
    std::array<uint64_t, 4> times_{};
    uint64_t latest_end_ = 0; // latest end of its predecessors
    uint64_t instructions_ = 0;
    uint64_t harts_ = 0;

    DeviceScheduler *scheduler_ = nullptr; // for device work without a queue
    // One of them or, until it is submitted or ready, both.
    std::shared_ptr<HostWork> host_work_;
    std::unique_ptr<DeviceWork> device_work_;
    /// That the device should go on to this event without the host: launches always, host work that
    /// may run there once a launch waits for it.
    enum class Wanted : uint8_t { no, yes, passed_on }; // to predecessors that may run there
    Wanted wanted_on_device_ = Wanted::no;
    bool could_run_on_device_ = false;
    bool is_device_work_ = false; // has been submitted to the device
    Stage stage_ = Stage::waiting;
    bool predecessor_failed_ = false;
    bool fetches_memory_ = false; // its task is fetching memory; set by the task's creator, cleared
                                  // by the task
    bool awaited_ = false;        // a thread waits for it, or is about to
    bool start_awaited_ = false;  // CL_RUNNING is awaited for it or for the command buffer it
                                  // belongs to
    uint32_t incomplete_ = 0;     // predecessors that have not ended
    uint32_t unsubmitted_ = 0;    // predecessors that have neither ended nor reached their device
    uint32_t recheck_at_ = ~0u;   // once incomplete_ falls to this, check again whether a stream
                                  // orders them
    cl_int end_status_ = CL_COMPLETE; // of device work that has ended but not completed yet
    // Most commands have room for their edges in the event itself.
    std::array<Edge, 2> own_edges_;
    std::unique_ptr<Edge[]> more_edges_;
    Edge *predecessors_ = own_edges_.data();
    size_t predecessor_count_ = 0;
    Edge *successors_ = nullptr;
    Edge **successors_end_ = &successors_;
    std::unique_ptr<Callback> callbacks_;
    std::unique_ptr<Callback> *callbacks_end_ = &callbacks_;
    Waiter *waiters_ = nullptr;
    Event *next_ = nullptr; // in a List
    bool to_be_scheduled_ = false;

    // Device work: its position in a stream, in which the device keeps launches in order.
    uint32_t number_ = 0; // the launch's
    uint32_t stream_ = 0;
    uint64_t sequence_ = 0;    // increases along a stream
    uint64_t chain_start_ = 0; // from here on, each launch runs only if the previous one succeeded
    uint32_t tied_to_ = 0;     // the launch before it in the stream, if it runs only on its success
    uint8_t slot_flags_ = 0;
    bool waits_on_device_ = false; // for launches that its stream does not keep ahead of it
    bool superseded_ = false;      // the stream has a later launch
    bool urgent_ = false;          // goes to the device before what is not
    bool sent_ = false;            // to the device, or being encoded for it
    bool held_back_ = false;       // in its queue's list of such launches

public:
    using List = rivulet::List<Event, &Event::next_>;
};

} // namespace rivulet
