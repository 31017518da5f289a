// SPDX-License-Identifier: Apache-2.0
//
// rivulet trace: runs a program whose OpenCL commands are written to a file for Perfetto's viewer.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "tools/rivulet/commands.h"
#include "tools/rivulet/process.h"

namespace rivulet::tools {
namespace {

constexpr const char *footer =
    "Rows: a thread with its OpenCL calls, waits and doorbells; a queue with its commands "
    "(waiting, on\n"
    "the device's ring, running); a hart with the kernels that it ran; device memory. Arrows lead "
    "from\n"
    "a call to its command and its harts. Programs that the traced one starts write FILE.PID.";

int trace(const std::string &output, std::vector<std::string> command, bool json) {
    std::error_code error;
    const auto path = std::filesystem::absolute(output, error);
    std::filesystem::remove(path, error);
    if (error) {
        std::fprintf(stderr, "rivulet: %s can't be replaced: %s\n", path.c_str(),
                     error.message().c_str());
        return 1;
    }
    setenv("RIVULET_TRACE", path.c_str(), 1);
    const int status = run_and_wait(command, json);
    if (status == 127)
        return status;
    const bool exists = std::filesystem::exists(path, error);
    if (json)
        std::printf("%s\n",
                    nlohmann::ordered_json{{"trace", exists ? nlohmann::ordered_json(path.native())
                                                            : nlohmann::ordered_json()},
                                           {"command", command},
                                           {"status", status}}
                        .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
                        .c_str());
    else if (exists)
        std::fprintf(stderr, "rivulet: the trace is in %s; open it at ui.perfetto.dev\n",
                     path.c_str());
    else
        std::fprintf(stderr, "rivulet: %s made no OpenCL call of ours: there is no trace\n",
                     command[0].c_str());
    return status;
}

} // namespace

void add_trace(CLI::App &app, Action &action) {
    auto *command =
        app.add_subcommand("trace", "Runs a program and writes what its OpenCL commands "
                                    "do, and when, for Perfetto");
    const auto output = std::make_shared<std::string>("rivulet.perfetto-trace");
    const auto words = std::make_shared<std::vector<std::string>>();
    command->add_option("-o,--output", *output, "file of the trace")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_option("command", *words, "program and its arguments")
        ->type_name("COMMAND")
        ->required();
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json,
                      "print JSON: the trace's file, or null, and the program's exit status; the "
                      "program's output goes to standard error");
    command->positionals_at_end();
    command->footer(footer);
    command->callback([&action, output, words, json] {
        action = [output, words, json] { return trace(*output, *words, *json); };
    });
}

} // namespace rivulet::tools
