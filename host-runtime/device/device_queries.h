// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host-runtime/device/device.h"

namespace rivulet {

/// clGetDeviceInfo: Table 4.3 and what 2.x, 3.0 and the extensions added.
void query_device(const Device &device, cl_device_info name, size_t size, void *value,
                  size_t *size_ret);

} // namespace rivulet
