// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/device.h"

#include <bit>
#include <cstdlib>

#include "hal/core/environment.h"
#include "host-runtime/device/limits.h"

namespace rivulet {

Device::Device(PhysicalDevice &physical_device)
    : Object(Kind::device), physical_device_(physical_device),
      harts_(description().harts >= 64 ? ~uint64_t{0} : (uint64_t{1} << description().harts) - 1) {}

Device::Device(Ref<Device> parent, uint64_t harts,
               std::vector<cl_device_partition_property> partition)
    : Object(Kind::device), physical_device_(parent->physical_device()), parent_(std::move(parent)),
      harts_(harts), partition_(std::move(partition)) {}

cl_uint Device::hart_count() const { return static_cast<cl_uint>(std::popcount(harts_)); }

// For programs that only look for a GPU or a CPU, the reported type can be changed.
cl_device_type Device::type() const {
    static const cl_device_type shown = [] {
        constexpr cl_device_type types[] = {CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CPU,
                                            CL_DEVICE_TYPE_GPU}; // order as in environment.def
        return types[hal::environment_choice(hal::Variable::device_type)];
    }();
    return shown;
}

size_t printf_bytes() {
    static const auto mib =
        static_cast<size_t>(hal::environment_number(hal::Variable::printf).value_or(1));
    return mib << 20;
}

} // namespace rivulet
