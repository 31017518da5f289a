// SPDX-License-Identifier: Apache-2.0
#include "compiler/serve/serve.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <list>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <llvm/Support/FormatVariadic.h>

#include "compiler/codegen/target.h"
#include "compiler/library/builtin_library_linker.h"
#include "compiler/serve/compile_protocol.h"
#include "compiler/serve/fd_passing.h"
#include "compiler/serve/worker.h"

namespace rivulet::compiler {
namespace {

struct Worker {
    pid_t process;
    int ended;   // pidfd
    int control; // on which it gets jobs, and says that one is done
    WorkerStatus *last_words;
    int job = -1; // the socket of what it does

    bool is_idle() const { return job < 0; }
};

// Including its own child processes (llvm-spirv or its replacement), which are in its process
// group.
void end(const Worker &worker) { kill(-worker.process, SIGKILL); }

void close_sockets(const Worker &worker) {
    close(worker.control);
    if (!worker.is_idle())
        close(worker.job);
}

void release(const Worker &worker) {
    close(worker.ended);
    close_sockets(worker);
    munmap(worker.last_words, sizeof(WorkerStatus));
}

// If the client is gone it is not read; otherwise it fits in the socket's buffer.
void reply_crashed(int socket, const std::string &text) {
    Answer answer;
    answer.status = RVL_COMPILE_CRASHED;
    answer.text = "rivulet-cc: " + text + "\n";
    fcntl(socket, F_SETFL, O_NONBLOCK);
    write_all(socket, encode(answer));
}

template <size_t size> std::string text_of(const char (&field)[size]) {
    return {field, strnlen(field, size)};
}

std::string exit_reason(int status, const WorkerStatus &last_words) {
    if (const std::string message = text_of(last_words.message); !message.empty()) {
        const uint64_t limit = message.contains("memory") ? last_words.memory_bytes >> 20 : 0;
        return limit ? llvm::formatv("{} (limit: {} MiB)", message, limit).str() : message;
    }
    if (WIFEXITED(status))
        return llvm::formatv("exit code {}", WEXITSTATUS(status)).str();
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU)
        return llvm::formatv("it took more than {} s of processor time", last_words.seconds).str();
    return llvm::formatv("signal SIG{} ({})", sigabbrev_np(signal), strsignal(signal)).str();
}

// Sends the result for a worker that died before answering.
void reap(const Worker &worker) {
    end(worker); // while it is a zombie, its group id can't be reused
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR)
        ;
    if (!worker.is_idle() && !worker.last_words->is_answering)
        reply_crashed(worker.job, llvm::formatv("the compiler failed, during {}: {}",
                                                text_of(worker.last_words->phase),
                                                exit_reason(status, *worker.last_words)));
    release(worker);
}

class Server {
public:
    int run() {
        if (int type; !is_socket(STDIN_FILENO, type) || type != SOCK_SEQPACKET) {
            fputs("rivulet-cc: --serve is for programs: standard input must be a SOCK_SEQPACKET "
                  "socket (hal/protocol/compile.h)\n",
                  stderr);
            return 2;
        }
        initialise_targets();
        // Inherited by workers; those that need it report why it is missing.
        (void)BuiltinLibrary::of(64);
        while (wait())
            ;
        for (const Worker &worker : workers_) {
            end(worker);
            waitpid(worker.process, nullptr, 0);
        }
        return 0;
    }

private:
    static bool is_socket(int descriptor, int &type) {
        socklen_t bytes = sizeof type;
        return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0;
    }

    // Waits until something happens, and deals with it; false at the end of standard input.
    bool wait() {
        std::vector<pollfd> events = {{STDIN_FILENO, POLLIN, 0}};
        for (const Worker &worker : workers_) {
            events.push_back({worker.ended, POLLIN, 0});
            events.push_back({worker.control, POLLIN, 0});
            events.push_back({worker.job, 0, 0}); // POLLHUP is always reported; a descriptor of -1
                                                  // is ignored
        }
        for (const int job : waiting_jobs_)
            events.push_back({job, 0, 0});
        if (poll(events.data(), events.size(), -1) < 0)
            return errno == EINTR;
        auto event = events.begin() + 1;
        for (auto worker = workers_.begin(); worker != workers_.end();) {
            const bool has_ended = (event++)->revents, is_done = (event++)->revents & POLLIN,
                       is_cancelled = (event++)->revents;
            if (is_done && !has_ended)
                finish(*worker);
            else if (is_cancelled && !worker->last_words->is_answering)
                end(*worker);
            if (has_ended) {
                reap(*worker);
                worker = workers_.erase(worker);
            } else {
                ++worker;
            }
        }
        std::erase_if(waiting_jobs_, [&](int job) {
            const bool is_cancelled = (event++)->revents;
            if (is_cancelled)
                close(job);
            return is_cancelled;
        });
        if (events[0].revents && !accept_job())
            return false;
        start_jobs();
        end_surplus_workers();
        return true;
    }

    // One waits for the next job, warm; what others ran side by side with it end.
    void end_surplus_workers() {
        for (auto worker = workers_.begin(); worker != workers_.end();) {
            if (worker->is_idle() && idle_worker() != worker) {
                reap(*worker);
                worker = workers_.erase(worker);
            } else {
                ++worker;
            }
        }
    }

    std::list<Worker>::iterator idle_worker() {
        return llvm::find_if(workers_, [](const Worker &worker) { return worker.is_idle(); });
    }

    static void finish(Worker &worker) {
        char byte;
        if (recv(worker.control, &byte, 1, MSG_DONTWAIT) != 1)
            return; // it is dying
        close(worker.job);
        worker.job = -1;
    }

    bool accept_job() {
        const int socket = receive_job(STDIN_FILENO);
        if (socket == no_more_jobs)
            return false;
        if (socket != no_job)
            waiting_jobs_.push_back(socket);
        return true;
    }

    void start_jobs() {
        while (!waiting_jobs_.empty()) {
            auto worker = idle_worker();
            if (worker == workers_.end() && workers_.size() == most_workers())
                return;
            // Until it is popped, a worker that starts closes its copy of it.
            const char *lack = worker == workers_.end() ? start_worker() : nullptr;
            const int socket = waiting_jobs_.front();
            waiting_jobs_.pop_front();
            if (lack) {
                reply_crashed(socket, llvm::formatv("{}: {}", lack, strerror(errno)));
                close(socket);
                continue;
            }
            if (worker == workers_.end())
                worker = std::prev(workers_.end());
            worker->job = socket;
            worker->last_words->begin();
            if (!send_job(worker->control, socket))
                end(*worker);
        }
    }

    // At the end of the list; or what there isn't, and why in errno.
    const char *start_worker() {
        int control[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0)
            return "no socket for another job";
        const char *lack = nullptr;
        pid_t process = -1;
        int ended = -1;
        void *memory = mmap(nullptr, sizeof(WorkerStatus), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            lack = "no memory for another job";
        } else if (process = start_worker(control, *new (memory) WorkerStatus{}); process < 0) {
            lack = "no process for another job";
        } else if (ended = static_cast<int>(syscall(SYS_pidfd_open, process, 0)); ended < 0) {
            lack = "no descriptor for the process of another job";
        }
        const int error = errno;
        close(control[1]);
        if (lack) {
            close(control[0]);
            if (process > 0) {
                kill(process, SIGKILL);
                waitpid(process, nullptr, 0);
            }
            if (memory != MAP_FAILED)
                munmap(memory, sizeof(WorkerStatus));
            errno = error;
            return lack;
        }
        workers_.push_back({process, ended, control[0], static_cast<WorkerStatus *>(memory)});
        return nullptr;
    }

    pid_t start_worker(const int (&control)[2], WorkerStatus &last_words) {
        const pid_t parent = getpid(), process = fork();
        if (process > 0)
            setpgid(process, process); // in parent and child, whichever comes first
        if (process != 0)
            return process;
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        // Sockets of other jobs must not stay open on behalf of this one.
        for (const Worker &worker : workers_)
            close_sockets(worker);
        for (const int job : waiting_jobs_)
            close(job);
        close(control[0]);
        close(STDIN_FILENO);
        open("/dev/null", O_RDONLY | O_CLOEXEC);
        work(control[1], last_words);
    }

    std::list<Worker> workers_;
    std::deque<int> waiting_jobs_; // their sockets, while all workers are busy
};

} // namespace

int serve() { return Server().run(); }

} // namespace rivulet::compiler
