// SPDX-License-Identifier: Apache-2.0
//
// The devices of this host, from the environment and from configuration files.
#include "hal/core/config.h"

#include <algorithm>
#include <span>

#include "base/environment.h"
#include "base/parse.h"
#include "hal/core/config_file.h"

namespace rivulet::hal {
namespace {

/// Takes the text before the next `separator` off the front of `text`.
std::string_view next_part(std::string_view &text, char separator) {
    const auto end = text.find(separator);
    const auto part = trimmed(text.substr(0, end));
    text = end == text.npos ? std::string_view{} : text.substr(end + 1);
    return part;
}

void set_all(Config &config, std::string_view settings) {
    while (!settings.empty()) {
        auto value = next_part(settings, ',');
        if (value.empty())
            continue;
        const auto key = next_part(value, '=');
        config.set(key, trimmed(value));
    }
}

void set_common(Config &config) {
    for (const auto &[variable, key] : common_keys)
        if (const char *value = environment(variable); value != nullptr)
            config.set(key, value);
}

/// The machines in RIVULET_MACHINE: those in `named`, otherwise `common` plus the machine.
std::vector<Config> from_machines(std::span<const Config> named, const Config &common) {
    std::vector<Config> configs;
    const char *machines = environment(Variable::machine);
    for (std::string_view rest = machines != nullptr ? machines : ""; !rest.empty();) {
        auto settings = next_part(rest, ';');
        // Separators alone count as a machine without a name, which `open` rejects.
        if (settings.empty() && !(rest.empty() && configs.empty()))
            continue;
        const auto name = next_part(settings, ',');
        const auto known = std::ranges::find_if(named, [&](const Config &config) {
            return !name.empty() && config.get("name") == name;
        });
        if (known != named.end())
            configs.push_back(*known);
        else
            configs.emplace_back(common).set("machine", name);
        set_all(configs.back(), settings);
    }
    return configs;
}

} // namespace

std::vector<Config> Config::from_environment() {
    Config common;
    set_common(common);
    auto configs = from_machines({}, common);
    if (configs.empty())
        configs.push_back(common);
    return configs;
}

std::vector<Config> Config::of_host(std::vector<Error> &errors) {
    auto files = read_config_files();
    for (Config &device : files.devices)
        set_common(device);
    Config common;
    set_common(common);
    auto configs = from_machines(files.devices, common);
    errors = std::move(files.errors);
    // A driver named by the environment describes its device completely, so files are not read.
    if (configs.empty() && environment(Variable::driver) == nullptr) {
        configs = std::move(files.devices);
        // After an error in a file, don't substitute a device that its author did not ask for.
        if (!errors.empty())
            return configs;
    }
    if (configs.empty())
        configs.push_back(common);
    return configs;
}

void Config::set(std::string_view key, std::string_view value) {
    for (auto &[known, old] : values_)
        if (known == key) {
            old = value;
            return;
        }
    values_.emplace_back(key, value);
}

std::string Config::get(std::string_view key, std::string_view fallback) const {
    for (const auto &[known, value] : values_)
        if (known == key)
            return value;
    return std::string(fallback);
}

std::vector<std::string> Config::entries() const {
    std::vector<std::string> entries;
    for (const auto &[key, value] : values_)
        if (key != "name")
            entries.push_back(text({key, "=", value}));
    return entries;
}

void Config::set_location(std::string_view key, std::string location) {
    locations_.emplace_back(key, std::move(location));
}

std::string Config::located(std::string message) const {
    for (const auto &[key, location] : locations_)
        if (message.contains(text({"\"", key, "\""})) || message.contains(key + "="))
            return text({location, ": ", message});
    return location_.empty() ? message : text({location_, ": ", message});
}

} // namespace rivulet::hal
