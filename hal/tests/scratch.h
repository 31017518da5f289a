// SPDX-License-Identifier: Apache-2.0
//
// The folder for files of tests: a folder of the process's own, gone with it. Other users, and
// other runs of the same test, have theirs.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace rivulet::test {

/// The path that a file called so has in the folder.
inline std::string scratch(const std::string &name) {
    class Folder {
    public:
        Folder() {
            if (mkdtemp(path.data()) == nullptr)
                throw std::filesystem::filesystem_error(
                    path, std::error_code(errno, std::generic_category()));
        }
        ~Folder() {
            std::error_code ignored;
            if (getpid() == owner) // not a forked child
                std::filesystem::remove_all(path, ignored);
        }
        std::string path = testing::TempDir() + "rivulet-test-XXXXXX";

    private:
        const pid_t owner = getpid();
    };
    static const Folder folder;
    return folder.path + "/" + name;
}

} // namespace rivulet::test
