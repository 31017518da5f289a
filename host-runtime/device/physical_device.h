// SPDX-License-Identifier: Apache-2.0
//
// The hardware behind a device and its sub-devices: found at the first clGetPlatformIDs, started
// for the first context, and restarted after it died.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "base/lock.h"
#include "hal/device.h"
#include "host-runtime/device/device_instance.h"

namespace rivulet {

constexpr size_t buffer_alignment = 128; // of the largest built-in type, long16

class PhysicalDevice {
public:
    PhysicalDevice(std::unique_ptr<hal::Device> device, hal::Config config);

    [[nodiscard]] const rvl_device_desc &description() const { return hal_->description(); }
    /// A file in the folder of the device's board: boards/BOARD/`name`.
    [[nodiscard]] std::string board_file(std::string_view name) const;
    [[nodiscard]] std::span<const hal::BuiltInKernel> built_in_kernels() const {
        return hal_->built_in_kernels();
    }
    [[nodiscard]] bool has(uint32_t flag) const { return description().flags & flag; }
    /// Alignment of sub-buffers: no two share a cache block that has to be maintained.
    [[nodiscard]] size_t base_alignment() const {
        return std::max<size_t>(buffer_alignment,
                                has(RVL_DEVICE_COHERENT) ? 0 : description().cache_block);
    }

    /// The size of each hart's memory and of the local memory in it, as of the latest start.
    [[nodiscard]] uint64_t hart_memory_bytes() const { return hart_memory_bytes_; }
    [[nodiscard]] uint64_t local_memory_bytes() const { return local_memory_bytes_; }
    /// True if local memory is in a scratchpad instead of the harts' memory.
    [[nodiscard]] bool local_memory_is_apart() const { return local_memory_is_apart_; }
    /// The value reported before the device runs; firmware that has less is rejected.
    [[nodiscard]] uint64_t promised_local_memory() const { return hal_->promised_local_memory(); }

    /// Memory available for buffers: an estimate before the device runs, which is at most reduced
    /// then.
    [[nodiscard]] uint64_t global_memory_bytes() const { return global_memory_bytes_; }

    /// Returns the running instance, starting the device if necessary. Fails with
    /// CL_DEVICE_NOT_AVAILABLE after logging the reason.
    std::shared_ptr<DeviceInstance> instance();

private:
    void open_in_child();

    std::unique_ptr<hal::Device> hal_;
    const hal::Config config_;
    uint32_t process_;                     // generation of the process that opened the device
    std::unique_ptr<hal::Device> parents_; // after a fork; its description is still referred to
    std::atomic<uint64_t> hart_memory_bytes_ = 0;
    std::atomic<uint64_t> local_memory_bytes_ = 0;
    std::atomic<bool> local_memory_is_apart_ = false;
    Mutex mutex_{LockRank::platform};
    std::shared_ptr<DeviceInstance> instance_;
    std::atomic<uint64_t> global_memory_bytes_;
};

} // namespace rivulet
