// SPDX-License-Identifier: Apache-2.0
#include "hal/core/config_file.h"

#include <dirent.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/data_directory.h"
#include "base/environment.h"
#include "base/read_file.h"
#include "hal/core/config.h"
#include "hal/core/config_toml.h"

namespace rivulet::hal {
namespace {

constexpr const char *system_folder = "/etc/rivulet";

/// The user's configuration directory; "" if there is none or it can't be trusted.
std::string user_folder() {
    if (const char *folder = foreign_environment("XDG_CONFIG_HOME"); folder && *folder == '/')
        return text({folder, "/rivulet"});
    if (const char *home = foreign_environment("HOME"); home && *home == '/')
        return text({home, "/.config/rivulet"});
    return {};
}

/// Owns the names allocated by scandir.
struct Entries {
    dirent **all = nullptr;
    int count = 0;

    Entries() = default;
    Entries(const Entries &) = delete;
    Entries &operator=(const Entries &) = delete;
    ~Entries() {
        for (int i = 0; i < count; ++i)
            std::free(all[i]);
        std::free(all);
    }
};

/// Sorted bytewise by name.
std::vector<std::string> files_in(const std::string &folder) {
    Entries entries;
    entries.count = scandir(
        folder.c_str(), &entries.all,
        [](const dirent *entry) {
            return static_cast<int>(std::string_view(entry->d_name).ends_with(".toml"));
        },
        [](const dirent **a, const dirent **b) { return std::strcmp((*a)->d_name, (*b)->d_name); });
    std::vector<std::string> files;
    for (int i = 0; i < entries.count; ++i)
        files.push_back(text({folder, "/", entries.all[i]->d_name}));
    return files;
}

Result<decltype(&rivulet_read_config)> find_reader() {
    const auto file = find_driver_directory() + "/config.so";
    void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto reader = library != nullptr ? reinterpret_cast<decltype(&rivulet_read_config)>(
                                                 dlsym(library, "rivulet_read_config"))
                                           : nullptr;
    if (reader == nullptr)
        return fail(RVL_NOT_FOUND, {"the reader of configuration files can't be loaded: ",
                                    dlerror(), "; install all of lib/rivulet"});
    return reader;
}

/// Collects what the reader reports about one file.
struct Collector {
    std::string path;
    ConfiguredDevices found;
    bool usable = true; // of the device being read

    void finish_device() {
        if (!usable && !found.devices.empty())
            found.devices.pop_back();
        usable = true;
    }
    std::string location(uint32_t line) const { return text({path, ":", line}); }

    static Collector &self(void *user) { return *static_cast<Collector *>(user); }
    static void device(void *user, uint32_t line) {
        auto &collector = self(user);
        collector.finish_device();
        collector.found.devices.emplace_back().set_location(collector.location(line));
    }
    static void setting(void *user, const char *key, const char *value, uint32_t line) {
        auto &collector = self(user);
        Config &config = collector.found.devices.back();
        // The common code's own key: how the file gets to the device is the driver's concern.
        config.set(std::strcmp(key, "firmware.copy") == 0 ? "firmware" : key, value);
        config.set_location(key, collector.location(line));
    }
    static void error(void *user, uint32_t line, const char *what) {
        auto &collector = self(user);
        collector.found.errors.push_back(
            {RVL_INVALID,
             text({collector.location(line), ": ", what, "; ", name_of_document("docs/products.md"),
                   " shows the form of such a file"})});
        collector.usable = false;
    }
};

} // namespace

ConfiguredDevices read_config_file(const std::string &path) {
    Collector collector{.path = path, .found = {}};
    const auto content = read_file(path);
    const auto reader = find_reader();
    if (!content || !reader) {
        const Error &error = !content ? content.error() : reader.error();
        collector.found.errors.push_back({error.status, text({"configuration: ", error.message})});
        return std::move(collector.found);
    }
    const rivulet_config_sink sink{.user = &collector,
                                   .device = Collector::device,
                                   .setting = Collector::setting,
                                   .error = Collector::error};
    (*reader)(reinterpret_cast<const char *>(content->data()), content->size(), &sink);
    collector.finish_device();
    return std::move(collector.found);
}

ConfiguredDevices read_config_files() {
    std::vector<std::string> files;
    if (const char *setting = environment(Variable::config); setting != nullptr) {
        if (std::strcmp(setting, "off") != 0)
            files.emplace_back(setting);
    } else {
        files = files_in(system_folder);
        if (const auto folder = user_folder(); !folder.empty())
            std::ranges::copy(files_in(folder), std::back_inserter(files));
    }
    ConfiguredDevices all;
    for (const auto &file : files) {
        auto found = read_config_file(file);
        std::ranges::move(found.errors, std::back_inserter(all.errors));
        for (Config &device : found.devices) {
            const auto same = std::ranges::find_if(all.devices, [&](const Config &other) {
                return !device.get("name").empty() && other.get("name") == device.get("name");
            });
            if (same != all.devices.end())
                *same = std::move(device);
            else
                all.devices.push_back(std::move(device));
        }
    }
    return all;
}

} // namespace rivulet::hal
