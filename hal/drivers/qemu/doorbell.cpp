// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/qemu/doorbell.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace rivulet::hal::qemu {
namespace {

// QEMU's docs/specs/ivshmem-spec.rst, "The server": messages are 8 bytes, little endian.
constexpr int64_t protocol_version = 0;
constexpr int64_t shared_memory = -1;
constexpr int64_t host_peer = 0;
constexpr int64_t guest_peer = 1;

bool send_message(int socket, int64_t value, int descriptor = -1) {
    iovec content{.iov_base = &value, .iov_len = sizeof value};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
    msghdr message{};
    message.msg_iov = &content;
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
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof value;
}

void signal(const File &event) {
    const uint64_t one = 1;
    static_cast<void>(!::write(event.get(), &one, sizeof one)); // full is as good as signalled
}

bool consume(const File &event) {
    uint64_t count = 0;
    return ::read(event.get(), &count, sizeof count) == sizeof count;
}

std::unexpected<Error> refused(const char *what) {
    return fail(RVL_IO, {"cannot make a doorbell: ", what, ": ", errno_text(errno)});
}

} // namespace

Result<Doorbell> Doorbell::create(uint32_t harts) {
    constexpr int flags = EFD_CLOEXEC | EFD_NONBLOCK;
    Doorbell doorbell;
    doorbell.host_bell_ = File(eventfd(0, flags));
    doorbell.wake_ = File(eventfd(0, flags));
    if (!doorbell.host_bell_ || !doorbell.wake_)
        return refused("eventfd");
    for (uint32_t hart = 0; hart < harts; ++hart) {
        doorbell.hart_bells_.emplace_back(eventfd(0, flags));
        if (!doorbell.hart_bells_.back())
            return refused("eventfd");
    }
    return doorbell;
}

Result<> Doorbell::connect(File &for_qemu, File &kept) const {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return refused("socketpair");
    for_qemu = File(ends[0]);
    kept = File(ends[1]);
    // The device insists on shared memory of its own; ours is the guest's whole RAM.
    const File page(memfd_create("rivulet-ivshmem", MFD_CLOEXEC));
    if (!page || ftruncate(page.get(), RVL_PAGE_BYTES) != 0)
        return refused("memfd_create");
    // QEMU reads up to the shared memory's message before the guest runs, and the rest at leisure.
    // The host's bell must come before it, or the guest's first rings would go nowhere; the harts'
    // after it, when QEMU has set up their interrupts. Rings for these are kept by the eventfds.
    bool sent = send_message(kept.get(), protocol_version) && send_message(kept.get(), guest_peer);
    // The host's bell is the same for each vector that the guest may name.
    for (size_t vector = 0; vector < hart_bells_.size(); ++vector)
        sent = sent && send_message(kept.get(), host_peer, host_bell_.get());
    sent = sent && send_message(kept.get(), shared_memory, page.get());
    for (const File &bell : hart_bells_)
        sent = sent && send_message(kept.get(), guest_peer, bell.get());
    if (!sent)
        return refused("sendmsg");
    return {};
}

void Doorbell::ring(uint64_t hart_mask) const {
    for (size_t hart = 0; hart < hart_bells_.size(); ++hart)
        if ((hart_mask >> hart & 1) != 0)
            signal(hart_bells_[hart]);
}

rvl_status Doorbell::wait(uint64_t timeout_ns) const {
    pollfd events[] = {{host_bell_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    constexpr uint64_t ns_per_s = 1'000'000'000;
    constexpr uint64_t longest_s = 1u << 30; // time_t's range is no concern of the caller
    const timespec timeout{.tv_sec =
                               static_cast<time_t>(std::min(timeout_ns / ns_per_s, longest_s)),
                           .tv_nsec = static_cast<long>(timeout_ns % ns_per_s)};
    if (ppoll(events, std::size(events), &timeout, nullptr) < 0)
        return errno == EINTR ? RVL_OK : RVL_IO; // a spurious return is allowed
    const bool rung = consume(host_bell_);
    const bool woken = consume(wake_);
    return rung || woken ? RVL_OK : RVL_TIMEOUT;
}

void Doorbell::wake() const { signal(wake_); }

void Doorbell::clear() const {
    consume(host_bell_);
    for (const File &bell : hart_bells_)
        consume(bell);
}

} // namespace rivulet::hal::qemu
