// SPDX-License-Identifier: Apache-2.0
//
// The connection to a stub, over TCP or a UNIX socket, independent of the protocol.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/file_descriptor.h"

namespace rivulet::hal::gdb {

class Connection {
public:
    /// `target`: "localhost:3333", "[::1]:3333", "unix:/run/stub" or a path with a slash.
    static Result<Connection> open(const std::string &target, std::chrono::milliseconds limit);

    Result<> send(std::string_view bytes);
    /// The next byte; RVL_TIMEOUT if none comes in time, RVL_DEAD if the stub hung up.
    Result<char> receive();
    [[nodiscard]] const std::string &target() const { return target_; }

private:
    Connection(FileDescriptor socket, std::string target, std::chrono::milliseconds limit)
        : socket_(std::move(socket)), target_(std::move(target)), limit_(limit) {}

    FileDescriptor socket_;
    std::string target_;
    std::chrono::milliseconds limit_; // maximum silence
    std::string received_;
    size_t next_ = 0; // index in `received_`
};

} // namespace rivulet::hal::gdb
