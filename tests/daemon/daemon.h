// SPDX-License-Identifier: Apache-2.0
//
// rivuletd for a test, and its clients as processes.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "hal/conformance/session.h"

namespace rivulet::test {

using hal::conformance::Kernel;
using hal::conformance::Session;

/// A running rivuletd, with a folder of its own. While it exists, RIVULET_MACHINE names it.
class Daemon {
public:
    /// `settings`: lines of its [[device]], after the machine's. `drain_s`: how long SIGTERM waits
    /// for commands.
    explicit Daemon(const std::string &settings = "", uint32_t harts = 2,
                    const std::string &machine = "rv64-v128", const std::string &memory = "2G",
                    uint32_t drain_s = 10);
    ~Daemon();
    Daemon(const Daemon &) = delete;
    Daemon &operator=(const Daemon &) = delete;

    void start();
    /// Sends the signal (0: none), and waits for the daemon's end.
    void stop(int signal);
    [[nodiscard]] bool alive() const;
    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] const std::string &socket() const { return socket_; }

private:
    std::string folder_, socket_, config_, drain_;
    pid_t pid_ = -1;
};

/// A process that runs `work`; ended with the object. Its result is a failed expectation or an
/// exception in `work`, which it prints.
class Process {
public:
    explicit Process(const std::function<void()> &work, uid_t user = 0);
    Process(Process &&other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
    Process &operator=(Process &&other) noexcept {
        std::swap(pid_, other.pid_);
        return *this;
    }
    ~Process();

    void kill();
    /// True if all was well.
    bool wait();
    [[nodiscard]] pid_t pid() const { return pid_; }

private:
    pid_t pid_;
};

/// Runs kernels in chains, and checks their results.
void work(Session &session, int rounds);

} // namespace rivulet::test
