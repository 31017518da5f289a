// SPDX-License-Identifier: Apache-2.0
//
// An ivshmem server for one peer at a time: a QEMU with ivshmem-doorbell, whose guest sees a PCI
// card, or a process of this machine (driver linux, window.ivshmem).
#pragma once

#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "hal/device.h"

namespace rivulet::tools {

class CardServer {
public:
    /// Listens at `path`, replacing the socket of a card that has ended.
    static Result<CardServer> listen(const std::string &path);
    CardServer(CardServer &&) = default;
    CardServer &operator=(CardServer &&) = delete;
    ~CardServer();

    [[nodiscard]] int socket() const { return socket_.get(); }
    /// The socket of the connected host; -1: none.
    [[nodiscard]] int host() const { return host_.get(); }
    /// Accepts a new host and gives it the card: memory, lines, its own interrupt. Returns false if
    /// another host has the card and this one was rejected, unless hosts `replace` each other.
    bool accept(int memory, const std::vector<int> &lines, int interrupt, bool replace);
    /// Returns false when the host has left.
    bool host_is_there();

private:
    CardServer(std::string path, FileDescriptor socket)
        : path_(std::move(path)), socket_(std::move(socket)) {}

    std::string path_;
    FileDescriptor socket_, host_;
};

} // namespace rivulet::tools
