// SPDX-License-Identifier: Apache-2.0
//
// rivulet machines: the valid names for RIVULET_MACHINE and RIVULET_DRIVER.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/data_directory.h"
#include "hal/core/config.h"
#include "tools/command_line/program.h"
#include "tools/rivulet/commands.h"

namespace rivulet::tools {
namespace {

using Json = nlohmann::ordered_json;

/// The machine described by a profile on this host, or the error.
Json described(const std::string &name) {
    hal::Config config = hal::Config::from_environment().front();
    config.set("machine", name);
    config.set("driver", "qemu");
    auto list = hal::Device::list(config, [](int, std::string_view) {});
    if (!list)
        return {{"machine", name}, {"error", list.error().message}};
    const rvl_device_desc &device = list->front();
    return {{"machine", name},
            {"board", device.board},
            {"isa", device.isa},
            {"harts", device.harts},
            {"vlen", device.vlen},
            {"memory_mib", device.memory_bytes >> 20},
            {"counts_instructions", (device.flags & RVL_DEVICE_COUNTS_INSTRUCTIONS) != 0}};
}

int machines(bool json, bool drivers) {
    std::string folder = hal::Config::from_environment().front().get("data");
    if (folder.empty())
        folder = find_data_directory();
    folder += drivers ? "/drivers" : "/machines";
    std::vector<std::string> names;
    std::error_code none;
    for (const auto &entry : std::filesystem::directory_iterator(folder, none))
        if (entry.path().extension() == (drivers ? ".so" : ".cfg"))
            names.push_back(entry.path().stem());
    if (names.empty()) {
        std::fprintf(stderr,
                     "rivulet: no %s in \"%s\"; set RIVULET_DATA to the folder with machines/, "
                     "firmware/ and drivers/\n",
                     drivers ? "drivers" : "machine profiles", folder.c_str());
        return 1;
    }
    std::ranges::sort(names);
    Json all = Json::array();
    for (const auto &name : names) {
        if (json)
            all.push_back(drivers ? Json({{"driver", name}}) : described(name));
        else
            std::printf("%s\n", name.c_str());
    }
    if (json)
        command_line::print(all);
    return 0;
}

} // namespace

void add_machines(CLI::App &app, Action &action) {
    auto *command = app.add_subcommand("machines", "Lists the QEMU machine profiles");
    const auto json = std::make_shared<bool>(false);
    const auto drivers = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "print JSON with the properties of each machine");
    command->add_flag("--drivers", *drivers, "list drivers for RIVULET_DRIVER instead");
    command->callback([&action, json, drivers] {
        action = [json, drivers] { return machines(*json, *drivers); };
    });
}

} // namespace rivulet::tools
