// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/limits.h"

namespace rivulet {

cl_device_svm_capabilities svm_capabilities(const Device &) { return 0; }

} // namespace rivulet
