// SPDX-License-Identifier: Apache-2.0
#include "hal/core/driver_callbacks.h"

namespace rivulet::hal {

DriverCallbacks::DriverCallbacks(Log log) : log_(std::move(log)) {
    interface_ = {
        .size = sizeof interface_,
        .user = this,
        .log =
            [](void *user, int level, const char *text) noexcept {
                try {
                    static_cast<DriverCallbacks *>(user)->log(level, text);
                } catch (const std::bad_alloc &) { // exceptions must not reach the driver
                }
            },
        .died =
            [](void *user, const char *reason) {
                static_cast<DriverCallbacks *>(user)->declare_dead(reason);
            },
    };
}

void DriverCallbacks::log(int level, std::string_view text) {
    if (level == 0) {
        const Lock lock(mutex_);
        last_error_ = text;
        if (calls_ != 0) {
            held_.emplace_back(text);
            return;
        }
    }
    if (log_)
        log_(level, text);
}

void DriverCallbacks::clear_error() {
    const Lock lock(mutex_);
    last_error_.clear();
}

Error DriverCallbacks::to_error(rvl_status status, std::string_view what) {
    const Lock lock(mutex_);
    if (!last_error_.empty())
        return {status, last_error_};
    const bool told = status == RVL_DEAD && !reason_.empty();
    return {status, text({what, " failed: ", told ? reason_ : status_text(status)})};
}

Error DriverCallbacks::death() {
    const Lock lock(mutex_);
    return {RVL_DEAD, reason_};
}

void DriverCallbacks::declare_dead(std::string_view reason) {
    {
        const Lock lock(mutex_);
        if (dead())
            return; // only the first reason matters
        try {
            reason_ = reason;
        } catch (const std::bad_alloc &) { // dead anyway
        }
        dead_.store(true, std::memory_order_release);
    }
    const Lock lock(telling_);
    if (told_)
        told_();
}

void DriverCallbacks::on_death(std::function<void()> told) {
    const Lock lock(telling_);
    told_ = std::move(told);
}

void DriverCallbacks::reset() {
    const Lock lock(mutex_);
    reason_.clear();
    dead_.store(false, std::memory_order_release);
}

DriverCall::DriverCall(DriverCallbacks &callbacks) : callbacks_(callbacks) {
    const Lock lock(callbacks_.mutex_);
    callbacks_.last_error_.clear();
    ++callbacks_.calls_;
}

DriverCall::~DriverCall() {
    std::vector<std::string> held;
    {
        const Lock lock(callbacks_.mutex_);
        if (--callbacks_.calls_ == 0)
            held.swap(callbacks_.held_);
    }
    if (!callbacks_.log_)
        return;
    try {
        for (const auto &text : held)
            callbacks_.log_(0, text);
    } catch (const std::bad_alloc &) { // as for what a driver logs between calls
    }
}

Error DriverCall::to_error(rvl_status status, std::string_view what) {
    Error error = callbacks_.to_error(status, what);
    const Lock lock(callbacks_.mutex_);
    std::erase(callbacks_.held_, error.message);
    return error;
}

} // namespace rivulet::hal
