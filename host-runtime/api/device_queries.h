// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host-runtime/device/device.h"

namespace rivulet {

/// clGetDeviceInfo: Table 4.3 and the additions of 2.x, 3.0 and extensions.
void query_device(const Device &device, cl_device_info name, size_t size, void *value,
                  size_t *size_ret);

} // namespace rivulet
