// SPDX-License-Identifier: Apache-2.0
//
// Manual pages and completions, generated from the description of a command line.
#pragma once

#include <optional>
#include <string>

#include "tools/command_line/command.h"

namespace rivulet::command_line {

/// A page of section 1 for groff and mandoc. `name` is the page's name: "rivulet-info".
std::string manual_page(const Command &command, const std::string &name,
                        const std::string &version);
/// Quotes text as a single shell word.
std::string shell_word(const std::string &text);
std::string joined(const std::vector<std::string> &words, const char *separator);

/// A bash-completion script for `command` and for the programs run by its subcommands.
std::string bash_completion(const Command &command);
/// The same for zsh's compsys.
std::string zsh_completion(const Command &command);

/// Handles options that --help does not list, for packaging and our other programs:
///   --print-options               the description, as JSON
///   --print-man [SUBCOMMAND]      a manual page
///   --print-completion bash|zsh   a script
///   --write-documents FOLDER      all of them, in the folders of /usr/share
/// Returns the exit status, or nullopt if the command line has none of these.
std::optional<int> answer(const Command &command, int argc, char **argv);
/// For a program without subprograms.
std::optional<int> answer(const CLI::App &app, const std::string &version, int argc, char **argv);

} // namespace rivulet::command_line
