// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/watch/conditions.h"

#include <cstdio>

#include <nlohmann/json.hpp>

namespace rivulet::tools {
namespace {

std::string celsius(int32_t millidegrees) {
    char written[32];
    std::snprintf(written, sizeof written, "%.1f C", millidegrees / 1000.0);
    return written;
}

} // namespace

Conditions conditions_of(hal::Device &device) {
    Conditions conditions{.max_clock_mhz = device.description().clock_mhz, .now = {}};
    if (const auto now = device.conditions())
        conditions.now = *now;
    return conditions;
}

nlohmann::ordered_json described(const Conditions &conditions) {
    nlohmann::ordered_json said = nlohmann::ordered_json::object();
    if (conditions.max_clock_mhz != 0)
        said["max_clock_mhz"] = conditions.max_clock_mhz;
    const auto &now = conditions.now;
    if (!now)
        return said;
    if (now->clock_mhz != 0)
        said["clock_mhz"] = now->clock_mhz;
    if (now->millidegrees != RVL_NO_TEMPERATURE)
        said["celsius"] = now->millidegrees / 1000.0;
    if (now->millidegrees_limit != RVL_NO_TEMPERATURE)
        said["celsius_limit"] = now->millidegrees_limit / 1000.0;
    said["throttled"] = (now->flags & RVL_CONDITION_THROTTLED) != 0;
    return said;
}

std::string text_of(const Conditions &conditions) {
    const auto &now = conditions.now;
    if (!now)
        return {};
    std::string line;
    const auto add = [&line](const std::string &part) {
        line += (line.empty() ? "" : ", ") + part;
    };
    if (now->clock_mhz != 0)
        add("clock " + std::to_string(now->clock_mhz) +
            (conditions.max_clock_mhz != 0 ? " of " + std::to_string(conditions.max_clock_mhz)
                                           : std::string()) +
            " MHz");
    if (now->millidegrees != RVL_NO_TEMPERATURE)
        add(celsius(now->millidegrees) + (now->millidegrees_limit != RVL_NO_TEMPERATURE
                                              ? " (limit " + celsius(now->millidegrees_limit) + ")"
                                              : ""));
    if ((now->flags & RVL_CONDITION_THROTTLED) != 0)
        add("throttled");
    return line;
}

} // namespace rivulet::tools
