// SPDX-License-Identifier: Apache-2.0
#include "base/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace rivulet {

Result<std::vector<std::byte>> read_file(const std::string &path) {
    constexpr size_t limit = 64u << 20;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(errno == ENOENT ? RVL_NOT_FOUND : RVL_IO,
                    {"cannot open ", path, ": ", errno_text(errno)});
    std::vector<std::byte> contents;
    ssize_t got = 0;
    do {
        const size_t old = contents.size();
        contents.resize(old + (64u << 10));
        do
            got = ::read(file, contents.data() + old, contents.size() - old);
        while (got < 0 && errno == EINTR);
        contents.resize(old + static_cast<size_t>(got > 0 ? got : 0));
    } while (got > 0 && contents.size() <= limit);
    const int error = errno;
    ::close(file);
    if (got < 0)
        return fail(RVL_IO, {"cannot read ", path, ": ", errno_text(error)});
    if (contents.size() > limit)
        return fail(RVL_INVALID, {path, " is larger than ", bytes_text(limit)});
    return contents;
}

} // namespace rivulet
