// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/child_program.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rivulet::compiler {
namespace {

constexpr int no_program = 127; // as the shell's

[[noreturn]] void become(char *const *words, char *const *environment, int log, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(no_program); // the parent died before this process asked for its signal
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0 &&
        dup2(log, STDERR_FILENO) >= 0)
        execve(words[0], words, environment);
    dprintf(log, "%s", strerror(errno));
    _exit(no_program);
}

} // namespace

std::string run_child_program(const std::vector<std::string> &words, int log) {
    std::vector<char *> pointers;
    for (const std::string &word : words)
        pointers.push_back(const_cast<char *>(word.c_str())); // execve doesn't write to them
    pointers.push_back(nullptr);
    // A program of LLVM that crashes would run llvm-symbolizer for its stack, which no log shows.
    std::string variable = "LLVM_DISABLE_SYMBOLIZATION=1";
    std::vector<char *> environment{variable.data()};
    for (char **other = environ; *other; ++other)
        environment.push_back(*other);
    environment.push_back(nullptr);
    const pid_t parent = getpid(), process = fork();
    if (process < 0)
        return strerror(errno);
    if (process == 0)
        become(pointers.data(), environment.data(), log, parent);
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return strerror(errno);
    if (WIFSIGNALED(status))
        return std::string("signal SIG") + sigabbrev_np(WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        return "exit code " + std::to_string(WEXITSTATUS(status));
    return {};
}

} // namespace rivulet::compiler
