// SPDX-License-Identifier: Apache-2.0
//
// rivulet version: prints the versions of all parts.
#include <cstdio>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "base/build_version.h"
#include "base/data_directory.h"
#include "base/read_file.h"
#include "hal/core/config.h"
#include "hal/core/describe.h"
#include "hal/core/firmware_file.h"
#include "hal/protocol/version.h"
#include "tools/command_line/program.h"
#include "tools/rivulet/commands.h"
#include "tools/rivulet/process.h"

namespace rivulet::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

/// Board and protocol version of each firmware file in the data directory.
Json firmware_files() {
    Json all = Json::object();
    std::error_code none;
    const std::string folder = find_data_directory() + "/firmware";
    for (const auto &entry : std::filesystem::directory_iterator(folder, none)) {
        const auto bytes = read_file(entry.path());
        if (!bytes)
            continue;
        if (const auto file = hal::parse_firmware(*bytes, entry.path()))
            all[entry.path().stem()] = "protocol " + hal::version_text(file->note.protocol);
    }
    return all;
}

int version(bool json) {
    Json result = {{"rivulet", build_version()},
                   {"hal", hal::version_text(RVL_HAL_VERSION)},
                   {"protocol", hal::version_text(RVL_PROTOCOL_VERSION)},
                   {"kernel_image", hal::version_text(RVL_KERNEL_IMAGE_VERSION)},
                   {"compile_protocol", hal::version_text(RVL_COMPILE_VERSION)}};
    const auto compiler = output_of({program_beside("rivulet-cc"), "--version"});
    result["compiler"] =
        compiler && compiler->status == 0 ? Json(first_line(compiler->text)) : Json();
    result["firmware"] = firmware_files();
    if (json) {
        command_line::print(result);
        return 0;
    }
    for (const auto &[key, value] : result.items()) {
        if (!value.is_object()) {
            std::printf("%-18s%s\n", key.c_str(),
                        value.is_string() ? value.get<std::string>().c_str() : "not installed");
            continue;
        }
        for (const auto &[name, text] : value.items())
            std::printf("%-18s%s\n", name.c_str(), text.get<std::string>().c_str());
    }
    return 0;
}

} // namespace

void add_version(CLI::App &app, Action &action) {
    auto *command =
        app.add_subcommand("version", "Prints versions of programs, interfaces and firmware");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "print JSON");
    command->callback([&action, json] { action = [json] { return version(*json); }; });
}

} // namespace rivulet::tools
