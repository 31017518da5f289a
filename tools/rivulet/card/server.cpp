// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/card/server.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/error.h"
#include "base/unix_address.h"
#include "hal/drivers/qemu/ivshmem.h"

namespace rivulet::tools {
namespace {

using namespace hal;

/// True if a process has a socket at the address. A normal connection would count as a host, which
/// a card with --takeover prefers to its current one; for another socket type the kernel refuses
/// the connection but reveals that there is a listener.
bool is_in_use(const sockaddr_un &address) {
    const FileDescriptor probe(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    return probe &&
           connect(probe.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) !=
               0 &&
           errno == EPROTOTYPE;
}

} // namespace

Result<CardServer> CardServer::listen(const std::string &path) {
    const auto address = unix_address(path);
    if (!address)
        return std::unexpected(address.error());
    const auto refused = [&](const char *what) {
        return fail(RVL_IO, {what, " ", path, ": ", errno_text(errno)});
    };
    struct stat status{};
    if (lstat(path.c_str(), &status) == 0) {
        if (!S_ISSOCK(status.st_mode))
            return fail(RVL_INVALID, {path, " exists and is not a socket; use another path"});
        if (is_in_use(*address))
            return fail(RVL_INVALID, {"another card listens at ", path, "; stop it first"});
        unlink(path.c_str());
    }
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket ||
        bind(socket.get(), reinterpret_cast<const sockaddr *>(&*address), sizeof *address) != 0)
        return refused("cannot bind");
    CardServer server(path, std::move(socket));
    // Anyone who can connect controls the device, so only the owner can by default.
    if (chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0 || ::listen(server.socket(), 4) != 0)
        return refused("cannot listen at");
    return server;
}

CardServer::~CardServer() {
    if (socket_)
        unlink(path_.c_str());
}

bool CardServer::accept(int memory, const std::vector<int> &lines, int interrupt, bool replace) {
    FileDescriptor host(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!host)
        return true; // it has already disconnected
    if (host_ && !replace)
        return false;
    const auto send = [&](int64_t value, int descriptor = -1) {
        return send_message(host.get(), std::as_bytes(std::span(&value, 1)), descriptor,
                            MSG_NOSIGNAL);
    };
    bool sent = send(ivshmem::protocol_version) && send(ivshmem::first_host_peer) &&
                send(ivshmem::shared_memory, memory);
    for (const int line : lines)
        sent = sent && send(ivshmem::card_peer, line);
    if (sent && send(ivshmem::first_host_peer, interrupt))
        std::swap(host_, host);
    return true;
}

bool CardServer::host_is_there() {
    char byte = 0; // peers send no data
    const auto got = recv(host_.get(), &byte, sizeof byte, MSG_DONTWAIT);
    if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR)))
        return true;
    host_.reset();
    return false;
}

} // namespace rivulet::tools
