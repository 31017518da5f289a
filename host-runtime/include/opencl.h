// SPDX-License-Identifier: Apache-2.0
//
// Includes the OpenCL headers consistently: version 3.0, no warnings for deprecated entry points,
// and cl* functions exported from the library.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_ENABLE_BETA_EXTENSIONS // cl_khr_command_buffer
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#pragma GCC visibility push(default)
#include <CL/cl_icd.h>

#include "host-runtime/include/CL/cl_ext_rivulet.h"
#pragma GCC visibility pop
