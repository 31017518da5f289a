// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host-runtime/include/opencl.h"

namespace rivulet {

/// "CL_INVALID_VALUE"; nullptr if it is not an error code.
const char *code_name(cl_int code);

} // namespace rivulet
