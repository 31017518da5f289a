// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace rivulet::command_line {
namespace {

[[noreturn]] void fail(const char *what, const std::string &path) {
    const int error = errno;
    throw std::runtime_error(std::string("cannot ") + what + " " + path + ": " +
                             strerrordesc_np(error) + " (" + strerrorname_np(error) + ")");
}

/// Such a path stands for a file that is open already, even where that is a regular one.
bool names_descriptor(const std::string &path) {
    return path.starts_with("/dev/std") || path.starts_with("/dev/fd/") ||
           path.starts_with("/proc/");
}

mode_t without_umask(mode_t permissions) {
    const mode_t mask = umask(0);
    umask(mask);
    return permissions & ~mask;
}

} // namespace

OutputFile::OutputFile(const std::string &path, mode_t permissions) : path_(path) {
    struct stat there{};
    const bool exists = stat(path.c_str(), &there) == 0;
    if (names_descriptor(path) || (exists && !S_ISREG(there.st_mode))) {
        descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0)
            fail("open", path);
        return;
    }
    if (exists)
        path_ = std::filesystem::canonical(path);
    temporary_ = path_ + ".XXXXXX";
    descriptor_ = mkostemp(temporary_.data(), O_CLOEXEC);
    if (descriptor_ < 0)
        fail("create", path);
    // A file keeps its owner where that is permitted: signing in place changes nothing else.
    if (exists)
        static_cast<void>(!fchown(descriptor_, there.st_uid, there.st_gid));
    if (fchmod(descriptor_, exists ? there.st_mode & 0777 : without_umask(permissions)) != 0) {
        const int error = errno;
        unlink(temporary_.c_str());
        close(descriptor_);
        errno = error;
        fail("create", path);
    }
}

OutputFile::~OutputFile() {
    if (descriptor_ < 0)
        return;
    close(descriptor_);
    if (!temporary_.empty())
        unlink(temporary_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            fail("write", path_);
        bytes = bytes.subspan(static_cast<size_t>(done));
    }
}

void OutputFile::commit() {
    if (!temporary_.empty() &&
        (fsync(descriptor_) != 0 || rename(temporary_.c_str(), path_.c_str()) != 0))
        fail("write", path_);
    temporary_.clear(); // it has its name
    if (close(std::exchange(descriptor_, -1)) != 0)
        fail("write", path_);
}

void write_output(const std::string &path, std::span<const std::byte> bytes) {
    OutputFile file(path);
    file.write(bytes);
    file.commit();
}

} // namespace rivulet::command_line
