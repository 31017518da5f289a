// SPDX-License-Identifier: Apache-2.0
//
// Subcommands that are separate programs, next to this one: rivulet-cc, which needs LLVM,
// rivulet-run, which knows OpenCL, rivulet-flash, which knows the formats of boot ROMs, and
// rivulet-hal-test, the suite of hal/conformance.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tools/rivulet/commands.h"
#include "tools/rivulet/process.h"

namespace rivulet::tools {
namespace {

int execute(const char *name, std::vector<std::string> arguments) {
    std::string program = program_beside(name);
    std::vector<char *> pointers{program.data()};
    for (std::string &argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(program.c_str(), pointers.data());
    std::fprintf(stderr, "rivulet: %s can't be run: %s\n", program.c_str(), std::strerror(errno));
    return 1;
}

struct Program {
    const char *subcommand, *program, *text;
};
constexpr Program programs[] = {
    {"bench", "rivulet-bench",
     "Measures device start, builds, round trips and transfers of the first OpenCL device"},
    {"cc", "rivulet-cc", "Compiles OpenCL C: everything goes to rivulet-cc"},
    {"flash", "rivulet-flash", "Brings firmware onto a board"},
    {"run", "rivulet-run", "Runs a kernel with arguments from the command line"},
    {"sign", "rivulet-sign", "Signs firmware and kernel images, for boards that demand it"},
    {"hal-test", "rivulet-hal-test",
     "Runs the HAL conformance suite against the driver that RIVULET_DRIVER names"},
};

/// Asks a program with --print-options; if it does not answer, only the subcommand's summary is
/// shown.
void ask(command_line::Command &subcommand, const std::vector<std::string> &words) {
    const auto output = output_of(words);
    if (!output || output->status != 0)
        return;
    try {
        auto answer = command_line::from_json(nlohmann::ordered_json::parse(output->text));
        subcommand.parameters = std::move(answer.parameters);
        subcommand.subcommands = std::move(answer.subcommands);
        subcommand.footer = std::move(answer.footer);
        subcommand.text = std::move(answer.text);
    } catch (const nlohmann::ordered_json::exception &error) {
        std::fprintf(stderr, "rivulet: what %s says of its options can't be read: %s\n",
                     words[0].c_str(), error.what());
    }
}

} // namespace

std::optional<int> run_program(const std::string &subcommand, std::vector<std::string> arguments) {
    for (const auto &[name, program, text] : programs)
        if (subcommand == name)
            return execute(program, std::move(arguments));
    return std::nullopt;
}

void add_programs(CLI::App &app) {
    for (const auto &[subcommand, program, text] : programs)
        app.add_subcommand(subcommand, text);
}

void describe_programs(command_line::Command &root) {
    for (command_line::Command &subcommand : root.subcommands) {
        if (const auto script = script_command(subcommand.name, {"--print-options"});
            !script.empty())
            ask(subcommand, script);
        for (const auto &[name, program, text] : programs)
            if (subcommand.name == name) {
                subcommand.program = program;
                ask(subcommand, {program_beside(program), "--print-options"});
            }
    }
}

} // namespace rivulet::tools
