// SPDX-License-Identifier: Apache-2.0
#include "hal/core/drivers.h"

#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "base/data_directory.h"
#include "hal/core/config.h"

namespace rivulet::hal {
namespace {

constexpr std::string_view suffix = ".so";

/// The directories to search for drivers: in a user-specified data directory, and next to this
/// library.
class Folders {
public:
    explicit Folders(const Config &config)
        : paths_{config.get("data", find_driver_directory()) + "/drivers/",
                 find_driver_directory() + "/drivers/"} {}

    /// Path of the driver's file; "" if not found.
    [[nodiscard]] std::string file(std::string_view name) const {
        for (const auto &folder : paths_)
            if (auto path = text({folder, name, suffix}); access(path.c_str(), F_OK) == 0)
                return path;
        return {};
    }

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto &folder : paths_) {
            DIR *entries = opendir(folder.c_str());
            if (entries == nullptr)
                continue;
            while (const dirent *entry = readdir(entries))
                if (const std::string_view name = entry->d_name; name.ends_with(suffix))
                    names.emplace_back(name.substr(0, name.size() - suffix.size()));
            closedir(entries);
            if (!names.empty())
                break;
        }
        return names;
    }

private:
    std::string paths_[2];
};

Result<const rvl_driver *> load(const std::string &file, const std::string &name) {
    void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return fail(RVL_INVALID, {"the driver ", file, " can't be loaded: ", dlerror()});
    const auto find =
        reinterpret_cast<decltype(&rvl_driver_named)>(dlsym(library, "rvl_driver_named"));
    if (find == nullptr)
        return fail(RVL_INVALID,
                    {file, " is not a driver: it has no function rvl_driver_named (hal/hal.h)"});
    if (const rvl_driver *driver = find(name.c_str()))
        return driver;
    return fail(RVL_NOT_FOUND, {file, " contains no driver called ", name});
}

Result<const rvl_driver *> no_driver(std::string_view name, const std::vector<std::string> &names) {
    std::string all;
    for (const auto &other : names)
        all.append(all.empty() ? "" : ", ").append(other);
    return fail(RVL_NOT_FOUND,
                {"there is no driver \"", name, "\"; RIVULET_DRIVER may be one of those in ",
                 "RIVULET_DATA/drivers (", all.empty() ? "there is none" : all,
                 ") or the path of a driver's file"});
}

} // namespace

Result<const rvl_driver *> find_driver(const Config &config) {
    const Folders folders(config);
    std::string name = config.get("driver");
    if (const auto slash = name.rfind('/'); slash != name.npos) {
        std::string_view stem = std::string_view(name).substr(slash + 1);
        if (stem.ends_with(suffix))
            stem.remove_suffix(suffix.size());
        return load(name, std::string(stem));
    }
    if (name.empty() && config.get("machine").find('/') == name.npos &&
        !folders.file(config.get("machine")).empty())
        name = config.get("machine");
    if (name.empty())
        name = "qemu";
    auto file = folders.file(name);
    if (file.empty()) {
        const auto names = folders.names();
        if (names.size() != 1 || !config.get("driver").empty())
            return no_driver(name, names);
        name = names.front();
        file = folders.file(name);
    }
    return load(file, name);
}

} // namespace rivulet::hal
