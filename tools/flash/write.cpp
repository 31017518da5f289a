// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>

#include "base/file_descriptor.h"
#include "tools/command_line/output_file.h"

namespace rivulet::flash {
namespace {

std::unexpected<Error> failed(const char *what, const std::string &path) {
    return fail(RVL_IO, {"cannot ", what, " ", path, ": ", errno_text(errno)});
}

Result<> put(int file, const std::string &path, std::span<const std::byte> bytes, uint64_t offset,
             bool tells = false) {
    constexpr size_t piece = 1u << 20;
    const size_t all = bytes.size();
    while (!bytes.empty()) {
        const ssize_t done =
            pwrite(file, bytes.data(), std::min(bytes.size(), piece), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return failed("write to", path);
        bytes = bytes.subspan(static_cast<size_t>(done));
        offset += static_cast<uint64_t>(done);
        if (tells)
            std::fprintf(stderr, "\rwritten %3zu %%", (all - bytes.size()) * 100 / all);
    }
    if (tells)
        std::fputc('\n', stderr);
    if (fsync(file) != 0)
        return failed("write to", path);
    return {};
}

Result<> compare(int file, const std::string &path, const Bytes &image, uint64_t from = 0) {
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED); // read from the medium instead of the page
                                                    // cache
    Bytes there(std::min<size_t>(image.size(), 1u << 20));
    for (size_t at = 0; at < image.size();) {
        const size_t bytes = std::min(there.size(), image.size() - at);
        const ssize_t got = pread(file, there.data(), bytes, static_cast<off_t>(from + at));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return failed("read back", path);
        const auto part = std::span(there).first(static_cast<size_t>(got));
        if (!std::ranges::equal(part, std::span(image).subspan(at, part.size())))
            return fail(RVL_IO, {path, " holds something else near byte ", from + at,
                                 " than was written; write again, or take another medium"});
        at += part.size();
    }
    return {};
}

} // namespace

Result<> write_file(const std::string &path, const Bytes &image) try {
    command_line::write_output(path, image);
    return {};
} catch (const std::runtime_error &error) {
    return fail(RVL_IO, error.what());
}

Result<Bytes> read_chip(const std::string &path, uint64_t most) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
        return failed("open", path);
    Bytes chip;
    for (ssize_t got = 1; got > 0 && chip.size() < most;) {
        const size_t old = chip.size();
        chip.resize(std::min<uint64_t>(most, old + (1u << 20)));
        do
            got = ::read(file.get(), chip.data() + old, chip.size() - old);
        while (got < 0 && errno == EINTR);
        if (got < 0)
            return failed("read", path);
        chip.resize(old + static_cast<size_t>(got));
    }
    return chip;
}

Result<> write_pieces(const std::string &path, const std::vector<SlotUpdate::Piece> &pieces) {
    const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_EXCL));
    if (!file)
        return failed("open", path);
    for (const auto &piece : pieces)
        if (auto done = put(file.get(), path, piece.bytes, piece.offset, isatty(2) == 1); !done)
            return done;
    for (size_t i = 1; i < pieces.size(); ++i) // the first one was erased for the last one
        if (auto same = compare(file.get(), path, pieces[i].bytes, pieces[i].offset); !same)
            return same;
    return {};
}

Result<> write_device(const std::string &path, const Bytes &image, uint64_t header,
                      uint64_t header_bytes) {
    const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_EXCL));
    if (!file)
        return failed("open", path);
    const off_t end = lseek(file.get(), 0, SEEK_END);
    struct stat kind{};
    if (fstat(file.get(), &kind) != 0)
        return failed("open", path);
    if (!S_ISREG(kind.st_mode) && (end < 0 || static_cast<uint64_t>(end) < image.size()))
        return fail(RVL_INVALID, {path, " has ", bytes_text(static_cast<uint64_t>(end)),
                                  ", the image ", bytes_text(image.size())});
    const std::span<const std::byte> all(image);
    const Bytes nothing(header_bytes);
    auto done = put(file.get(), path, nothing, header);
    if (done)
        done = put(file.get(), path, all.subspan(header + header_bytes), header + header_bytes,
                   isatty(2) == 1);
    if (done && header != 0)
        done = put(file.get(), path, all.first(header), 0);
    if (done)
        done = put(file.get(), path, all.subspan(header, header_bytes), header);
    return done ? compare(file.get(), path, image) : done;
}

} // namespace rivulet::flash
