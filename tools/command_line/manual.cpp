// SPDX-License-Identifier: Apache-2.0
//
// Manual pages from the description that completions need anyway. help2man has the text of --help
// alone: it makes one page per program, calls that of `rivulet info` "rivulet", and cannot tell
// choices, defaults and subcommands of subcommands from prose.
#include "tools/command_line/documents.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>

namespace rivulet::command_line {
namespace {

/// The bits of the code point in the first byte of a UTF-8 sequence.
uint32_t start_of_sequence(unsigned char first) {
    return first >= 0xf0 ? first & 7u : first >= 0xe0 ? first & 15u : first & 31u;
}

/// Escapes text for roff, so that no character starts a request or an escape and all are ASCII.
std::string escaped_for_troff(const std::string &text) {
    std::string result;
    bool at_start = true;
    uint32_t point = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80) {
            point = byte >= 0xc0 ? start_of_sequence(byte) : point << 6 | (byte & 0x3fu);
            const bool ends =
                i + 1 == text.size() || (static_cast<unsigned char>(text[i + 1]) & 0xc0) != 0x80;
            char code[16];
            std::snprintf(code, sizeof code, "\\[u%04X]", point);
            result += ends ? code : "";
            continue;
        }
        if (at_start && (c == '.' || c == '\''))
            result += "\\&";
        at_start = c == '\n';
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else if (c == '\'')
            result += "\\(aq";
        else if (c == '`')
            result += "\\(ga";
        else
            result += c;
    }
    return result;
}

std::string bold(const std::string &text) { return "\\fB" + escaped_for_troff(text) + "\\fR"; }
std::string italic(const std::string &text) { return "\\fI" + escaped_for_troff(text) + "\\fR"; }

std::string sentence(std::string text) {
    if (!text.empty())
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    if (!text.empty() && std::string(".:!?)\n").find(text.back()) == std::string::npos)
        text += '.';
    return text;
}

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string synopsis(const Command &command, const std::string &title) {
    std::string result = ".SH SYNOPSIS\n" + bold(title);
    if (std::ranges::any_of(command.parameters,
                            [](const Parameter &p) { return !p.names.empty(); }))
        result += " [" + italic("OPTIONS") + "]";
    for (const Parameter &parameter : command.parameters) {
        if (!parameter.names.empty())
            continue;
        const std::string word =
            italic(upper(parameter.positional)) + (parameter.repeated ? " ..." : "");
        result += parameter.required ? " " + word : " [" + word + "]";
    }
    if (!command.subcommands.empty())
        result += " " + italic("SUBCOMMAND");
    return result + "\n";
}

std::string options(const Command &command) {
    std::string result;
    for (const Parameter &parameter : command.parameters) {
        result += ".TP\n";
        std::string names;
        for (const std::string &name : parameter.names)
            names += (names.empty() ? "" : ", ") + bold(name);
        if (names.empty())
            names = italic(upper(parameter.positional));
        else if (!parameter.value.empty())
            names += " " + italic(parameter.value);
        result += names + "\n" + escaped_for_troff(sentence(parameter.text));
        if (!parameter.choices.empty()) {
            std::string all;
            for (const std::string &choice : parameter.choices)
                all += (all.empty() ? "" : ", ") + choice;
            result += "\n" + escaped_for_troff("One of: " + all + ".");
        }
        if (!parameter.standard.empty())
            result += "\n" + escaped_for_troff("Default: " + parameter.standard + ".");
        result += "\n";
    }
    return result.empty() ? "" : ".SH OPTIONS\n" + result;
}

std::string subcommands(const Command &command) {
    std::string result;
    for (const Command &subcommand : command.subcommands)
        result += ".TP\n" + bold(subcommand.name) + "\n" +
                  escaped_for_troff(sentence(subcommand.text)) + "\n";
    return result.empty() ? "" : ".SH SUBCOMMANDS\n" + result;
}

/// Subcommands without a page of their own: lists their options one after the other.
std::string nested_options(const Command &command) {
    std::string result;
    for (const Command &subcommand : command.subcommands) {
        std::string its = options(subcommand);
        if (its.empty())
            continue;
        its.replace(0, its.find('\n'),
                    ".SH OPTIONS OF " + escaped_for_troff(upper(subcommand.name)));
        result += its;
        if (!subcommand.footer.empty())
            result += ".PP\n.nf\n" + escaped_for_troff(subcommand.footer) + "\n.fi\n";
    }
    return result;
}

} // namespace

std::string manual_page(const Command &command, const std::string &name,
                        const std::string &version) {
    // "rivulet-info" is invoked as "rivulet info"; other programs by their names.
    const std::string title = command.name.starts_with("rivulet") ? command.name
                              : name == command.name              ? name
                                                                  : "rivulet " + command.name;
    std::string short_text = command.text.substr(0, command.text.find_first_of(":;\n"));
    while (short_text.ends_with('.'))
        short_text.pop_back();
    const bool has_pages = name == "rivulet";
    std::string result =
        ".\\\" Made of what --help says.\n.TH " + upper(name) + " 1 \"\" \"rivulet " + version +
        "\" \"User Commands\"\n.SH NAME\n" + escaped_for_troff(name) + " \\- " +
        escaped_for_troff(short_text) + "\n" + synopsis(command, title) + ".SH DESCRIPTION\n" +
        escaped_for_troff(sentence(command.text)) + "\n" + options(command) + subcommands(command);
    if (!has_pages)
        result += nested_options(command);
    if (!command.footer.empty())
        result += ".SH NOTES\n.nf\n" + escaped_for_troff(command.footer) + "\n.fi\n";
    result +=
        ".SH EXIT STATUS\n0 if all went well, 1 if something failed, 2 if the command line is "
        "wrong.\n.SH SEE ALSO\n";
    std::string others;
    if (has_pages) {
        for (const Command &subcommand : command.subcommands)
            others += (others.empty() ? "" : ",\n") + std::string("\\fBrivulet\\-") +
                      escaped_for_troff(subcommand.name) + "\\fR(1)";
        return result + others + "\n";
    }
    return result + "\\fBrivulet\\fR(1)\n";
}

} // namespace rivulet::command_line
