// SPDX-License-Identifier: Apache-2.0
//
// A driver's table as used by this library, whatever version of hal.h the driver was built with.
#pragma once

#include <vector>

#include "hal/core/driver_callbacks.h"
#include "hal/hal.h"

namespace rivulet::hal {

/// Returns the table with functions missing in older versions set to NULL, or why the driver can't
/// be used.
Result<rvl_driver> usable_table(const rvl_driver &driver);

/// All devices that the driver finds, with descriptions extended to this library's size.
Result<std::vector<rvl_device_desc>>
find_devices(const rvl_driver &driver, const rvl_config &config, DriverCallbacks &callbacks);

/// Replaces control characters in the description's strings.
void make_printable(rvl_device_desc &description);

/// Removes regions from an open device's description that this library can't use, and logs why.
void drop_unusable_regions(rvl_device_desc &description, uint32_t hal_version,
                           DriverCallbacks &callbacks);

} // namespace rivulet::hal
