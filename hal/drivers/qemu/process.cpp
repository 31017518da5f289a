// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/qemu/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

#include "base/data_directory.h"
#include "base/environment.h"
#include "base/orphan.h"
#include "base/thread.h"
#include "hal/drivers/qemu/keeper.h"

namespace rivulet::hal::qemu {
namespace {

bool make_pipe(FileDescriptor &read_end, FileDescriptor &write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    read_end = FileDescriptor(ends[0]);
    write_end = FileDescriptor(ends[1]);
    return true;
}

/// Reads what is available and passes complete lines to `line`. False at the end of the stream.
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

/// Returns false if memory ran out.
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
        return fail(
            RVL_IO,
            {"cannot start ",
             process->what_failed_.empty() ? process->setup_.program : process->what_failed_, ": ",
             errno_text(process->error_),
             process->error_ == EMFILE || process->error_ == EINVAL
                 ? "; this process may open too few files: raise the limit of ulimit -n"
                 : ""});
    return process;
}

bool Process::send(int signal) const {
    if (!process_)
        return false;
    if (syscall(SYS_pidfd_send_signal, process_.get(), signal, nullptr, 0) == 0)
        return true;
    // The application has dropped the privileges with which QEMU was started, but its keeper has
    // not.
    return errno == EPERM && ::send(keeper_.get(), &signal, sizeof signal, MSG_NOSIGNAL) > 0;
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
    const std::string keeper = find_helper("keeper");
    FileDescriptor output_write;
    FileDescriptor errors_write;
    const FileDescriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    const FileDescriptor owner(static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0)));
    int sockets[2] = {-1, -1};
    if (!nothing || !owner || !make_pipe(output_, output_write) ||
        !make_pipe(errors_, errors_write) ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
        error_ = errno;
        return false;
    }
    keeper_ = FileDescriptor(sockets[0]);
    FileDescriptor keepers_end(sockets[1]);
    std::vector<int> inherited = {nothing.get(), output_write.get(), errors_write.get()};
    inherited.insert(inherited.end(), setup_.inherited.begin(), setup_.inherited.end());
    const std::string first_of_keeper = std::to_string(inherited.size());
    inherited.insert(inherited.end(), {keepers_end.get(), owner.get()});
    std::vector<char *> arguments = {const_cast<char *>(keeper.c_str()),
                                     const_cast<char *>(first_of_keeper.c_str()),
                                     setup_.program.data()};
    for (auto &argument : setup_.arguments)
        arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    if (error_ = start_orphan(keeper.c_str(), arguments.data(), inherited).error; error_ != 0) {
        what_failed_ =
            keeper.empty() ? "keeper, which belongs in the folder above the driver's" : keeper;
        return false;
    }
    keepers_end.reset(); // otherwise its end would not be detected
    rvl_keeper_message message{rvl_keeper_failed, EIO};
    static_cast<void>(recv(keeper_.get(), &message, sizeof message, 0));
    if (message.event != rvl_keeper_started) {
        error_ = message.value;
        return false;
    }
    pid_ = message.value;
    process_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
    return true;
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
        {keeper_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}, {errors_.get(), POLLIN, 0}};
    const auto watch = [&] { // until the process has ended
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
    while (!without_exceptions(watch)) // if memory runs out, only output lines are lost
        error_line.clear();
    End end{};
    without_exceptions([&] { end = how_it_ended(); });
    if (!stopping_)
        setup_.ended(end);
}

Process::End Process::how_it_ended() const {
    rvl_keeper_message message{};
    const bool is_told = recv(keeper_.get(), &message, sizeof message, 0) == sizeof message;
    const std::string name = text({"QEMU (process ", pid_, ")"});
    const auto words = last_words_.empty() ? "" : text({": ", last_words_});
    if (!is_told) // the keeper was killed, and therefore QEMU
        return {text({name, " ended", words}), false};
    if (WIFEXITED(message.value))
        return {text({name, " ended with status ", WEXITSTATUS(message.value), words}),
                WEXITSTATUS(message.value) != 0};
    const char *signal_name = sigabbrev_np(WTERMSIG(message.value));
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
    const FileDescriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
    const int inherited[] = {nothing.get(), write_end.get(),
                             fcntl(STDERR_FILENO, F_GETFD) >= 0 ? STDERR_FILENO : nothing.get()};
    const Orphan orphan = start_orphan(program.c_str(), pointers.data(), inherited);
    write_end.reset();
    if (orphan.error != 0)
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
    orphan.kill(SIGKILL); // it has written enough, or takes too long
    static_cast<void>(orphan.await_end(-1));
    return text;
}

} // namespace rivulet::hal::qemu
