// SPDX-License-Identifier: Apache-2.0
//
// rivulet info: what is known about the devices, and what their firmware reports once started.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "hal/device.h"
#include "tools/command_line/program.h"
#include "tools/rivulet/commands.h"
#include "tools/rivulet/devices.h"
#include "tools/rivulet/watch/conditions.h"
#include "tools/rivulet/watch/users.h"

namespace rivulet::tools {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    bool start = false;
    bool json = false;
    bool verbose = false;
    bool environment = false;
    std::optional<uint32_t> clock_mhz;
};

struct Flag {
    uint32_t bit;
    const char *name;
};
constexpr Flag flags[] = {
    {RVL_DEVICE_MAPS, "shares memory with the host"},
    {RVL_DEVICE_COHERENT, "coherent"},
    {RVL_DEVICE_ISOLATES, "isolates kernels"},
    {RVL_DEVICE_COUNTS_INSTRUCTIONS, "counts instructions exactly"},
    {RVL_DEVICE_VIRTUAL_TIME, "virtual time"},
    {RVL_DEVICE_ATOMICS, "atomics with the host"},
    {RVL_DEVICE_SHARED, "shared with other hosts"},
    {RVL_DEVICE_PRIORITIES, "launches of a high priority come before those of other hosts"},
};

std::string version(uint32_t version) {
    return std::to_string(RVL_VERSION_MAJOR(version)) + "." +
           std::to_string(RVL_VERSION_MINOR(version));
}

std::string hexadecimal(const uint8_t (&bytes)[20]) {
    std::string text;
    for (const uint8_t byte : bytes) {
        constexpr char digits[] = "0123456789abcdef";
        text += {digits[byte >> 4], digits[byte & 15]};
    }
    return text;
}

Json described(const rvl_device_desc &device) {
    Json traits = Json::array();
    for (const Flag &flag : flags)
        if (device.flags & flag.bit)
            traits.push_back(flag.name);
    return {{"machine", device.name}, {"board", device.board},
            {"isa", device.isa},      {"harts", device.harts},
            {"vlen", device.vlen},    {"memory_mib", device.memory_bytes >> 20},
            {"core", device.core},    {"traits", traits}};
}

Json described(const rvl_hello &hello, double start_ms) {
    Json said = {{"start_ms", start_ms},
                 {"protocol", version(hello.protocol)},
                 {"build_id", hexadecimal(hello.build_id)},
                 {"build", hello.build},
                 {"isa", hello.isa},
                 {"core", hello.core},
                 {"harts", hello.harts},
                 {"vlen", hello.vlen},
                 {"pmp_entries", hello.pmp_entries},
                 {"timebase_hz", hello.timebase},
                 {"heap_mib", hello.heap_bytes >> 20},
                 {"local_memory_kib", hello.local_memory_bytes >> 10},
                 {"command_slots", hello.command_slots}};
    if (hello.second_heap_bytes != 0)
        said["second_heap_mib"] = hello.second_heap_bytes >> 20;
    if ((hello.flags & RVL_HELLO_SCRATCHPAD) != 0)
        said["local_memory"] = "in the scratchpad";
    return said;
}

Json described(const rvl_hart_statistics &hart, uint64_t timebase) {
    return {{"mhartid", hart.hart_id},
            {"launches", hart.launches},
            {"groups", hart.groups},
            {"instructions", hart.instructions},
            {"idle_ms", hart.idle * 1000 / timebase}};
}

void print(const Json &object, const char *indent = "") {
    for (const auto &[key, value] : object.items()) {
        if (value.is_object()) {
            std::printf("%s:\n", key.c_str());
            print(value, "  ");
        } else if (value.is_array()) {
            for (const char *name = key.c_str(); const auto &entry : value) {
                std::printf("%s%-18s%s\n", indent, name, entry.get<std::string>().c_str());
                name = "";
            }
        } else {
            std::printf("%s%-18s%s\n", indent, key.c_str(),
                        value.is_string() ? value.get<std::string>().c_str()
                                          : command_line::to_text(value, -1).c_str());
        }
    }
}

/// Who uses the device, if processes share it. Numbered, because one process may use the device
/// several times.
void add_users(const hal::Config &config, Json &result) {
    auto users = Users::of(config);
    if (!users)
        return;
    if (const auto all = users->look())
        for (size_t number = 0; const User &user : *all)
            result["user " + std::to_string(number++)] = described(user);
}

Result<Json> examine(const hal::Config &config, const Options &options) {
    const auto log = [verbose = options.verbose](int level, std::string_view text) {
        if (verbose || level <= 1)
            std::fprintf(stderr, "%.*s\n", int(text.size()), text.data());
    };
    auto device = hal::Device::open(config, log);
    if (!device)
        return std::unexpected(device.error());
    if (options.clock_mhz)
        if (auto set = (*device)->set_clock(*options.clock_mhz); !set)
            return std::unexpected(set.error());
    Json result = described((*device)->description());
    if (Json conditions = described(conditions_of(**device)); !conditions.empty())
        result["conditions"] = std::move(conditions);
    if (!config.location().empty())
        result["configuration"] = config.location();
    if (((*device)->description().flags & RVL_DEVICE_SHARED) != 0)
        add_users(config, result);
    if (!options.start)
        return result;
    using Clock = std::chrono::steady_clock;
    const auto before = Clock::now();
    if (auto started = (*device)->start(); !started)
        return std::unexpected(started.error());
    const std::chrono::duration<double, std::milli> needed = Clock::now() - before;
    result["firmware"] = described((*device)->hello(), needed.count());
    result["state"] = hal::state_name((*device)->state());
    result["restarts"] = (*device)->restarts();
    if (const auto harts = (*device)->statistics())
        for (uint32_t i = 0; i < harts->size(); ++i)
            result["hart " + std::to_string(i)] =
                described((*harts)[i], (*device)->hello().timebase);
    (*device)->stop();
    return result;
}

/// Prints all variables, their current values, and their descriptions.
int print_environment(bool json) {
    struct Row {
        const char *name, *permitted, *otherwise, *meaning;
    };
    constexpr Row rows[] = {
#define RIVULET_VARIABLE(id, name, kind, permitted, otherwise, meaning)                            \
    {name, permitted, otherwise, meaning},
#include "base/environment.def"
    };
    Json all = Json::array();
    for (const auto &[name, permitted, otherwise, meaning] : rows) {
        const char *value = std::getenv(name);
        if (json)
            all.push_back({{"name", name},
                           {"value", value != nullptr ? Json(value) : Json()},
                           {"permitted", permitted},
                           {"default", otherwise},
                           {"meaning", meaning}});
        else
            std::printf("%s%s%s\n    %s\n    permitted: %s; default: %s\n", name,
                        value != nullptr ? "=" : "", value != nullptr ? value : "", meaning,
                        permitted, *otherwise != 0 ? otherwise : "none");
    }
    if (json)
        command_line::print(all);
    return 0;
}

int info(const Options &options) {
    if (options.environment)
        return print_environment(options.json);
    Json all = Json::array();
    bool failed = false;
    std::vector<Error> errors;
    const auto configs = each_device(hal::Config::of_host(errors));
    for (const Error &error : errors) {
        std::fprintf(stderr, "rivulet: %s\n", error.message.c_str());
        failed = true;
    }
    for (const hal::Config &config : configs) {
        auto device = examine(config, options);
        if (device) {
            all.push_back(std::move(*device));
        } else {
            std::fprintf(stderr, "rivulet: %s\n", device.error().message.c_str());
            failed = true;
        }
    }
    if (options.json)
        command_line::print(all);
    else
        for (const Json &device : all)
            print(device);
    return failed ? 1 : 0;
}

} // namespace

void add_info(CLI::App &app, Action &action) {
    auto *command =
        app.add_subcommand("info", "Describes the devices configured by environment and files");
    const auto options = std::make_shared<Options>();
    command->add_flag("--start", options->start, "start the device and query its firmware");
    command->add_flag("--environment", options->environment,
                      "print the environment variables and their values instead");
    command
        ->add_option("--set-clock", options->clock_mhz,
                     "first let the harts run no faster than this, until it is set again")
        ->type_name("MHZ");
    command->add_flag("--json", options->json, "print JSON");
    command->add_flag("-v,--verbose", options->verbose, "print the log of driver and firmware");
    command->callback([&action, options] { action = [options] { return info(*options); }; });
}

} // namespace rivulet::tools
