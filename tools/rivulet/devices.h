// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hal/core/config.h"

namespace rivulet::tools {

/// One configuration per device found by a driver, unless a configuration selects one: the same
/// devices as in OpenCL.
std::vector<hal::Config> each_device(const std::vector<hal::Config> &configs);

} // namespace rivulet::tools
