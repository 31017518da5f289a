// SPDX-License-Identifier: Apache-2.0
//
// rivulet conformance: the runner of conformance suites, a Python program beside the data.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include "hal/core/config.h"
#include "tools/rivulet/commands.h"
#include "tools/rivulet/process.h"

namespace rivulet::tools {
namespace {

int run_conformance(std::vector<std::string> arguments) {
    auto words = conformance_command(std::move(arguments));
    if (words.empty()) {
        std::fprintf(stderr,
                     "rivulet: no conformance runner in \"%s/conformance\"; install Rivulet as a "
                     "whole, with the folder lib/rivulet beside bin/\n",
                     hal::find_data_directory().c_str());
        return 1;
    }
    std::vector<char *> pointers;
    for (std::string &word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execvp(pointers[0], pointers.data());
    std::fprintf(stderr, "rivulet: python3 (3.11 or later) can't be run: %s\n",
                 std::strerror(errno));
    return 1;
}

} // namespace

std::vector<std::string> conformance_command(std::vector<std::string> arguments) {
    const std::string data = hal::find_data_directory();
    if (data.empty() || access((data + "/conformance/__main__.py").c_str(), R_OK) != 0)
        return {};
    // The system's Python has the modules that the runner was written for.
    const char *python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
    std::vector<std::string> words{python, "-B", data + "/conformance"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

void add_conformance(CLI::App &app, Action &action) {
    auto *command = app.add_subcommand(
        "conformance", "Runs conformance suites and reports: everything goes to the runner");
    command->prefix_command();
    command->set_help_flag();
    command->callback([&action, command] {
        auto arguments = command->remaining();
        action = [arguments] { return run_conformance(arguments); };
    });
}

} // namespace rivulet::tools
