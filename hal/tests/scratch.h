// SPDX-License-Identifier: Apache-2.0
//
// A per-process directory for test files, removed at exit. Other users and other runs of the same
// test have their own.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace rivulet::test {

/// The path of a file in the directory.
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
