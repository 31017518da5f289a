// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/command.h"

#include <algorithm>

namespace rivulet::command_line {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> split(const std::string &text, char separator) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : text) {
        if (c == separator) {
            words.push_back(word);
            word.clear();
        } else if (c != ' ') {
            word += c;
        }
    }
    words.push_back(word);
    return words;
}

/// The values permitted by a validator: CLI11 shows {a,b}, or a description such as a
///
/// b.
std::vector<std::string> choices_of(const std::string &type) {
    const size_t open = type.find('{');
    if (open != type.npos && type.find('}', open) != type.npos)
        return split(type.substr(open + 1, type.find('}', open) - open - 1), ',');
    const std::string last = type.substr(type.rfind(':') + 1); // npos + 1 is 0
    return last.find('|') != last.npos ? split(last, '|') : std::vector<std::string>{};
}

Parameter describe(const CLI::Option &option) {
    Parameter result;
    for (const std::string &name : option.get_snames())
        result.names.push_back("-" + name);
    for (const std::string &name : option.get_lnames())
        result.names.push_back("--" + name);
    result.positional = result.names.empty() ? option.get_name(true) : "";
    result.text = option.get_description();
    result.required = option.get_required();
    result.repeated = option.get_items_expected_max() > 1;
    if (option.get_items_expected_max() == 0)
        return result; // a flag
    const std::string type = option.get_type_name();
    result.choices = choices_of(type);
    result.value = type.substr(0, type.find_first_of(" :({"));
    if (result.value.empty())
        result.value = "VALUE";
    result.standard = option.get_default_str();
    return result;
}

void trim(std::string &text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
}

} // namespace

std::string Parameter::completion() const {
    if (!choices.empty())
        return "choice";
    const std::string &what = value;
    if (what == "FILE" || what == "PATH" || what == "ARGUMENT=FILE")
        return "file";
    if (what == "DIR")
        return "folder";
    if (what == "MACHINE")
        return "machine";
    if (what == "COMMAND")
        return "command";
    return names.empty() && !what.empty() ? "file" : "";
}

const Command *Command::find(const std::string &subcommand) const {
    const auto found = std::ranges::find(subcommands, subcommand, &Command::name);
    return found != subcommands.end() ? &*found : nullptr;
}

Command describe(const CLI::App &app) {
    Command result;
    result.name = app.get_name();
    result.text = app.get_description();
    result.footer = app.get_footer();
    trim(result.footer);
    for (const CLI::Option *option : app.get_options({}))
        if (!option->get_group().empty())
            result.parameters.push_back(describe(*option));
    for (const CLI::App *subcommand : app.get_subcommands({}))
        if (!subcommand->get_group().empty())
            result.subcommands.push_back(describe(*subcommand));
    return result;
}

Json to_json(const Command &command) {
    Json result = {{"name", command.name},        {"text", command.text},
                   {"version", command.version},  {"footer", command.footer},
                   {"program", command.program},  {"parameters", Json::array()},
                   {"subcommands", Json::array()}};
    for (const Parameter &parameter : command.parameters)
        result["parameters"].push_back({{"names", parameter.names},
                                        {"positional", parameter.positional},
                                        {"value", parameter.value},
                                        {"text", parameter.text},
                                        {"default", parameter.standard},
                                        {"choices", parameter.choices},
                                        {"required", parameter.required},
                                        {"repeated", parameter.repeated}});
    for (const Command &subcommand : command.subcommands)
        result["subcommands"].push_back(to_json(subcommand));
    return result;
}

Command from_json(const Json &json) {
    Command result;
    json.at("name").get_to(result.name);
    json.at("text").get_to(result.text);
    result.version = json.value("version", "");
    result.footer = json.value("footer", "");
    result.program = json.value("program", "");
    trim(result.footer);
    for (const Json &entry : json.at("parameters")) {
        Parameter parameter;
        entry.at("names").get_to(parameter.names);
        entry.at("text").get_to(parameter.text);
        parameter.positional = entry.value("positional", "");
        parameter.value = entry.value("value", "");
        parameter.standard = entry.value("default", "");
        parameter.choices = entry.value("choices", std::vector<std::string>{});
        parameter.required = entry.value("required", false);
        parameter.repeated = entry.value("repeated", false);
        result.parameters.push_back(std::move(parameter));
    }
    for (const Json &entry : json.at("subcommands"))
        result.subcommands.push_back(from_json(entry));
    return result;
}

} // namespace rivulet::command_line
