// SPDX-License-Identifier: Apache-2.0
//
// rivulet cc: rivulet-cc, wherever it lies.
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

int compile(std::vector<std::string> arguments) {
    std::error_code none;
    const auto beside = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
    std::string program = beside / "rivulet-cc";
    std::vector<char *> pointers{program.data()};
    for (std::string &argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(program.c_str(), pointers.data());
    std::fprintf(stderr, "rivulet: %s can't be run: %s\n", program.c_str(), std::strerror(errno));
    return 1;
}

} // namespace

void add_cc(CLI::App &app, Action &action) {
    auto *command = app.add_subcommand("cc", "Compiles OpenCL C: everything goes to rivulet-cc");
    command->prefix_command();
    command->set_help_flag();
    command->callback([&action, command] {
        auto arguments = command->remaining();
        action = [arguments] { return compile(arguments); };
    });
}

} // namespace rivulet::tools
