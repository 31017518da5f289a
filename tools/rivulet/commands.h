// SPDX-License-Identifier: Apache-2.0
//
// The subcommands of `rivulet`. Each adds itself to the program's command line and stores its
// action, which returns the exit code.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/command_line/command.h"

namespace rivulet::tools {

using Action = std::function<int()>;

void add_card(CLI::App &app, Action &action);
void add_doctor(CLI::App &app, Action &action);
void add_debug(CLI::App &app, Action &action);
void add_dump(CLI::App &app, Action &action);
void add_info(CLI::App &app, Action &action);
void add_machines(CLI::App &app, Action &action);
void add_monitor(CLI::App &app, Action &action);
void add_programs(CLI::App &app);
void add_scripts(CLI::App &app);
void add_trace(CLI::App &app, Action &action);
void add_version(CLI::App &app, Action &action);

// Subcommands that are separate programs and get the remaining arguments unchanged. Returns nullopt
// if it is not one of them.
std::optional<int> run_program(const std::string &subcommand, std::vector<std::string> arguments);
std::optional<int> run_script(const std::string &subcommand, std::vector<std::string> arguments);

/// Adds the options of the programs behind subcommands to `root`, by asking each program.
void describe_programs(command_line::Command &root);

} // namespace rivulet::tools
