// SPDX-License-Identifier: Apache-2.0
//
// The built-in kernels that a driver's table names, checked.
#pragma once

#include <vector>

#include "hal/core/driver_callbacks.h"
#include "hal/device.h"

namespace rivulet::hal {

/// Those of an open device. Logs which ones can't be used, and why.
std::vector<BuiltInKernel> read_built_in_kernels(const rvl_driver &driver, rvl_device *device,
                                                 DriverCallbacks &callbacks);

} // namespace rivulet::hal
