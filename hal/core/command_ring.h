// SPDX-License-Identifier: Apache-2.0
//
// The host's end of the command ring, and the doorbell that announces commands. All functions are
// called under `mutex`.
#pragma once

#include "base/lock.h"
#include "hal/core/link.h"
#include "hal/core/ring.h"

namespace rivulet::hal {

class CommandRing {
public:
    explicit CommandRing(Link &link) : link_(link) {}

    /// `notify_enabled`: address of the word in which the device asks for doorbells.
    void open(const RingLayout &layout, uint64_t notify_enabled);
    Result<> take_over() { return ring_.take_over(); }

    Result<uint32_t> room() { return ring_.room(); }
    Result<uint32_t> push(std::span<const rvl_slot> slots) { return ring_.push(slots); }
    [[nodiscard]] Result<bool> wants_bell();
    Result<> ring_if_wanted();

    Mutex mutex{LockRank::producer};

private:
    Link &link_;
    Producer ring_;
    uint64_t notify_enabled_ = 0;
};

} // namespace rivulet::hal
