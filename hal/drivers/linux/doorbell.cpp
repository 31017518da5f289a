// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/linux/doorbell.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/parse.h"
#include "hal/drivers/linux/barrier.h"
#include "hal/drivers/qemu/ivshmem.h"

namespace rivulet::hal::window {
namespace {

constexpr uint64_t ns_per_us = 1'000;
constexpr uint64_t ns_per_s = 1'000'000'000;

void add(const FileDescriptor &event, uint64_t count) {
    static_cast<void>(!::write(event.get(), &count, sizeof count)); // a full counter also signals
}

Result<uint64_t> parse_interval(const std::string &text) {
    std::string_view digits = text;
    uint64_t unit = 0;
    for (const auto &[suffix, ns] :
         {std::pair<std::string_view, uint64_t>{"us", ns_per_us}, {"ms", 1000 * ns_per_us}})
        if (digits.ends_with(suffix)) {
            digits.remove_suffix(suffix.size());
            unit = ns;
            break;
        }
    const auto value = parse_number(digits);
    if (unit == 0 || !value || *value == 0 || *value > 1'000'000)
        return fail(RVL_INVALID, {"\"doorbell.poll\" is ", text,
                                  ", which is not a polling interval; use \"50us\" or \"1ms\""});
    return *value * unit;
}

} // namespace

Result<std::optional<Line>> Line::find(const Settings &settings, const std::string &name,
                                       Source &source, uint64_t otherwise) {
    const auto key = [&](const char *part) { return text({name, ".", part}); };
    const bool set = settings.find(key("value")) != nullptr;
    const auto value = number(settings, key("value"), otherwise);
    const auto offset = number(settings, key("offset"), 0);
    const auto bar = number(settings, key("bar"), 0);
    const auto region = number(settings, key("map"), bar.value_or(0));
    for (const auto *part : {&value, &offset, &bar, &region})
        if (!*part)
            return std::unexpected(part->error());
    Line line;
    const auto pulse = source.pulse(otherwise);
    if (pulse)
        line.count_ = pulse->value;
    if (const FileDescriptor *event = pulse ? pulse->descriptor : source.event(*value)) {
        line.event_ = FileDescriptor(fcntl(event->get(), F_DUPFD_CLOEXEC, 0));
        if (!line.event_)
            return fail(RVL_IO, {"cannot duplicate the card's line: ", errno_text(errno)});
        return line;
    }
    if (!set) {
        if (settings.find(key("offset")) != nullptr || settings.find(key("bar")) != nullptr)
            return fail(RVL_INVALID, {"\"", name, "\" has no value to write to its register"});
        return std::nullopt;
    }
    auto registers = source.registers(static_cast<unsigned>(*region));
    if (!registers)
        return std::unexpected(registers.error());
    if (*offset % sizeof(uint32_t) != 0 || registers->bytes() < sizeof(uint32_t) ||
        *offset > registers->bytes() - sizeof(uint32_t))
        return fail(RVL_INVALID, {"\"", key("offset"), "\" is ", hex(*offset),
                                  ", which is not a 32-bit register in region ", *region, " of ",
                                  bytes_text(registers->bytes())});
    line.registers_ = std::move(*registers);
    line.offset_ = *offset;
    line.value_ = static_cast<uint32_t>(*value);
    return line;
}

void Line::signal() const {
    if (event_)
        return add(event_, count_); // the system call orders earlier stores
    order_stores_before_register();
    *reinterpret_cast<volatile uint32_t *>(registers_.start() + offset_) = value_;
}

Result<Doorbell> Doorbell::create(const Settings &settings, Source &source) {
    Doorbell doorbell;
    doorbell.wake_ = FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!doorbell.wake_)
        return fail(RVL_IO, {"cannot create an eventfd: ", errno_text(errno)});
    doorbell.lifeline_ = source.lifeline();
    if (const auto node = settings.get("doorbell.node"); !node.empty()) {
        auto file = open_alone(node);
        if (!file)
            return std::unexpected(file.error());
        doorbell.node_ = std::move(*file);
        doorbell.interrupt_.kind = InterruptKind::node;
    }
    if (const auto poll = settings.get("doorbell.poll"); !poll.empty()) {
        const auto interval = parse_interval(poll);
        if (!interval)
            return std::unexpected(interval.error());
        doorbell.poll_ns_ = *interval;
    } else if (!doorbell.node_) {
        auto interrupt = source.interrupt();
        if (!interrupt)
            return std::unexpected(interrupt.error());
        doorbell.interrupt_ = std::move(*interrupt);
        if (doorbell.interrupt_.kind == InterruptKind::none)
            return fail(RVL_INVALID, "this window has no interrupt: set doorbell.poll = \"50us\", "
                                     "or doorbell.node to a mailbox's device node");
    }
    auto ring = Line::find(settings, "doorbell.ring", source, ivshmem::bell_line);
    if (!ring)
        return std::unexpected(ring.error());
    doorbell.ring_ = std::move(*ring);
    doorbell.consume(); // enables UIO's interrupt
    return doorbell;
}

// Firmware that can't be rung polls its mailbox (RVL_DEVICE_CANT_RING).
void Doorbell::ring() const {
    if (ring_)
        return ring_->signal();
    const uint32_t one = 1;
    if (node_) // a full mailbox interrupts, too
        static_cast<void>(!::write(node_.get(), &one, sizeof one));
}

uint64_t Doorbell::consume() const {
    uint64_t count = 0;
    switch (interrupt_.kind) {
    case InterruptKind::none:
        break;
    case InterruptKind::event:
        if (::read(interrupt_.descriptor.get(), &count, sizeof count) != sizeof count)
            count = 0;
        break;
    case InterruptKind::uio: {
        uint32_t interrupts = 0;
        if (::read(interrupt_.descriptor.get(), &interrupts, sizeof interrupts) ==
            sizeof interrupts)
            count = 1;
        // The kernel disables the interrupt until it is requested again. That must be done before
        // the rings are read, or an interrupt in between would be lost.
        const uint32_t on = 1;
        static_cast<void>(!::write(interrupt_.descriptor.get(), &on, sizeof on));
        break;
    }
    case InterruptKind::node: {
        std::array<std::byte, 256> message{};
        while (::read(node_.get(), message.data(), message.size()) > 0)
            count = 1;
        break;
    }
    }
    return count;
}

rvl_status Doorbell::wait(uint64_t timeout_ns) const {
    const int source = node_ ? node_.get() : interrupt_.descriptor.get();
    std::array<pollfd, 3> events = {
        {{wake_.get(), POLLIN, 0}, {source, POLLIN, 0}, {lifeline_, POLLRDHUP, 0}}};
    const bool looks = poll_ns_ != 0 && poll_ns_ < timeout_ns;
    const uint64_t sleep = looks ? poll_ns_ : timeout_ns;
    constexpr uint64_t longest_s = 1u << 30; // clamped to the range of time_t
    const timespec timeout{.tv_sec = static_cast<time_t>(std::min(sleep / ns_per_s, longest_s)),
                           .tv_nsec = static_cast<long>(sleep % ns_per_s)};
    const int ready = ppoll(events.data(), events.size(), &timeout, nullptr);
    if (ready < 0)
        return errno == EINTR ? RVL_OK : RVL_IO; // spurious returns are allowed
    if (events[0].revents != 0) {
        uint64_t count = 0;
        static_cast<void>(!::read(wake_.get(), &count, sizeof count));
    }
    if (events[2].revents != 0 || (events[1].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
        return RVL_DEAD;
    if ((events[1].revents & POLLIN) != 0)
        consume();
    order_interrupt_before_loads();
    return ready > 0 || looks ? RVL_OK : RVL_TIMEOUT;
}

void Doorbell::wake() const { add(wake_, 1); }

bool Doorbell::hung_up() const {
    pollfd lifeline{lifeline_, POLLRDHUP, 0};
    return poll(&lifeline, 1, 0) > 0;
}

} // namespace rivulet::hal::window
