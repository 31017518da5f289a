// SPDX-License-Identifier: Apache-2.0
//
// The process-wide command graph. Commands are nodes; wait lists, queue order, barriers and markers
// are edges. A command whose predecessors have ended is executed at once on the host, or handed to
// its device's scheduler. Device work need not wait for predecessors that are on the same device:
// in the same stream the device preserves the order itself, and for those of other streams a
// command ahead of the launch waits there (rvl_wait). So a chain of launches goes to the ring in
// one batch, whatever queues it crosses.
#pragma once

#include <span>

#include "base/lock.h"
#include "host-runtime/graph/event.h"

namespace rivulet {

class Graph {
public:
    static Graph &get();

    /// Waits until the event is done: does its host work itself, takes completions from the ring if
    /// no other thread does, otherwise sleeps.
    void wait(Event &event);

    /// clSetUserEventStatus. Returns false if the status was already set.
    bool set_user_status(Event &event, cl_int status);

private:
    friend class GraphTransaction;
    friend class DeviceScheduler;
    friend class Event;

    Graph() = default;
    bool take(Event &event); // ready → running
    void run(Event &event);
    void fetch_memory(Event &event);
    void run_task(Event &event); // does what is left to do, if anything
    void sleep(Event &event, DeviceScheduler *scheduler);

    Mutex mutex_{LockRank::graph};
    uint32_t next_stream_ = 1;
    uint64_t next_sequence_ = 1;
};

/// A transaction on the graph. The constructor takes the graph's lock; the functions change events
/// and record consequences, which `commit` carries out. After the first event has been modified,
/// the transaction cannot fail.
class GraphTransaction {
public:
    enum Flush : bool { later, at_once }; // whether launches are flushed to the ring
    explicit GraphTransaction(Flush flush);
    GraphTransaction(const GraphTransaction &) = delete;
    GraphTransaction &operator=(const GraphTransaction &) = delete;
    /// Without `commit` the graph must be unchanged, and the destructor only unlocks it. Otherwise
    /// commands would be lost, so it terminates the program.
    ~GraphTransaction();

    /// Passes on what has become ready, unlocks the graph, and then does what must not be done
    /// under its lock, in this order: releases the resources of ended commands; fills the device's
    /// ring if `flush` says so and it isn't `flushed_by_caller`; runs ready host work that runs
    /// inline, or passes it to a worker thread.
    void commit(const DeviceScheduler *flushed_by_caller = nullptr);

    /// Allocates the edges of an event, for its wait list and `more`, before anything else about it
    /// is changed. They become edges in `add_edges`.
    static void make_edges(Event &event, std::span<const Ref<Event>> waits, size_t more = 1);
    void add_edges(Event &event);
    void add_edge(Event &from, Event &to, bool success);
    void start(Event &event); // once all of its edges exist; takes over a reference to it
    /// Called when it has ended on the device, or the device was lost. It completes when those
    /// before it have: a lost command's predecessor may still be writing output.
    void end(Event &event, cl_int status);
    void submit(Event &event); // hands device work to its scheduler
    void complete(Event &event, cl_int status);
    void advance(Event &event, cl_int status);

private:
    void start_with(Event &buffer, const Event &command);
    [[nodiscard]] bool is_empty() const;
    void try_schedule(Event &event);
    void want_predecessors(Event &event);
    void note_submitted(Event &event);
    void schedule_later(Event &event);
    void fetch_memory(Event &event, size_t bytes);
    static void run_inline(Task::List &tasks);
    static void release_resources(Event::List &ended);
    [[nodiscard]] bool stream_orders(Event &event) const;
    [[nodiscard]] static bool device_can_wait(const Event &event);
    [[nodiscard]] bool device_orders(Event &event) const;
    [[nodiscard]] static const Event *stream_end(const Event &event);

    Graph &graph_;
    Lock lock_;
    Flush flush_;
    Event::List to_schedule_;
    Task::List inline_;  // ready host work, or fetches of memory, to be done by this thread
    Task::List long_;    // the same, for Worker::commands
    Task::List foreign_; // ready host work, for Worker::foreign
    Event::List done_;
    DeviceScheduler *scheduler_ =
        nullptr; // commit() fills its ring; others are told to fill theirs
};

} // namespace rivulet
