// SPDX-License-Identifier: Apache-2.0
//
// The programs parse their command lines and end their output alike.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace rivulet::command_line {

/// Parses the command line, then asks `check`, which throws CLI::ValidationError. Returns the exit
/// status where the program ends with that: 0 after --help, 2 for what makes no sense.
std::optional<int> parse(CLI::App &app, int argc, char **argv,
                         const std::function<void()> &check = {});

/// The text of a document. Names of devices, paths and the environment may be no UTF-8: what is
/// none of it becomes U+FFFD.
std::string to_text(const nlohmann::ordered_json &document, int indent = 2);
/// Prints it on standard output.
void print(const nlohmann::ordered_json &document);

/// The last call of main(): returns `status`, or says that standard output could not be written,
/// and returns 1.
int finish(const char *program, int status);

} // namespace rivulet::command_line
