// SPDX-License-Identifier: Apache-2.0
//
// Memory shared by a device: a range of a file, a BAR or a buffer, mapped into this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "hal/drivers/linux/bus_error.h"

namespace rivulet::hal::window {

class Mapping {
public:
    /// Maps `bytes` of a descriptor, at `wanted` if that is free, so that pointers are the same on
    /// both sides. `name` is for messages.
    static Result<Mapping> create(int descriptor, uint64_t offset, uint64_t bytes,
                                  const std::string &name, uint64_t wanted = 0);
    Mapping() = default;
    Mapping(Mapping &&other) noexcept { *this = std::move(other); }
    Mapping &operator=(Mapping &&other) noexcept {
        std::swap(start_, other.start_);
        std::swap(bytes_, other.bytes_);
        std::swap(offset_, other.offset_);
        std::swap(file_, other.file_);
        std::swap(name_, other.name_);
        std::swap(guard_, other.guard_);
        return *this;
    }
    ~Mapping();

    [[nodiscard]] std::byte *start() const { return start_; }
    [[nodiscard]] uint64_t bytes() const { return bytes_; }

    /// An error once an access has failed: it read zeros, and all later accesses do.
    [[nodiscard]] Result<> usable() const;
    /// Maps the lost range again at the same address; an error if it is still missing.
    Result<> renew() const;

private:
    std::byte *start_ = nullptr;
    uint64_t bytes_ = 0;
    uint64_t offset_ = 0;
    FileDescriptor file_;
    std::string name_;
    BusErrorGuard guard_;
};

/// Copies between ordinary memory and a window in aligned words: a BAR may be mapped as device
/// memory, where memcpy's unaligned accesses fault and the order of its accesses is unspecified.
void copy_in(std::byte *window, const void *from, size_t bytes);
void copy_out(void *to, const std::byte *window, size_t bytes);
void clear(std::byte *window, size_t bytes);

} // namespace rivulet::hal::window
