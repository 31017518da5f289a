// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/devices.h"

#include <string>
#include <string_view>

#include "hal/device.h"

namespace rivulet::tools {

std::vector<hal::Config> each_device(const std::vector<hal::Config> &configs) {
    std::vector<hal::Config> all;
    for (const hal::Config &config : configs) {
        all.push_back(config);
        if (!config.get("device").empty())
            continue;
        const auto found = hal::Device::list(config, [](int, std::string_view) {});
        for (size_t i = 1; found && i < found->size(); ++i) // if none was found, `open` reports why
            all.emplace_back(config).set("device", std::to_string(i));
    }
    return all;
}

} // namespace rivulet::tools
