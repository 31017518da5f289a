// SPDX-License-Identifier: Apache-2.0
//
// The functions that a driver may call (rvl_host), and their results: the last error the driver
// logged, and how the device died.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/lock.h"
#include "hal/device.h"

namespace rivulet::hal {

class DriverCallbacks {
public:
    explicit DriverCallbacks(Log log);
    DriverCallbacks(const DriverCallbacks &) = delete;
    DriverCallbacks &operator=(const DriverCallbacks &) = delete;

    [[nodiscard]] const rvl_host *c_interface() const { return &interface_; }

    void log(int level, std::string_view text);
    /// Converts the driver's status to an Error, with the driver's own message if it logged one
    /// since `clear_error`.
    void clear_error();
    [[nodiscard]] Error to_error(rvl_status status, std::string_view what);

    [[nodiscard]] bool dead() const { return dead_.load(std::memory_order_acquire); }
    [[nodiscard]] Error death();
    void declare_dead(std::string_view reason);
    void reset();
    /// Sets the function to call after a death. Once this returns, the previous function is no
    /// longer called.
    void on_death(std::function<void()> told);

private:
    friend class DriverCall;

    Log log_;
    rvl_host interface_{};
    Mutex mutex_{LockRank::leaf};
    std::string last_error_;
    std::vector<std::string> held_; // errors that the driver logged during a DriverCall
    unsigned calls_ = 0;
    std::string reason_;
    std::atomic<bool> dead_ = false;
    Mutex telling_{LockRank::death}; // held while the function set by on_death runs
    std::function<void()> told_;
};

/// A call of a driver that returns an Error if it fails. The caller prints that Error, so the
/// driver's message in it is not logged as well. Its other messages are logged when the call ends.
class DriverCall {
public:
    explicit DriverCall(DriverCallbacks &callbacks);
    ~DriverCall();
    DriverCall(const DriverCall &) = delete;
    DriverCall &operator=(const DriverCall &) = delete;

    /// The Error of a call that failed, with the driver's own message if it logged one.
    [[nodiscard]] Error to_error(rvl_status status, std::string_view what);

private:
    DriverCallbacks &callbacks_;
};

} // namespace rivulet::hal
