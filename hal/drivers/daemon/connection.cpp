// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/daemon/connection.h"

#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/printable.h"
#include "base/unix_address.h"

namespace rivulet::hal::daemon {
namespace {

constexpr size_t most_descriptors = 3;
constexpr size_t most_bytes = sizeof(ReplyMessage) + most_usages * sizeof(Usage);
constexpr uint32_t most_devices = 256;

Error gone(const std::string &path) {
    return {RVL_DEAD, text({"rivuletd at ", path, " has ended or closed the connection"})};
}

} // namespace

Result<Connection> Connection::to(const std::string &path) {
    const auto address = unix_address(path);
    if (!address)
        return std::unexpected(address.error());
    Connection connection;
    connection.path_ = path;
    connection.socket_ = FileDescriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    // A daemon that is stopped must not stop its clients for ever.
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    for (const int direction : {SO_SNDTIMEO, SO_RCVTIMEO}) // of connect, too, if its queue is full
        setsockopt(connection.socket_.get(), SOL_SOCKET, direction, &patience, sizeof patience);
    if (!connection.socket_ ||
        connect(connection.socket_.get(), reinterpret_cast<const sockaddr *>(&*address),
                sizeof *address) != 0)
        return fail(errno == EACCES ? RVL_INVALID : RVL_NOT_FOUND,
                    {"rivuletd can't be reached at ", path, ": ", errno_text(errno),
                     errno == EACCES ? "; its socket is open to the users of a group"
                                     : "; start it (systemctl start rivuletd.socket), or name its "
                                       "socket with socket=PATH"});
    return connection;
}

// Replies have no number: one that comes after a request has failed would be taken for the answer
// to the next request. Nothing is received after such a failure.
std::unexpected<Error> Connection::give_up(Error error) const {
    shutdown(socket_.get(), SHUT_RDWR);
    return std::unexpected(std::move(error));
}

Result<Answer> Connection::ask(Request request, uint32_t device, uint64_t address,
                               uint64_t bytes) const {
    const RequestMessage message{.magic = wire_magic,
                                 .version = wire_version,
                                 .request = request,
                                 .device = device,
                                 .address = address,
                                 .bytes = bytes};
    if (!socket_ || send(socket_.get(), &message, sizeof message, MSG_NOSIGNAL) < 0)
        return give_up(gone(path_));
    Answer answer;
    answer.content.resize(most_bytes);
    alignas(cmsghdr) char control[CMSG_SPACE(most_descriptors * sizeof(int))];
    iovec content{answer.content.data(), answer.content.size()};
    msghdr header{};
    header.msg_iov = &content;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    ssize_t got = 0;
    do
        got = recvmsg(socket_.get(), &header, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return give_up(gone(path_));
    for (cmsghdr *part = CMSG_FIRSTHDR(&header); part != nullptr;
         part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        // There may be one more than `most_descriptors`: CMSG_SPACE rounds up.
        const size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; ++i) {
            int received = -1;
            std::memcpy(&received, CMSG_DATA(part) + i * sizeof received, sizeof received);
            answer.descriptors.emplace_back(received);
        }
    }
    if (static_cast<size_t>(got) < sizeof answer.reply)
        return give_up({RVL_IO, text({"rivuletd at ", path_, " sent an incomplete reply"})});
    std::memcpy(&answer.reply, answer.content.data(), sizeof answer.reply);
    answer.content.resize(static_cast<size_t>(got));
    answer.content.erase(answer.content.begin(), answer.content.begin() + sizeof answer.reply);
    if (answer.reply.magic != wire_magic ||
        RVL_VERSION_MAJOR(answer.reply.version) != RVL_VERSION_MAJOR(wire_version))
        return give_up(
            {RVL_BAD_VERSION, text({"the program that listens at ", path_,
                                    " is not a rivuletd of this version; use library and daemon of "
                                    "the same release"})});
    make_printable(answer.reply.text);
    if (answer.reply.status != RVL_OK)
        return fail(static_cast<rvl_status>(answer.reply.status),
                    {"rivuletd: ", std::string_view(answer.reply.text)});
    return answer;
}

Result<std::vector<rvl_device_desc>> Connection::list() const {
    std::vector<rvl_device_desc> devices;
    for (uint32_t count = 1, number = 0; number < count; ++number) {
        const auto answer = ask(Request::list, number);
        if (!answer)
            return std::unexpected(answer.error());
        rvl_device_desc device{};
        std::memcpy(&device, answer->content.data(),
                    std::min(answer->content.size(), sizeof device));
        device.size = sizeof device;
        devices.push_back(device);
        count = std::min(answer->reply.count, most_devices);
    }
    return devices;
}

Result<std::vector<Usage>> Connection::usage(uint32_t device) const {
    std::vector<Usage> all;
    for (uint32_t count = 1; all.size() < count;) {
        const auto answer = ask(Request::usage, device, all.size());
        if (!answer)
            return std::unexpected(answer.error());
        const size_t records = answer->content.size() / sizeof(Usage);
        if (records == 0)
            break;
        const size_t before = all.size();
        all.resize(before + records);
        std::memcpy(&all[before], answer->content.data(), records * sizeof(Usage));
        count = answer->reply.count;
    }
    for (Usage &usage : all)
        make_printable(usage.program);
    return all;
}

} // namespace rivulet::hal::daemon
