// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

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

} // namespace

std::string program_beside(const char *program) {
    std::error_code none;
    return std::filesystem::read_symlink("/proc/self/exe", none).parent_path() / program;
}

std::optional<Output> output_of(std::vector<std::string> words, bool errors) {
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
    if (code == 0) {
        char buffer[4096];
        for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) != 0;) {
            if (got > 0)
                output.text.append(buffer, static_cast<size_t>(got));
            else if (errno != EINTR)
                break;
        }
        output.status = wait_for(child);
    }
    close(ends[0]);
    return code == 0 ? std::optional(output) : std::nullopt;
}

int run_and_wait(std::vector<std::string> words, bool output_to_error) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output_to_error)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    pid_t child = 0;
    const int code =
        posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointers(words).data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0) {
        std::fprintf(stderr, "rivulet: %s can't be run: %s\n", words[0].c_str(),
                     std::strerror(code));
        return 127;
    }
    return wait_for(child);
}

} // namespace rivulet::tools
