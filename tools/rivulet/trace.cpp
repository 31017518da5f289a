// SPDX-License-Identifier: Apache-2.0
//
// rivulet trace: runs a program and records its OpenCL commands for Perfetto's viewer.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "tools/command_line/program.h"
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

namespace fs = std::filesystem;

/// The previous trace file, which is renamed until there is a new one: a program that can't be run,
/// or makes no OpenCL call, leaves it unchanged.
class FormerTrace {
public:
    explicit FormerTrace(const fs::path &path) : path_(path) {
        if (!fs::exists(fs::symlink_status(path))) // a dangling link counts as existing
            return;
        aside_ = path.native() + ".XXXXXX";
        const int file = mkostemp(aside_.data(), O_CLOEXEC);
        std::error_code error(file < 0 ? errno : 0, std::generic_category());
        if (file >= 0) {
            close(file);
            fs::rename(path, aside_, error);
            if (error)
                unlink(aside_.c_str());
        }
        if (error)
            throw fs::filesystem_error("it can't be replaced", path, error);
    }
    FormerTrace(const FormerTrace &) = delete;
    FormerTrace &operator=(const FormerTrace &) = delete;
    ~FormerTrace() {
        if (aside_.empty())
            return;
        std::error_code none;
        if (fs::exists(path_, none))
            fs::remove(aside_, none);
        else
            fs::rename(aside_, path_, none);
    }

private:
    fs::path path_;
    std::string aside_; // "": there was no previous trace
};

/// Returns why no trace can be written there; "" if one can. The library creates a new file, so a
/// device node or FIFO would have to be removed.
std::string obstacle(const fs::path &path) {
    std::error_code error;
    const auto there = fs::status(path, error);
    if (fs::exists(there) && !fs::is_regular_file(there))
        return "it is no regular file";
    const auto folder = path.parent_path();
    return access(folder.c_str(), W_OK | X_OK) != 0 ? std::strerror(errno) : "";
}

int trace(const std::string &output, const std::vector<std::string> &command, bool json) {
    std::error_code none;
    fs::path path = fs::absolute(output);
    if (fs::exists(path, none))
        path = fs::canonical(path); // preserves links
    if (const auto why = obstacle(path); !why.empty()) {
        std::fprintf(stderr, "rivulet: no trace can be written to %s: %s\n", path.c_str(),
                     why.c_str());
        return 1;
    }
    const FormerTrace former(path);
    setenv("RIVULET_TRACE", path.c_str(), 1);
    const auto status = run_and_wait(command, json);
    if (!status)
        return 127;
    const bool exists = fs::exists(path, none);
    if (json)
        command_line::print(
            {{"trace", exists ? nlohmann::ordered_json(path.native()) : nlohmann::ordered_json()},
             {"command", command},
             {"status", *status}});
    else if (exists)
        std::fprintf(stderr, "rivulet: the trace is in %s; open it at ui.perfetto.dev\n",
                     path.c_str());
    else
        std::fprintf(stderr, "rivulet: %s made no OpenCL call of ours: there is no trace\n",
                     command[0].c_str());
    return *status;
}

} // namespace

void add_trace(CLI::App &app, Action &action) {
    auto *command = app.add_subcommand("trace", "Runs a program and writes a trace of its OpenCL "
                                                "commands for Perfetto");
    const auto output = std::make_shared<std::string>("rivulet.perfetto-trace");
    const auto words = std::make_shared<std::vector<std::string>>();
    command->add_option("-o,--output", *output, "trace file")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_option("command", *words, "program and its arguments")
        ->type_name("COMMAND")
        ->required();
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json,
                      "print JSON: the trace file, or null, and the program's exit status; the "
                      "program's output goes to standard error");
    command->positionals_at_end();
    command->footer(footer);
    command->callback([&action, output, words, json] {
        action = [output, words, json] { return trace(*output, *words, *json); };
    });
}

} // namespace rivulet::tools
