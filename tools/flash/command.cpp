// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace rivulet::flash {

std::string command_text(const std::vector<std::string> &command) {
    std::string text;
    for (const auto &word : command) {
        const bool plain = word.find_first_of(" \"'$;&|<>()") == word.npos && !word.empty();
        text += (text.empty() ? "" : " ") + (plain ? word : "'" + word + "'");
    }
    return text;
}

Result<Command> Command::start(const std::vector<std::string> &command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(RVL_IO, {"cannot make a pipe: ", errno_text(errno)});
    FileDescriptor output(ends[0]);
    const FileDescriptor input(ends[1]);
    std::vector<char *> arguments;
    for (const auto &word : command)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, input.get(), 1);
    posix_spawn_file_actions_adddup2(&actions, input.get(), 2);
    pid_t process = -1;
    const int error =
        posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return fail(RVL_NOT_FOUND, {"cannot run ", command[0], ": ", errno_text(error),
                                    "; install Debian's package of that name"});
    return Command(process, std::move(output));
}

Command::Command(Command &&other) noexcept
    : process_(std::exchange(other.process_, -1)), output_(std::move(other.output_)),
      read_(std::move(other.read_)) {}

Command::~Command() {
    if (process_ < 0)
        return;
    kill(process_, SIGTERM);
    for (int tries = 0; tries < 100; ++tries) {
        if (waitpid(process_, nullptr, WNOHANG) != 0)
            return;
        usleep(10000);
    }
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
}

bool Command::line(std::string &to, int milliseconds) {
    for (;;) {
        if (const size_t end = read_.find_first_of("\r\n"); end != read_.npos) {
            to = read_.substr(0, end);
            read_.erase(0, end + 1);
            return true;
        }
        pollfd wanted{output_.get(), POLLIN, 0};
        const int ready = poll(&wanted, 1, milliseconds);
        silent_ = ready == 0;
        if (ready < 0 && errno == EINTR)
            continue;
        char buffer[4096];
        const ssize_t got = ready > 0 ? read(output_.get(), buffer, sizeof buffer) : 0;
        if (got > 0) {
            read_.append(buffer, static_cast<size_t>(got));
        } else if (!read_.empty() && ready > 0) { // without a line end
            to = std::exchange(read_, {});
            return true;
        } else {
            return false;
        }
    }
}

int Command::wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Result<> run_command(const std::vector<std::string> &command,
                     const std::function<void(const std::string &)> &seen, int silence_ms) {
    auto running = Command::start(command);
    if (!running)
        return std::unexpected(running.error());
    std::string line, last;
    while (running->line(line, silence_ms)) {
        if (seen)
            seen(line);
        if (!line.empty())
            last = line;
    }
    if (running->is_silent())
        return fail(RVL_TIMEOUT,
                    {command_text(command), " says nothing for ", silence_ms / 1000,
                     " s: is the board there?", last.empty() ? "" : " Its last words: ", last});
    const int status = running->wait();
    if (status != 0)
        return fail(RVL_IO, {command_text(command), " failed (", status, "): ", last});
    return {};
}

} // namespace rivulet::flash
