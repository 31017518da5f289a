// SPDX-License-Identifier: Apache-2.0
//
// Work done later on library threads, with no lock held: application callbacks, host work that no
// thread waits for, kernel output. Tasks are created when requested; when they are due, nothing
// needs to be allocated.
#pragma once

#include <memory>
#include <utility>

#include "host-runtime/object/list.h"

namespace rivulet {

class Task {
public:
    virtual ~Task() = default;
    /// Executes the task, once, and releases it.
    virtual void run() = 0;

private:
    Task *next_ = nullptr;

public:
    using List = rivulet::List<Task, &Task::next_>;
};

template <class F> class FunctionTask final : public Task {
public:
    explicit FunctionTask(F function) : function_(std::move(function)) {}
    void run() override {
        const std::unique_ptr<Task> self(this);
        function_();
    }

private:
    F function_;
};

/// Threads that execute tasks in the order in which they became due; the first thread of each kind
/// lives as long as the process.
enum class Worker : unsigned char {
    callbacks, // application callbacks: one thread, to preserve their order
    commands,  // host work that no thread waits for: a few threads
    foreign,   // host work that runs application functions, which may wait for other commands: as
               // many threads as tasks
    output,    // kernel output: one thread, may block forever
    versions, // builds that no thread waits for: one thread, to leave processors to the application
};

/// Starts the first thread if it isn't running. Called before there are tasks for it, because it
/// can fail.
void start(Worker worker);
void run_later(Worker worker, Task &task);

/// Creates a callback, to be passed to run_later when it is due.
template <class F> std::unique_ptr<Task> callback(F function) {
    start(Worker::callbacks);
    return std::unique_ptr<Task>(new FunctionTask<F>(std::move(function)));
}
inline void run_callback(std::unique_ptr<Task> task) {
    run_later(Worker::callbacks, *task.release());
}

} // namespace rivulet
