// SPDX-License-Identifier: Apache-2.0
//
// Other programs that `rivulet` asks for something.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rivulet::tools {

struct Output {
    std::string text; // standard output
    int status = 0;   // exit status, or 128 and the number of the signal that ended it
};

/// The path of a program in the folder that this one is in.
std::string program_beside(const char *program);

/// Runs a program, which is looked for in PATH, until it ends; what it writes to standard error
/// goes to ours if `errors`. Nothing if it can't be started.
std::optional<Output> output_of(std::vector<std::string> words, bool errors = false);

/// Runs a program with our standard streams; the exit status as of a shell: 127 if it can't be run.
/// `output_to_error`: its standard output is our standard error, ours is for a document.
int run_and_wait(std::vector<std::string> words, bool output_to_error = false);

/// The words that run a subcommand which is a Python program; none if it isn't installed.
std::vector<std::string> script_command(const std::string &name,
                                        std::vector<std::string> arguments);

} // namespace rivulet::tools
