// SPDX-License-Identifier: Apache-2.0
//
// rivulet machines: the names that RIVULET_MACHINE may have.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "hal/core/config.h"
#include "tools/rivulet/commands.h"

namespace rivulet::tools {
namespace {

int machines() {
    std::string data = hal::Config::from_environment().front().get("data");
    if (data.empty())
        data = hal::find_data_directory();
    std::vector<std::string> names;
    std::error_code none;
    for (const auto &entry : std::filesystem::directory_iterator(data + "/machines", none))
        if (entry.path().extension() == ".cfg")
            names.push_back(entry.path().stem());
    if (names.empty()) {
        std::fprintf(stderr,
                     "rivulet: no machine profiles in \"%s/machines\"; set RIVULET_DATA to the "
                     "folder with machines/ and firmware/\n",
                     data.c_str());
        return 1;
    }
    std::ranges::sort(names);
    for (const auto &name : names)
        std::printf("%s\n", name.c_str());
    return 0;
}

} // namespace

void add_machines(CLI::App &app, Action &action) {
    app.add_subcommand("machines", "Lists the QEMU machine profiles")->callback([&action] {
        action = machines;
    });
}

} // namespace rivulet::tools
