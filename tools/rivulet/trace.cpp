// SPDX-License-Identifier: Apache-2.0
//
// rivulet trace: runs a program whose OpenCL commands are written to a file for Perfetto's viewer.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "tools/rivulet/commands.h"

namespace rivulet::tools {
namespace {

constexpr const char *footer =
    "Rows: a thread with its OpenCL calls, waits and doorbells; a queue with its commands "
    "(waiting, on\n"
    "the device's ring, running); a hart with the kernels that it ran; device memory. Arrows lead "
    "from\n"
    "a call to its command and its harts. Programs that the traced one starts write FILE.PID.";

int trace(const std::string &output, std::vector<std::string> command) {
    std::error_code error;
    const auto path = std::filesystem::absolute(output, error);
    std::filesystem::remove(path, error);
    if (error) {
        std::fprintf(stderr, "rivulet: %s can't be replaced: %s\n", path.c_str(),
                     error.message().c_str());
        return 1;
    }
    setenv("RIVULET_TRACE", path.c_str(), 1);
    std::vector<char *> arguments;
    for (std::string &word : command)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (const int code =
            posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ)) {
        std::fprintf(stderr, "rivulet: %s can't be run: %s\n", arguments[0], std::strerror(code));
        return 127;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (std::filesystem::exists(path, error))
        std::fprintf(stderr, "rivulet: the trace is in %s; open it at ui.perfetto.dev\n",
                     path.c_str());
    else
        std::fprintf(stderr, "rivulet: %s made no OpenCL call of ours: there is no trace\n",
                     arguments[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

void add_trace(CLI::App &app, Action &action) {
    auto *command =
        app.add_subcommand("trace", "Runs a program and writes what its OpenCL commands "
                                    "do, and when, for Perfetto");
    const auto output = std::make_shared<std::string>("rivulet.perfetto-trace");
    const auto words = std::make_shared<std::vector<std::string>>();
    command->add_option("-o,--output", *output, "file of the trace")->capture_default_str();
    command->add_option("command", *words, "program and its arguments")->required();
    command->positionals_at_end();
    command->footer(footer);
    command->callback(
        [&action, output, words] { action = [output, words] { return trace(*output, *words); }; });
}

} // namespace rivulet::tools
