// SPDX-License-Identifier: Apache-2.0
#include "base/file_descriptor.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cstring>

namespace rivulet {

FileDescriptor::FileDescriptor(int descriptor) : descriptor_(descriptor) {
    if (static_cast<unsigned>(descriptor) <= STDERR_FILENO) {
        descriptor_ = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        ::close(descriptor);
    }
}

bool send_message(int socket, std::span<const std::byte> content, int descriptor, int flags) {
    iovec data{.iov_base = const_cast<std::byte *>(content.data()), .iov_len = content.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof descriptor);
        std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | flags) == static_cast<ssize_t>(content.size());
}

} // namespace rivulet
