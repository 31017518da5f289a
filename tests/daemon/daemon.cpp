// SPDX-License-Identifier: Apache-2.0
#include "tests/daemon/daemon.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace rivulet::test {

Daemon::Daemon(const std::string &settings, uint32_t harts, const std::string &machine,
               const std::string &memory, uint32_t drain_s)
    : drain_(std::to_string(drain_s)) {
    folder_ = std::filesystem::temp_directory_path() / "rivuletd-XXXXXX";
    if (mkdtemp(folder_.data()) == nullptr)
        throw std::runtime_error("mkdtemp");
    socket_ = folder_ + "/socket";
    config_ = folder_ + "/rivuletd.toml";
    std::ofstream(config_) << "[[device]]\nmachine = \"" << machine << "\"\nmemory = \"" << memory
                           << "\"\nharts = " << harts << "\n"
                           << settings;
    start();
    setenv("RIVULET_MACHINE", ("daemon,socket=" + socket_).c_str(), 1);
}

Daemon::~Daemon() {
    if (pid_ > 0)
        stop(SIGTERM);
    unsetenv("RIVULET_MACHINE");
    std::filesystem::remove_all(folder_);
}

void Daemon::start() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error("pipe");
    pid_ = fork();
    if (pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(ends[1], STDOUT_FILENO);
        unsetenv("RIVULET_MACHINE");
        execl(RIVULETD, "rivuletd", "--socket", socket_.c_str(), "--config", config_.c_str(),
              "--drain", drain_.c_str(), nullptr);
        _exit(127);
    }
    close(ends[1]);
    char line[64];
    const bool ready = read(ends[0], line, sizeof line) > 0;
    close(ends[0]);
    if (!ready) {
        waitpid(std::exchange(pid_, -1), nullptr, 0);
        std::filesystem::remove_all(folder_);
        throw std::runtime_error("rivuletd did not start");
    }
    if (chmod(folder_.c_str(), 0755) != 0 || chmod(socket_.c_str(), 0666) != 0) // for other users
        throw std::runtime_error("chmod");
}

void Daemon::stop(int signal) {
    ::kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    if (signal != SIGKILL)
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
}

bool Daemon::alive() const { return pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == 0; }

Process::Process(const std::function<void()> &work, uid_t user) : pid_(fork()) {
    if (pid_ != 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int status = 1;
    try {
        if (user != 0 && (setgroups(0, nullptr) != 0 || setgid(user) != 0 || setuid(user) != 0))
            throw std::runtime_error("setuid");
        work();
        status = testing::Test::HasFailure() ? 1 : 0;
    } catch (const std::exception &error) {
        std::cerr << "process " << getpid() << ": " << error.what() << std::endl;
    }
    _exit(status);
}

Process::~Process() {
    if (pid_ > 0)
        kill();
}

void Process::kill() {
    ::kill(pid_, SIGKILL);
    waitpid(std::exchange(pid_, -1), nullptr, 0);
}

bool Process::wait() {
    int status = 0;
    return waitpid(std::exchange(pid_, -1), &status, 0) > 0 && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

void work(Session &session, int rounds) {
    const auto source = session.allocate(4096);
    const auto target = session.allocate(4096);
    for (int round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
        const auto value = static_cast<uint32_t>(getpid() * 1000 + round);
        std::vector<rvl_slot> chain = {
            session.command(
                {.kernel = Kernel::iota, .groups = 64, .buffer = source, .value = value}),
            session.command({.kernel = Kernel::copy,
                             .groups = 256,
                             .chunk = 16,
                             .buffer = target,
                             .value = source,
                             .flags = RVL_FLAG_BARRIER})};
        chain[0].header.flags |= RVL_FLAG_SILENT | RVL_FLAG_BARRIER;
        session.submit(chain);
        const auto done = session.await(chain[1].header.token);
        ASSERT_TRUE(done);
        ASSERT_EQ(done->result, RVL_RESULT_OK) << hal::conformance::log_text();
        ASSERT_EQ(done->launch, chain[1].launch.launch);
        const auto words = session.words(target, 64);
        for (uint32_t i = 0; i < 64; ++i)
            ASSERT_EQ(words[i], value + i) << "round " << round;
    }
}

} // namespace rivulet::test
