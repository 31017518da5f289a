// SPDX-License-Identifier: Apache-2.0
//
// A client's connection to rivuletd: requests and their replies. Also used by `rivulet info`.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "hal/drivers/daemon/wire.h"

namespace rivulet::hal::daemon {

struct Answer {
    ReplyMessage reply{};
    std::vector<std::byte> content; // what follows the reply
    std::vector<FileDescriptor> descriptors;
};

class Connection {
public:
    Connection() = default;
    /// Connects to the daemon at this socket.
    static Result<Connection> to(const std::string &path);

    /// Sends a request and waits for its reply. RVL_DEAD if the daemon is gone, or if an earlier
    /// request has had no proper reply.
    Result<Answer> ask(Request request, uint32_t device, uint64_t address = 0,
                       uint64_t bytes = 0) const;
    explicit operator bool() const { return static_cast<bool>(socket_); }

    Result<std::vector<rvl_device_desc>> list() const;
    Result<std::vector<Usage>> usage(uint32_t device) const;

private:
    [[nodiscard]] std::unexpected<Error> give_up(Error error) const;

    FileDescriptor socket_;
    std::string path_;
};

} // namespace rivulet::hal::daemon
