// SPDX-License-Identifier: Apache-2.0
//
// Subcommands that are Python programs, next to the data: rivulet conformance, rivulet profile.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include "base/build_version.h"
#include "base/data_directory.h"
#include "hal/core/config.h"
#include "tools/rivulet/commands.h"
#include "tools/rivulet/process.h"

namespace rivulet::tools {
namespace {

struct Script {
    const char *name, *text;
};
constexpr Script scripts[] = {
    {"conformance", "Runs conformance suites and reports: everything goes to the runner"},
    {"profile", "Runs a program and says where the time of its kernels went"},
};

int execute_script(const char *name, std::vector<std::string> arguments) {
    if (arguments.size() == 1 && arguments.front() == "--version") { // they don't handle it
        std::printf("rivulet %s\n", build_version());
        return 0;
    }
    auto words = script_command(name, std::move(arguments));
    if (words.empty()) {
        std::fprintf(stderr,
                     "rivulet: no \"%s/%s\"; install Rivulet as a whole, with the folder "
                     "lib/rivulet next to bin/\n",
                     find_data_directory().c_str(), name);
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

std::vector<std::string> script_command(const std::string &name,
                                        std::vector<std::string> arguments) {
    const std::string folder = find_data_directory() + "/" + name;
    if (access((folder + "/__main__.py").c_str(), R_OK) != 0)
        return {};
    // The system's Python has the modules they need.
    const char *python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
    std::vector<std::string> words{python, "-B", folder};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

std::optional<int> run_script(const std::string &subcommand, std::vector<std::string> arguments) {
    for (const auto &[name, text] : scripts)
        if (subcommand == name)
            return execute_script(name, std::move(arguments));
    return std::nullopt;
}

void add_scripts(CLI::App &app) {
    for (const auto &[name, text] : scripts)
        app.add_subcommand(name, text);
}

} // namespace rivulet::tools
