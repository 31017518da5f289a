// SPDX-License-Identifier: Apache-2.0
#include "compiler/serve.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
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

#include "compiler/built_ins.h"
#include "compiler/frames.h"
#include "compiler/target.h"
#include "compiler/worker.h"

namespace rivulet::compiler {
namespace {

struct Worker {
    pid_t process;
    int ended; // pidfd
    int socket;
    LastWords *last_words;
};

void release(const Worker &worker) {
    close(worker.ended);
    close(worker.socket);
    munmap(worker.last_words, sizeof(LastWords));
}

std::string cause_of_death(int status, const LastWords &last_words) {
    if (last_words.message[0])
        return llvm::formatv(
                   "{}{}", last_words.message,
                   last_words.memory_bytes && strstr(last_words.message, "memory")
                       ? llvm::formatv(" (limit: {} MiB)", last_words.memory_bytes >> 20).str()
                       : "")
            .str();
    if (WIFEXITED(status))
        return llvm::formatv("exit code {}", WEXITSTATUS(status)).str();
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU)
        return llvm::formatv("it took more than {} s of processor time", last_words.seconds).str();
    return llvm::formatv("signal SIG{} ({})", sigabbrev_np(signal), strsignal(signal)).str();
}

// A worker that did not get to its answer is answered for.
void bury(const Worker &worker) {
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR)
        ;
    const bool is_fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!is_fine && !worker.last_words->is_answering) {
        Answer answer;
        answer.status = RVL_COMPILE_CRASHED;
        answer.text = llvm::formatv("rivulet-cc: the compiler failed, during {}: {}\n",
                                    worker.last_words->phase.load(),
                                    cause_of_death(status, *worker.last_words));
        // Nobody reads it if the client is gone; it fits the socket's buffer otherwise.
        fcntl(worker.socket, F_SETFL, O_NONBLOCK);
        write_all(worker.socket, encode(answer));
    }
    release(worker);
}

// The job's socket; -1 at the end of standard input, -2 when the message holds none.
int receive_job() {
    char byte;
    iovec data = {&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message = {};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t count = recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EINTR)
        return -2;
    if (count <= 0)
        return -1;
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
        return -2;
    int socket;
    memcpy(&socket, CMSG_DATA(header), sizeof socket);
    return socket;
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
        (void)BuiltIns::of(
            64); // children have it from here; those in need of it say why there is none
        while (wait())
            ;
        for (const Worker &worker : workers_) {
            kill(worker.process, SIGKILL);
            waitpid(worker.process, nullptr, 0);
        }
        return 0;
    }

private:
    static bool is_socket(int descriptor, int &type) {
        socklen_t bytes = sizeof type;
        return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0;
    }

    // Until something happens, and then deals with it; false at the end of standard input.
    bool wait() {
        std::vector<pollfd> events = {{STDIN_FILENO, POLLIN, 0}};
        for (const Worker &worker : workers_) {
            events.push_back({worker.ended, POLLIN, 0});
            events.push_back({worker.socket, 0, 0}); // POLLHUP comes unasked
        }
        if (poll(events.data(), events.size(), -1) < 0)
            return errno == EINTR;
        auto event = events.begin() + 1;
        for (auto worker = workers_.begin(); worker != workers_.end();) {
            const bool has_ended = (event++)->revents, is_cancelled = (event++)->revents;
            if (has_ended) {
                bury(*worker);
                worker = workers_.erase(worker);
                continue;
            }
            if (is_cancelled)
                kill(worker->process, SIGKILL);
            ++worker;
        }
        return !events[0].revents || accept_job();
    }

    bool accept_job() {
        const int socket = receive_job();
        if (socket == -1)
            return false;
        if (socket == -2)
            return true;
        start(socket);
        // The first job is under way in a process of its own; now there is time to get warm.
        if (!is_warm_) {
            is_warm_ = true;
            warm_up();
        }
        return true;
    }

    void start(int socket) {
        void *memory = mmap(nullptr, sizeof(LastWords), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        auto refuse = [&](const char *what) {
            Answer answer;
            answer.status = RVL_COMPILE_CRASHED;
            answer.text = llvm::formatv("rivulet-cc: {}: {}\n", what, strerror(errno));
            write_all(socket, encode(answer));
            close(socket);
        };
        if (memory == MAP_FAILED)
            return refuse("no memory for another job");
        auto *last_words = new (memory) LastWords{};
        last_words->phase = "its start";
        const pid_t parent = getpid();
        const pid_t process = fork();
        if (process < 0) {
            refuse("no process for another job");
            munmap(memory, sizeof(LastWords));
            return;
        }
        if (process == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != parent)
                _exit(1);
            // Another job's socket must not stay open on behalf of this one.
            for (const Worker &worker : workers_)
                close(worker.socket);
            close(STDIN_FILENO);
            open("/dev/null", O_RDONLY | O_CLOEXEC);
            work(socket, *last_words);
        }
        const auto ended = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
        workers_.push_back({process, ended, socket, last_words});
    }

    std::list<Worker> workers_;
    bool is_warm_ = false;
};

} // namespace

int serve() { return Server().run(); }

} // namespace rivulet::compiler
