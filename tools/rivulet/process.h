// SPDX-License-Identifier: Apache-2.0
//
// Runs other programs on behalf of `rivulet`.
#pragma once

#include <array>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace rivulet::tools {

struct Output {
    std::string text; // standard output
    int status = 0;   // exit status, or 128 + signal number
};

/// The path of a program in this program's directory.
std::string program_beside(const char *program);

/// Runs a program, which is searched in PATH, until it ends; its standard error is passed to ours
/// if `errors`. Returns nullopt if it can't be started, or takes longer than `patience`, after
/// which it is killed.
std::optional<Output> output_of(std::vector<std::string> words, bool errors = false,
                                std::chrono::seconds patience = std::chrono::seconds(60));

/// Runs a program with our standard streams and returns its exit status as a shell would. SIGINT,
/// SIGTERM and SIGHUP are passed to the program, so that the caller can clean up afterwards.
/// Returns nullopt, after a message, if it can't be run. `output_to_error`: its standard output
/// goes to our standard error, because ours is for a document.
std::optional<int> run_and_wait(std::vector<std::string> words, bool output_to_error = false);

/// While it exists, SIGTERM, SIGHUP and SIGINT are forwarded to the added processes instead of
/// terminating this one. There is at most one at a time.
class PassedSignals {
public:
    /// `of_terminal`: also forwards SIGINT from a terminal, which processes of our group have
    /// already received.
    explicit PassedSignals(bool of_terminal);
    ~PassedSignals();
    PassedSignals(const PassedSignals &) = delete;
    PassedSignals &operator=(const PassedSignals &) = delete;

    /// Earlier signals are sent to it, too.
    void add(pid_t child);
    /// For a child that has been waited for: its process id may soon be reused.
    void remove(pid_t child);

private:
    static constexpr std::array<int, 3> numbers{SIGINT, SIGTERM, SIGHUP};
    std::array<struct sigaction, numbers.size()> before_{};
};

/// The command line for a subcommand that is a Python program; empty if it isn't installed.
std::vector<std::string> script_command(const std::string &name,
                                        std::vector<std::string> arguments);

} // namespace rivulet::tools
