// SPDX-License-Identifier: Apache-2.0
//
// Programs of others that bring firmware onto boards.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "hal/core/error.h"
#include "hal/core/file_descriptor.h"

namespace rivulet::flash {

/// The command as it can be typed.
std::string command_text(const std::vector<std::string> &command);

/// A program whose output is read here; it ends with this object.
class Command {
public:
    static hal::Result<Command> start(const std::vector<std::string> &command);
    Command(Command &&other) noexcept;
    Command &operator=(Command &&) = delete;
    ~Command();

    /// The next line of standard output or error; false: there is none any more, or none within the
    /// time.
    bool line(std::string &to, int milliseconds);
    /// The last line() gave up because nothing came in time.
    [[nodiscard]] bool is_silent() const { return silent_; }
    /// Its exit status, once it has ended; 128 + the signal.
    int wait();

private:
    Command(pid_t process, hal::FileDescriptor output)
        : process_(process), output_(std::move(output)) {}
    pid_t process_ = -1;
    hal::FileDescriptor output_;
    std::string read_;
    bool silent_ = false;
};

/// Runs it to its end; an error has its last line. Each line goes to `seen`. One that says nothing
/// for so long is ended: it waits for a board that isn't there.
hal::Result<> run_command(const std::vector<std::string> &command,
                          const std::function<void(const std::string &)> &seen = {},
                          int silence_ms = 15000);

} // namespace rivulet::flash
