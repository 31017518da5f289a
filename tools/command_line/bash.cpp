// SPDX-License-Identifier: Apache-2.0
//
// The script walks over the words before the cursor to find the subcommand, then offers what that
// accepts. A subcommand is a path: " conformance run".
#include "tools/command_line/documents.h"

namespace rivulet::command_line {

std::string shell_word(const std::string &text) {
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

std::string joined(const std::vector<std::string> &words, const char *separator) {
    std::string result;
    for (const std::string &word : words)
        result += (result.empty() ? "" : separator) + word;
    return result;
}

namespace {

/// The branches of `case` statements over paths; each command adds to all four.
struct Cases {
    std::string descend; // from a path and a word to another path
    std::string words;   // for options
    std::string values;  // of options
    std::string operands;
    std::string valued; // options that take a value
};

std::string offer(const Parameter &parameter) {
    const std::string how = parameter.completion();
    return how == "choice" ? "choice " + joined(parameter.choices, " ") : how;
}

void add(Cases &cases, const Command &command, const std::string &path) {
    std::vector<std::string> words;
    for (const Command &subcommand : command.subcommands) {
        words.push_back(subcommand.name);
        cases.descend +=
            (cases.descend.empty() ? "" : " | ") + shell_word(path + " " + subcommand.name);
    }
    std::string operand;
    for (const Parameter &parameter : command.parameters) {
        words.insert(words.end(), parameter.names.begin(), parameter.names.end());
        if (parameter.names.empty() && (operand.empty() || parameter.completion() == "command"))
            operand = offer(parameter);
        if (parameter.names.empty() || parameter.value.empty())
            continue;
        std::vector<std::string> patterns;
        for (const std::string &name : parameter.names)
            patterns.push_back(shell_word(path + " " + name));
        cases.valued += (cases.valued.empty() ? "" : " | ") + joined(patterns, " | ");
        cases.values +=
            "    " + joined(patterns, " | ") + ") how=" + shell_word(offer(parameter)) + " ;;\n";
    }
    cases.words += "    " + shell_word(path) + ") words=" + shell_word(joined(words, " ")) +
                   " operand=" + shell_word(operand) + " ;;\n";
    for (const Command &subcommand : command.subcommands)
        add(cases, subcommand, path + " " + subcommand.name);
}

} // namespace

std::string bash_completion(const Command &command) {
    Cases cases;
    add(cases, command, "");
    std::string programs = command.name;
    std::string starts;
    for (const Command &subcommand : command.subcommands)
        if (!subcommand.program.empty()) {
            programs += " " + subcommand.program;
            starts += "    " + subcommand.program + ") path=" + shell_word(" " + subcommand.name) +
                      " ;;\n";
        }
    const std::string function = "_" + command.name;
    return "# Completions for bash, made of what --help says.\n" + function + R"bash(() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local path= words= operand= how= i word
    case ${COMP_WORDS[0]##*/} in
)bash" + starts +
           R"bash(    esac
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case "$path $word" in
        )bash" +
           (cases.valued.empty() ? "''" : cases.valued) + R"bash()
            ((i++)) ;; # the word after it is its value
        )bash" +
           (cases.descend.empty() ? "''" : cases.descend) + R"bash()
            path+=" $word" ;;
        esac
    done
    # bash makes three words of --option=value.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = && COMP_CWORD -ge 2 ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case "$path" in
)bash" + cases.words +
           R"bash(    esac
    case "$path $previous" in
)bash" + cases.values +
           R"bash(    *)
        how=$operand
        [[ $current == -* || -z $operand || $words == [a-z]* ]] && how="choice $words" ;;
    esac
    case $how in
    choice*) COMPREPLY=($(compgen -W "${how#choice}" -- "$current")) ;;
    machine) COMPREPLY=($(compgen -W "$(rivulet machines 2>/dev/null)" -- "$current")) ;;
    folder) compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -d -- "$current")) ;;
    command) COMPREPLY=($(compgen -c -- "$current"; compgen -f -- "$current")) ;;
    file) compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$current")) ;;
    esac
}
complete -F )bash" +
           function + " " + programs + "\n";
}

} // namespace rivulet::command_line
