// SPDX-License-Identifier: Apache-2.0
//
// Determines from the mailbox what to put in a device's core file.
#include <algorithm>
#include <cstddef>

#include "hal/core/device_core.h"
#include "hal/protocol/crash.h"
#include "hal/protocol/fault.h"

namespace rivulet::hal {
namespace {

constexpr uint64_t most_bytes = 64u << 20; // of each range
constexpr uint64_t page = RVL_PAGE_BYTES;
constexpr uint32_t no_hart = 0xffffffff;

enum LinuxSignal : uint32_t { ill = 4, trap = 5, abort = 6, bus = 7, segv = 11 };

/// Signal for mcause of an M-mode trap. Assertions end in a breakpoint.
uint32_t signal_of(const rvl_crash &crash) {
    constexpr uint32_t signals[] = {segv, segv, ill, abort, bus, segv, bus, segv};
    return crash.cause < std::size(signals) ? signals[crash.cause] : uint32_t{trap};
}

/// 0 if the firmware's hello ends before the field, because that memory may hold anything.
uint64_t crash_harts_of(const rvl_hello &hello) {
    constexpr size_t end = offsetof(rvl_hello, crash_harts) + sizeof hello.crash_harts;
    return hello.bytes >= end ? hello.crash_harts : 0;
}

uint64_t rounded_up(uint64_t address) { return (address + page - 1) / page * page; }

/// End address of everything the mailbox points to.
uint64_t end_of_shared(const rvl_hello &hello, uint64_t mailbox) {
    uint64_t end = mailbox + sizeof(rvl_mailbox);
    const auto include = [&](uint64_t address, uint64_t bytes) {
        if (address != 0 && address < UINT64_MAX - bytes)
            end = std::max(end, address + bytes);
    };
    include(hello.command_ring, uint64_t{hello.command_slots} * sizeof(rvl_slot));
    include(hello.completion_ring, uint64_t{hello.completion_slots} * sizeof(rvl_slot));
    include(hello.log_ring, hello.log_bytes);
    include(hello.fault_table, uint64_t{hello.fault_slots} * sizeof(rvl_fault));
    include(hello.statistics, hello.harts * sizeof(rvl_hart_statistics));
    include(hello.crash, sizeof(rvl_crash));
    include(crash_harts_of(hello), hello.harts * sizeof(rvl_crash_hart));
    return rounded_up(end);
}

template <class T> Result<T> object_at(const CoreReader &read, uint64_t address) {
    T object{};
    if (auto done = read(address, std::as_writable_bytes(std::span(&object, 1))); !done)
        return std::unexpected(done.error());
    return object;
}

Result<std::vector<CoreThread>> threads_of(const rvl_hello &hello, const CoreReader &read) {
    std::vector<CoreThread> threads(std::min<uint32_t>(hello.harts, RVL_MAX_HARTS));
    for (uint32_t i = 0; i < threads.size(); ++i)
        threads[i].id = i + 1;
    if (hello.crash == 0)
        return threads;
    const auto crash = object_at<rvl_crash>(read, hello.crash);
    if (!crash)
        return std::unexpected(crash.error());
    if (crash->magic != RVL_CRASH_MAGIC)
        return threads;
    const uint64_t stops = crash_harts_of(hello);
    for (uint32_t i = 0; i < threads.size() && stops != 0; ++i) {
        const auto hart = object_at<rvl_crash_hart>(read, stops + i * sizeof(rvl_crash_hart));
        if (!hart)
            return std::unexpected(hart.error());
        if (hart->stopped == 1)
            std::ranges::copy(hart->x, threads[i].registers.begin());
    }
    CoreThread failed{.id = static_cast<uint32_t>(threads.size()) + 1, .signal = signal_of(*crash)};
    std::ranges::copy(crash->x, failed.registers.begin());
    failed.registers[0] = crash->pc;
    if (crash->hart != no_hart && crash->hart < threads.size()) {
        failed.id = crash->hart + 1;
        threads.erase(threads.begin() + crash->hart);
    }
    threads.insert(threads.begin(), failed);
    for (CoreThread &thread : threads) // as in Linux core files: gdb takes the signal from any
                                       // thread
        thread.signal = failed.signal;
    return threads;
}

} // namespace

Result<Core> core_of_device(const rvl_hello &hello, uint64_t mailbox, const CoreRange &memory,
                            bool with_harts, const CoreReader &read) {
    Core core{.xlen = hello.xlen, .threads = {}, .ranges = {}};
    auto threads = threads_of(hello, read);
    if (!threads)
        return std::unexpected(threads.error());
    core.threads = std::move(*threads);
    const uint64_t memory_end = memory.address + memory.bytes;
    const uint64_t end = std::min(end_of_shared(hello, mailbox), memory_end);
    if (mailbox < memory.address || end <= memory.address)
        return fail(RVL_INVALID, {"the mailbox at ", hex(mailbox), " is not in device memory"});
    const uint64_t begin = std::max(memory.address, end > most_bytes ? end - most_bytes : 0);
    core.ranges.push_back({begin, end - begin});
    if (const uint64_t heap = hello.heap_base; with_harts && heap > end && heap <= memory_end)
        core.ranges.push_back({end, std::min(heap - end, most_bytes) / page * page});
    return core;
}

} // namespace rivulet::hal
