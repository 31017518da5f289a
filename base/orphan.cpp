// SPDX-License-Identifier: Apache-2.0
#include "base/orphan.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace rivulet {
namespace {

// Like vfork: copies no page tables, however large the application is, and this process continues
// once the program runs. ThreadSanitizer can't follow a child that shares memory.
#ifndef __has_feature // of gcc
#define __has_feature(name) __SANITIZE_THREAD__
#endif
#if __has_feature(thread_sanitizer)
constexpr int as_vfork = CLONE_VFORK;
#else
constexpr int as_vfork = CLONE_VM | CLONE_VFORK;
#endif

/* Shared by this process, its child and its grandchild, as are the stacks. Mapped shared,
 * because the sanitizers turn clone into a fork. */
struct Start {
    const char *program;
    char *const *arguments;
    const int *inherited;
    int count;
    pid_t pid;
    int process; // pidfd
    int error;
};
constexpr size_t stack_bytes = 64u << 10;
struct Room {
    std::byte parents_stack[stack_bytes];
    std::byte programs_stack[stack_bytes];
    Start start;
};

/* Both functions run in memory shared with the application, on stacks of their own: they may
 * only use system calls, nothing that allocates or locks. */
int become_program(void *argument) {
    Start &start = *static_cast<Start *>(argument);
    const auto refuse = [&] {
        start.error = errno;
        _exit(127);
        return 127;
    };
    // First moves all descriptors above the target numbers, then each to its target.
    int moved[16];
    for (int i = 0; i < start.count; ++i)
        if ((moved[i] = fcntl(start.inherited[i], F_DUPFD, start.count)) < 0)
            return refuse();
    for (int i = 0; i < start.count; ++i)
        if (dup2(moved[i], i) < 0)
            return refuse();
    syscall(SYS_close_range, start.count, ~0u, CLOSE_RANGE_CLOEXEC);
    setsid(); // so that a terminal's ^C reaches only the application
    for (int number = 1; number < NSIG; ++number)
        signal(number, SIG_DFL); // otherwise the application's handlers could run here
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execv(start.program, start.arguments);
    return refuse();
}

int become_parent(void *argument) {
    Start &start = *static_cast<Start *>(argument);
    auto *const stack = reinterpret_cast<std::byte *>(&start); // the stack below it
    start.pid =
        clone(become_program, stack, as_vfork | CLONE_PIDFD | SIGCHLD, &start, &start.process);
    if (start.pid < 0)
        start.error = errno;
    _exit(0);
}

/* The program's parent exits at once. It sends no signal at exit and never executes another
 * program, so wait() and waitpid() without __WALL or __WCLONE ignore it. It shares the
 * descriptor table, so the pidfd belongs to this process. */
void start_in(Room &room) {
    const pid_t parent =
        clone(become_parent, room.programs_stack, as_vfork | CLONE_FILES, &room.start);
    if (parent >= 0) {
        while (waitpid(parent, nullptr, __WCLONE) < 0 && errno == EINTR)
            ;
        return;
    }
    room.start.error = errno;
    if (errno != EINVAL)
        return;
    // For Linux emulators that only implement fork(): then the program is a child.
    room.start.error = 0;
    room.start.pid =
        clone(become_program, room.programs_stack + stack_bytes, as_vfork | SIGCHLD, &room.start);
    if (room.start.pid < 0)
        room.start.error = errno;
    else
        room.start.process = static_cast<int>(syscall(SYS_pidfd_open, room.start.pid, 0));
}

} // namespace

bool Orphan::await_end(int milliseconds) const {
    pollfd end{process.get(), POLLIN, 0};
    int ready = 0;
    do
        ready = poll(&end, 1, milliseconds);
    while (ready < 0 && errno == EINTR);
    if (ready != 1)
        return false;
    // The program is a child nonetheless if this process adopts orphans, as the first process of a
    // container does.
    siginfo_t status;
    waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(process.get()), &status,
           WEXITED | WNOHANG);
    return true;
}

void Orphan::kill(int signal) const {
    syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0);
}

Orphan start_orphan(const char *program, char *const *arguments, std::span<const int> inherited) {
    Orphan orphan;
    void *const memory =
        mmap(nullptr, sizeof(Room), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        orphan.error = errno;
        return orphan;
    }
    Room &room = *static_cast<Room *>(memory);
    room.start = {program, arguments, inherited.data(), static_cast<int>(inherited.size()), -1,
                  -1,      0};
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    start_in(room);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    orphan.pid = room.start.pid;
    orphan.error = room.start.error;
    orphan.process = FileDescriptor(room.start.process);
    munmap(memory, sizeof(Room));
    if (orphan.error != 0) {
        if (orphan.process)
            static_cast<void>(orphan.await_end(-1));
        orphan.process.reset();
        orphan.pid = -1;
    }
    return orphan;
}

} // namespace rivulet
