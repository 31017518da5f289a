// SPDX-License-Identifier: Apache-2.0
#include "tools/rivuletd/server.h"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "base/printable.h"

namespace rivulet::tools {

using namespace hal::daemon;

namespace {

// A connection takes an area of memory and three descriptors. A client that has disconnected keeps
// two of them until its work has ended.
constexpr uint32_t connections_of_user = 512;
constexpr size_t most_connections = 4096;
constexpr size_t descriptors_of_connection = 5;
constexpr size_t descriptors_of_others = 64; // the devices', and those of an open under way
constexpr int requests_at_once = 16;         // of a connection, before others are looked at

// What an event refers to: a connection's socket or its bell, or one of these.
constexpr uint64_t listening = 0, signalled = 1, news = 2, first_connection = 4;
constexpr uint64_t of_socket(uint64_t number) { return first_connection + 2 * number; }
constexpr uint64_t of_bell(uint64_t number) { return first_connection + 2 * number + 1; }

// A client submits its next command when it has seen the last one's end.
constexpr auto drain_quiet = std::chrono::milliseconds(100);
constexpr int drain_poll_ms = 10;

std::string program_of(pid_t pid) {
    std::ifstream file(text({"/proc/", pid, "/comm"}));
    std::string name;
    std::getline(file, name);
    make_printable(name); // the process has chosen it
    return name;
}

/// Accepting one more than the process may have descriptors would fail for ever, and the listening
/// socket would stay ready.
size_t connection_limit() {
    rlimit descriptors{};
    if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0 ||
        descriptors.rlim_cur < descriptors_of_others + descriptors_of_connection)
        return 1;
    return std::min<size_t>(most_connections, (descriptors.rlim_cur - descriptors_of_others) /
                                                  descriptors_of_connection);
}

bool send_reply(int socket, const ReplyMessage &reply, std::span<const std::byte> content,
                std::span<const int> descriptors) {
    iovec parts[] = {{const_cast<ReplyMessage *>(&reply), sizeof reply},
                     {const_cast<std::byte *>(content.data()), content.size()}};
    alignas(cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))] = {};
    msghdr header{};
    header.msg_iov = parts;
    header.msg_iovlen = 2;
    if (!descriptors.empty()) {
        header.msg_control = control;
        header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
        cmsghdr *const part = CMSG_FIRSTHDR(&header);
        part->cmsg_level = SOL_SOCKET;
        part->cmsg_type = SCM_RIGHTS;
        part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
        std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
    }
    return sendmsg(socket, &header, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

ReplyMessage good_reply() {
    ReplyMessage reply{};
    reply.magic = wire_magic;
    reply.version = wire_version;
    return reply;
}

void refuse(ReplyMessage &reply, const Error &error) {
    reply.status = error.status;
    error.message.copy(reply.text, sizeof reply.text - 1);
}

} // namespace

Server::Server(FileDescriptor listener, std::vector<std::unique_ptr<Board>> boards, Board::Say say,
               std::chrono::seconds drain_limit)
    : drain_limit_(drain_limit), listener_(std::move(listener)), boards_(std::move(boards)),
      say_(std::move(say)), connection_limit_(connection_limit()),
      events_(epoll_create1(EPOLL_CLOEXEC)) {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, number);
    signals_ = FileDescriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

Server::~Server() = default;

void Server::watch(int descriptor, uint64_t what) const {
    epoll_event event{.events = EPOLLIN, .data = {.u64 = what}};
    epoll_ctl(events_.get(), EPOLL_CTL_ADD, descriptor, &event);
}

// That the client has gone is an event in either case.
void Server::listen_to(const Connection &connection, uint64_t number, bool requests) const {
    epoll_event event{.events = requests ? EPOLLIN : 0u, .data = {.u64 = of_socket(number)}};
    epoll_ctl(events_.get(), EPOLL_CTL_MOD, connection.socket.get(), &event);
}

Result<> Server::run() {
    if (!events_ || !signals_)
        return fail(RVL_IO, {"no descriptors left: ", errno_text(errno)});
    watch(listener_.get(), listening);
    watch(signals_.get(), signalled);
    for (const auto &board : boards_)
        watch(board->news(), news);
    for (;;) {
        int pause = -1;
        for (const auto &board : boards_) {
            if (const int wish = board->beat(); wish >= 0)
                pause = pause < 0 ? wish : std::min(pause, wish);
            if (board->clear_some())
                pause = 0;
        }
        if (drain_end_) {
            if (is_drained())
                return {};
            pause = pause < 0 ? drain_poll_ms : std::min(pause, drain_poll_ms);
        }
        epoll_event ready[64];
        const int count = epoll_wait(events_.get(), ready, std::size(ready), pause);
        for (int i = 0; i < count; ++i) {
            const uint64_t what = ready[i].data.u64;
            if (what == signalled) {
                if (!hear_signal())
                    return {};
                continue;
            }
            if (what == listening) {
                accept();
                continue;
            }
            if (what == news) {
                hear_news();
                continue;
            }
            const uint64_t number = (what - first_connection) / 2;
            const auto found = connections_.find(number);
            if (found == connections_.end())
                continue; // closed by an earlier event of this turn
            if (what == of_socket(number) && found->second.held) {
                if ((ready[i].events & (EPOLLHUP | EPOLLERR)) != 0)
                    close(number);
                continue;
            }
            const bool alive = what == of_bell(number) ? hear_bell(found->second)
                                                       : hear_requests(found->second, number);
            if (!alive)
                close(number);
        }
    }
}

// New connections are left in the socket's queue. If it is systemd's, the next daemon accepts them.
bool Server::hear_signal() {
    signalfd_siginfo signal{};
    const bool known = read(signals_.get(), &signal, sizeof signal) == sizeof signal;
    if (!known || signal.ssi_signo != SIGTERM || drain_end_)
        return false;
    epoll_ctl(events_.get(), EPOLL_CTL_DEL, listener_.get(), nullptr);
    idle_since_ = Clock::now();
    drain_end_ = idle_since_ + drain_limit_;
    return true;
}

bool Server::is_drained() {
    const auto now = Clock::now();
    if (!std::ranges::all_of(boards_, [](const auto &board) { return board->is_idle(); }))
        idle_since_ = now;
    return now >= *drain_end_ || now - idle_since_ >= drain_quiet;
}

void Server::accept() {
    FileDescriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    ucred credentials{};
    socklen_t bytes = sizeof credentials;
    if (!socket || getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &bytes) != 0)
        return; // it has already disconnected
    const auto of_user = of_users_.find(credentials.uid);
    const bool user_is_full = of_user != of_users_.end() && of_user->second >= connections_of_user;
    if (user_is_full || connections_.size() >= connection_limit_) {
        ReplyMessage reply = good_reply();
        refuse(reply,
               {RVL_INVALID, text({user_is_full ? user_name(credentials.uid) : "rivuletd", " has ",
                                   user_is_full ? connections_of_user : connections_.size(),
                                   " connections, as many as are possible"})});
        send_reply(socket.get(), reply, {}, {});
        return;
    }
    ++of_users_[credentials.uid];
    const uint64_t number = ++last_number_;
    watch(socket.get(), of_socket(number));
    connections_[number] = {.socket = std::move(socket),
                            .peer = {.pid = credentials.pid,
                                     .user = credentials.uid,
                                     .user_name = user_name(credentials.uid),
                                     .program = program_of(credentials.pid)},
                            .board = nullptr,
                            .client = nullptr,
                            .held = {},
                            .failures = {}};
}

void Server::close(uint64_t number) {
    const auto found = connections_.find(number);
    Connection connection = std::move(found->second);
    connections_.erase(found);
    if (--of_users_[connection.peer.user] == 0)
        of_users_.erase(connection.peer.user);
    // The client's copies keep a descriptor alive, and its events with it.
    epoll_ctl(events_.get(), EPOLL_CTL_DEL, connection.socket.get(), nullptr);
    if (!connection.client)
        return;
    epoll_ctl(events_.get(), EPOLL_CTL_DEL, connection.client->bell.get(), nullptr);
    say_(3, text({connection.peer.program, " (", connection.peer.pid, ") left"}));
    connection.board->leave(connection.client);
}

bool Server::hear_bell(Connection &connection) {
    char bytes[256];
    const auto got = recv(connection.client->bell.get(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
        return false;
    connection.board->serve(*connection.client);
    return true;
}

bool Server::hear_requests(Connection &connection, uint64_t number) {
    for (int count = 0; count < requests_at_once; ++count) {
        RequestMessage request{};
        // MSG_TRUNC: the whole length. Descriptors that a client sends are dropped.
        const auto got =
            recv(connection.socket.get(), &request, sizeof request, MSG_DONTWAIT | MSG_TRUNC);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return true;
        if (got != sizeof request || request.magic != wire_magic) {
            if (got > 0)
                say_(1, text({connection.peer.program, " (", connection.peer.pid,
                              ") sent an invalid request and was disconnected"}));
            return false;
        }
        if (!answer(connection, number, request))
            return false;
        if (connection.held)
            return true;
    }
    return true;
}

void Server::hold(Connection &connection, uint64_t number, const RequestMessage &request) {
    connection.held = request;
    held_.push_back(number);
    listen_to(connection, number, false);
}

void Server::hear_news() {
    for (const auto &board : boards_) {
        uint64_t count = 0;
        static_cast<void>(!read(board->news(), &count, sizeof count));
    }
    for (const uint64_t number : std::exchange(held_, {})) {
        const auto found = connections_.find(number);
        if (found == connections_.end())
            continue;
        Connection &connection = found->second;
        const RequestMessage request = *std::exchange(connection.held, std::nullopt);
        if (!answer(connection, number, request))
            close(number);
        else if (!connection.held)
            listen_to(connection, number, true);
    }
}

std::optional<Result<>> Server::open(Connection &connection, uint64_t number, Board &board,
                                     ReplyMessage &reply, std::vector<int> &descriptors,
                                     FileDescriptor &bell, FileDescriptor &memory) {
    if (connection.client)
        return fail(RVL_INVALID, "the connection has opened a device already");
    if (!board.settings().admits(connection.peer.user))
        return fail(RVL_INVALID, {connection.peer.user_name,
                                  " may not use this device: it is for members of the group ",
                                  board.settings().access});
    uint32_t opening = 0;
    if (board.settings().isolation == Isolation::kernels) {
        auto file = board.memory_file(opening, connection.failures);
        if (!file)
            return std::nullopt;
        connection.failures.reset();
        if (!*file)
            return std::unexpected(file->error());
        memory = std::move((*file)->descriptor);
        reply.memory_offset = (*file)->offset;
    }
    auto client = board.join(connection.peer, opening, bell);
    if (!client)
        return std::unexpected(client.error());
    connection.board = &board;
    connection.client = std::move(*client);
    watch(connection.client->bell.get(), of_bell(number));
    descriptors = {connection.client->mailbox.descriptor(), bell.get()};
    if (memory)
        descriptors.push_back(memory.get());
    say_(3, text({connection.peer.program, " (", connection.peer.pid, ") of ",
                  connection.peer.user_name, " opened a device"}));
    return Result<>();
}

// False if the connection is to be closed.
bool Server::answer(Connection &connection, uint64_t number, const RequestMessage &request) {
    ReplyMessage reply = good_reply();
    std::vector<int> descriptors;
    FileDescriptor bell, memory; // the client's; closed here once they have been sent
    rvl_device_desc description{};
    std::vector<Usage> usages;
    std::span<const std::byte> content;
    const bool other_version =
        RVL_VERSION_MAJOR(request.version) != RVL_VERSION_MAJOR(wire_version);
    Result<> done;
    Board *const board = request.device < boards_.size() ? boards_[request.device].get() : nullptr;
    const auto in_transfer = [&]() -> Result<std::span<std::byte>> {
        if (!connection.client || request.bytes > area::transfer_bytes)
            return fail(RVL_INVALID, "a copy without an open device, or of more than 1 MiB");
        return std::span(connection.client->mailbox.transfers(), request.bytes);
    };
    if (other_version)
        done = fail(RVL_BAD_VERSION, "the library is of another version than rivuletd; use those "
                                     "of the same release");
    else if (board == nullptr)
        done = fail(RVL_NOT_FOUND, {"there is no device ", request.device, " among the ",
                                    boards_.size(), " of rivuletd, which are counted from 0"});
    else
        switch (request.request) {
        case Request::open:
            if (const auto opened =
                    open(connection, number, *board, reply, descriptors, bell, memory))
                done = *opened;
            else
                return hold(connection, number, request), true;
            [[fallthrough]];
        case Request::list:
            description = board->description_for(connection.peer.user);
            description.size = sizeof description;
            content = std::as_bytes(std::span(&description, 1));
            reply.count = static_cast<uint32_t>(boards_.size());
            break;
        case Request::read:
            if (const auto to = in_transfer(); to)
                done = connection.board->read(*connection.client, request.address, *to);
            else
                done = std::unexpected(to.error());
            break;
        case Request::write:
            if (const auto from = in_transfer(); from)
                done = connection.board->write(*connection.client, request.address, *from);
            else
                done = std::unexpected(from.error());
            break;
        case Request::reset:
            if (connection.client)
                done = connection.board->reset(*connection.client);
            else
                done = fail(RVL_INVALID, "a reset without an open device");
            break;
        case Request::usage: {
            const auto all = board->usage();
            const size_t first = std::min<size_t>(request.address, all.size());
            usages.assign(all.begin() + static_cast<ptrdiff_t>(first), all.end());
            usages.resize(std::min<size_t>(usages.size(), most_usages));
            content = std::as_bytes(std::span(usages));
            reply.count = static_cast<uint32_t>(all.size());
            break;
        }
        default:
            done = fail(RVL_UNSUPPORTED,
                        {"there is no request ", static_cast<uint32_t>(request.request)});
        }
    if (!done) {
        refuse(reply, done.error());
        content = {};
    }
    return send_reply(connection.socket.get(), reply, content, descriptors);
}

} // namespace rivulet::tools
