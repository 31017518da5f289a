// SPDX-License-Identifier: Apache-2.0
//
// cl_device_id: a physical device, or a subset of its harts (4.3, sub-devices).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hal/protocol/limits.h"
#include "host-runtime/device/physical_device.h"
#include "host-runtime/object/object.h"

namespace rivulet {

constexpr size_t max_work_group_size = RVL_MAX_WORK_GROUP_SIZE;

/// Neighbouring harts: all of a device, or a sub-device's.
struct HartRange {
    uint32_t first, count;
};

class Device : public Object {
public:
    explicit Device(PhysicalDevice &physical_device);
    /// A sub-device.
    Device(Ref<Device> parent, HartRange harts,
           std::vector<cl_device_partition_property> partition);

    [[nodiscard]] PhysicalDevice &physical_device() const { return physical_device_; }
    [[nodiscard]] const rvl_device_desc &description() const {
        return physical_device_.description();
    }
    /// Of fixed-function units, which sub-devices share.
    [[nodiscard]] std::span<const hal::BuiltInKernel> built_in_kernels() const {
        return physical_device_.built_in_kernels();
    }
    [[nodiscard]] const Ref<Device> &parent() const { return parent_; }
    [[nodiscard]] HartRange harts() const { return harts_; }
    [[nodiscard]] cl_uint hart_count() const { return harts_.count; }
    /// Of those that have a bit in masks.
    [[nodiscard]] uint64_t hart_mask() const;
    /// rvl_launch.hart_mask of launches on these harts, and the flag that says what it holds.
    [[nodiscard]] uint64_t launch_harts() const;
    [[nodiscard]] uint8_t launch_flags() const;
    [[nodiscard]] size_t base_alignment() const { return physical_device_.base_alignment(); }
    [[nodiscard]] const std::vector<cl_device_partition_property> &partition() const {
        return partition_;
    }

    /// The target of kernels: RVL_FIELD_ISA and its exact VLEN.
    [[nodiscard]] std::string_view isa() const { return description().isa; }
    [[nodiscard]] uint32_t vlen() const { return description().vlen; }
    [[nodiscard]] std::string_view core() const { return description().core; }
    [[nodiscard]] uint32_t xlen() const { return description().xlen; }

    [[nodiscard]] uint64_t global_memory_bytes() const {
        return physical_device_.global_memory_bytes();
    }
    [[nodiscard]] uint64_t local_memory_bytes() const {
        return physical_device_.promised_local_memory();
    }
    [[nodiscard]] cl_device_type type() const;

private:
    PhysicalDevice &physical_device_;
    Ref<Device> parent_; // for a sub-device
    HartRange harts_;
    std::vector<cl_device_partition_property> partition_;
};

} // namespace rivulet
