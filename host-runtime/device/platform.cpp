// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/platform.h"

#include <cstdio>
#include <cstdlib>

#include "host-runtime/object/entry.h"

namespace rivulet {

void log(int level, std::string_view text) {
    static const int most = [] {
        const char *setting = std::getenv("RIVULET_LOG");
        return setting ? std::atoi(setting) : 0;
    }();
    static constexpr const char *levels[] = {"error", "warning", "note", "debug"};
    if (level <= most)
        std::fprintf(stderr, "rivulet: %s: %.*s\n",
                     levels[level < 0   ? 0
                            : level > 3 ? 3
                                        : level],
                     static_cast<int>(text.size()), text.data());
}

Platform &Platform::get() {
    // Never destroyed: the application may use handles while its own statics go.
    static Platform &platform = *new Platform;
    return platform;
}

Platform::Platform() : Object(Kind::platform) {
    for (hal::Config &config : hal::Config::from_environment()) {
        auto device = hal::Device::open(std::move(config), log);
        if (!device) {
            require(device.error().status != RVL_NO_MEMORY, CL_OUT_OF_HOST_MEMORY);
            log(0, device.error().message);
            continue;
        }
        accelerators_.push_back(std::make_unique<Accelerator>(std::move(*device)));
        devices_.push_back(make<Device>(*accelerators_.back()));
    }
    for (const Ref<Device> &device : devices_)
        device->retain_handle();
    retain_handle();
}

} // namespace rivulet
