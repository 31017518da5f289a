// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "hal/core/config.h"

namespace rivulet::hal {

std::string find_data_directory() {
    Dl_info self{};
    if (dladdr(reinterpret_cast<void *>(&find_data_directory), &self) == 0)
        return {};
    // dladdr names a program as it was called, without the PATH that it was found in.
    const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(self.dli_fname, nullptr),
                                                               &std::free);
    std::string directory = resolved ? resolved.get() : "";
    if (directory.empty()) {
        char buffer[4096];
        const auto length = readlink("/proc/self/exe", buffer, sizeof buffer);
        directory.assign(buffer, length > 0 ? static_cast<size_t>(length) : 0);
    }
    // PREFIX/lib[/TRIPLE]/librivulet.so has its data beside it; programs in PREFIX/bin, and tests
    // deep in a build tree, find lib/rivulet further up.
    for (int levels = 0; levels < 5; ++levels) {
        const auto slash = directory.rfind('/');
        if (slash == directory.npos)
            break;
        directory.resize(slash);
        for (const char *place : {"/rivulet", "/lib/rivulet"})
            if (access((directory + place + "/drivers").c_str(), F_OK) == 0)
                return directory + place;
    }
    return {};
}

} // namespace rivulet::hal
