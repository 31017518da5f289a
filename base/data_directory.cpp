// SPDX-License-Identifier: Apache-2.0
#include "base/data_directory.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/environment.h"
#include "base/error.h"

namespace rivulet {
namespace {

/// The path of the library or program that contains this code.
std::string this_file() {
    Dl_info self{};
    // dladdr returns a program's argv[0], without the PATH entry it was found in: a file of that
    // name in the current directory may be another one.
    if (dladdr(reinterpret_cast<void *>(&find_data_directory), &self) != 0 &&
        std::strchr(self.dli_fname, '/') != nullptr) {
        const std::unique_ptr<char, decltype(&std::free)> resolved(
            realpath(self.dli_fname, nullptr), &std::free);
        if (resolved)
            return resolved.get();
    }
    // dladdr does not work in statically linked programs.
    char buffer[4096];
    const auto length = readlink("/proc/self/exe", buffer, sizeof buffer);
    return {buffer, length > 0 ? static_cast<size_t>(length) : 0};
}

/// The first result of `find` that is not empty, for the directories above this file.
template <class Find> std::string search_upwards(Find find) {
    std::string directory = this_file();
    for (int levels = 0; levels < 5; ++levels) {
        const auto slash = directory.rfind('/');
        if (slash == directory.npos)
            break;
        directory.resize(slash);
        if (auto found = find(directory); !found.empty())
            return found;
    }
    return {};
}

/// Finds whichever of lib/rivulet and, for one architecture, lib/TRIPLE/rivulet contains `entry`.
/// Looks next to the library first; for programs in PREFIX/bin and tests deep in a build tree it
/// searches upwards.
std::string find_folder_with(std::string_view entry) {
    return search_upwards([entry](const std::string &directory) -> std::string {
        for (const char *subdirectory :
             {"/rivulet", "/lib/rivulet", "/" RIVULET_MULTIARCH_LIBDIR "/rivulet"})
            if (access(text({directory, subdirectory, "/", entry}).c_str(), F_OK) == 0)
                return directory + subdirectory;
        return {};
    });
}

} // namespace

std::string find_driver_directory() { return find_folder_with("drivers"); }

std::string find_helper(std::string_view name) {
    // A driver's helpers are in the directory above it, whatever that is called.
    std::string above = this_file();
    for (int levels = 0; levels < 2 && !above.empty(); ++levels)
        above.resize(above.find_last_of('/') == above.npos ? 0 : above.find_last_of('/'));
    if (auto path = text({above, "/", name}); access(path.c_str(), X_OK) == 0)
        return path;
    const auto folder = find_folder_with(name);
    return folder.empty() ? folder : text({folder, "/", name});
}

std::string find_board_directory(std::string_view board, const std::string &data) {
    const char *setting = environment(Variable::board_path);
    std::string_view folders = setting != nullptr ? setting : "";
    while (!folders.empty()) {
        const auto end = std::min(folders.find(':'), folders.size());
        const std::string folder(folders.substr(0, end));
        folders.remove_prefix(std::min(end + 1, folders.size()));
        if (!folder.empty() && access(text({folder, "/boards/", board}).c_str(), F_OK) == 0)
            return folder;
    }
    return data;
}

std::string name_of_document(std::string_view name) {
    const auto found = search_upwards([name](const std::string &directory) -> std::string {
        auto path = text({directory, "/share/doc/rivulet/", name});
        return access(path.c_str(), R_OK) == 0 ? path : std::string();
    });
    return found.empty() ? text({name, " (in the package rivulet-doc)"}) : found;
}

std::string find_data_directory() {
    for (const char *entry : {"machines", "firmware"}) // the ones that are architecture-independent
        if (auto folder = find_folder_with(entry); !folder.empty())
            return folder;
    return find_driver_directory();
}

} // namespace rivulet
