// SPDX-License-Identifier: Apache-2.0
//
// The socket that clients connect to, and their requests.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/rivuletd/board.h"

namespace rivulet::tools {

class Server {
public:
    /// `listener`: a listening socket of type SOCK_SEQPACKET. `drain_limit`: how long commands that
    /// clients have submitted may delay the end.
    Server(FileDescriptor listener, std::vector<std::unique_ptr<Board>> boards, Board::Say say,
           std::chrono::seconds drain_limit);
    ~Server();
    /// Serves clients until SIGINT, SIGHUP or SIGTERM, which the caller has blocked. The first
    /// SIGTERM only stops it from accepting new ones: it ends once no client has had commands for a
    /// moment, or after `drain_limit`.
    Result<> run();

private:
    struct Connection {
        FileDescriptor socket;
        Peer peer;
        Board *board = nullptr;
        std::shared_ptr<Client> client; // once it has opened a device
        /// One that can't be answered yet. No further ones are read until then.
        std::optional<hal::daemon::RequestMessage> held;
        std::optional<uint32_t> failures; // for Board::memory_file
    };

    using Clock = std::chrono::steady_clock;

    /// False if it is to end now.
    bool hear_signal();
    bool is_drained();
    void accept();
    void close(uint64_t number);
    bool hear_bell(Connection &connection);
    bool hear_requests(Connection &connection, uint64_t number);
    void hear_news();
    bool answer(Connection &connection, uint64_t number,
                const hal::daemon::RequestMessage &request);
    /// Nothing if the reply has to wait.
    std::optional<Result<>> open(Connection &connection, uint64_t number, Board &board,
                                 hal::daemon::ReplyMessage &reply, std::vector<int> &descriptors,
                                 FileDescriptor &bell, FileDescriptor &memory);
    void hold(Connection &connection, uint64_t number, const hal::daemon::RequestMessage &request);
    void watch(int descriptor, uint64_t what) const;
    void listen_to(const Connection &connection, uint64_t number, bool requests) const;

    const std::chrono::seconds drain_limit_;
    std::optional<Clock::time_point> drain_end_; // once it drains
    Clock::time_point idle_since_;
    FileDescriptor listener_;
    std::vector<std::unique_ptr<Board>> boards_;
    const Board::Say say_;
    const size_t connection_limit_;
    FileDescriptor events_, signals_;
    uint64_t last_number_ = 0;
    std::unordered_map<uint64_t, Connection> connections_;
    std::unordered_map<uid_t, uint32_t> of_users_; // number of connections
    std::vector<uint64_t> held_;                   // connections whose `open` waits
};

} // namespace rivulet::tools
