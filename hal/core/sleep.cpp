// SPDX-License-Identifier: Apache-2.0
#include "hal/core/sleep.h"

#include <algorithm>

namespace rivulet::hal {
namespace {
// A device may die while suspended, and waiting threads are not notified, so they poll.
constexpr auto look_interval = std::chrono::milliseconds(100);
} // namespace

Sleep::Use::Use(Sleep &sleep) : sleep_(sleep) {
    if (sleep_.link_.driver.suspend == nullptr)
        return;
    sleep_.await_end(std::chrono::steady_clock::time_point::max(), true);
    counted_ = true;
}

Sleep::Use::~Use() {
    if (!counted_)
        return;
    const Lock lock(sleep_.mutex_);
    if (--sleep_.users_ == 0)
        sleep_.ended_.notify_all();
}

void Sleep::await_end(std::chrono::steady_clock::time_point until) { await_end(until, false); }

void Sleep::await_end(std::chrono::steady_clock::time_point until, bool use) {
    Lock lock(mutex_);
    for (;;) {
        const auto now = std::chrono::steady_clock::now();
        if (!asleep_.load() || link_.callbacks->dead() || !link_.running.load() || now >= until)
            break;
        ended_.wait_until(lock, std::min(until, now + look_interval));
    }
    if (use)
        ++users_;
}

Result<> Sleep::begin() {
    Lock lock(mutex_);
    if (asleep_.load())
        return fail(RVL_INVALID, "the device is already suspended");
    asleep_.store(true);
    ended_.wait(lock, [this] { return users_ == 0; });
    return {};
}

void Sleep::end() {
    const Lock lock(mutex_);
    asleep_.store(false);
    ended_.notify_all();
}

} // namespace rivulet::hal
