// SPDX-License-Identifier: Apache-2.0
//
// External programs that write firmware to boards.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/error.h"
#include "base/file_descriptor.h"

namespace rivulet::flash {

/// The command as typed in a shell.
std::string command_text(const std::vector<std::string> &command);

/// A program whose output is read; destroyed along with this object.
class Command {
public:
    static Result<Command> start(const std::vector<std::string> &command);
    Command(Command &&other) noexcept;
    Command &operator=(Command &&) = delete;
    ~Command();

    /// Reads the next line of standard output or error; false at the end, or after the time limit.
    bool line(std::string &to, int milliseconds);
    /// True if the last line() failed because of the time limit.
    [[nodiscard]] bool is_silent() const { return silent_; }
    /// Waits for the program to end and returns its exit status, or 128 + signal.
    int wait();

private:
    Command(pid_t process, FileDescriptor output) : process_(process), output_(std::move(output)) {}
    pid_t process_ = -1;
    FileDescriptor output_;
    std::string read_;
    bool silent_ = false;
};

/// Runs it until it ends; an error includes its last line. Each line is passed to `seen`. A program
/// that prints nothing for this time is killed: it waits for a missing board.
Result<> run_command(const std::vector<std::string> &command,
                     const std::function<void(const std::string &)> &seen = {},
                     int silence_ms = 15000);

} // namespace rivulet::flash
