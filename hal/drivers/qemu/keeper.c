/* SPDX-License-Identifier: Apache-2.0
 *
 * keeper N PROGRAM ARGUMENT...: runs a program for a process of which it must not be a child.
 *
 * Descriptor N is a socket to that process (SOCK_SEQPACKET), N + 1 a pidfd of it; lower ones
 * belong to the program. Messages to the socket are signal numbers for the program. The keeper
 * reports over the socket when the program runs and how it ended. It kills the program when the
 * process or the socket's other end is gone; the kernel kills it when the keeper ends. The
 * keeper retains the privileges that the process had when starting it: a process that drops its
 * own could no longer kill the program. */
#include "hal/drivers/qemu/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int start(char **program, int errors[2]) {
    pid_t keeper = getpid(), child = fork();
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == keeper)
        execv(program[0], program);
    int error = errno;
    ssize_t written = write(errors[1], &error, sizeof error);
    _exit(written < 0 ? 126 : 127);
}

static void tell(int socket, enum rvl_keeper_event event, int value) {
    const struct rvl_keeper_message message = {event, value};
    send(socket, &message, sizeof message, MSG_NOSIGNAL);
}

/* Returns the signal to pass on, or -1 when the owner is gone. */
static int await_order(int socket, int owner, int process) {
    struct pollfd events[] = {{socket, POLLIN, 0}, {owner, POLLIN, 0}, {process, POLLIN, 0}};
    while (poll(events, 3, -1) < 0)
        ;
    if (events[2].revents)
        return 0;
    int signal;
    if (!events[1].revents && recv(socket, &signal, sizeof signal, 0) == sizeof signal)
        return signal;
    return -1;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    const int socket = atoi(argv[1]), owner = socket + 1;
    int errors[2], error = 0;
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    fcntl(owner, F_SETFD, FD_CLOEXEC);
    pid_t child = pipe2(errors, O_CLOEXEC) == 0 ? start(argv + 2, errors) : -1;
    if (child < 0) {
        tell(socket, rvl_keeper_failed, errno);
        return 1;
    }
    close(errors[1]);
    if (read(errors[0], &error, sizeof error) == sizeof error) {
        tell(socket, rvl_keeper_failed, error);
        return 1;
    }
    for (int i = 0; i < socket; ++i) /* so that pipes close with the program */
        close(i);
    tell(socket, rvl_keeper_started, child);
    int process = (int)syscall(SYS_pidfd_open, child, 0);
    int order;
    while ((order = await_order(socket, owner, process)) > 0)
        kill(child, order);
    if (order < 0)
        kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    tell(socket, rvl_keeper_ended, status);
    return 0;
}
