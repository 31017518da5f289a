// SPDX-License-Identifier: Apache-2.0
//
// The process `rivulet-cc --serve`: started at the first job, started again when it died, gone
// when it is no longer needed. Jobs run side by side, each on a socket of its own.
#pragma once

#include <expected>
#include <string>

#include "hal/core/file_descriptor.h"
#include "hal/core/lock.h"
#include "hal/core/orphan.h"
#include "host-runtime/compile/request.h"

namespace rivulet {

class CompileServer {
public:
    CompileServer(std::string path, CompileLimits limits);
    ~CompileServer();

    /// Blocks until the job has ended. Any thread.
    CompileResult run(const CompileRequest &request);

    [[nodiscard]] bool is_running() const;

    /// Ends the process, if no job is under way.
    void unload();

private:
    struct Job {
        hal::FileDescriptor socket;
        unsigned life;  // of the server that has it
        unsigned ahead; // jobs that were under way when it came
    };

    std::expected<Job, std::string> open_job();
    bool close_job(const Job &job, bool is_unanswered);
    std::expected<void, std::string> start(Lock &);
    bool offer(int job_socket);
    void stop(Lock &);

    const std::string path_;
    const CompileLimits limits_;
    mutable Mutex mutex_{LockRank::leaf};
    hal::FileDescriptor control_; // our end of the server's standard input
    hal::Orphan process_;
    unsigned life_ = 0; // counts starts
    unsigned jobs_ = 0; // under way
};

} // namespace rivulet
