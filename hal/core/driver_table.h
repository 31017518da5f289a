// SPDX-License-Identifier: Apache-2.0
//
// A driver's table as this library uses it, whatever version of hal.h the driver was built with.
#pragma once

#include <vector>

#include "hal/core/driver_callbacks.h"

namespace rivulet::hal {

/// The table with what an older driver lacks as NULL; or why the driver can't be used.
Result<rvl_driver> usable_table(const rvl_driver &driver);

/// All devices that the driver finds, each as long as this library knows descriptions.
Result<std::vector<rvl_device_desc>>
find_devices(const rvl_driver &driver, const rvl_config &config, DriverCallbacks &callbacks);

/// Makes the description's texts fit for terminals.
void make_printable(rvl_device_desc &description);

/// Takes those out of an open device's description that this library can't use, and logs why.
void drop_unusable_regions(rvl_device_desc &description, uint32_t hal_version,
                           DriverCallbacks &callbacks);

} // namespace rivulet::hal
