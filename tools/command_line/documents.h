// SPDX-License-Identifier: Apache-2.0
//
// Manual pages and completions of a command line, made of what --help says.
#pragma once

#include <optional>
#include <string>

#include "tools/command_line/command.h"

namespace rivulet::command_line {

/// A page of section 1 for groff and mandoc. `name` is what the page is called: "rivulet-info".
std::string manual_page(const Command &command, const std::string &name,
                        const std::string &version);
/// The text as one word of a shell.
std::string shell_word(const std::string &text);
std::string joined(const std::vector<std::string> &words, const char *separator);

/// A script for bash-completion, for `command` and for the programs that its subcommands run.
std::string bash_completion(const Command &command);
/// The same for zsh's compsys.
std::string zsh_completion(const Command &command);

/// Answers the words that --help does not list, which packaging and other programs of ours use:
///   --print-options               the description, as JSON
///   --print-man [SUBCOMMAND]      a manual page
///   --print-completion bash|zsh   a script
///   --write-documents FOLDER      all of them, in the folders of /usr/share
/// The exit status, or nothing if the command line says something else.
std::optional<int> answer(const Command &command, int argc, char **argv);
/// For a program without programs below it.
std::optional<int> answer(const CLI::App &app, const std::string &version, int argc, char **argv);

} // namespace rivulet::command_line
