// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/task.h"

#include <thread>

#include "host-runtime/object/lock.h"

namespace rivulet {
namespace {

class TaskThread {
public:
    void start() {
        const Lock lock(mutex_);
        if (started_)
            return;
        std::thread([this] { run(); }).detach();
        started_ = true;
    }
    void push(Task &task) {
        const Lock lock(mutex_);
        due_.push(task);
        wake_.notify_one();
    }

private:
    [[noreturn]] void run() {
        for (Lock lock(mutex_);;) {
            wake_.wait(lock, [&] { return due_.first(); });
            Task *task = due_.pop();
            lock.unlock();
            task->run();
            lock.lock();
        }
    }

    Mutex mutex_{LockRank::callback};
    Condition wake_;
    Task::List due_;
    bool started_ = false;
};

// Never destroyed: a task may be under way while the process ends.
TaskThread &thread_of(Worker worker) {
    static auto *threads = new TaskThread[3];
    return threads[static_cast<size_t>(worker)];
}

} // namespace

void start(Worker worker) { thread_of(worker).start(); }

void run_later(Worker worker, Task &task) { thread_of(worker).push(task); }

} // namespace rivulet
