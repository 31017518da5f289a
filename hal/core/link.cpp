// SPDX-License-Identifier: Apache-2.0
#include "hal/core/link.h"

#include "base/fork.h"
#include "base/now.h"

namespace rivulet::hal {

Link::Link(const rvl_driver &driver, rvl_device *device, const rvl_device_desc &description,
           Config config, std::unique_ptr<DriverCallbacks> callbacks)
    : driver(driver), device(device), description(description), config(std::move(config)),
      callbacks(std::move(callbacks)), memory(this->driver, device, description),
      process(process_generation()) {
    if (memory.same_addresses())
        this->description.flags |= RVL_DEVICE_SAME_ADDRESSES;
}

bool Link::forked() const { return process != process_generation(); }

Result<> Link::unusable() const {
    if (forked())
        return fail(RVL_INVALID, "the device belongs to the process that opened it; a forked child "
                                 "has to open a device of its own");
    if (callbacks->dead())
        return std::unexpected(callbacks->death());
    if (!running.load(std::memory_order_acquire))
        return fail(RVL_INVALID, "the device is not started");
    return {};
}

uint64_t Link::limit_after(uint64_t limit_ns) const {
    return config.get("gdb").empty() ? now_ns() + limit_ns : UINT64_MAX;
}

Result<> Link::ring_bell() {
    if (const auto status = driver.ring(device, 1); status != RVL_OK)
        return std::unexpected(callbacks->to_error(status, "ringing the device's doorbell"));
    return {};
}

Result<> Link::await_bell(uint64_t ns) {
    const auto waited = driver.wait(device, ns);
    if (waited != RVL_OK && waited != RVL_TIMEOUT)
        callbacks->declare_dead("the device is gone");
    if (callbacks->dead())
        return std::unexpected(callbacks->death());
    return {};
}

void Link::look_for_memory() {
    if (memory.probe(mailbox) == RVL_DEAD)
        callbacks->declare_dead("the device's memory is gone");
}

} // namespace rivulet::hal
