// SPDX-License-Identifier: Apache-2.0
#include "hal/core/device_cache.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/now.h"

namespace rivulet::hal {
namespace {

// The firmware's boot hart does nothing else while it works on a range.
constexpr uint64_t longest_range = 16u << 20;
constexpr uint64_t flush_spin_ns = 50'000;
constexpr auto pause = std::chrono::microseconds(50);

} // namespace

// Submits the commands, ordered with all others in the ring; returns the number of the last one.
[[clang::minsize]] Result<uint32_t> DeviceCache::submit(uint32_t operation, uint64_t address,
                                                        size_t bytes) {
    const Lock lock(commands_.mutex);
    while (bytes != 0) {
        rvl_slot slot{};
        slot.header = {.group = RVL_GROUP_MEMORY,
                       .service = RVL_MEMORY_CACHE,
                       .flags = RVL_FLAG_SILENT,
                       .length = sizeof slot.cache,
                       .token = 0};
        slot.cache.operation = operation;
        size_t taken = 0;
        while (slot.cache.count < RVL_CACHE_RANGES && taken < bytes) {
            const uint64_t part = std::min<uint64_t>(bytes - taken, longest_range);
            slot.cache.range[slot.cache.count].address = address + taken;
            slot.cache.range[slot.cache.count++].bytes = part;
            taken += static_cast<size_t>(part);
        }
        for (const uint64_t begin = now_ns();;) {
            if (auto ok = link_.usable(); !ok)
                return std::unexpected(ok.error());
            const auto pushed = commands_.push({&slot, 1});
            if (!pushed)
                return std::unexpected(pushed.error());
            if (auto rung = commands_.ring_if_wanted(); !rung)
                return std::unexpected(rung.error());
            if (*pushed != 0)
                break;
            expect_progress(begin); // the ring is full, and no other thread may be watching the
                                    // device
            std::this_thread::sleep_for(pause);
        }
        ++submitted_;
        address += taken;
        bytes -= taken;
    }
    return submitted_;
}

void DeviceCache::expect_progress(uint64_t since) {
    if (silence_limit_ns_ == 0 || now_ns() - since <= silence_limit_ns_ || link_.callbacks->dead())
        return;
    const std::string reason = crash_.report_of_silence();
    link_.callbacks->declare_dead(
        text({"the device no longer maintains its caches", reason.empty() ? "" : "; ", reason}));
}

// A hung device is detected by a thread waiting for completions, or here.
[[clang::minsize]] Result<> DeviceCache::await(uint32_t command) {
    const uint64_t begin = now_ns();
    for (;;) {
        const auto served = link_.memory.load(link_.word(offsetof(rvl_mailbox, cache_served)));
        if (!served)
            return std::unexpected(served.error());
        if (static_cast<int32_t>(*served - command) >= 0)
            return {};
        if (auto ok = link_.usable(); !ok)
            return ok;
        const auto state = link_.memory.load(
            link_.word(offsetof(rvl_mailbox, hello) + offsetof(rvl_hello, state)));
        if (state && *state != RVL_STATE_RUNNING)
            return fail(RVL_DEAD, "the firmware failed while maintaining its caches");
        expect_progress(begin);
        if (now_ns() - begin < flush_spin_ns)
            sched_yield();
        else
            std::this_thread::sleep_for(pause);
    }
}

void DeviceCache::restart() {
    submitted_ = link_.memory.load(link_.word(offsetof(rvl_mailbox, cache_served))).value_or(0);
}

// Rings, reports and statistics are outside the heap: the firmware cleans them itself.
Result<> DeviceCache::clean(uint64_t address, size_t bytes) {
    if (!maintains(address, bytes))
        return {};
    const auto command = submit(RVL_CACHE_CLEAN, address, bytes);
    return command ? await(*command) : std::unexpected(command.error());
}

Result<> DeviceCache::invalidate(uint64_t address, size_t bytes) {
    if (!maintains(address, bytes))
        return {};
    const auto command = submit(RVL_CACHE_INVALIDATE, address, bytes);
    return command ? Result<>() : std::unexpected(command.error());
}

[[clang::minsize]] bool DeviceCache::maintains(uint64_t address, size_t bytes) const {
    const auto within = [&](uint64_t base, uint64_t base_bytes) {
        return address >= base && bytes <= base_bytes && address - base <= base_bytes - bytes;
    };
    return (link_.description.flags & RVL_DEVICE_COHERENT) == 0 && bytes != 0 &&
           link_.running.load(std::memory_order_acquire) &&
           (within(link_.hello.heap_base, link_.hello.heap_bytes) ||
            within(link_.hello.second_heap_base, link_.hello.second_heap_bytes));
}

} // namespace rivulet::hal
