// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/compile/caller_files.h"

#include <array>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <unistd.h>

namespace rivulet {

CallerFiles::CallerFiles() : folder_(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    std::array<char, PATH_MAX> path;
    // Outside the root directory, and before glibc 2.27, it is "(unreachable)…".
    if (getcwd(path.data(), path.size()) && path[0] == '/')
        path_ = path.data();
}

FileDescriptor CallerFiles::open(const std::string &path, bool to_read) {
    // Must not block on a named pipe or acquire a controlling terminal.
    const int flags = to_read ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH;
    const int folder = folder_ ? folder_.get() : AT_FDCWD;
    FileDescriptor file(openat(folder, path.c_str(), flags | O_CLOEXEC));
    // A directory without search permission counts as empty; this includes the working directory,
    // where clang looks first. Only a file that exists and can't be read is an error.
    if (const int error = errno; !file && error == EACCES) {
        const std::string inside = path.substr(0, path.rfind('/') + 1) + "./.";
        errno = FileDescriptor(openat(folder, inside.c_str(), O_PATH | O_CLOEXEC)) ? error : ENOENT;
    }
    has_missed_relative_path_ |= !file && !path.starts_with('/');
    return file;
}

const char *CallerFiles::advice() const {
    constexpr const char *text =
        "note: the working directory of this process was deleted, so relative paths can't be used; "
        "change to another directory, or use absolute paths with -I\n";
    return path_.empty() && has_missed_relative_path_ ? text : "";
}

} // namespace rivulet
