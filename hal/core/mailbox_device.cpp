// SPDX-License-Identifier: Apache-2.0
//
// A running device: submits commands and takes completions.
#include "hal/core/mailbox_device.h"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "base/fork.h"
#include "base/now.h"
#include "base/parse.h"
#include "hal/core/config.h"
#include "hal/core/trace.h"

namespace rivulet::hal {
namespace {

// Polling this long avoids sleep and doorbell for quick answers; longer waits use no processor
// time.
constexpr uint64_t spin_ns = 30'000;
// Polling interval of a submit that found the ring full: the device rings only for completions, and
// a chain of silent launches has none.
constexpr uint64_t room_poll_ns = 1'000'000;
constexpr uint64_t ns_per_s = 1'000'000'000;
constexpr uint64_t longest_ping_interval_ns = ns_per_s;
// How long a device that promises to answer regardless of its kernels may be silent. Long enough
// for a device that shares its processor with many others.
constexpr std::string_view default_deadline_s = "30";
// Minimum number of checks before the deadline of a silent device.
constexpr uint64_t looks_before_deadline = 8;

uint64_t deadline_after(std::chrono::nanoseconds timeout) {
    const auto ns = static_cast<uint64_t>(std::max<int64_t>(timeout.count(), 0));
    const uint64_t now = now_ns();
    return ns > UINT64_MAX - now ? UINT64_MAX : now + ns;
}

std::chrono::steady_clock::time_point time_point(uint64_t ns) {
    using Clock = std::chrono::steady_clock;
    const auto longest = static_cast<uint64_t>(Clock::time_point::max().time_since_epoch().count());
    return Clock::time_point(Clock::duration(std::min(ns, longest)));
}

// Unlimited if kernels are not isolated, since one may keep the hart from answering, and under a
// debugger, which stops all harts.
uint64_t silence_limit(const Config &config, const rvl_device_desc &description) {
    if (!config.get("gdb").empty())
        return 0;
    const bool answers = (description.flags & RVL_DEVICE_ISOLATES) != 0;
    const auto text = config.get("deadline", answers ? default_deadline_s : "0");
    return std::min(parse_number(text).value_or(0), UINT64_MAX / ns_per_s) * ns_per_s;
}

} // namespace

MailboxDevice::MailboxDevice(const rvl_driver &driver, rvl_device *device,
                             const rvl_device_desc &description, Config config,
                             std::unique_ptr<DriverCallbacks> host)
    : driver_(driver), device_(device), description_(description), config_(std::move(config)),
      callbacks_(std::move(host)), memory_(driver_, device, description),
      process_generation_(process_generation()),
      silence_limit_ns_(silence_limit(config_, description_)),
      ping_interval_ns_(
          silence_limit_ns_ == 0
              ? longest_ping_interval_ns
              : std::min(longest_ping_interval_ns, silence_limit_ns_ / looks_before_deadline)) {
    if (memory_.same_addresses())
        description_.flags |= RVL_DEVICE_SAME_ADDRESSES;
}

MailboxDevice::~MailboxDevice() {
    if (forked()) {
        static_cast<void>(
            callbacks_.release()); // the parent's; its threads don't exist in this process
        return;
    }
    static_cast<void>(end_sleep());
    halt("the device was closed");
    if (attaches())
        detach();
    driver_.close(device_);
}

bool MailboxDevice::forked() const { return process_generation_ != process_generation(); }

Result<> MailboxDevice::usable() const {
    if (forked())
        return fail(RVL_INVALID, "the device belongs to the process that opened it; a forked child "
                                 "has to open a device of its own");
    if (callbacks_->dead())
        return std::unexpected(callbacks_->death());
    if (!running_.load(std::memory_order_acquire))
        return fail(RVL_INVALID, "the device is not started");
    return {};
}

void MailboxDevice::give_up(std::string_view reason) {
    if (forked())
        return;
    callbacks_->declare_dead(reason);
    driver_.wake(device_);
}

std::byte *MailboxDevice::map(uint64_t address, size_t bytes) {
    return memory_.map(address, bytes);
}

Result<> MailboxDevice::read(uint64_t address, std::span<std::byte> to) {
    if (auto ok = usable(); !ok)
        return ok;
    const Use use(*this);
    if (auto clean = clean_on_device(address, to.size()); !clean)
        return clean;
    return memory_.read(address, to.data(), to.size());
}

Result<> MailboxDevice::write(uint64_t address, std::span<const std::byte> from) {
    if (auto ok = usable(); !ok)
        return ok;
    const Use use(*this);
    if (auto clean = clean_on_device(address, from.size()); !clean)
        return clean;
    if (auto written = memory_.write(address, from.data(), from.size()); !written)
        return written;
    return invalidate_on_device(address, from.size());
}

Result<> MailboxDevice::write_launch(uint64_t address, std::span<const std::byte> from) {
    if (auto ok = usable(); !ok)
        return ok;
    const Use use(*this);
    return memory_.write(address, from.data(), from.size());
}

Result<> MailboxDevice::sync(uint64_t address, size_t bytes, rvl_sync_direction direction) {
    const Use use(*this);
    if ((direction & RVL_SYNC_FROM_DEVICE) != 0)
        if (auto clean = clean_on_device(address, bytes); !clean)
            return clean;
    if (auto synced = memory_.sync(address, bytes, direction); !synced)
        return synced;
    return (direction & RVL_SYNC_TO_DEVICE) != 0 ? invalidate_on_device(address, bytes)
                                                 : Result<>();
}

rvl_slot MailboxDevice::ping_slot() {
    rvl_slot slot{};
    slot.header = {.group = RVL_GROUP_BASE,
                   .service = RVL_BASE_PING,
                   .flags = 0,
                   .length = 0,
                   .token = RVL_PING_TOKEN};
    return slot;
}

Result<> MailboxDevice::ring_if_wanted() {
    // Full fence between storing the tail and checking the flag. The device has the same fence
    // between its flag and its last look at the tail, so at least one side sees the other's store.
    std::atomic_thread_fence(std::memory_order_seq_cst); // order: host.look_for_sleeper
    const auto wanted = memory_.load(notify_enabled_);
    if (!wanted)
        return std::unexpected(wanted.error());
    if (*wanted == 0)
        return {};
    trace::instant("doorbell");
    if (const auto status = driver_.ring(device_, 1); status != RVL_OK)
        return std::unexpected(callbacks_->to_error(status, "ringing the device's doorbell"));
    return {};
}

Result<size_t> MailboxDevice::submit(std::span<const rvl_slot> commands) {
    const Lock lock(producer_);
    if (auto ok = usable(); !ok)
        return std::unexpected(ok.error());
    if (suspended_.load()) { // handled as if the ring were full
        room_wanted_.store(true, std::memory_order_release);
        return 0;
    }
    if (auto ours = expect_to_hold_device(); !ours)
        return std::unexpected(ours.error());
    const auto count = commands_.push(commands);
    if (!count)
        return std::unexpected(count.error());
    if (*count < commands.size())
        room_wanted_.store(true, std::memory_order_release);

    if (*count == commands.size())
        if (auto asked = ping_if_due(now_ns()); !asked)
            return std::unexpected(asked.error());
    if (auto rung = ring_if_wanted(); !rung)
        return std::unexpected(rung.error());
    return *count;
}

// Called under the producer's lock; the caller rings.
Result<> MailboxDevice::ping_if_due(uint64_t now) {
    if (now < next_ping_ || ping_sent_.load() != 0)
        return {};
    next_ping_ = now + ping_interval_ns_;
    ping_sent_.store(now);
    const rvl_slot ping = ping_slot();
    const auto pinged = commands_.push({&ping, 1});
    if (!pinged || *pinged == 0)
        ping_sent_.store(0);
    if (!pinged)
        return std::unexpected(pinged.error());
    return {};
}

Result<size_t> MailboxDevice::room() const {
    const Lock lock(producer_);
    if (auto ok = usable(); !ok)
        return std::unexpected(ok.error());
    if (suspended_.load())
        return 0;
    const auto room = commands_.room();
    if (!room)
        return std::unexpected(room.error());
    return *room;
}

// The heartbeat count; with virtual time, the harts' wake-ups and traps.
Result<uint64_t> MailboxDevice::signs_of_life() {
    if (heartbeat_ms_ != 0 && hello_.crash != 0) {
        const auto count =
            memory_.load(word(offsetof(rvl_mailbox, heartbeat) + offsetof(rvl_heartbeat, count)));
        if (!count)
            return std::unexpected(count.error());
        return *count;
    }
    uint64_t sum = 0;
    for (uint32_t hart = 0; hart < description_.harts; ++hart) {
        const size_t own = sizeof(uint32_t) * hart;
        const auto count = memory_.load(word(offsetof(rvl_mailbox, wake_count) + own));
        if (!count)
            return std::unexpected(count.error());
        sum += *count;
    }
    return sum;
}

// Called under the consumer's lock, before each sleep. A device is alive if it answers a ping or
// its heartbeat advances. Silence is accumulated in steps of at most two sleeps, because while the
// whole machine was suspended the device had no chance to answer.
Result<> MailboxDevice::look_for_life() {
    if (silence_limit_ns_ == 0)
        return {};
    const uint64_t now = now_ns();
    const uint64_t waited =
        std::min(now - std::exchange(looked_for_life_, now), 2 * ping_interval_ns_);
    if (ping_sent_.load() == 0) {
        silence_ns_ = 0;
        if (now < next_ping_.load())
            return {};
        const Lock lock(producer_);
        if (auto asked = ping_if_due(now); !asked)
            return asked;
        return ring_if_wanted();
    }
    const auto signs = signs_of_life();
    if (!signs)
        return std::unexpected(signs.error());
    if (std::exchange(signs_of_life_, *signs) != *signs) {
        silence_ns_ = 0;
        return {};
    }
    silence_ns_ += waited;
    if (silence_ns_ < silence_limit_ns_)
        return {};
    dump_crash();
    callbacks_->declare_dead(
        text({"the device gave no sign of life for ", silence_limit_ns_ / ns_per_s,
              " s; RIVULET_DEADLINE sets this limit (0: none)"}));
    return {};
}

// Passes log lines to the log, completions to `taken_`, and completions of own pings to the clock.
Result<size_t> MailboxDevice::take() {
    if (auto ours = expect_to_hold_device(); !ours)
        return std::unexpected(ours.error());
    const auto count = completions_.pop(std::as_writable_bytes(std::span(taken_)));
    const uint64_t now = now_ns();
    // The completion indices are read before the log, so that log lines written before a completion
    // are reported before it. An error with the log must not lose completions.
    Result<> drained;
    try {
        drained = log_.drain();
    } catch (const std::bad_alloc &) {
        if (count.value_or(0) == 0)
            throw;
    }
    if (!count)
        return count;
    if (*count == 0)
        return drained ? count : std::unexpected(drained.error());
    silence_ns_ = 0;
    if (completions_.was_full()) // the device may be waiting for room
        if (auto rung = ring_if_wanted(); !rung)
            return std::unexpected(rung.error());
    const auto is_own_ping = [](const rvl_slot &slot) {
        return slot.header.group == RVL_GROUP_BASE && slot.header.service == RVL_BASE_PING &&
               slot.header.token == RVL_PING_TOKEN;
    };
    const auto all = std::span(taken_).first(*count);
    for (const rvl_slot &slot : all)
        if (is_own_ping(slot))
            if (const uint64_t sent = ping_sent_.exchange(0); sent != 0)
                clock_.related(sent, slot.completion.start, now);
    return static_cast<size_t>(std::remove_if(all.begin(), all.end(), is_own_ping) - all.begin());
}

// Called before trusting a mailbox that has changed unexpectedly. The driver logs the cause.
void MailboxDevice::look_for_memory() {
    if (memory_.probe(mailbox_) == RVL_DEAD)
        callbacks_->declare_dead("the device's memory is gone");
}

// True if there is nothing left to do but sleep; called after requesting doorbells from the device.
Result<bool> MailboxDevice::idle() {
    const auto state =
        memory_.load(word(offsetof(rvl_mailbox, hello) + offsetof(rvl_hello, state)));
    if (!state)
        return std::unexpected(state.error());
    if (auto ours = expect_to_hold_device(); !ours)
        return std::unexpected(ours.error());
    if (*state != RVL_STATE_RUNNING)
        look_for_memory();
    if (*state != RVL_STATE_RUNNING && !callbacks_->dead())
        callbacks_->declare_dead(report_crash());
    const auto there = completions_.available();
    if (!there)
        return std::unexpected(there.error());
    return *there == 0 && running_.load() && !callbacks_->dead() && !woken_.load() &&
           !suspended_.load();
}

// Requests a doorbell, checks once more whether there is anything to do, and only then waits. The
// full fence pairs with the device's between its tail and this flag (hal/protocol/mailbox.h):
// without it, a completion written in between would go unnoticed until the timeout.
Result<> MailboxDevice::sleep(uint64_t timeout_ns) {
    const uint64_t notify_enabled = word(offsetof(rvl_mailbox, host_notify_enabled));
    if (auto asked = memory_.store(notify_enabled, 1); !asked)
        return asked;
    std::atomic_thread_fence(std::memory_order_seq_cst); // order: host.sleep
    const auto nothing = idle();
    if (!nothing)
        return std::unexpected(nothing.error());
    if (*nothing) {
        const trace::Span span("wait for the device");
        const auto status = driver_.wait(device_, timeout_ns);
        if (status == RVL_DEAD)
            callbacks_->declare_dead("the device is gone");
        else if (status != RVL_OK && status != RVL_TIMEOUT)
            return std::unexpected(
                callbacks_->to_error(status, "waiting for the device's doorbell"));
    }
    return memory_.store(notify_enabled, 0);
}

Result<std::span<const rvl_slot>> MailboxDevice::completions(std::chrono::nanoseconds timeout) {
    const uint64_t deadline = deadline_after(timeout);
    if (suspended_.load())
        await_wakefulness(time_point(deadline), false);
    const Lock lock(consumer_);
    const uint64_t spin_until = now_ns() + spin_ns;
    for (;;) {
        if (!running_.load(std::memory_order_acquire) || forked())
            return std::unexpected(usable().error());
        if (suspended_.load())
            return std::span<const rvl_slot>{};
        const auto count = take(); // what a device completed before it died still counts
        if (count && *count != 0)
            return std::span<const rvl_slot>(taken_).first(*count);
        if (callbacks_->dead())
            return std::unexpected(callbacks_->death());
        if (!count)
            return std::unexpected(count.error());
        if (woken_.exchange(false))
            return std::span<const rvl_slot>{};
        const bool room_wanted = room_wanted_.load(std::memory_order_acquire);
        if (room_wanted && room().value_or(0) != 0) {
            room_wanted_.store(false, std::memory_order_release);
            return std::span<const rvl_slot>{};
        }
        const uint64_t now = now_ns();
        if (now >= deadline)
            return std::span<const rvl_slot>{};
        if (now < spin_until) {
            sched_yield(); // the device may be a process waiting for this processor
            continue;
        }
        uint64_t left = deadline - now;
        if (room_wanted)
            left = std::min(left, room_poll_ns);
        if (silence_limit_ns_ != 0)
            left = std::min(left, ping_interval_ns_);
        auto done = look_for_life();
        if (done)
            done = sleep(left);
        if (!done && !callbacks_->dead())
            return std::unexpected(done.error());
    }
}

rvl_state MailboxDevice::state() const {
    if (crashed_.load() || callbacks_->dead())
        return RVL_STATE_CRASHED;
    if (suspended_.load())
        return RVL_STATE_SUSPENDED;
    return running_.load() ? RVL_STATE_RUNNING : RVL_STATE_OFFLINE;
}

uint32_t MailboxDevice::restarts() const {
    const uint32_t starts = starts_.load();
    return starts == 0 ? 0 : starts - 1;
}

Result<std::vector<rvl_hart_statistics>> MailboxDevice::statistics() {
    if (hello_.statistics == 0)
        return fail(RVL_UNSUPPORTED, "the firmware is too old to provide statistics");
    std::vector<rvl_hart_statistics> harts(hello_.harts);
    if (auto done = read(hello_.statistics, std::as_writable_bytes(std::span(harts))); !done)
        return std::unexpected(done.error());
    return harts;
}

void MailboxDevice::wake() {
    if (forked())
        return;
    woken_.store(true);
    driver_.wake(device_);
}

Result<rvl_fault> MailboxDevice::fault(uint32_t index, uint32_t launch) {
    if (index >= hello_.fault_slots)
        return fail(RVL_INVALID, {"no fault report of number ", index});
    rvl_fault report{};
    if (auto done = read(hello_.fault_table + uint64_t{index} * sizeof report,
                         std::as_writable_bytes(std::span(&report, 1)));
        !done)
        return std::unexpected(done.error());
    if (report.launch != launch)
        return fail(RVL_NOT_FOUND, "the fault report was overwritten by a later one");
    return report;
}

uint64_t MailboxDevice::host_time(uint64_t device_time) const {
    return clock_.host_time(device_time);
}

HostTimes MailboxDevice::host_times(const DeviceTimes &device, const HostTimes &within) {
    return clock_.host_times(device, within);
}

} // namespace rivulet::hal
