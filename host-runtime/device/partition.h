// SPDX-License-Identifier: Apache-2.0
//
// 4.3: how a device is divided into sub-devices. Sub-devices are sets of harts.
#pragma once

#include <vector>

#include "host-runtime/device/device.h"

namespace rivulet {

struct Partition {
    std::vector<uint64_t> harts;                          // a mask for each sub-device
    std::vector<cl_device_partition_property> properties; // as given, with the 0 at the end

    /// Throws what clCreateSubDevices returns for properties that can't be.
    static Partition checked(const Device &device, const cl_device_partition_property *properties);
};

} // namespace rivulet
