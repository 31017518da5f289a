// SPDX-License-Identifier: Apache-2.0
//
// 4.3: partitioning a device. Sub-devices are sets of harts.
#pragma once

#include <vector>

#include "host-runtime/device/device.h"

namespace rivulet {

struct Partition {
    std::vector<HartRange> harts;                         // one per sub-device
    std::vector<cl_device_partition_property> properties; // as given, including the terminating 0

    /// Throws the error of clCreateSubDevices for invalid properties.
    static Partition checked(const Device &device, const cl_device_partition_property *properties);
};

} // namespace rivulet
