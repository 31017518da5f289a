// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstddef>
#include <span>
#include <utility>

namespace rivulet::hal {

/// Owns a file descriptor and closes it. In programs that were started with closed standard
/// streams, the kernel gives out their numbers: what has one is moved, or the program's output
/// would end in it.
class FileDescriptor {
public:
    FileDescriptor() = default;
    /// Less than 0, as of a call that failed: errno stays.
    explicit FileDescriptor(int descriptor);
    FileDescriptor(FileDescriptor &&other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileDescriptor &operator=(FileDescriptor &&other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~FileDescriptor() { reset(); }

    [[nodiscard]] int get() const { return descriptor_; }
    explicit operator bool() const { return descriptor_ >= 0; }
    void reset() {
        if (descriptor_ >= 0)
            ::close(std::exchange(descriptor_, -1));
    }

private:
    int descriptor_ = -1;
};

/// Sends one message over a UNIX socket, with a copy of `descriptor` (SCM_RIGHTS) unless that is
/// -1. `flags` as for sendmsg. False if not all of it was sent; errno says why.
bool send_message(int socket, std::span<const std::byte> content, int descriptor, int flags = 0);

} // namespace rivulet::hal
