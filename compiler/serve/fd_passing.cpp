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

    // The one that came with it, or no_job.
    int descriptor() {
        cmsghdr *attached = CMSG_FIRSTHDR(&header);
        if (!attached || attached->cmsg_level != SOL_SOCKET || attached->cmsg_type != SCM_RIGHTS)
            return no_job;
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(attached), sizeof descriptor);
        return descriptor;
    }

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
    return message.descriptor();
}

bool receive_with_descriptor(int socket, rvl_opened &opened, int &descriptor) {
    auto *bytes = reinterpret_cast<char *>(&opened);
    for (size_t received = 0; received < sizeof opened;) {
        Message message;
        message.data = {bytes + received, sizeof opened - received};
        const ssize_t count = recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        if (const int attached = message.descriptor(); attached != no_job)
            descriptor = attached;
        received += static_cast<size_t>(count);
    }
    return true;
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
