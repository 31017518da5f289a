// SPDX-License-Identifier: Apache-2.0
#include "hal/core/mailbox_device.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "base/now.h"
#include "hal/core/trace.h"

namespace rivulet::hal {
namespace {

// Polling this long avoids sleep and doorbell for quick answers; longer waits use no processor
// time.
constexpr uint64_t completion_spin_ns = 30'000;
// Polling interval of a submit that found the ring full: the device rings only for completions, and
// a chain of silent launches has none.
constexpr uint64_t room_poll_ns = 1'000'000;
constexpr uint64_t ping_limit_ns = 30'000'000'000;
constexpr int pings_at_start = 8;
constexpr uint64_t sleep_limit_ns = 20'000'000;
constexpr unsigned after_wish_us = 500;

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

} // namespace

MailboxDevice::MailboxDevice(const rvl_driver &driver, rvl_device *device,
                             const rvl_device_desc &description, Config config,
                             std::unique_ptr<DriverCallbacks> host,
                             std::vector<BuiltInKernel> built_in_kernels)
    : built_in_kernels_(std::move(built_in_kernels)),
      link_(driver, device, description, std::move(config), std::move(host)) {}

MailboxDevice::~MailboxDevice() {
    if (link_.forked()) {
        static_cast<void>(
            link_.callbacks.release()); // the parent's; its threads don't exist in this process
        return;
    }
    static_cast<void>(end_sleep());
    halt("the device was closed");
    if (link_.attaches())
        session_.detach();
    link_.driver.close(link_.device);
}

void MailboxDevice::give_up(std::string_view reason) {
    if (link_.forked())
        return;
    link_.callbacks->declare_dead(reason);
    link_.driver.wake(link_.device);
}

void MailboxDevice::stop() {
    if (link_.forked())
        return;
    const Lock life(life_);
    const bool awake = end_sleep().has_value(); // a device that can't be resumed is reset
    sleep_.forget();
    halt("the device was stopped");
    if (link_.attaches()) {
        session_.detach();
        fresh_ = true;
    } else if (!fresh_) {
        if (awake)
            crash_.report_left();
        fresh_ = link_.driver.reset(link_.device) == RVL_OK;
    }
}

Result<> MailboxDevice::start() {
    if (auto ok = link_.usable(); ok)
        return fail(RVL_INVALID, "the device is already running");
    else if (link_.forked())
        return ok;
    const Lock life(life_);
    const trace::Span span("start the device");
    sleep_.forget(); // it died while suspended
    halt("the device is being restarted");
    const Lock consumer(consumer_);
    const Lock producer(commands_.mutex);

    auto started = bring_up();
    if (!started && link_.attaches() &&
        (started.error().status == RVL_DEAD || started.error().status == RVL_TIMEOUT)) {
        link_.callbacks->log(1, text({started.error().message, "; resetting it"}));
        started = bring_up();
    }
    if (started)
        started = first_pings();
    if (started) {
        ++starts_;
        link_.running.store(true, std::memory_order_release);
        return {};
    }
    link_.running.store(false);
    boot_.save_last_words();
    if (const auto reason = crash_.report_left(); !reason.empty())
        started = fail(started.error().status, reason);
    if (!link_.attaches()) // leave nothing half started behind
        fresh_ = link_.driver.reset(link_.device) == RVL_OK;
    return started;
}

// The device may be usable even if its driver can't reset it: the firmware may still be alive.
Result<> MailboxDevice::reset() {
    crash_.report_left();
    DriverCall call(*link_.callbacks);
    const auto status = link_.driver.reset(link_.device);
    if (status == RVL_UNSUPPORTED && link_.attaches())
        return {};
    if (status != RVL_OK)
        return std::unexpected(call.to_error(status, "resetting the device"));
    if (link_.attaches()) {
        crash_.clear();
        if (const auto again = link_.driver.start(link_.device);
            again != RVL_OK && again != RVL_UNSUPPORTED)
            return std::unexpected(call.to_error(again, "starting the device"));
    }
    return {};
}

Result<> MailboxDevice::bring_up() {
    const bool taken = link_.attaches() && session_.is_lost();
    if (!fresh_ && !taken)
        if (auto done = reset(); !done)
            return done;
    fresh_ = false;
    link_.mailbox = 0;
    log_ = {};
    session_.forget();
    link_.callbacks->reset();
    if (taken) // another host may have started firmware whose failure is a new one
        crash_.clear();
    if (link_.attaches()) {
        auto attached = attach();
        if (attached)
            crash_.clear();
        return attached;
    }
    auto started = boot_.load_firmware();
    if (started) // not before, because a reset may have left the report in memory
        crash_.clear();
    if (started)
        started = session_.begin();
    if (started)
        started = boot_.write_boot_block(session_.number());
    if (!started)
        return started;
    {
        DriverCall call(*link_.callbacks);
        if (const auto status = link_.driver.start(link_.device); status != RVL_OK)
            return std::unexpected(call.to_error(status, "starting the device"));
    }
    started = boot_.await_hello();
    if (started)
        open_rings();
    return started;
}

Result<> MailboxDevice::attach() {
    if (auto done = session_.attach(); !done)
        return done;
    open_rings();
    if (auto done = log_.take_over(); !done)
        return done;
    if (auto done = commands_.take_over(); !done)
        return done;
    return completions_.skip();
}

[[clang::minsize]] void MailboxDevice::open_rings() {
    const bool large = (link_.hello.flags & RVL_HELLO_LARGE_BLOCKS) != 0;
    const auto device_word = [&](size_t usual, size_t of_large_blocks) {
        return link_.word(large ? offsetof(rvl_mailbox, device_words) + of_large_blocks : usual);
    };
    commands_.open({.head = device_word(offsetof(rvl_mailbox, commands.head),
                                        offsetof(rvl_device_words, command_head)),
                    .tail = link_.word(offsetof(rvl_mailbox, commands.tail)),
                    .elements = link_.hello.command_ring,
                    .count = link_.hello.command_slots,
                    .element_bytes = sizeof(rvl_slot)},
                   device_word(offsetof(rvl_mailbox, device_notify_enabled),
                               offsetof(rvl_device_words, notify_enabled)));
    completions_ =
        Consumer(link_.memory, {.head = link_.word(offsetof(rvl_mailbox, completions.head)),
                                .tail = device_word(offsetof(rvl_mailbox, completions.tail),
                                                    offsetof(rvl_device_words, completion_tail)),
                                .elements = link_.hello.completion_ring,
                                .count = link_.hello.completion_slots,
                                .element_bytes = sizeof(rvl_slot)});
    boot_.open_log();
    link_.memory.set_block(link_.hello.cache_block);
    cache_.restart();
    clock_.restart(link_.hello.timebase);
    room_wanted_ = false;
    woken_ = false;
}

// The first ping warms up both sides; each further one narrows the relation of the clocks. A device
// that is still polling its ring answers without a bell, one that has gone to sleep shows whether
// bells arrive, and one that never sleeps needs none.
Result<> MailboxDevice::await_wish_for_bell() {
    const uint64_t deadline = now_ns() + sleep_limit_ns;
    while (now_ns() < deadline) {
        const auto wanted = commands_.wants_bell();
        if (!wanted)
            return std::unexpected(wanted.error());
        if (*wanted) {
            usleep(after_wish_us); // it checks once more before it sleeps
            break;
        }
        sched_yield();
    }
    return {};
}

Result<> MailboxDevice::first_pings() {
    const uint64_t deadline = link_.limit_after(ping_limit_ns);
    link_.running.store(true); // needed by idle()
    for (int i = 0; i < pings_at_start; ++i) {
        if (i == pings_at_start - 1)
            if (auto waited = await_wish_for_bell(); !waited)
                return waited;
        if (auto pinged = liveness_.ping(); !pinged)
            return pinged;
        while (liveness_.awaits_answer()) {
            const auto taken = take();
            if (!taken)
                return std::unexpected(taken.error());
            if (link_.callbacks->dead())
                return std::unexpected(link_.callbacks->death());
            const uint64_t now = now_ns();
            if (now > deadline)
                return fail(RVL_TIMEOUT, "the firmware runs but does not answer a ping: doorbells "
                                         "do not arrive");
            if (liveness_.awaits_answer())
                if (auto slept = wait(deadline - now); !slept)
                    return slept;
        }
    }
    liveness_.put_off_ping(now_ns());
    liveness_.restart();
    return {};
}

void MailboxDevice::halt(std::string_view reason) {
    if (link_.running.exchange(false))
        link_.callbacks->log(3, reason);
    link_.driver.wake(
        link_.device); // threads sleeping in completions() notice that it is not running
    {
        const Lock gone(consumer_);
    }
    {
        const Lock gone(commands_.mutex);
    }
}

Result<> MailboxDevice::suspend() {
    if (auto ok = link_.usable(); !ok)
        return ok;
    if (link_.driver.suspend == nullptr)
        return fail(RVL_UNSUPPORTED, {"driver ", link_.driver.name, " can't suspend its device"});
    const Lock life(life_);
    if (auto begun = sleep_.begin(); !begun)
        return begun;
    link_.driver.wake(link_.device); // threads waiting for completions stop accessing the device
    const Lock consumer(consumer_);
    const Lock producer(commands_.mutex);
    DriverCall call(*link_.callbacks);
    const auto status = link_.driver.suspend(link_.device);
    if (status == RVL_OK)
        return {};
    sleep_.end();
    return std::unexpected(call.to_error(status, "suspending the device"));
}

Result<FileDescriptor> MailboxDevice::export_memory(uint64_t address, uint64_t bytes) {
    int descriptor = -1;
    const auto status = link_.driver.export_memory == nullptr
                            ? RVL_UNSUPPORTED
                            : link_.driver.export_memory(link_.device, address, bytes, &descriptor);
    if (status != RVL_OK)
        return fail(status, {"no dma-buf of ", bytes_text(bytes), " at ", hex(address), ": ",
                             status_text(status)});
    return FileDescriptor(descriptor);
}

bool MailboxDevice::export_ended(uint64_t address, uint64_t bytes) {
    return link_.driver.export_ended == nullptr ||
           link_.driver.export_ended(link_.device, address, bytes) != RVL_TIMEOUT;
}

Result<> MailboxDevice::import_memory(uint64_t address, uint64_t bytes, int descriptor) {
    const auto status = link_.driver.import_memory == nullptr
                            ? RVL_UNSUPPORTED
                            : link_.driver.import_memory(link_.device, address, bytes, descriptor);
    if (status != RVL_OK)
        return fail(status,
                    {"a dma-buf can't be put at ", hex(address), ": ", status_text(status)});
    return {};
}

void MailboxDevice::end_import(uint64_t address, uint64_t bytes) {
    if (link_.driver.end_import != nullptr)
        static_cast<void>(link_.driver.end_import(link_.device, address, bytes));
}

Result<MemoryFile> MailboxDevice::memory_file() {
    int descriptor = -1;
    uint64_t offset = 0;
    DriverCall call(*link_.callbacks);
    const auto status = link_.driver.memory_file == nullptr
                            ? RVL_UNSUPPORTED
                            : link_.driver.memory_file(link_.device, &descriptor, &offset);
    if (status != RVL_OK)
        return std::unexpected(
            call.to_error(status, "mapping the device's memory into other processes"));
    return MemoryFile{FileDescriptor(descriptor), offset};
}

// Read from the firmware's file when it is first asked for.
uint64_t MailboxDevice::promised_local_memory() {
    std::call_once(local_memory_asked_,
                   [this] { local_memory_bytes_ = boot_.promised_local_memory(); });
    return local_memory_bytes_;
}

Result<rvl_conditions> MailboxDevice::conditions() {
    rvl_conditions conditions = unknown_conditions;
    const auto status = link_.driver.conditions == nullptr
                            ? RVL_UNSUPPORTED
                            : link_.driver.conditions(link_.device, &conditions);
    if (status != RVL_OK)
        return fail(status, {"driver ", link_.driver.name,
                             " does not tell the device's conditions: ", status_text(status)});
    return conditions;
}

Result<> MailboxDevice::set_clock(uint32_t mhz) {
    if (link_.driver.set_clock == nullptr)
        return fail(RVL_UNSUPPORTED, {"driver ", link_.driver.name, " can't set the harts' clock"});
    const uint32_t most = description().clock_mhz;
    if (mhz == 0 || (most != 0 && mhz > most))
        return fail(RVL_INVALID, {"the harts have no clock of ", mhz, " MHz",
                                  most != 0 ? text({", at most ", most, " MHz"}) : ""});
    DriverCall call(*link_.callbacks);
    if (const auto status = link_.driver.set_clock(link_.device, mhz); status != RVL_OK)
        return std::unexpected(call.to_error(status, "setting the harts' clock"));
    return {};
}

Result<> MailboxDevice::resume() {
    if (link_.forked())
        return link_.usable();
    const Lock life(life_);
    if (!sleep_.is_asleep())
        return fail(RVL_INVALID, "the device is not suspended");
    return end_sleep();
}

// A device that can't be resumed stays suspended.
Result<> MailboxDevice::end_sleep() {
    if (!sleep_.is_asleep())
        return {};
    {
        DriverCall call(*link_.callbacks);
        if (const auto status = link_.driver.resume(link_.device); status != RVL_OK)
            return std::unexpected(call.to_error(status, "resuming the device"));
    }
    {
        const Lock consumer(consumer_);
        liveness_.restart(); // it had no chance to answer while suspended
    }
    sleep_.end();
    return {};
}

std::byte *MailboxDevice::map(uint64_t address, size_t bytes) {
    return link_.memory.map(address, bytes);
}

Result<> MailboxDevice::read(uint64_t address, std::span<std::byte> to) {
    if (auto ok = link_.usable(); !ok)
        return ok;
    const Sleep::Use use(sleep_);
    if (auto clean = cache_.clean(address, to.size()); !clean)
        return clean;
    return link_.memory.read(address, to.data(), to.size());
}

Result<> MailboxDevice::write(uint64_t address, std::span<const std::byte> from) {
    if (auto ok = link_.usable(); !ok)
        return ok;
    const Sleep::Use use(sleep_);
    if (auto clean = cache_.clean(address, from.size()); !clean)
        return clean;
    if (auto written = link_.memory.write(address, from.data(), from.size()); !written)
        return written;
    return cache_.invalidate(address, from.size());
}

Result<> MailboxDevice::write_launch(uint64_t address, std::span<const std::byte> from) {
    if (auto ok = link_.usable(); !ok)
        return ok;
    const Sleep::Use use(sleep_);
    return link_.memory.write(address, from.data(), from.size());
}

Result<> MailboxDevice::sync(uint64_t address, size_t bytes, rvl_sync_direction direction) {
    const Sleep::Use use(sleep_);
    if ((direction & RVL_SYNC_FROM_DEVICE) != 0)
        if (auto clean = cache_.clean(address, bytes); !clean)
            return clean;
    if (auto synced = link_.memory.sync(address, bytes, direction); !synced)
        return synced;
    return (direction & RVL_SYNC_TO_DEVICE) != 0 ? cache_.invalidate(address, bytes) : Result<>();
}

Result<size_t> MailboxDevice::submit(std::span<const rvl_slot> commands) {
    const Lock lock(commands_.mutex);
    if (auto ok = link_.usable(); !ok)
        return std::unexpected(ok.error());
    if (sleep_.is_asleep()) { // handled as if the ring were full
        room_wanted_.store(true, std::memory_order_release);
        return 0;
    }
    if (auto ours = session_.expect_to_hold(); !ours)
        return std::unexpected(ours.error());
    const auto count = commands_.push(commands);
    if (!count)
        return std::unexpected(count.error());
    if (*count < commands.size())
        room_wanted_.store(true, std::memory_order_release);

    if (*count == commands.size())
        if (auto asked = liveness_.ping_if_due(now_ns()); !asked)
            return std::unexpected(asked.error());
    if (auto rung = commands_.ring_if_wanted(); !rung)
        return std::unexpected(rung.error());
    return *count;
}

Result<size_t> MailboxDevice::room() const {
    const Lock lock(commands_.mutex);
    if (auto ok = link_.usable(); !ok)
        return std::unexpected(ok.error());
    if (sleep_.is_asleep())
        return 0;
    const auto room = commands_.room();
    if (!room)
        return std::unexpected(room.error());
    return *room;
}

// Passes log lines to the log, completions to `taken_`, and completions of own pings to the clock.
Result<size_t> MailboxDevice::take() {
    if (auto ours = session_.expect_to_hold(); !ours)
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
    liveness_.hear();
    if (completions_.was_full()) // the device may be waiting for room
        if (auto rung = commands_.ring_if_wanted(); !rung)
            return std::unexpected(rung.error());
    const auto all = std::span(taken_).first(*count);
    const auto is_answer = [&](const rvl_slot &slot) { return liveness_.is_answer(slot, now); };
    return static_cast<size_t>(std::remove_if(all.begin(), all.end(), is_answer) - all.begin());
}

// True if there is nothing left to do but sleep; called after requesting doorbells from the device.
Result<bool> MailboxDevice::idle() {
    const auto state =
        link_.memory.load(link_.word(offsetof(rvl_mailbox, hello) + offsetof(rvl_hello, state)));
    if (!state)
        return std::unexpected(state.error());
    if (auto ours = session_.expect_to_hold(); !ours)
        return std::unexpected(ours.error());
    if (*state != RVL_STATE_RUNNING)
        link_.look_for_memory();
    if (*state != RVL_STATE_RUNNING && !link_.callbacks->dead())
        link_.callbacks->declare_dead(crash_.report());
    const auto there = completions_.available();
    if (!there)
        return std::unexpected(there.error());
    return *there == 0 && link_.running.load() && !link_.callbacks->dead() && !woken_.load() &&
           !sleep_.is_asleep();
}

// Requests a doorbell, checks once more whether there is anything to do, and only then waits. The
// full fence pairs with the device's between its tail and this flag (hal/protocol/mailbox.h):
// without it, a completion written in between would go unnoticed until the timeout.
Result<> MailboxDevice::wait(uint64_t timeout_ns) {
    const uint64_t notify_enabled = link_.word(offsetof(rvl_mailbox, host_notify_enabled));
    if (auto asked = link_.memory.store(notify_enabled, 1); !asked)
        return asked;
    std::atomic_thread_fence(std::memory_order_seq_cst); // order: host.sleep
    const auto nothing = idle();
    if (!nothing)
        return std::unexpected(nothing.error());
    if (*nothing) {
        const trace::Span span("wait for the device");
        const auto status = link_.driver.wait(link_.device, timeout_ns);
        if (status == RVL_DEAD)
            link_.callbacks->declare_dead("the device is gone");
        else if (status != RVL_OK && status != RVL_TIMEOUT)
            return std::unexpected(
                link_.callbacks->to_error(status, "waiting for the device's doorbell"));
    }
    return link_.memory.store(notify_enabled, 0);
}

Result<std::span<const rvl_slot>> MailboxDevice::completions(std::chrono::nanoseconds timeout) {
    const uint64_t deadline = deadline_after(timeout);
    if (sleep_.is_asleep())
        sleep_.await_end(time_point(deadline));
    const Lock lock(consumer_);
    const uint64_t spin_until = now_ns() + completion_spin_ns;
    for (;;) {
        if (!link_.running.load(std::memory_order_acquire) || link_.forked())
            return std::unexpected(link_.usable().error());
        if (sleep_.is_asleep())
            return std::span<const rvl_slot>{};
        const auto count = take(); // what a device completed before it died still counts
        if (count && *count != 0)
            return std::span<const rvl_slot>(taken_).first(*count);
        if (link_.callbacks->dead())
            return std::unexpected(link_.callbacks->death());
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
        if (liveness_.silence_limit_ns() != 0)
            left = std::min(left, liveness_.ping_interval_ns());
        auto done = liveness_.look();
        if (done)
            done = wait(left);
        if (!done && !link_.callbacks->dead())
            return std::unexpected(done.error());
    }
}

rvl_state MailboxDevice::state() const {
    if (crash_.crashed() || link_.callbacks->dead())
        return RVL_STATE_CRASHED;
    if (sleep_.is_asleep())
        return RVL_STATE_SUSPENDED;
    return link_.running.load() ? RVL_STATE_RUNNING : RVL_STATE_OFFLINE;
}

uint32_t MailboxDevice::restarts() const {
    const uint32_t starts = starts_.load();
    return starts == 0 ? 0 : starts - 1;
}

Result<std::vector<rvl_hart_statistics>> MailboxDevice::statistics() {
    if (link_.hello.statistics == 0)
        return fail(RVL_UNSUPPORTED, "the firmware provides no statistics");
    std::vector<rvl_hart_statistics> harts(link_.hello.harts);
    if (auto done = read(link_.hello.statistics, std::as_writable_bytes(std::span(harts))); !done)
        return std::unexpected(done.error());
    return harts;
}

void MailboxDevice::wake() {
    if (link_.forked())
        return;
    woken_.store(true);
    link_.driver.wake(link_.device);
}

Result<rvl_fault> MailboxDevice::fault(uint32_t index, uint32_t launch) {
    if (index >= link_.hello.fault_slots)
        return fail(RVL_INVALID, {"no fault report of number ", index});
    rvl_fault report{};
    if (auto done = read(link_.hello.fault_table + uint64_t{index} * sizeof report,
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
