// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstddef>
#include <span>
#include <utility>

namespace rivulet {

/// Owns a file descriptor and closes it. In programs started with closed standard streams, the
/// kernel would reuse descriptors 0 to 2; such a descriptor is moved, or the program's output could
/// end up in it.
class FileDescriptor {
public:
    FileDescriptor() = default;
    /// `descriptor` may be negative after a failed call; errno is preserved.
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
    /// Gives the descriptor up to the caller.
    [[nodiscard]] int release() { return std::exchange(descriptor_, -1); }
    void reset() {
        if (descriptor_ >= 0)
            ::close(std::exchange(descriptor_, -1));
    }

private:
    int descriptor_ = -1;
};

/// Sends one message over a UNIX socket, with a copy of `descriptor` (SCM_RIGHTS) unless that is
/// -1. `flags` as for sendmsg. Returns false, with errno set, if it was not sent completely.
bool send_message(int socket, std::span<const std::byte> content, int descriptor, int flags = 0);

} // namespace rivulet
