// SPDX-License-Identifier: Apache-2.0
//
// One QEMU process. It is the child of a keeper (keeper.c), which is no child of the application
// and ends QEMU when the application ends, however that is. A thread of the library hears of QEMU's
// end and has its output.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "hal/core/error.h"
#include "hal/drivers/support.h"

namespace rivulet::hal::qemu {

class Process {
public:
    struct End {
        std::string reason;
        bool refused; // it gave up itself, with an error status
    };
    struct Setup {
        std::string program;
        std::vector<std::string> arguments; // without the program's name
        std::vector<int> inherited;         // become descriptors 3, 4, … of the child
        Reporter report;
        std::function<void(const End &)> ended; // not by us; called on the owning thread
    };

    static Result<std::unique_ptr<Process>> start(Setup setup);
    /// Kills the process if it still runs and waits for its end.
    ~Process();
    /// False when it is gone.
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
    int error_ = 0;           // errno of what kept the process from starting
    std::string what_failed_; // if it isn't QEMU
    FileDescriptor process_;  // a pidfd
    FileDescriptor keeper_;   // a socket to it
    int pid_ = -1;
    FileDescriptor output_, errors_;
    std::string last_words_; // last line on standard error
    std::atomic<bool> stopping_ = false;
};

/// The path of a program: `name` itself if it has a slash, else the first in PATH. "" if there is
/// none.
std::string find_program(const std::string &name);

/// Runs a program to its end, or for as long as `limit`, and gives what it wrote; "" when it can't
/// be run. Its standard input is empty.
std::string output_of(const std::string &program, const std::vector<std::string> &arguments,
                      std::chrono::milliseconds limit = std::chrono::seconds(10));

} // namespace rivulet::hal::qemu
