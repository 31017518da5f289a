// SPDX-License-Identifier: Apache-2.0
//
// The report that failed firmware leaves, and a core file of the device.
#pragma once

#include <atomic>
#include <string>

#include "hal/core/link.h"
#include "hal/core/log_reader.h"

namespace rivulet::hal {

class CrashReport {
public:
    CrashReport(Link &link, LogReader &log) : link_(link), log_(log) {}

    /// Logs the report and returns the reason.
    std::string report();
    /// The same for firmware that has gone silent, if it left a report before; else empty.
    std::string report_of_silence();
    /// The same before a reset or a load, which would erase the report; an earlier host may have
    /// left it. The link must have the firmware's hello.
    std::string report_left();
    /// True if the firmware whose hello the link has failed. It may still be stopping devices.
    [[nodiscard]] bool is_there();

    [[nodiscard]] bool crashed() const { return crashed_.load(); }
    /// Other firmware is about to start.
    void clear() { crashed_ = logged_ = dumped_ = false; }

private:
    std::string recorded();
    void dump();

    Link &link_;
    LogReader &log_;
    std::atomic<bool> crashed_ = false;
    // Threads that wait for different things may find the same failure.
    std::atomic<bool> logged_ = false, dumped_ = false;
};

} // namespace rivulet::hal
