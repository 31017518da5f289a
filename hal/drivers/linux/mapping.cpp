// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/linux/mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace rivulet::hal::window {
namespace {

constexpr size_t word = sizeof(uint64_t);
constexpr size_t half = sizeof(uint32_t);

/// Offset of an address within its page.
uint64_t into_page(uint64_t address) {
    return address % static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Calls `access` for consecutive places, each with the widest type that is aligned there.
void in_words(uintptr_t window, size_t bytes, const auto &access) {
    for (size_t done = 0; done < bytes;) {
        const uintptr_t at = window + done;
        const size_t left = bytes - done;
        if (at % word == 0 && left >= word)
            done += access(done, uint64_t{});
        else if (at % half == 0 && left >= half)
            done += access(done, uint32_t{});
        else
            done += access(done, uint8_t{});
    }
}

} // namespace

Result<Mapping> Mapping::create(int descriptor, uint64_t offset, uint64_t bytes,
                                const std::string &name, uint64_t wanted) {
    constexpr int access = PROT_READ | PROT_WRITE;
    const uint64_t skipped = into_page(offset);
    const auto map = [&](uint64_t address, int flags) {
        return mmap(reinterpret_cast<void *>(address), bytes + skipped, access, MAP_SHARED | flags,
                    descriptor, static_cast<off_t>(offset - skipped));
    };
    const bool may_be_there = wanted != 0 && into_page(wanted) == skipped;
    void *start = may_be_there ? map(wanted - skipped, MAP_FIXED_NOREPLACE) : MAP_FAILED;
    if (start != MAP_FAILED && reinterpret_cast<uint64_t>(start) != wanted - skipped) {
        munmap(start, bytes + skipped); // a kernel that ignores the flag
        start = MAP_FAILED;
    }
    if (start == MAP_FAILED)
        start = map(0, 0);
    if (start == MAP_FAILED)
        return fail(errno == ENOMEM ? RVL_NO_MEMORY : RVL_IO,
                    {"cannot map ", bytes_text(bytes), " of ", name, ": ", errno_text(errno)});
    Mapping mapping;
    mapping.start_ = static_cast<std::byte *>(start) + skipped;
    mapping.bytes_ = bytes;
    mapping.offset_ = offset;
    mapping.file_ = FileDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    mapping.name_ = name;
    mapping.guard_ = BusErrorGuard(start, bytes + skipped);
    return mapping;
}

Mapping::~Mapping() {
    const uint64_t skipped = into_page(reinterpret_cast<uint64_t>(start_));
    guard_ = BusErrorGuard();
    if (start_ != nullptr)
        munmap(start_ - skipped, bytes_ + skipped);
}

Result<> Mapping::usable() const {
    if (!guard_.lost())
        return {};
    return fail(RVL_DEAD, {name_, " is no longer fully accessible: it was truncated, its file "
                                  "system is full, or its device is gone"});
}

Result<> Mapping::renew() const {
    if (!guard_.lost())
        return {};
    struct stat status{};
    if (fstat(file_.get(), &status) == 0 && S_ISREG(status.st_mode) &&
        static_cast<uint64_t>(status.st_size) < offset_ + bytes_)
        return fail(RVL_IO, {name_, " has ", bytes_text(static_cast<uint64_t>(status.st_size)),
                             ", less than when it was opened"});
    const uint64_t skipped = into_page(offset_);
    if (mmap(start_ - skipped, bytes_ + skipped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             file_.get(), static_cast<off_t>(offset_ - skipped)) == MAP_FAILED)
        return fail(RVL_IO, {"cannot map ", name_, " again: ", errno_text(errno)});
    guard_.forget();
    return {};
}

void copy_in(std::byte *window, const void *from, size_t bytes) {
    const auto *source = static_cast<const std::byte *>(from);
    in_words(reinterpret_cast<uintptr_t>(window), bytes, [&](size_t at, auto value) {
        std::memcpy(&value, source + at, sizeof value);
        *reinterpret_cast<volatile decltype(value) *>(window + at) = value;
        return sizeof value;
    });
}

void copy_out(void *to, const std::byte *window, size_t bytes) {
    auto *target = static_cast<std::byte *>(to);
    in_words(reinterpret_cast<uintptr_t>(window), bytes, [&](size_t at, auto value) {
        value = *reinterpret_cast<const volatile decltype(value) *>(window + at);
        std::memcpy(target + at, &value, sizeof value);
        return sizeof value;
    });
}

void clear(std::byte *window, size_t bytes) {
    in_words(reinterpret_cast<uintptr_t>(window), bytes, [&](size_t at, auto value) {
        *reinterpret_cast<volatile decltype(value) *>(window + at) = 0;
        return sizeof value;
    });
}

} // namespace rivulet::hal::window
