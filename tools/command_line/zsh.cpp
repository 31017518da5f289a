// SPDX-License-Identifier: Apache-2.0
//
// One function per command, which passes its options to _arguments of zsh's compsys.
#include "tools/command_line/documents.h"

namespace rivulet::command_line {
namespace {

/// Escapes text inside [] or between colons of a specification; uses only its first line.
std::string escaped_for_zsh(std::string text) {
    text.resize(std::min(text.find('\n'), text.size()));
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\')
            result += '\\';
        result += c;
    }
    return result;
}

std::string action(const Parameter &parameter) {
    const std::string how = parameter.completion();
    if (how == "choice")
        return "(" + joined(parameter.choices, " ") + ")";
    if (how == "file")
        return "_files";
    if (how == "folder")
        return "_files -/";
    if (how == "machine")
        return "_rivulet_machines";
    return how == "command" ? "_command_names -e" : " ";
}

std::string specification(const Parameter &parameter) {
    if (parameter.names.empty()) {
        const bool program = parameter.completion() == "command";
        // A program's own options come after its name.
        return shell_word(std::string(program              ? "*::"
                                      : parameter.repeated ? "*:"
                                      : parameter.required ? ":"
                                                           : "::") +
                          escaped_for_zsh(parameter.positional) + ":" +
                          (program ? "_normal" : action(parameter)));
    }
    std::string result;
    for (const std::string &name : parameter.names) {
        const std::string value = parameter.value.empty() ? ""
                                                          : ":" + escaped_for_zsh(parameter.value) +
                                                                ":" + action(parameter);
        const bool is_long = name.starts_with("--") && !parameter.value.empty();
        result += (result.empty() ? "" : " \\\n        ") +
                  shell_word("*" + name + (is_long ? "=" : "") + "[" +
                             escaped_for_zsh(parameter.text) + "]" + value);
    }
    return result;
}

std::string functions(const Command &command, const std::string &function) {
    std::string result = function + "() {\n";
    std::string arguments = "-s";
    for (const Parameter &parameter : command.parameters)
        arguments += " \\\n        " + specification(parameter);
    if (command.subcommands.empty()) {
        // _arguments rejects duplicate options; a lone -s is not a specification.
        return result + "    _arguments " + arguments + "\n}\n";
    }
    result += "    local context state state_descr line\n    typeset -A opt_args\n    local -a "
              "subcommands=(\n";
    for (const Command &subcommand : command.subcommands)
        result += "        " +
                  shell_word(subcommand.name + ":" + escaped_for_zsh(subcommand.text)) + "\n";
    result += "    )\n    _arguments -C " + arguments +
              " \\\n        '1:subcommand:->subcommand' '*::argument:->argument'\n"
              "    case $state in\n"
              "    subcommand) _describe subcommand subcommands ;;\n"
              "    argument)\n        case $words[1] in\n";
    for (const Command &subcommand : command.subcommands)
        result += "        " + subcommand.name + ") " + function + "_" + subcommand.name + " ;;\n";
    result += "        esac ;;\n    esac\n}\n";
    for (const Command &subcommand : command.subcommands)
        result += functions(subcommand, function + "_" + subcommand.name);
    return result;
}

} // namespace

std::string zsh_completion(const Command &command) {
    const std::string function = "_" + command.name + "_command";
    std::string programs = command.name, starts;
    for (const Command &subcommand : command.subcommands)
        if (!subcommand.program.empty()) {
            programs += " " + subcommand.program;
            starts += subcommand.program + ") " + function + "_" + subcommand.name + " \"$@\" ;;\n";
        }
    // The file is the body of the function that zsh calls; it first defines the functions it calls.
    return "#compdef " + programs + "\n# Completions for zsh, made of what --help says.\n" +
           "_rivulet_machines() {\n"
           "    compadd -- ${(f)\"$(_call_program machines rivulet machines 2>/dev/null)\"}\n}\n" +
           functions(command, function) + "case $service in\n" + starts + "*) " + function +
           " \"$@\" ;;\nesac\n";
}

} // namespace rivulet::command_line
