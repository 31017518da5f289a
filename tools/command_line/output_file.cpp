// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace rivulet::command_line {
namespace {

[[noreturn]] void fail(const char *what, const std::string &path) {
    const int error = errno;
    throw std::runtime_error(std::string("cannot ") + what + " " + path + ": " +
                             strerrordesc_np(error) + " (" + strerrorname_np(error) + ")");
}

/// The descriptor that such a path refers to. It is duplicated, because opening it again would
/// start at the beginning of a file that others write, too.
std::optional<int> descriptor_named(const std::string &path) {
    if (path == "/dev/stdout")
        return STDOUT_FILENO;
    if (path == "/dev/stderr")
        return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
        if (int number = 0; path.starts_with(folder)) {
            const char *const end = path.data() + path.size();
            if (std::from_chars(path.data() + folder.size(), end, number).ptr == end)
                return number;
        }
    return std::nullopt;
}

/// Resolves links even if the target does not exist yet.
std::string without_links(const std::string &path) {
    std::error_code none;
    const auto target = std::filesystem::weakly_canonical(path, none);
    if (none || !std::filesystem::is_symlink(target, none))
        return none ? path : target.string();
    return (target.parent_path() / std::filesystem::read_symlink(target)).string();
}

mode_t without_umask(mode_t permissions) {
    const mode_t mask = umask(0);
    umask(mask);
    return permissions & ~mask;
}

} // namespace

OutputFile::OutputFile(const std::string &path, bool is_secret) : path_(without_links(path)) {
    struct stat there{};
    const bool exists = stat(path.c_str(), &there) == 0;
    const auto named = descriptor_named(path);
    if (named || (exists && !S_ISREG(there.st_mode))) {
        descriptor_ = named ? fcntl(*named, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                            : open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0)
            fail("open", path);
        return;
    }
    temporary_ = path_ + ".XXXXXX";
    descriptor_ = mkostemp(temporary_.data(), O_CLOEXEC);
    if (descriptor_ < 0)
        fail("create", path);
    // Keeps the file's owner if permitted, so that signing in place changes only the contents.
    if (exists && !is_secret)
        static_cast<void>(!fchown(descriptor_, there.st_uid, there.st_gid));
    const mode_t mode = exists ? there.st_mode & 0777 : without_umask(0666);
    if (!is_secret && fchmod(descriptor_, mode) != 0) { // mkostemp creates 0600
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
