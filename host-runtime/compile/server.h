// SPDX-License-Identifier: Apache-2.0
//
// The process `rivulet-cc --serve`: started for the first job, restarted after it has died, and
// stopped when no longer needed. Jobs run concurrently, each on its own socket.
#pragma once

#include <expected>
#include <string>

#include "base/file_descriptor.h"
#include "base/lock.h"
#include "base/orphan.h"
#include "host-runtime/compile/request.h"

namespace rivulet {

class CompileServer {
public:
    CompileServer(std::string path, CompileLimits limits);
    ~CompileServer();

    /// Blocks until the job has ended. May be called on any thread.
    CompileResult run(const CompileRequest &request);

    [[nodiscard]] bool is_running() const;

    /// Stops the process if no job is running.
    void unload();

private:
    struct Job {
        FileDescriptor socket;
        unsigned life;  // of the server that runs it
        unsigned ahead; // jobs that were already running
    };

    std::expected<Job, std::string> open_job();
    bool close_job(const Job &job, bool is_unanswered);
    std::expected<void, std::string> start(Lock &);
    bool offer(int job_socket);
    void stop(Lock &);

    const std::string path_;
    const CompileLimits limits_;
    mutable Mutex mutex_{LockRank::leaf};
    FileDescriptor control_; // our end of the server's standard input
    Orphan process_;
    unsigned life_ = 0; // number of starts
    unsigned jobs_ = 0; // running
};

} // namespace rivulet
