// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace rivulet::tools {
namespace {

std::vector<char *> pointers(std::vector<std::string> &words) {
    std::vector<char *> result;
    for (std::string &word : words)
        result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Atomic, because the handler of PassedSignals reads them.
std::array<std::atomic<pid_t>, 2> receivers{};
std::atomic<int> last_signal = 0;
std::atomic<bool> passes_terminal = false;

void pass_on(int number, siginfo_t *info, void *) {
    if (number == SIGINT && info->si_code == SI_KERNEL && !passes_terminal)
        return;
    const int error = errno;
    last_signal = number;
    for (const auto &receiver : receivers)
        if (const pid_t child = receiver; child > 0)
            kill(child, number);
    errno = error;
}

/// Reads until the end, an error, or the deadline; returns false at the deadline.
bool read_until(std::chrono::steady_clock::time_point deadline, int from, std::string &text) {
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0)
            return false;
        pollfd wanted{from, POLLIN, 0};
        if (poll(&wanted, 1, static_cast<int>(left.count())) <= 0)
            continue;
        char buffer[4096];
        const ssize_t got = read(from, buffer, sizeof buffer);
        if (got > 0)
            text.append(buffer, static_cast<size_t>(got));
        else if (got == 0 || errno != EINTR)
            return true;
    }
}

} // namespace

PassedSignals::PassedSignals(bool of_terminal) {
    last_signal = 0;
    passes_terminal = of_terminal;
    struct sigaction action{};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO;
    for (size_t i = 0; i < numbers.size(); ++i) {
        sigaction(numbers[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) // as nohup has it, for the processes as well
            sigaction(numbers[i], &action, nullptr);
    }
}

PassedSignals::~PassedSignals() {
    for (size_t i = 0; i < numbers.size(); ++i)
        sigaction(numbers[i], &before_[i], nullptr);
}

void PassedSignals::add(pid_t child) {
    if (child <= 0) // it could not be created
        return;
    for (auto &receiver : receivers)
        if (pid_t free = 0; receiver.compare_exchange_strong(free, child))
            break;
    if (const int number = last_signal; number != 0)
        kill(child, number);
}

void PassedSignals::remove(pid_t child) {
    for (auto &receiver : receivers)
        if (pid_t old = child; receiver.compare_exchange_strong(old, 0))
            break;
}

std::string program_beside(const char *program) {
    std::error_code none;
    return std::filesystem::read_symlink("/proc/self/exe", none).parent_path() / program;
}

std::optional<Output> output_of(std::vector<std::string> words, bool errors,
                                std::chrono::seconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    int ends[2];
    if (words.empty() || pipe2(ends, O_CLOEXEC) != 0)
        return std::nullopt;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    if (!errors)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int code =
        posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointers(words).data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    Output output;
    bool ended = false;
    if (code == 0) {
        ended = read_until(deadline, ends[0], output.text);
        if (!ended)
            kill(child, SIGKILL);
        output.status = wait_for(child);
    }
    close(ends[0]);
    return ended ? std::optional(output) : std::nullopt;
}

std::optional<int> run_and_wait(std::vector<std::string> words, bool output_to_error) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output_to_error)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    PassedSignals passed(false);
    pid_t child = 0;
    const int code =
        posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointers(words).data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0) {
        std::fprintf(stderr, "rivulet: %s can't be run: %s\n", words[0].c_str(),
                     std::strerror(code));
        return std::nullopt;
    }
    passed.add(child);
    const int status = wait_for(child);
    passed.remove(child);
    return status;
}

} // namespace rivulet::tools
