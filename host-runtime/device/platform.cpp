// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/platform.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "base/environment.h"
#include "base/error.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

namespace {

/// RIVULET_LOG; -1 if unset.
int log_setting() {
    static const int level = [] {
        const auto setting = environment_number(Variable::log);
        return setting ? static_cast<int>(*setting) : -1;
    }();
    return level;
}

void write_line(int level, std::string_view text) {
    static constexpr const char *levels[] = {"error", "warning", "note", "debug"};
    std::fprintf(stderr, "rivulet: %s: %.*s\n", levels[std::clamp(level, 0, 3)],
                 static_cast<int>(text.size()), text.data());
}

/// One configuration per device found by a driver, unless a configuration selects one.
std::vector<hal::Config> each_device(const std::vector<hal::Config> &configs) {
    std::vector<hal::Config> all;
    for (const hal::Config &config : configs) {
        const auto found = config.get("device").empty()
                               ? hal::Device::list(config, [](int, std::string_view) {})
                               : Result<std::vector<rvl_device_desc>>();
        const size_t count = found ? found->size() : 0; // if none was found, `open` reports why
        all.push_back(config);
        for (size_t i = 1; i < count; ++i)
            all.emplace_back(config).set("device", text({i}));
    }
    return all;
}

} // namespace

void log(int level, std::string_view text) {
    if (level <= std::max(log_setting(), 0))
        write_line(level, text);
}

void log_fault(std::string_view text) {
    constexpr unsigned shown_by_default = 20;
    static std::atomic<unsigned> shown = 0;
    const int setting = log_setting();
    if (setting == 0)
        return;
    const unsigned before = setting < 0 ? shown++ : 0;
    if (before < shown_by_default)
        write_line(1, text);
    else if (before == shown_by_default)
        write_line(1, "further kernel faults are not shown; RIVULET_LOG=1 shows all");
}

Platform &Platform::get() {
    // Never destroyed: the application may use handles in destructors of static objects.
    static Platform &platform = *new Platform;
    return platform;
}

Ref<Platform> Platform::checked_or_default(cl_platform_id handle) {
    return handle ? checked(handle) : Ref<Platform>(get());
}

Platform::Platform() : Object(Kind::platform) {
    warn_of_unknown_variables();
    std::vector<Error> errors;
    auto configs = hal::Config::of_host(errors);
    for (const Error &error : errors)
        log(0, error.message);
    for (hal::Config &config : each_device(configs)) {
        auto device = hal::Device::open(config, log);
        if (!device) {
            if (device.error().status == RVL_NO_MEMORY)
                throw std::bad_alloc();
            log(0, device.error().message);
            continue;
        }
        physical_devices_.push_back(
            std::make_unique<PhysicalDevice>(std::move(*device), std::move(config)));
        devices_.push_back(make<Device>(*physical_devices_.back()));
    }
    for (const Ref<Device> &device : devices_)
        device->retain_handle();
    retain_handle();
}

} // namespace rivulet
