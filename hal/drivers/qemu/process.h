// SPDX-License-Identifier: Apache-2.0
//
// One QEMU process. Its parent is a keeper (keeper.c), which is not a child of the application and
// ends QEMU when the application ends, however that happens. A library thread is notified of QEMU's
// end and receives its output.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "hal/drivers/support.h"

namespace rivulet::hal::qemu {

class Process {
public:
    struct End {
        std::string reason;
        bool refused; // it exited by itself with an error status
    };
    struct Setup {
        std::string program;
        std::vector<std::string> arguments; // without the program's name
        std::vector<int> inherited;         // become descriptors 3, 4, … of the child
        Reporter report;
        std::function<void(const End &)> ended; // not called if we end it; called on the owning
                                                // thread
    };

    static Result<std::unique_ptr<Process>> start(Setup setup);
    /// Kills the process if it still runs, and waits for its end.
    ~Process();
    /// Returns false if the process is gone.
    [[nodiscard]] bool send(int signal) const;

private:
    explicit Process(Setup setup) : setup_(std::move(setup)) {}

    void run();
    bool spawn();
    void supervise();
    [[nodiscard]] End how_it_ended() const;

    Setup setup_;
    std::thread owner_;
    std::binary_semaphore spawned_{0};
    int error_ = 0;           // errno of a failed start
    std::string what_failed_; // if it is not QEMU
    FileDescriptor process_;  // a pidfd
    FileDescriptor keeper_;   // a socket to the keeper
    int pid_ = -1;
    FileDescriptor output_, errors_;
    std::string last_words_; // last line on standard error
    std::atomic<bool> stopping_ = false;
};

/// Path of a program: `name` itself if it has a slash, otherwise the first one in PATH; "" if not
/// found.
std::string find_program(const std::string &name);

/// Runs a program until it ends or `limit` has passed, and returns its output; "" if it can't be
/// run. Its standard input is empty.
std::string output_of(const std::string &program, const std::vector<std::string> &arguments,
                      std::chrono::milliseconds limit = std::chrono::seconds(10));

} // namespace rivulet::hal::qemu
