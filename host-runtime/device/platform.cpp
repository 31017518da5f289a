// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/platform.h"

#include <new>

#include "base/environment.h"
#include "base/error.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/object/log.h"

namespace rivulet {

namespace {

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
            log(0, device.error().message);
            if (device.error().status == RVL_NO_MEMORY)
                throw std::bad_alloc();
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
