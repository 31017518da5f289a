// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/linux/sensors.h"

#include <charconv>
#include <limits>

#include "hal/drivers/linux/sysfs.h"

namespace rivulet::hal::window {
namespace {

constexpr std::string_view input = "_input"; // of hwmon's files

Result<int32_t> read_number(const std::string &path) {
    const auto line = read_line(path);
    if (!line)
        return std::unexpected(line.error());
    int32_t value = 0;
    const auto [end, error] = std::from_chars(line->data(), line->data() + line->size(), value);
    if (error != std::errc() || (end != line->data() + line->size() && *end != '\n'))
        return fail(RVL_IO, {path, " holds no number: ", *line});
    return value;
}

uint32_t mhz_of(int32_t khz) { return static_cast<uint32_t>(std::max(khz, 0) / 1000); }

/// The temperature at which hwmon's sensor calls for measures; thermal zones have several.
std::string limit_of(std::string_view path) {
    return path.ends_with(input) ? text({path.substr(0, path.size() - input.size()), "_max"}) : "";
}

} // namespace

Result<Sensors> Sensors::create(const Settings &settings) {
    Sensors sensors;
    if (const auto policy = settings.get("sensors.clock"); !policy.empty()) {
        sensors.clock_ = sysfs_path(settings, {"/", policy});
        const auto khz = read_number(sensors.clock_ + "/cpuinfo_max_freq");
        if (!khz)
            return std::unexpected(khz.error());
        sensors.max_clock_mhz_ = mhz_of(*khz);
    }
    if (const auto file = settings.get("sensors.temperature"); !file.empty()) {
        sensors.temperature_ = sysfs_path(settings, {"/", file});
        if (const auto now = read_number(sensors.temperature_); !now)
            return std::unexpected(now.error());
    }
    return sensors;
}

rvl_status Sensors::read(rvl_conditions &conditions) const {
    if (clock_.empty() && temperature_.empty())
        return RVL_UNSUPPORTED;
    if (!clock_.empty()) {
        const auto now = read_number(clock_ + "/scaling_cur_freq");
        // The kernel's cooling and the firmware of a power manager lower it, as may the
        // administrator.
        const auto permitted = read_number(clock_ + "/scaling_max_freq");
        if (!now || !permitted)
            return RVL_IO;
        conditions.clock_mhz = mhz_of(*now);
        if (mhz_of(*permitted) < max_clock_mhz_)
            conditions.flags |= RVL_CONDITION_THROTTLED;
    }
    if (!temperature_.empty()) {
        const auto now = read_number(temperature_);
        if (!now)
            return RVL_IO;
        conditions.millidegrees = *now;
        if (const auto limit = read_number(limit_of(temperature_)))
            conditions.millidegrees_limit = *limit;
    }
    return RVL_OK;
}

Result<> Sensors::set_clock(uint32_t mhz) const {
    if (clock_.empty())
        return fail(RVL_UNSUPPORTED, "no clock can be set without \"sensors.clock\"");
    const auto least = read_number(clock_ + "/cpuinfo_min_freq");
    if (!least)
        return std::unexpected(least.error());
    // cpufreq itself would take the nearest clock instead.
    if (mhz < mhz_of(*least) || mhz > max_clock_mhz_)
        return fail(RVL_INVALID, {"the harts have no clock of ", mhz, " MHz, only ", mhz_of(*least),
                                  " to ", max_clock_mhz_, " MHz"});
    return write_line(clock_ + "/scaling_max_freq", std::to_string(uint64_t{mhz} * 1000));
}

} // namespace rivulet::hal::window
