// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/device.h"

#include <algorithm>
#include <cstdlib>

#include "base/environment.h"
#include "host-runtime/device/limits.h"

namespace rivulet {

Device::Device(PhysicalDevice &physical_device)
    : Object(Kind::device), physical_device_(physical_device), harts_{0, description().harts} {}

Device::Device(Ref<Device> parent, HartRange harts,
               std::vector<cl_device_partition_property> partition)
    : Object(Kind::device), physical_device_(parent->physical_device()), parent_(std::move(parent)),
      harts_(harts), partition_(std::move(partition)) {}

uint64_t Device::hart_mask() const {
    uint64_t mask = 0;
    for (uint32_t hart = harts_.first; hart < harts_.first + harts_.count; ++hart)
        if (hart < RVL_MASK_HARTS)
            mask |= uint64_t{1} << hart;
    return mask;
}

uint8_t Device::launch_flags() const {
    return description().harts > RVL_MASK_HARTS ? RVL_FLAG_HART_RANGE : 0;
}

uint64_t Device::launch_harts() const {
    return launch_flags() != 0 ? harts_.first | uint64_t{harts_.count} << 32 : hart_mask();
}

// For programs that only look for a GPU or a CPU, the reported type can be changed.
cl_device_type Device::type() const {
    static const cl_device_type shown = [] {
        constexpr cl_device_type types[] = {CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CPU,
                                            CL_DEVICE_TYPE_GPU}; // order as in environment.def
        return types[environment_choice(Variable::device_type)];
    }();
    return shown;
}

// Of two heaps a buffer lies in one. Kernel code, launch records and output of printf have the
// rest.
cl_ulong max_allocation(const Device &device) {
    constexpr cl_ulong most_beside = 16 << 20;
    const cl_ulong all = device.global_memory_bytes();
    const cl_ulong second = std::min<cl_ulong>(
        hal::region_of(device.physical_device().description(), RVL_REGION_HEAP).bytes, all);
    const cl_ulong largest = std::max(all - second, second);
    const cl_ulong most =
        (largest - std::min(largest / 32, most_beside)) / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
    return device.xlen() == 32 ? std::min(most, largest_small_buffer) : most;
}

size_t printf_bytes() {
    static const auto mib = static_cast<size_t>(environment_number(Variable::printf).value_or(1));
    return mib << 20;
}

} // namespace rivulet
