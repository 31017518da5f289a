// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/compile/caller_files.h"

#include <array>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace rivulet {
namespace {

/// Larger files count as unknown.
constexpr size_t largest_noted = size_t{64} << 20;

/// Nothing if they can't be known.
std::optional<Hash> contents_of(int descriptor, const struct stat &status) {
    if (!S_ISREG(status.st_mode) || std::cmp_greater(status.st_size, largest_noted))
        return std::nullopt;
    std::string text(static_cast<size_t>(status.st_size) + 1, '\0'); // it may have grown
    size_t size = 0;
    while (size < text.size()) {
        const ssize_t count =
            pread(descriptor, text.data() + size, text.size() - size, static_cast<off_t>(size));
        if (count < 0)
            return std::nullopt;
        if (count == 0)
            return hash_of(text.data(), size);
        size += static_cast<size_t>(count);
    }
    return std::nullopt;
}

} // namespace

CallerFiles::CallerFiles() : folder_(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    std::array<char, PATH_MAX> path;
    // Outside the root directory, and before glibc 2.27, it is "(unreachable)…".
    if (getcwd(path.data(), path.size()) && path[0] == '/')
        path_ = path.data();
}

CallerFiles::CallerFiles(std::string folder)
    : folder_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)), path_(std::move(folder)) {}

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
    const int error = errno;
    if (file && to_read)
        note(path, file);
    errno = error;
    return file;
}

void CallerFiles::note(const std::string &path, const FileDescriptor &file) {
    struct stat status;
    if (!contents_ || fstat(file.get(), &status) != 0 || S_ISDIR(status.st_mode))
        return;
    const auto found = contents_of(file.get(), status);
    if (!found || contents_->emplace(path, *found).first->second != *found)
        contents_.reset();
}

const char *CallerFiles::advice() const {
    constexpr const char *text =
        "note: the working directory of this process was deleted, so relative paths can't be used; "
        "change to another directory, or use absolute paths with -I\n";
    return path_.empty() && has_missed_relative_path_ ? text : "";
}

} // namespace rivulet
