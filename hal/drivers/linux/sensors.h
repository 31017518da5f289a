// SPDX-License-Identifier: Apache-2.0
//
// Sensors of the harts' chip, which the kernel shows in sysfs: a clock by cpufreq, which can be
// set, and a temperature by hwmon or thermal.
#pragma once

#include <string>

#include "hal/core/config.h"

namespace rivulet::hal::window {

class Sensors {
public:
    /// `sensors.clock`: a policy of cpufreq ("devices/system/cpu/cpufreq/policy4");
    /// `sensors.temperature`: a file in 1/1000 degree ("class/hwmon/hwmon0/temp1_input",
    /// "class/thermal/thermal_zone0/temp"). Both are paths in sysfs. An error says which file can't
    /// be read.
    static Result<Sensors> create(const Settings &settings);

    [[nodiscard]] uint32_t max_clock_mhz() const { return max_clock_mhz_; } ///< 0: unknown
    /// RVL_UNSUPPORTED without any sensor, RVL_IO if one can't be read any more.
    rvl_status read(rvl_conditions &conditions) const;
    /// Sets the policy's highest clock, which the administrator may do; RVL_UNSUPPORTED without a
    /// policy, RVL_INVALID for a clock that its harts don't have.
    [[nodiscard]] Result<> set_clock(uint32_t mhz) const;

private:
    std::string clock_, temperature_; // paths; "": none
    uint32_t max_clock_mhz_ = 0;
};

} // namespace rivulet::hal::window
