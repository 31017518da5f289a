// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hal/hal.h"

namespace rivulet {

/// Estimates the memory available for buffers on a device that is not running yet: firmware, stacks
/// and local memory of the harts take at least an eighth. Only the firmware knows the exact amount.
uint64_t expected_memory(const rvl_device_desc &);

} // namespace rivulet
