// SPDX-License-Identifier: Apache-2.0
//
// Other programs that `rivulet` asks for something.
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
    int status = 0;   // exit status, or 128 and the number of the signal that ended it
};

/// The path of a program in the folder that this one is in.
std::string program_beside(const char *program);

/// Runs a program, which is looked for in PATH, until it ends; what it writes to standard error
/// goes to ours if `errors`. Nothing if it can't be started, or takes longer than `patience`, after
/// which it is killed.
std::optional<Output> output_of(std::vector<std::string> words, bool errors = false,
                                std::chrono::seconds patience = std::chrono::seconds(60));

/// Runs a program with our standard streams; the exit status as of a shell. SIGINT, SIGTERM and
/// SIGHUP are the program's, so that the caller can clean up behind it. Nothing, and a message, if
/// it can't be run. `output_to_error`: its standard output is our standard error, ours is for a
/// document.
std::optional<int> run_and_wait(std::vector<std::string> words, bool output_to_error = false);

/// SIGTERM, SIGHUP and SIGINT go on to the processes that were added instead of ending this one, as
/// long as it lives. There is one at a time.
class PassedSignals {
public:
    /// `of_terminal`: also the SIGINT of a terminal, which processes of our group have got already.
    explicit PassedSignals(bool of_terminal);
    ~PassedSignals();
    PassedSignals(const PassedSignals &) = delete;
    PassedSignals &operator=(const PassedSignals &) = delete;

    /// Signals that came before it was there are sent to it, too.
    void add(pid_t child);
    /// For a child that was waited for: its number may be another process's soon.
    void remove(pid_t child);

private:
    static constexpr std::array<int, 3> numbers{SIGINT, SIGTERM, SIGHUP};
    std::array<struct sigaction, numbers.size()> before_{};
};

/// The words that run a subcommand which is a Python program; none if it isn't installed.
std::vector<std::string> script_command(const std::string &name,
                                        std::vector<std::string> arguments);

} // namespace rivulet::tools
