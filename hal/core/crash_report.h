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
    /// Writes the device's memory and registers to a core file, if RIVULET_CRASH_DUMP requests it.
    void dump();

    [[nodiscard]] bool crashed() const { return crashed_.load(); }
    void clear() { crashed_.store(false); }

private:
    std::string recorded();

    Link &link_;
    LogReader &log_;
    std::atomic<bool> crashed_ = false;
};

} // namespace rivulet::hal
