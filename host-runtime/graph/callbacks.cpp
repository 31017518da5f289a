// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/callbacks.h"

#include <condition_variable>
#include <deque>
#include <thread>

#include "host-runtime/object/lock.h"

namespace rivulet {
namespace {

class TaskThread {
public:
    void push(std::function<void()> task) {
        Lock lock(mutex_);
        if (!started_) {
            std::thread([this] { run(); }).detach();
            started_ = true;
        }
        due_.push_back(std::move(task));
        wake_.notify_one();
    }

private:
    [[noreturn]] void run() {
        for (Lock lock(mutex_);;) {
            wake_.wait(lock, [&] { return !due_.empty(); });
            auto task = std::move(due_.front());
            due_.pop_front();
            lock.unlock();
            task();
            task = nullptr; // may release objects: not under the lock
            lock.lock();
        }
    }

    Mutex mutex_{LockRank::callback};
    std::condition_variable_any wake_;
    std::deque<std::function<void()>> due_;
    bool started_ = false;
};

} // namespace

// Never destroyed: a task may be under way while the process ends.
void run_callback(std::function<void()> callback) {
    static auto &thread = *new TaskThread;
    thread.push(std::move(callback));
}

void run_on_worker(std::function<void()> task) {
    static auto &thread = *new TaskThread;
    thread.push(std::move(task));
}

} // namespace rivulet
