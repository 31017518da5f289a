// SPDX-License-Identifier: Apache-2.0
//
// The one command graph of the process. Commands are nodes; wait lists, the order of queues,
// barriers and markers are edges. A command whose predecessors have ended is done at once: on the
// host, or handed to its device's scheduler. Device work need not wait for the end of predecessors
// of the same queue that are on the device in one stream: the device keeps that order itself, so
// that a chain of launches goes to the ring in one go.
#pragma once

#include <span>

#include "hal/core/lock.h"
#include "host-runtime/graph/event.h"

namespace rivulet {

class Graph {
public:
    static Graph &get();

    /// Waits until the event is done: does its host work itself, takes completions off the ring
    /// if nobody else does, else sleeps.
    void wait(Event &event);

    /// clSetUserEventStatus. `false`: it was set before.
    bool set_user_status(Event &event, cl_int status);

private:
    friend class GraphTransaction;
    friend class DeviceScheduler;
    friend class Event;

    Graph() = default;
    bool take(Event &event); // ready → running
    void run(Event &event);
    void fetch_memory(Event &event);
    void run_task(Event &event); // what is left to do of it, if anything
    void sleep(Event &event, DeviceScheduler *scheduler);

    Mutex mutex_{LockRank::graph};
    uint32_t next_stream_ = 1;
    uint64_t next_sequence_ = 1;
};

/// A transaction on the graph. The constructor takes the graph's lock; the functions change events
/// and note what follows; `commit` does that. Nothing of it fails once an event was changed.
class GraphTransaction {
public:
    enum Flush : bool { later, at_once }; // of launches towards the ring
    explicit GraphTransaction(Flush flush);
    GraphTransaction(const GraphTransaction &) = delete;
    GraphTransaction &operator=(const GraphTransaction &) = delete;
    /// Without `commit` the graph must not have been changed: the destructor only unlocks it then.
    /// Otherwise commands would be lost, and it ends the program.
    ~GraphTransaction();

    /// Hands on what became ready, unlocks the graph, and then does what must not be done under its
    /// lock, in this order: releases what ended commands held; fills the device's ring if `flush`
    /// says so, and it isn't `flushed_by_caller`; runs ready host work here if it runs inline, or
    /// passes it to a worker thread.
    void commit(const DeviceScheduler *flushed_by_caller = nullptr);

    /// Memory for the edges to an event, those of its wait list and more; before anything else of
    /// it is changed. They become edges by `add_edges`.
    static void make_edges(Event &event, std::span<const Ref<Event>> waits, size_t more = 1);
    void add_edges(Event &event);
    void add_edge(Event &from, Event &to, bool success);
    void start(Event &event); // after all of its edges are there; takes over a reference to it
    void end(Event &event, cl_int status); // on the device
    void submit(Event &event);             // device work, to its scheduler
    void complete(Event &event, cl_int status);
    void advance(Event &event, cl_int status);

private:
    void start_with(Event &buffer, const Event &command);
    [[nodiscard]] bool is_empty() const;
    void try_schedule(Event &event);
    void schedule_later(Event &event);
    void fetch_memory(Event &event, size_t bytes);
    static void run_inline(Task::List &tasks);
    [[nodiscard]] bool stream_orders(Event &event) const;

    Graph &graph_;
    Lock lock_;
    Flush flush_;
    Event::List to_schedule_;
    Task::List inline_;  // ready host work, or a fetch of memory, that this thread does itself
    Task::List long_;    // the same for Worker::commands
    Task::List foreign_; // ready host work for Worker::foreign
    Event::List done_;
    DeviceScheduler *scheduler_ =
        nullptr; // commit() fills its ring; others are told to fill theirs
};

} // namespace rivulet
