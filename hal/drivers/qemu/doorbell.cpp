// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/qemu/doorbell.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <span>

#include "hal/drivers/qemu/ivshmem.h"

#include "base/file_size.h"
#include "hal/protocol/mailbox.h"

namespace rivulet::hal::qemu {
namespace {

constexpr int64_t guest_peer = ivshmem::first_host_peer; // QEMU is the peer of this host

bool send(const FileDescriptor &socket, int64_t value, int descriptor = -1) {
    return send_message(socket.get(), std::as_bytes(std::span(&value, 1)), descriptor,
                        MSG_DONTWAIT);
}

void signal(const FileDescriptor &event) {
    const uint64_t one = 1;
    static_cast<void>(!::write(event.get(), &one, sizeof one)); // a full counter also signals
}

bool consume(const FileDescriptor &event) {
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
    doorbell.host_bell_ = FileDescriptor(eventfd(0, flags));
    doorbell.wake_ = FileDescriptor(eventfd(0, flags));
    if (!doorbell.host_bell_ || !doorbell.wake_)
        return refused("eventfd");
    for (uint32_t hart = 0; hart < harts; ++hart) {
        doorbell.hart_bells_.emplace_back(eventfd(0, flags));
        if (!doorbell.hart_bells_.back())
            return refused("eventfd");
    }
    return doorbell;
}

Result<> Doorbell::connect(FileDescriptor &for_qemu, FileDescriptor &kept) const {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return refused("socketpair");
    for_qemu = FileDescriptor(ends[0]);
    kept = FileDescriptor(ends[1]);
    // The device insists on shared memory of its own; the memory we share is the guest's RAM.
    const FileDescriptor page(memfd_create("rivulet-ivshmem", MFD_CLOEXEC));
    if (!page || !set_file_size(page.get(), RVL_PAGE_BYTES))
        return refused("memfd_create");
    // QEMU reads messages up to the shared memory's before the guest runs, and the rest later. The
    // host's bell must come before that one, or the guest's first rings would be lost; the harts'
    // after it, when QEMU has set up their interrupts. Their eventfds remember rings in the
    // meantime.
    bool sent = send(kept, ivshmem::protocol_version) && send(kept, guest_peer);
    // The host's bell is the same for every vector that the guest may use.
    for (size_t vector = 0; vector < hart_bells_.size(); ++vector)
        sent = sent && send(kept, ivshmem::card_peer, host_bell_.get());
    sent = sent && send(kept, ivshmem::shared_memory, page.get());
    for (const FileDescriptor &bell : hart_bells_)
        sent = sent && send(kept, guest_peer, bell.get());
    if (!sent)
        return refused("sendmsg");
    return {};
}

void Doorbell::ring(uint64_t hart_mask) const {
    for (size_t hart = 0; hart < std::min<size_t>(hart_bells_.size(), RVL_MASK_HARTS); ++hart)
        if ((hart_mask >> hart & 1) != 0)
            signal(hart_bells_[hart]);
}

rvl_status Doorbell::wait(uint64_t timeout_ns) const {
    pollfd events[] = {{host_bell_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    constexpr uint64_t ns_per_s = 1'000'000'000;
    constexpr uint64_t longest_s = 1u << 30; // clamped to the range of time_t
    constexpr uint64_t look_ns = 50'000;
    const bool looks = polls_ && look_ns < timeout_ns;
    if (looks)
        timeout_ns = look_ns;
    const timespec timeout{.tv_sec =
                               static_cast<time_t>(std::min(timeout_ns / ns_per_s, longest_s)),
                           .tv_nsec = static_cast<long>(timeout_ns % ns_per_s)};
    if (ppoll(events, std::size(events), &timeout, nullptr) < 0)
        return errno == EINTR ? RVL_OK : RVL_IO; // spurious returns are allowed
    const bool rung = consume(host_bell_);
    const bool woken = consume(wake_);
    return rung || woken || looks ? RVL_OK : RVL_TIMEOUT;
}

void Doorbell::wake() const { signal(wake_); }

void Doorbell::clear() const {
    consume(host_bell_);
    for (const FileDescriptor &bell : hart_bells_)
        consume(bell);
}

} // namespace rivulet::hal::qemu
