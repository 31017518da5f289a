// SPDX-License-Identifier: Apache-2.0
//
// A suspended device must not be accessed: commands, reads and writes wait until it is resumed.
#include "base/now.h"
#include "hal/core/mailbox_device.h"

namespace rivulet::hal {
namespace {
// A device may die while suspended, and waiting threads are not notified, so they poll.
constexpr auto look_interval = std::chrono::milliseconds(100);
} // namespace

MailboxDevice::Use::Use(MailboxDevice &device) : device_(device) {
    if (device_.driver_.suspend == nullptr)
        return;
    device_.await_wakefulness(std::chrono::steady_clock::time_point::max(), true);
    counted_ = true;
}

MailboxDevice::Use::~Use() {
    if (!counted_)
        return;
    const Lock lock(device_.sleep_);
    if (--device_.users_ == 0)
        device_.awake_.notify_all();
}

void MailboxDevice::await_wakefulness(std::chrono::steady_clock::time_point until, bool use) {
    Lock lock(sleep_);
    for (;;) {
        const auto now = std::chrono::steady_clock::now();
        if (!suspended_.load() || callbacks_->dead() || !running_.load() || now >= until)
            break;
        awake_.wait_until(lock, std::min(until, now + look_interval));
    }
    if (use)
        ++users_;
}

Result<> MailboxDevice::suspend() {
    if (auto ok = usable(); !ok)
        return ok;
    if (driver_.suspend == nullptr)
        return fail(RVL_UNSUPPORTED, {"driver ", driver_.name, " can't suspend its device"});
    const Lock life(life_);
    {
        Lock lock(sleep_);
        if (suspended_.load())
            return fail(RVL_INVALID, "the device is already suspended");
        suspended_.store(true);
        awake_.wait(lock, [this] { return users_ == 0; });
    }
    driver_.wake(device_); // threads waiting for completions stop accessing the device
    const Lock consumer(consumer_);
    const Lock producer(producer_);
    callbacks_->clear_error();
    const auto status = driver_.suspend(device_);
    if (status == RVL_OK)
        return {};
    const Lock lock(sleep_);
    suspended_.store(false);
    awake_.notify_all();
    return std::unexpected(callbacks_->to_error(status, "suspending the device"));
}

Result<> MailboxDevice::resume() {
    if (forked())
        return usable();
    const Lock life(life_);
    if (!suspended_.load())
        return fail(RVL_INVALID, "the device is not suspended");
    return end_sleep();
}

// Called under the life lock. A device that can't be resumed stays suspended.
Result<> MailboxDevice::end_sleep() {
    if (!suspended_.load())
        return {};
    callbacks_->clear_error();
    if (const auto status = driver_.resume(device_); status != RVL_OK)
        return std::unexpected(callbacks_->to_error(status, "resuming the device"));
    {
        const Lock consumer(consumer_);
        looked_for_life_ = now_ns(); // it had no chance to answer while suspended
        silence_ns_ = 0;
    }
    const Lock lock(sleep_);
    suspended_.store(false);
    awake_.notify_all();
    return {};
}

} // namespace rivulet::hal
