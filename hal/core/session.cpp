// SPDX-License-Identifier: Apache-2.0
#include "hal/core/session.h"

#include <algorithm>
#include <random>

#include "base/now.h"
#include "hal/core/describe.h"

namespace rivulet::hal {
namespace {

constexpr uint64_t firmware_limit_ns = 30'000'000'000; // firmware may still be booting
constexpr uint64_t report_limit_ns = 5'000'000'000;    // firmware that has recorded its failure may
                                                       // still be stopping harts and devices
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

Result<uint32_t> Session::new_number() {
    const auto former = link_.memory.load(link_.word(boot_session));
    if (!former)
        return former;
    const auto served = link_.memory.load(link_.word(hello_session));
    if (!served)
        return served;
    std::random_device random;
    uint32_t number = 0;
    while (number == 0 || number == *former || number == *served)
        number = static_cast<uint32_t>(random());
    return number;
}

Result<> Session::begin() {
    const auto number = new_number();
    if (!number)
        return std::unexpected(number.error());
    number_ = *number;
    return {};
}

Result<> Session::attach() {
    link_.mailbox = link_.description.mailbox;
    if (!link_.memory.contains(link_.mailbox, sizeof(rvl_mailbox)))
        return fail(RVL_INVALID,
                    {"driver ", link_.driver.name, " says that the firmware's mailbox is at ",
                     hex(link_.mailbox), ", where the device has no memory"});
    auto done = await_firmware();
    if (done)
        done = announce();
    if (done)
        done = await_welcome();
    return done;
}

// Waits for a hello. It may belong to an earlier run of a device that is still booting; the
// firmware will then find the new session when it has booted.
[[clang::minsize]] Result<> Session::await_firmware() {
    uint64_t report_deadline = UINT64_MAX;
    for (const uint64_t deadline = boot_.limit_of_start(firmware_limit_ns);;) {
        const auto state = link_.memory.load(link_.word(hello_state));
        if (!state)
            return std::unexpected(state.error());
        if (auto read = boot_.read_hello(); !read)
            return read;
        const bool there = link_.hello.magic == RVL_MAILBOX_MAGIC;
        const bool failing = there && crash_.is_there();
        const uint64_t now = now_ns();
        report_deadline =
            failing ? std::min(report_deadline, link_.limit_after(report_limit_ns)) : UINT64_MAX;
        if (there && (*state == RVL_STATE_CRASHED || now > report_deadline)) {
            const std::string reason = crash_.report_left();
            return fail(RVL_DEAD, {"the device's firmware had failed before: ",
                                   reason.empty() ? boot_.last_words() : reason});
        }
        if (there && !failing && *state != RVL_STATE_OFFLINE && *state != RVL_STATE_BOOTING)
            break;
        if (now > deadline)
            return fail(RVL_TIMEOUT,
                        {"no firmware answers at ", hex(link_.mailbox), ", where driver ",
                         link_.driver.name, " says that it runs; start it, or reset the device"});
        if (auto waited = link_.await_bell(poll_ns); !waited)
            return waited;
    }
    if (link_.hello.bytes < least_hello_bytes)
        return fail(RVL_BAD_VERSION,
                    {"the device's firmware uses mailbox protocol ",
                     version_text(link_.hello.protocol),
                     " and accepts a new host only when it starts; restart it, or use one of 1.2"});
    return boot_.check_hello();
}

[[clang::minsize]] Result<> Session::announce() {
    const auto number = new_number();
    if (!number)
        return std::unexpected(number.error());
    boot_.open_log();
    if (auto skipped = log_.skip(); !skipped)
        return skipped;
    if (auto clear = link_.memory.store(link_.word(offsetof(rvl_mailbox, host_notify_enabled)), 0);
        !clear)
        return clear;
    number_ = *number;
    const rvl_boot boot = boot_.boot_block(number_);
    const auto *const bytes = reinterpret_cast<const std::byte *>(&boot);
    constexpr size_t behind = offsetof(rvl_boot, session) + sizeof boot.session;
    for (const auto &[from, end] : {std::pair<size_t, size_t>{0, offsetof(rvl_boot, session)},
                                    std::pair<size_t, size_t>{behind, sizeof boot}})
        if (auto written = link_.memory.write(link_.word(offsetof(rvl_mailbox, boot) + from),
                                              bytes + from, end - from);
            !written)
            return written;
    return link_.memory.store(link_.word(boot_session), number_);
}

[[clang::minsize]] Result<> Session::await_welcome() {
    uint64_t deadline = boot_.limit_of_start(welcome_limit_ns);
    for (int poll = 0;; ++poll) {
        if (crash_.is_there())
            deadline = std::min(deadline, link_.limit_after(report_limit_ns));
        if (poll % polls_between_bells == 0)
            if (auto rung = link_.ring_bell(); !rung)
                return rung;
        const auto session = link_.memory.load(link_.word(hello_session));
        if (!session)
            return std::unexpected(session.error());
        const auto state = link_.memory.load(link_.word(hello_state));
        if (!state)
            return std::unexpected(state.error());
        const bool welcome = *session == number_;
        if (welcome && *state == RVL_STATE_CRASHED)
            return fail(RVL_DEAD, {"the firmware does not accept this host: ", boot_.last_words()});
        if (welcome && (*state == RVL_STATE_RUNNING || *state == RVL_STATE_REFUSED))
            return boot_.take_hello(static_cast<rvl_state>(*state));
        if (now_ns() > deadline)
            return fail(RVL_TIMEOUT,
                        "the firmware does not accept a new host: it hangs, misses its "
                        "doorbell, or can't end a kernel of the former host; reset the device");
        if (auto waited = link_.await_bell(poll_ns); !waited)
            return waited;
    }
}

Result<bool> Session::holds() {
    const auto session = link_.memory.load(link_.word(boot_session));
    if (!session)
        return std::unexpected(session.error());
    return *session == number_;
}

bool Session::is_lost() { return number_ != 0 && !holds().value_or(true); }

Result<> Session::expect_to_hold() {
    if (!link_.attaches())
        return {};
    const auto ours = holds();
    if (!ours)
        return std::unexpected(ours.error());
    if (*ours)
        return {};
    link_.look_for_memory();
    link_.callbacks->declare_dead("another host has taken the device over");
    return std::unexpected(link_.callbacks->death());
}

[[clang::minsize]] void Session::detach() {
    if (number_ == 0 || link_.callbacks->dead() || !holds().value_or(false))
        return;
    number_ = 0;
    const uint64_t magic = link_.word(offsetof(rvl_mailbox, boot) + offsetof(rvl_boot, magic));
    if (!link_.memory.store(magic, 0) || !link_.memory.store(link_.word(boot_session), 0))
        return;
    const uint64_t deadline = now_ns() + farewell_limit_ns;
    for (int poll = 0; now_ns() < deadline; ++poll) {
        if (poll % polls_between_bells == 0 && link_.driver.ring(link_.device, 1) != RVL_OK)
            return;
        if (link_.memory.load(link_.word(hello_session)).value_or(0) == 0 &&
            link_.memory.load(link_.word(hello_state)).value_or(0) == RVL_STATE_DETACHED)
            return;
        if (const auto waited = link_.driver.wait(link_.device, poll_ns);
            waited != RVL_OK && waited != RVL_TIMEOUT)
            return;
    }
    link_.callbacks->log(1, "the device is still executing work of this host, which detaches");
}

} // namespace rivulet::hal
