// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hal/core/config.h"

namespace rivulet::tools {

/// One configuration for each device that a driver finds, unless one of them is chosen: the devices
/// that OpenCL has.
std::vector<hal::Config> each_device(const std::vector<hal::Config> &configs);

} // namespace rivulet::tools
