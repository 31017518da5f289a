// SPDX-License-Identifier: Apache-2.0
//
// Subcommands that are programs of their own, beside this one: rivulet-cc, which knows LLVM,
// rivulet-run, which knows OpenCL, rivulet-flash, which knows the formats of boot ROMs, and
// rivulet-hal-test, the suite of hal/conformance.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

#include "tools/rivulet/commands.h"

namespace rivulet::tools {
namespace {

int execute(const char *name, std::vector<std::string> arguments) {
    std::error_code none;
    const auto beside = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
    std::string program = beside / name;
    std::vector<char *> pointers{program.data()};
    for (std::string &argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(program.c_str(), pointers.data());
    std::fprintf(stderr, "rivulet: %s can't be run: %s\n", program.c_str(), std::strerror(errno));
    return 1;
}

void add_program(CLI::App &app, Action &action, const char *subcommand, const char *program,
                 const char *description) {
    auto *command = app.add_subcommand(subcommand, description);
    command->prefix_command();
    command->set_help_flag();
    command->callback([&action, command, program] {
        auto arguments = command->remaining();
        action = [program, arguments] { return execute(program, arguments); };
    });
}

} // namespace

void add_programs(CLI::App &app, Action &action) {
    add_program(app, action, "cc", "rivulet-cc",
                "Compiles OpenCL C: everything goes to rivulet-cc");
    add_program(app, action, "flash", "rivulet-flash", "Brings firmware onto a board");
    add_program(app, action, "run", "rivulet-run",
                "Runs a kernel with arguments from the command line");
    add_program(app, action, "hal-test", "rivulet-hal-test",
                "Runs the HAL conformance suite against the driver that RIVULET_DRIVER names");
}

} // namespace rivulet::tools
