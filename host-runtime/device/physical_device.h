// SPDX-License-Identifier: Apache-2.0
//
// The hardware behind a device and its sub-devices: found at the first clGetPlatformIDs, started
// at the first context, and again after it died.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <sys/types.h>

#include "hal/core/lock.h"
#include "hal/device.h"
#include "host-runtime/device/device_instance.h"

namespace rivulet {

constexpr size_t buffer_alignment = 128; // of the largest built-in type, long16

class PhysicalDevice {
public:
    PhysicalDevice(std::unique_ptr<hal::Device> device, hal::Config config);

    [[nodiscard]] const rvl_device_desc &description() const { return hal_->description(); }
    [[nodiscard]] bool has(uint32_t flag) const { return description().flags & flag; }
    /// Sub-buffers begin at such offsets: no two share a cache block that has to be maintained.
    [[nodiscard]] size_t base_alignment() const {
        return std::max<size_t>(buffer_alignment,
                                has(RVL_DEVICE_COHERENT) ? 0 : description().cache_block);
    }

    /// The bytes of each hart's own memory and of the local memory in it, as the latest start found
    /// them.
    [[nodiscard]] uint64_t hart_memory_bytes() const { return hart_memory_bytes_; }
    [[nodiscard]] uint64_t local_memory_bytes() const { return local_memory_bytes_; }
    /// Local memory lies in a scratchpad, not in a hart's memory.
    [[nodiscard]] bool local_memory_is_apart() const { return local_memory_is_apart_; }
    /// The figure that is promised before the device runs; a firmware that has less is refused.
    [[nodiscard]] uint64_t promised_local_memory() const;

    /// The bytes that buffers may take: promised before the device runs, and no more than it has
    /// then.
    [[nodiscard]] uint64_t global_memory_bytes() const { return global_memory_bytes_; }

    /// The running instance; starts the device when there is none. Fails with
    /// CL_DEVICE_NOT_AVAILABLE, having logged why.
    std::shared_ptr<DeviceInstance> instance();

private:
    void open_in_child();

    std::unique_ptr<hal::Device> hal_;
    const hal::Config config_;
    uint32_t process_;                     // generation of the process that opened it
    std::unique_ptr<hal::Device> parents_; // a fork's: its description is referred to
    std::atomic<uint64_t> hart_memory_bytes_ = 0;
    std::atomic<uint64_t> local_memory_bytes_ = 0;
    std::atomic<bool> local_memory_is_apart_ = false;
    Mutex mutex_{LockRank::platform};
    std::shared_ptr<DeviceInstance> instance_;
    std::atomic<uint64_t> global_memory_bytes_;
};

} // namespace rivulet
