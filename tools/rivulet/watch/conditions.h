// SPDX-License-Identifier: Apache-2.0
//
// Clock, temperature and throttling of a device, as far as its driver knows them.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "hal/device.h"

namespace rivulet::tools {

struct Conditions {
    uint32_t max_clock_mhz = 0;        // 0: unknown
    std::optional<rvl_conditions> now; // nullopt: there are no sensors, or they can't be read
};

Conditions conditions_of(hal::Device &device);
/// Empty if nothing is known; so is the text.
nlohmann::ordered_json described(const Conditions &conditions);
/// "clock 614 of 1600 MHz, 48.5 C (limit 85.0 C), throttled".
std::string text_of(const Conditions &conditions);

} // namespace rivulet::tools
