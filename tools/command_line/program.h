// SPDX-License-Identifier: Apache-2.0
//
// Common command-line parsing and output handling of the programs.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace rivulet::command_line {

/// Parses the command line, then calls `check`, which throws CLI::ValidationError. Returns the exit
/// status if the program should end: 0 after --help, 2 for an invalid command line.
std::optional<int> parse(CLI::App &app, int argc, char **argv,
                         const std::function<void()> &check = {});

/// The text of a JSON document. Device names, paths and the environment may not be valid UTF-8:
/// invalid sequences are replaced with U+FFFD.
std::string to_text(const nlohmann::ordered_json &document, int indent = 2);
/// Prints it on standard output.
void print(const nlohmann::ordered_json &document);

/// The last call in main(): returns `status`, or reports that standard output could not be written
/// and returns 1.
int finish(const char *program, int status);

} // namespace rivulet::command_line
