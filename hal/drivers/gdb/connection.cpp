// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/gdb/connection.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>

#include "base/unix_address.h"

namespace rivulet::hal::gdb {
namespace {

/// Returns 0 or an errno.
int connect_within(int socket, const sockaddr *address, socklen_t bytes,
                   std::chrono::milliseconds limit) {
    if (connect(socket, address, bytes) == 0)
        return 0;
    if (errno != EINPROGRESS)
        return errno;
    pollfd waiting{.fd = socket, .events = POLLOUT, .revents = 0};
    const int ready = poll(&waiting, 1, static_cast<int>(limit.count()));
    if (ready <= 0)
        return ready == 0 ? ETIMEDOUT : errno;
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
}

std::unexpected<Error> unreachable(const std::string &target, const std::string &why) {
    return fail(RVL_NOT_FOUND,
                {"no gdb stub can be reached at ", target, ": ", why,
                 "; start OpenOCD, J-Link's server or QEMU with -gdb, and set target=HOST:PORT or "
                 "target=unix:PATH in RIVULET_MACHINE=gdb,…"});
}

Result<FileDescriptor> open_local(const std::string &target, const std::string &path,
                                  std::chrono::milliseconds limit) {
    const auto address = unix_address(path);
    if (!address)
        return std::unexpected(address.error());
    FileDescriptor local(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int error =
        local ? connect_within(local.get(), reinterpret_cast<const sockaddr *>(&*address),
                               sizeof *address, limit)
              : errno;
    if (error != 0)
        return unreachable(target, errno_text(error));
    return local;
}

Result<FileDescriptor> open_tcp(const std::string &target, std::chrono::milliseconds limit) {
    const auto colon = target.rfind(':');
    if (colon == target.npos || colon + 1 == target.size())
        return fail(RVL_INVALID, {"target=", target,
                                  " has no port; use target=localhost:3333 or target=unix:PATH"});
    std::string name = target.substr(0, colon);
    if (name.starts_with('[') && name.ends_with(']'))
        name = name.substr(1, name.size() - 2);
    if (name.empty())
        name = "localhost";
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo *found = nullptr;
    const int error = getaddrinfo(name.c_str(), target.c_str() + colon + 1, &wanted, &found);
    if (error != 0)
        return unreachable(target, gai_strerror(error));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, &freeaddrinfo);
    int last = ENOENT;
    for (const addrinfo *one = found; one != nullptr; one = one->ai_next) {
        FileDescriptor tcp(
            socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, one->ai_protocol));
        last = tcp ? connect_within(tcp.get(), one->ai_addr, one->ai_addrlen, limit) : errno;
        if (last != 0)
            continue;
        const int at_once = 1; // packets are small, and each waits for an answer
        setsockopt(tcp.get(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
        return tcp;
    }
    return unreachable(target, errno_text(last));
}

} // namespace

Result<Connection> Connection::open(const std::string &target, std::chrono::milliseconds limit) {
    const bool local = target.starts_with("unix:") || target.find('/') != target.npos;
    auto socket =
        local ? open_local(target, target.substr(target.starts_with("unix:") ? 5 : 0), limit)
              : open_tcp(target, limit);
    if (!socket)
        return std::unexpected(socket.error());
    return Connection(std::move(*socket), target, limit);
}

Result<> Connection::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent >= 0) {
            bytes.remove_prefix(static_cast<size_t>(sent));
            continue;
        }
        if (errno == EINTR)
            continue;
        if (errno == EPIPE || errno == ECONNRESET)
            return fail(RVL_DEAD, {"the gdb stub at ", target_, " hung up"});
        if (errno != EAGAIN)
            return fail(RVL_DEAD, {"the gdb stub at ", target_, " is gone: ", errno_text(errno)});
        pollfd waiting{.fd = socket_.get(), .events = POLLOUT, .revents = 0};
        if (poll(&waiting, 1, static_cast<int>(limit_.count())) == 0)
            return fail(RVL_TIMEOUT, {"the gdb stub at ", target_, " accepts no more data"});
    }
    return {};
}

Result<char> Connection::receive() {
    while (next_ == received_.size()) {
        char buffer[4096];
        const ssize_t got = recv(socket_.get(), buffer, sizeof buffer, 0);
        if (got > 0) {
            received_.assign(buffer, static_cast<size_t>(got));
            next_ = 0;
            break;
        }
        if (got == 0 || (got < 0 && errno == ECONNRESET))
            return fail(RVL_DEAD, {"the gdb stub at ", target_, " hung up"});
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN)
            return fail(RVL_DEAD, {"the gdb stub at ", target_, " is gone: ", errno_text(errno)});
        pollfd waiting{.fd = socket_.get(), .events = POLLIN, .revents = 0};
        if (poll(&waiting, 1, static_cast<int>(limit_.count())) == 0)
            return fail(RVL_TIMEOUT,
                        {"the gdb stub at ", target_, " did not answer for ", limit_.count(),
                         " ms; timeout=SECONDS in RIVULET_MACHINE allows more time"});
    }
    return received_[next_++];
}

} // namespace rivulet::hal::gdb
