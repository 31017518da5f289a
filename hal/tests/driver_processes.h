// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace rivulet::test {

/// The QEMUs of a process, whatever program runs them. Their parent is a keeper, which holds a
/// pidfd of the process.
inline std::vector<pid_t> driver_processes(pid_t host) {
    const auto keeps_for_host = [&](pid_t keeper) {
        std::error_code error;
        const auto infos = "/proc/" + std::to_string(keeper) + "/fdinfo";
        for (const auto &info : std::filesystem::directory_iterator(infos, error)) {
            std::ifstream file(info.path());
            for (std::string line; std::getline(file, line);)
                if (line == "Pid:\t" + std::to_string(host))
                    return true;
        }
        return false;
    };
    std::vector<pid_t> found;
    for (const auto &process : std::filesystem::directory_iterator("/proc")) {
        std::ifstream stat(process.path() / "stat");
        std::string name, state;
        pid_t pid = 0, parent = 0;
        if (!(stat >> pid >> name >> state >> parent))
            continue;
        std::ifstream parents("/proc/" + std::to_string(parent) + "/comm");
        if (std::getline(parents, name) && name == "keeper" && keeps_for_host(parent))
            found.push_back(pid);
    }
    return found;
}

} // namespace rivulet::test
