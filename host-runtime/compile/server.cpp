// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/compile/server.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/error.h"
#include "host-runtime/compile/wire.h"

namespace rivulet {
namespace {

constexpr int patience_ms = 2000; // for a server that was told to exit
constexpr int dying_ms = 200;     // between a process's last sign of life and its end

struct SocketPair {
    FileDescriptor ours, theirs;
};

std::expected<SocketPair, std::string> make_socket_pair(int type) {
    int ends[2];
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0)
        return std::unexpected(text({"cannot make a socket: ", std::strerror(errno)}));
    return SocketPair{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// A server that neither answers nor exits must not block its client forever. It limits processor
/// time itself, and on a busy machine wall-clock time passes much faster. It runs a few jobs at a
/// time, and earlier jobs may use up their limits first.
void limit_waiting(int fd, uint32_t seconds, unsigned jobs_ahead) {
    const time_t rounds = jobs_ahead / RVL_COMPILE_LEAST_JOBS + 1;
    const timeval limit{(static_cast<time_t>(seconds) * 4 + 60) * rounds, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

} // namespace

CompileServer::CompileServer(std::string path, CompileLimits limits)
    : path_(std::move(path)), limits_(limits) {}

CompileServer::~CompileServer() {
    Lock lock(mutex_);
    stop(lock);
}

CompileResult CompileServer::run(const CompileRequest &request) {
    const auto failure = [&](const std::string &reason) {
        return CompileResult{RVL_COMPILE_CRASHED, text({path_, ": ", reason, ".\n"}), {}};
    };
    const std::vector<std::byte> frame = encode(request, limits_);
    // That a server was killed between two jobs may only be noticed now, so this tries twice.
    for (bool is_second = false;; is_second = true) {
        auto job = open_job();
        if (!job)
            return failure(job.error());
        limit_waiting(job->socket.get(), limits_.seconds, job->ahead);
        const bool is_sent = send_all(job->socket.get(), frame);
        auto result = receive_result(job->socket.get(),
                                     request.files); // also if sending failed: the answer may say
                                                     // why
        const bool is_lost = close_job(*job, !result && result.error().is_gone);
        if (result)
            return std::move(*result);
        if (!is_lost || is_second)
            return failure(is_sent ? result.error().reason : "it did not take the request");
    }
}

bool CompileServer::is_running() const {
    const Lock lock(mutex_);
    return control_ && !process_.await_end(0);
}

void CompileServer::unload() {
    Lock lock(mutex_);
    if (jobs_ == 0)
        stop(lock);
}

/// Sends one end of a new socket to the server, which is started if necessary.
std::expected<CompileServer::Job, std::string> CompileServer::open_job() {
    auto sockets = make_socket_pair(SOCK_STREAM);
    if (!sockets)
        return std::unexpected(sockets.error());
    Lock lock(mutex_);
    if (!control_ || !offer(sockets->theirs.get())) {
        stop(lock);
        if (auto started = start(lock); !started)
            return std::unexpected(started.error());
        if (!offer(sockets->theirs.get()))
            return std::unexpected("it ends as soon as it is started");
    }
    return Job{std::move(sockets->ours), life_, jobs_++};
}

/// Determines whether an unanswered job is due to the server's death, which takes a moment.
bool CompileServer::close_job(const Job &job, bool is_unanswered) {
    Lock lock(mutex_);
    --jobs_;
    if (!is_unanswered || job.life != life_)
        return is_unanswered;
    if (!process_.await_end(dying_ms))
        return false;
    stop(lock);
    return true;
}

std::expected<void, std::string> CompileServer::start(Lock &) {
    auto sockets = make_socket_pair(SOCK_SEQPACKET);
    if (!sockets)
        return std::unexpected(sockets.error());
    const FileDescriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
    const int inherited[] = {sockets->theirs.get(), nothing.get(),
                             fcntl(STDERR_FILENO, F_GETFD) >= 0 ? STDERR_FILENO : nothing.get()};
    const char *const arguments[] = {path_.c_str(), "--serve", nullptr};
    Orphan server = start_orphan(path_.c_str(), const_cast<char *const *>(arguments), inherited);
    if (server.error != 0)
        return std::unexpected(text({"cannot be started: ", std::strerror(server.error)}));
    limit_waiting(sockets->ours.get(), 0, 0);
    control_ = std::move(sockets->ours);
    ++life_;
    process_ = std::move(server);
    return {};
}

bool CompileServer::offer(int job_socket) {
    constexpr std::byte any{0};
    return send_message(control_.get(), {&any, 1}, job_socket);
}

void CompileServer::stop(Lock &) {
    control_.reset();
    if (process_.pid < 0)
        return;
    if (!process_.await_end(patience_ms)) {
        process_.kill(SIGKILL);
        static_cast<void>(process_.await_end(dying_ms)); // this process may lack the permission to
                                                         // kill it
    }
    process_ = {};
}

} // namespace rivulet
