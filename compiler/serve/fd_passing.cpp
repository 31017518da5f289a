// SPDX-License-Identifier: Apache-2.0
#include "compiler/serve/fd_passing.h"

#include <cerrno>
#include <cstring>

#include <sys/socket.h>

namespace rivulet::compiler {
namespace {

// One byte, and room for one descriptor.
struct Message {
    Message() {
        header.msg_iov = &data;
        header.msg_iovlen = 1;
        header.msg_control = control;
        header.msg_controllen = sizeof control;
    }
    Message(const Message &) = delete;

    char byte = 0;
    iovec data = {&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr header = {};
};

} // namespace

int receive_job(int control) {
    Message message;
    ssize_t count = recvmsg(control, &message.header, MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EINTR)
        return no_job;
    if (count <= 0)
        return no_more_jobs;
    cmsghdr *attached = CMSG_FIRSTHDR(&message.header);
    if (!attached || attached->cmsg_level != SOL_SOCKET || attached->cmsg_type != SCM_RIGHTS)
        return no_job;
    int job;
    memcpy(&job, CMSG_DATA(attached), sizeof job);
    return job;
}

bool send_job(int control, int job) {
    Message message;
    cmsghdr *attached = CMSG_FIRSTHDR(&message.header);
    attached->cmsg_level = SOL_SOCKET;
    attached->cmsg_type = SCM_RIGHTS;
    attached->cmsg_len = CMSG_LEN(sizeof job);
    memcpy(CMSG_DATA(attached), &job, sizeof job);
    return sendmsg(control, &message.header, MSG_NOSIGNAL) == 1;
}

} // namespace rivulet::compiler
