// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/qemu/process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

#include "hal/core/environment.h"
#include "hal/core/thread.h"

namespace rivulet::hal::qemu {
namespace {

// Works like vfork: it copies no page tables, however large the application is, and we go on when
// the child has become the program. ThreadSanitizer can't follow a child that shares memory.
#ifndef __has_feature // of gcc
#define __has_feature(name) __SANITIZE_THREAD__
#endif
#if __has_feature(thread_sanitizer)
constexpr int clone_flags = CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
#else
constexpr int clone_flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
#endif

struct Child {
    const char *program;
    char *const *arguments;
    const int *inherited; // standard input, output, error, then 3, 4, …
    int count;
    int *error;
    int parent;
};

/* Runs in the child, which shares our memory until it calls execve, with a stack of its own:
 * system calls only, nothing that allocates or locks. */
int become(void *argument) {
    const Child &child = *static_cast<Child *>(argument);
    const auto refuse = [&] {
        *child.error = errno;
        _exit(127);
        return 127;
    };
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != child.parent)
        return refuse();
    // First all to numbers above those that the child ends up with, then each to its place.
    int moved[16];
    for (int i = 0; i < child.count; ++i)
        if ((moved[i] = fcntl(child.inherited[i], F_DUPFD, child.count)) < 0)
            return refuse();
    for (int i = 0; i < child.count; ++i)
        if (dup2(moved[i], i) < 0)
            return refuse();
    syscall(SYS_close_range, child.count, ~0u, CLOSE_RANGE_CLOEXEC);
    setsid(); // a terminal's ^C is for the application alone
    for (int number = 1; number < NSIG; ++number)
        signal(number, SIG_DFL); // or the application's handlers could run here
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execv(child.program, child.arguments);
    return refuse();
}

bool make_pipe(FileDescriptor &read_end, FileDescriptor &write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    read_end = FileDescriptor(ends[0]);
    write_end = FileDescriptor(ends[1]);
    return true;
}

/// Reads what is there; complete lines go to `line`. False at the end of the stream.
bool drain(const FileDescriptor &stream, std::string &partial, const auto &line) {
    char buffer[1024];
    const auto got = ::read(stream.get(), buffer, sizeof buffer);
    if (got <= 0)
        return got < 0 && (errno == EINTR || errno == EAGAIN);
    for (const char c : std::string_view(buffer, static_cast<size_t>(got))) {
        if (c != '\n' && c != '\r') {
            partial += c;
            continue;
        }
        if (!partial.empty())
            line(partial);
        partial.clear();
    }
    return true;
}

/// `false`: there was no memory for it.
template <class F> bool without_exceptions(F &&function) {
    try {
        function();
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}

} // namespace

std::string find_program(const std::string &name) {
    if (name.contains('/'))
        return access(name.c_str(), X_OK) == 0 ? name : "";
    const char *path = foreign_environment("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    while (!rest.empty()) {
        const auto directory = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(directory.size() + 1, rest.size()));
        const auto candidate = text({directory, "/", name});
        if (access(candidate.c_str(), X_OK) == 0)
            return candidate;
    }
    return {};
}

Result<std::unique_ptr<Process>> Process::start(Setup setup) {
    std::unique_ptr<Process> process(new Process(std::move(setup)));
    try {
        const ThreadDefaults defaults;
        process->owner_ = std::thread(&Process::run, process.get());
    } catch (const std::exception &) {
        return fail(RVL_NO_MEMORY, {"cannot start a thread to own ", process->setup_.program});
    }
    process->spawned_.acquire();
    if (process->error_ != 0)
        return fail(RVL_IO,
                    {"cannot start ", process->setup_.program, ": ", errno_text(process->error_),
                     process->error_ == EMFILE || process->error_ == EINVAL
                         ? "; this process may open too few files: raise the limit of ulimit -n"
                         : ""});
    return process;
}

bool Process::send(int signal) const {
    return process_ && syscall(SYS_pidfd_send_signal, process_.get(), signal, nullptr, 0) == 0;
}

Process::~Process() {
    stopping_.store(true);
    static_cast<void>(send(SIGKILL));
    if (owner_.joinable())
        owner_.join();
}

void Process::run() {
    prctl(PR_SET_NAME, "rivulet-qemu");
    bool running = false;
    try {
        running = spawn();
    } catch (const std::bad_alloc &) {
        error_ = ENOMEM;
    }
    spawned_.release();
    if (running)
        supervise();
}

bool Process::spawn() {
    FileDescriptor output_write;
    FileDescriptor errors_write;
    const FileDescriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!nothing || !make_pipe(output_, output_write) || !make_pipe(errors_, errors_write)) {
        error_ = errno;
        return false;
    }
    std::vector<int> inherited = {nothing.get(), output_write.get(), errors_write.get()};
    inherited.insert(inherited.end(), setup_.inherited.begin(), setup_.inherited.end());
    std::vector<char *> arguments = {setup_.program.data()};
    for (auto &argument : setup_.arguments)
        arguments.push_back(argument.data());
    arguments.push_back(nullptr);

    // Stack and error of the child. Shared, for the sanitizers turn our clone into a fork.
    constexpr size_t bytes = 64u << 10;
    void *const room =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) {
        error_ = errno;
        return false;
    }
    Child child{.program = setup_.program.c_str(),
                .arguments = arguments.data(),
                .inherited = inherited.data(),
                .count = static_cast<int>(inherited.size()),
                .error = static_cast<int *>(room),
                .parent = getpid()};
    int descriptor = -1;
    pid_ = clone(become, static_cast<std::byte *>(room) + bytes, clone_flags, &child, &descriptor);
    error_ = pid_ < 0 ? errno : *child.error;
    munmap(room, bytes);
    if (pid_ < 0)
        return false;
    process_ = FileDescriptor(descriptor);
    if (error_ == 0)
        return true;
    static_cast<void>(reap());
    process_.reset();
    return false;
}

void Process::supervise() {
    std::string output_line;
    std::string error_line;
    const auto log_output = [&](const std::string &line) {
        setup_.report.log(2, text({"console: ", line}));
    };
    const auto log_error = [&](const std::string &line) {
        last_words_ = line;
        setup_.report.log(stopping_ ? 3 : 1, text({"qemu: ", line}));
    };
    pollfd events[] = {
        {process_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}, {errors_.get(), POLLIN, 0}};
    const auto watch = [&] { // until it has ended
        for (;;) {
            if (poll(events, std::size(events), -1) < 0)
                continue; // EINTR: only a debugger can cause it, signals are blocked
            if (events[1].revents != 0 && !drain(output_, output_line, log_output))
                events[1].fd = -1;
            if (events[2].revents != 0 && !drain(errors_, error_line, log_error))
                events[2].fd = -1;
            if (events[0].revents != 0 && (events[1].revents & POLLIN) == 0 &&
                (events[2].revents & POLLIN) == 0)
                break;
        }
        if (!error_line.empty())
            log_error(error_line);
    };
    while (!without_exceptions(watch)) // for want of memory lines are lost, no more
        error_line.clear();
    End end{};
    without_exceptions([&] { end = reap(); });
    if (!stopping_)
        setup_.ended(end);
}

Process::End Process::reap() const {
    siginfo_t info{};
    int done = 0;
    do
        done = waitid(P_PIDFD, static_cast<id_t>(process_.get()), &info, WEXITED);
    while (done != 0 && errno == EINTR);
    const std::string name = text({"QEMU (process ", pid_, ")"});
    const auto words = last_words_.empty() ? "" : text({": ", last_words_});
    if (done != 0) // the application reaps all children itself
        return {text({name, " ended", words}), false};
    if (info.si_code == CLD_EXITED)
        return {text({name, " ended with status ", info.si_status, words}), info.si_status != 0};
    const char *signal_name = sigabbrev_np(info.si_status);
    return {text({name, " was ended by SIG", signal_name != nullptr ? signal_name : "?", words}),
            false};
}

std::string output_of(const std::string &program, const std::vector<std::string> &arguments,
                      std::chrono::milliseconds limit) {
    FileDescriptor read_end;
    FileDescriptor write_end;
    if (!make_pipe(read_end, write_end))
        return {};
    std::vector<char *> pointers = {const_cast<char *>(program.c_str())};
    for (const auto &argument : arguments)
        pointers.push_back(const_cast<char *>(argument.c_str()));
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO);
    pid_t pid = -1;
    const int error =
        posix_spawn(&pid, program.c_str(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    write_end.reset();
    if (error != 0)
        return {};
    std::string text;
    char buffer[512];
    using Clock = std::chrono::steady_clock;
    for (const auto deadline = Clock::now() + limit;;) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd event{read_end.get(), POLLIN, 0};
        const int ready = poll(&event, 1, static_cast<int>(std::max<int64_t>(left, 0)));
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            break;
        const auto got = ::read(read_end.get(), buffer, sizeof buffer);
        if (got > 0)
            text.append(buffer, static_cast<size_t>(got));
        else if (got == 0 || errno != EINTR)
            break;
    }
    kill(pid, SIGKILL); // it said what it had to say, or takes too long
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR)
        ;
    return text;
}

} // namespace rivulet::hal::qemu
