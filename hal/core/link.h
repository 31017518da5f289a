// SPDX-License-Identifier: Apache-2.0
//
// What all parts of a MailboxDevice share: the driver's device and its memory, the mailbox that was
// found in it, and whether the device can be used.
#pragma once

#include <atomic>
#include <memory>

#include "hal/core/driver_callbacks.h"
#include "hal/core/memory.h"
#include "hal/device.h"

namespace rivulet::hal {

struct Link {
    Link(const rvl_driver &driver, rvl_device *device, const rvl_device_desc &description,
         Config config, std::unique_ptr<DriverCallbacks> callbacks);

    [[nodiscard]] bool forked() const;
    [[nodiscard]] Result<> usable() const {
        if (!forked() && !callbacks->dead() && running.load(std::memory_order_acquire)) [[likely]]
            return {};
        return unusable();
    }
    /// True if firmware runs already and hosts come and go.
    [[nodiscard]] bool attaches() const { return (description.flags & RVL_DEVICE_RUNNING) != 0; }
    /// The address of a field of the mailbox.
    [[nodiscard]] uint64_t word(size_t offset) const { return mailbox + offset; }
    /// The address of the word that counts a hart's traps and wake-ups.
    [[nodiscard]] uint64_t wake_count(uint32_t hart) const {
        if (hart < RVL_MASK_HARTS)
            return word(offsetof(rvl_mailbox, wake_count) + hart * sizeof(uint32_t));
        return hello.statistics + hart * sizeof(rvl_hart_statistics) +
               offsetof(rvl_hart_statistics, wakes);
    }
    /// Unlimited with a debugger, which may stop the firmware anywhere.
    [[nodiscard]] uint64_t limit_after(uint64_t limit_ns) const;

    Result<> ring_bell();
    /// Waits for the device's doorbell, or that long; fails if the device is dead.
    Result<> await_bell(uint64_t ns);
    /// Called before trusting a mailbox that has changed unexpectedly. The driver logs the cause.
    void look_for_memory();

    /// Success after all, or the reason why the device can't be used.
    [[nodiscard]] Result<> unusable() const;

    const rvl_driver driver; // with all functions set (usable_table)
    rvl_device *const device;
    rvl_device_desc description;
    const Config config;
    std::unique_ptr<DriverCallbacks> callbacks;
    Memory memory;
    const uint32_t process; // generation: a forked child must not use its parent's device

    uint64_t mailbox = 0;
    rvl_hello hello{};
    std::atomic<bool> running = false;
};

} // namespace rivulet::hal
