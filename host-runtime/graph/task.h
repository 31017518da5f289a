// SPDX-License-Identifier: Apache-2.0
//
// Work that threads of the library do later, with no lock held: callbacks of the application, host
// work that nobody waits for, the output of kernels. A task is made when it is asked for; when it
// is due nothing has to be allocated any more.
#pragma once

#include <memory>
#include <utility>

#include "host-runtime/graph/list.h"

namespace rivulet {

class Task {
public:
    virtual ~Task() = default;
    /// Does it, once, and lets the task go.
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

/// Threads that take tasks in the order in which they became due; the first of each lives as long
/// as the process.
enum class Worker : unsigned char {
    callbacks, // the application's functions: one thread, so that they come in their order
    commands,  // host work that nobody waits for: some threads
    foreign, // host work that runs functions of the application, which may wait for other commands:
             // as many threads as there are tasks
    output,  // what kernels print: one thread, it may take for ever
};

/// Starts its first thread, if it doesn't run yet; before there are tasks for it, since it can
/// fail.
void start(Worker worker);
void run_later(Worker worker, Task &task);

/// A callback, for run_later when it is due.
template <class F> std::unique_ptr<Task> callback(F function) {
    start(Worker::callbacks);
    return std::unique_ptr<Task>(new FunctionTask<F>(std::move(function)));
}
inline void run_callback(std::unique_ptr<Task> task) {
    run_later(Worker::callbacks, *task.release());
}

} // namespace rivulet
