// SPDX-License-Identifier: Apache-2.0
//
// Attaching to running firmware and detaching from it: the handshake of hal/protocol/mailbox.h.
#include <random>

#include "base/now.h"
#include "hal/core/describe.h"
#include "hal/core/mailbox_device.h"

namespace rivulet::hal {
namespace {

constexpr uint64_t firmware_limit_ns = 30'000'000'000; // firmware may still be booting
constexpr uint64_t welcome_limit_ns = 30'000'000'000;  // kernels of the former host have to be
                                                       // ended first
constexpr uint64_t farewell_limit_ns = 1'000'000'000;
constexpr uint64_t poll_ns = 1'000'000;
constexpr int polls_between_bells = 64; // a bell may get lost while a device is booting
constexpr size_t hello_state = offsetof(rvl_mailbox, hello) + offsetof(rvl_hello, state);
constexpr size_t hello_session = offsetof(rvl_mailbox, hello) + offsetof(rvl_hello, session);
constexpr size_t boot_session = offsetof(rvl_mailbox, boot) + offsetof(rvl_boot, session);
constexpr size_t least_hello_bytes = offsetof(rvl_hello, session) + sizeof(uint32_t);

} // namespace

// A number that differs from the former host's and from the one the firmware has.
Result<uint32_t> MailboxDevice::new_session() {
    const auto former = memory_.load(word(boot_session));
    if (!former)
        return former;
    const auto served = memory_.load(word(hello_session));
    if (!served)
        return served;
    std::random_device random;
    uint32_t session = 0;
    while (session == 0 || session == *former || session == *served)
        session = static_cast<uint32_t>(random());
    return session;
}

Result<> MailboxDevice::attach() {
    mailbox_ = description_.mailbox;
    if (!memory_.contains(mailbox_, sizeof(rvl_mailbox)))
        return fail(RVL_INVALID,
                    {"driver ", driver_.name, " says that the firmware's mailbox is at ",
                     hex(mailbox_), ", where the device has no memory"});
    auto done = await_firmware();
    if (done)
        done = announce();
    if (done)
        done = await_welcome();
    if (!done)
        return done;
    make_rings();
    if (done = log_.take_over(); !done)
        return done;
    if (done = commands_.take_over(); !done)
        return done;
    return completions_.skip();
}

// Waits for a hello. It may belong to an earlier run of a device that is still booting; the
// firmware will then find the new session when it has booted.
[[clang::minsize]] Result<> MailboxDevice::await_firmware() {
    for (const uint64_t deadline = limit_of_start(firmware_limit_ns);;) {
        const auto state = memory_.load(word(hello_state));
        if (!state)
            return std::unexpected(state.error());
        if (auto read = memory_.read(mailbox_, &hello_, sizeof hello_); !read)
            return read;
        const bool there = hello_.magic == RVL_MAILBOX_MAGIC;
        if (there && *state == RVL_STATE_CRASHED)
            return fail(RVL_DEAD, {"the device's firmware has failed: ", last_words()});
        if (there && *state != RVL_STATE_OFFLINE && *state != RVL_STATE_BOOTING)
            break;
        if (now_ns() > deadline)
            return fail(RVL_TIMEOUT,
                        {"no firmware answers at ", hex(mailbox_), ", where driver ", driver_.name,
                         " says that it runs; start it, or reset the device"});
        const auto waited = driver_.wait(device_, poll_ns);
        if (waited != RVL_OK && waited != RVL_TIMEOUT)
            callbacks_->declare_dead("the device is gone");
        if (callbacks_->dead())
            return std::unexpected(callbacks_->death());
    }
    if (hello_.bytes < least_hello_bytes)
        return fail(RVL_BAD_VERSION,
                    {"the device's firmware uses mailbox protocol ", version_text(hello_.protocol),
                     " and accepts a new host only when it starts; restart it, or use one of 1.2"});
    return check_hello();
}

[[clang::minsize]] Result<> MailboxDevice::announce() {
    const auto session = new_session();
    if (!session)
        return std::unexpected(session.error());
    make_log();
    if (auto skipped = log_.skip(); !skipped)
        return skipped;
    if (auto clear = memory_.store(word(offsetof(rvl_mailbox, host_notify_enabled)), 0); !clear)
        return clear;
    session_ = *session;
    const rvl_boot boot = boot_block();
    heartbeat_ms_ = boot.heartbeat_ms;
    const auto *const bytes = reinterpret_cast<const std::byte *>(&boot);
    constexpr size_t behind = offsetof(rvl_boot, session) + sizeof boot.session;
    for (const auto &[from, end] : {std::pair<size_t, size_t>{0, offsetof(rvl_boot, session)},
                                    std::pair<size_t, size_t>{behind, sizeof boot}})
        if (auto written =
                memory_.write(word(offsetof(rvl_mailbox, boot) + from), bytes + from, end - from);
            !written)
            return written;
    return memory_.store(word(boot_session), session_);
}

[[clang::minsize]] Result<> MailboxDevice::await_welcome() {
    const uint64_t deadline = limit_of_start(welcome_limit_ns);
    for (int poll = 0;; ++poll) {
        if (poll % polls_between_bells == 0)
            if (const auto status = driver_.ring(device_, 1); status != RVL_OK)
                return std::unexpected(
                    callbacks_->to_error(status, "ringing the device's doorbell"));
        const auto session = memory_.load(word(hello_session));
        if (!session)
            return std::unexpected(session.error());
        const auto state = memory_.load(word(hello_state));
        if (!state)
            return std::unexpected(state.error());
        const bool welcome = *session == session_;
        if (welcome && *state == RVL_STATE_CRASHED)
            return fail(RVL_DEAD, {"the firmware does not accept this host: ", last_words()});
        if (welcome && (*state == RVL_STATE_RUNNING || *state == RVL_STATE_REFUSED))
            return take_hello(static_cast<rvl_state>(*state));
        if (now_ns() > deadline)
            return fail(RVL_TIMEOUT,
                        "the firmware does not accept a new host: it hangs, misses its "
                        "doorbell, or can't end a kernel of the former host; reset the device");
        const auto waited = driver_.wait(device_, poll_ns);
        if (waited != RVL_OK && waited != RVL_TIMEOUT)
            callbacks_->declare_dead("the device is gone");
        if (callbacks_->dead())
            return std::unexpected(callbacks_->death());
    }
}

// Returns false if another host has taken the device over.
Result<bool> MailboxDevice::holds_device() {
    const auto session = memory_.load(word(boot_session));
    if (!session)
        return std::unexpected(session.error());
    return *session == session_;
}

// A host that has been replaced must not touch what another one uses now.
Result<> MailboxDevice::expect_to_hold_device() {
    if (!attaches())
        return {};
    const auto ours = holds_device();
    if (!ours)
        return std::unexpected(ours.error());
    if (*ours)
        return {};
    look_for_memory();
    callbacks_->declare_dead("another host has taken the device over");
    return std::unexpected(callbacks_->death());
}

// When this returns, nothing of this host's work is left on the device, if it is alive.
[[clang::minsize]] void MailboxDevice::detach() {
    if (session_ == 0 || callbacks_->dead() || !holds_device().value_or(false))
        return;
    session_ = 0;
    const uint64_t magic = word(offsetof(rvl_mailbox, boot) + offsetof(rvl_boot, magic));
    if (!memory_.store(magic, 0) || !memory_.store(word(boot_session), 0))
        return;
    const uint64_t deadline = now_ns() + farewell_limit_ns;
    for (int poll = 0; now_ns() < deadline; ++poll) {
        if (poll % polls_between_bells == 0 && driver_.ring(device_, 1) != RVL_OK)
            return;
        if (memory_.load(word(hello_session)).value_or(0) == 0 &&
            memory_.load(word(hello_state)).value_or(0) == RVL_STATE_DETACHED)
            return;
        if (const auto waited = driver_.wait(device_, poll_ns);
            waited != RVL_OK && waited != RVL_TIMEOUT)
            return;
    }
    callbacks_->log(1, "the device is still executing work of this host, which detaches");
}

} // namespace rivulet::hal
