// SPDX-License-Identifier: Apache-2.0
#include "hal/core/host_side.h"

namespace rivulet::hal {

HostSide::HostSide(Log log) : log_(std::move(log)) {
    interface_ = {
        .size = sizeof interface_,
        .user = this,
        .log =
            [](void *user, int level, const char *text) noexcept {
                try {
                    static_cast<HostSide *>(user)->log(level, text);
                } catch (const std::bad_alloc &) { // an exception must not reach the driver
                }
            },
        .died = [](void *user,
                   const char *reason) { static_cast<HostSide *>(user)->declare_dead(reason); },
    };
}

void HostSide::log(int level, std::string_view text) {
    if (level == 0) {
        const Lock lock(mutex_);
        last_error_ = text;
    }
    if (log_)
        log_(level, text);
}

void HostSide::expect() {
    const Lock lock(mutex_);
    last_error_.clear();
}

Error HostSide::explained(rvl_status status, std::string_view what) {
    const Lock lock(mutex_);
    if (!last_error_.empty())
        return {status, last_error_};
    return {status, text({what, " failed: ", status_text(status)})};
}

Error HostSide::death() {
    const Lock lock(mutex_);
    return {RVL_DEAD, reason_};
}

void HostSide::declare_dead(std::string_view reason) {
    {
        const Lock lock(mutex_);
        if (dead())
            return; // the first reason is the one that matters
        try {
            reason_ = reason;
        } catch (const std::bad_alloc &) { // dead all the same
        }
        dead_.store(true, std::memory_order_release);
    }
    const Lock lock(telling_);
    if (told_)
        told_();
}

void HostSide::on_death(std::function<void()> told) {
    const Lock lock(telling_);
    told_ = std::move(told);
}

void HostSide::revive() {
    const Lock lock(mutex_);
    reason_.clear();
    dead_.store(false, std::memory_order_release);
}

} // namespace rivulet::hal
