// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/task.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/floating_point.h"
#include "base/fork.h"
#include "base/lock.h"
#include "base/thread.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

using namespace std::chrono_literals;

constexpr auto idle_time = 10s; // after this time a thread ends, unless it is the last one

class TaskThreads {
public:
    explicit TaskThreads(unsigned most) : most_(most) {}

    void start() {
        const Lock lock(mutex_);
        require(count_ || add(), CL_OUT_OF_RESOURCES, "the system gives no more threads");
    }
    void push(Task &task) {
        const Lock lock(mutex_);
        due_.push(task);
        if (due_.size() > idle_ && count_ < most_)
            (void)add(); // otherwise the existing threads will do it
        wake_.notify_one();
    }
    /// Waits until all tasks are done, at most for `limit`.
    void finish(std::chrono::seconds limit) {
        const auto until = std::chrono::steady_clock::now() + limit;
        Lock lock(mutex_);
        while ((due_.first() || idle_ < count_) && std::chrono::steady_clock::now() < until)
            rest_.wait_until(lock, until);
    }

private:
    // Not std::thread, which allocates: running a due task must not fail for lack of memory.
    bool add() {
        const ThreadDefaults defaults;
        pthread_t thread;
        const auto body = [](void *self) -> void * {
            static_cast<TaskThreads *>(self)->run();
            return nullptr;
        };
        if (pthread_create(&thread, nullptr, body, this) != 0)
            return false;
        pthread_detach(thread);
        ++count_;
        return true;
    }

    void run();

    const unsigned most_;
    Mutex mutex_{LockRank::callback};
    Condition wake_;
    Condition rest_; // idle threads only, when nothing is due
    Task::List due_;
    unsigned count_ = 0;
    unsigned idle_ = 0;
};

// Never destroyed: a task may be running while the process exits.
TaskThreads &threads_of(Worker worker) {
    static auto *threads =
        new std::array{TaskThreads(1), TaskThreads(std::clamp(processor_count(), 2u, 8u)),
                       TaskThreads(1000), TaskThreads(1), TaskThreads(1)};
    return (*threads)[static_cast<size_t>(worker)];
}

thread_local bool runs_callbacks = false;

void TaskThreads::run() {
    runs_callbacks = this == &threads_of(Worker::callbacks);
    for (Lock lock(mutex_);;) {
        const auto until = std::chrono::steady_clock::now() + idle_time;
        ++idle_;
        if (!due_.first())
            rest_.notify_all();
        while (!due_.first() && (count_ == 1 || std::chrono::steady_clock::now() < until))
            count_ == 1 ? wake_.wait(lock) : wake_.wait_until(lock, until);
        --idle_;
        Task *task = due_.pop();
        if (!task) {
            --count_;
            return;
        }
        lock.unlock();
        {
            const DefaultFloatingPoint floating_point; // resets what the application's
                                                       // callback left
            task->run();
        }
        lock.lock();
    }
}

// Application callbacks are called before exit, unless one of them never returns.
void tell_all_at_exit() {
    static const uint32_t process = process_generation();
    static const int registered = std::atexit([] {
        if (process_generation() == process && !runs_callbacks) // a forked child has no such thread
            threads_of(Worker::callbacks).finish(5s);
    });
    (void)registered;
}

} // namespace

void start(Worker worker) {
    threads_of(worker).start();
    if (worker == Worker::callbacks)
        tell_all_at_exit();
}

void run_later(Worker worker, Task &task) { threads_of(worker).push(task); }

} // namespace rivulet
