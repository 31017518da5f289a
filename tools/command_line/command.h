// SPDX-License-Identifier: Apache-2.0
//
// Describes a program's command line as data, so that --help, manual pages and completions are
// consistent: all of them come from its CLI::App.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace rivulet::command_line {

/// An option, a flag, or a positional argument.
struct Parameter {
    std::vector<std::string> names; // "-o", "--output"; empty: positional
    std::string positional;         // its name in the synopsis
    std::string value;              // "FILE"; empty: a flag
    std::string text;
    std::string standard; // default value, "" if there is none
    std::vector<std::string> choices;
    bool required = false;
    bool repeated = false;

    /// How to complete its value: "file", "folder", "machine", "command", "choice" or "".
    [[nodiscard]] std::string completion() const;
};

struct Command {
    std::string name;    // "rivulet", "rivulet-cc", "info"
    std::string text;    // what it does
    std::string version; // only of programs
    std::string footer;
    std::string program; // to which a subcommand passes everything on; "" if none
    std::vector<Parameter> parameters;
    std::vector<Command> subcommands;

    [[nodiscard]] const Command *find(const std::string &subcommand) const;
};

/// Describes what `app` accepts, except hidden options and subcommands (group "").
Command describe(const CLI::App &app);

nlohmann::ordered_json to_json(const Command &command);
/// Throws nlohmann::json::exception if it is not a valid description.
Command from_json(const nlohmann::ordered_json &json);

} // namespace rivulet::command_line
