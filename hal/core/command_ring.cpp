// SPDX-License-Identifier: Apache-2.0
#include "hal/core/command_ring.h"

#include <atomic>

#include "hal/core/trace.h"

namespace rivulet::hal {

void CommandRing::open(const RingLayout &layout, uint64_t notify_enabled) {
    ring_ = Producer(link_.memory, layout);
    notify_enabled_ = notify_enabled;
}

Result<bool> CommandRing::wants_bell() {
    const auto wanted = link_.memory.load(notify_enabled_);
    if (!wanted)
        return std::unexpected(wanted.error());
    return *wanted != 0;
}

Result<> CommandRing::ring_if_wanted() {
    // Full fence between storing the tail and checking the flag. The device has the same fence
    // between its flag and its last look at the tail, so at least one side sees the other's store.
    std::atomic_thread_fence(std::memory_order_seq_cst); // order: host.look_for_sleeper
    const auto wanted = wants_bell();
    if (!wanted)
        return std::unexpected(wanted.error());
    if (!*wanted)
        return {};
    trace::instant("doorbell");
    return link_.ring_bell();
}

} // namespace rivulet::hal
