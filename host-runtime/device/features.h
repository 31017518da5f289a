// SPDX-License-Identifier: Apache-2.0
//
// The optional features of a device: from hal/protocol/features.def, which the compiler reads, too,
// and API-only extensions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hal/protocol/opencl_version.h"
#include "host-runtime/device/device.h"

namespace rivulet {

/// Of devices and their platform: 3.0 without a translator for SPIR-V, which 3.1 requires.
cl_version opencl_version();
std::string opencl_version_text(); // CL_PLATFORM_VERSION, CL_DEVICE_VERSION

std::vector<cl_name_version> extensions_of(const Device &device);
std::vector<cl_name_version> platform_extensions();
std::vector<cl_name_version> language_features_of(const Device &device);
std::vector<cl_name_version> language_versions();
std::string names_of(const std::vector<cl_name_version> &list); // separated by spaces
bool has_feature(const Device &device, std::string_view name);  // __opencl_c_…
bool has_extension(const Device &device, std::string_view name);

// cl_khr_spirv_queries: what hal/protocol/spirv.def offers on the device; empty if there is no
// translator.
std::vector<cl_uint> spirv_capabilities_of(const Device &device);
std::vector<const char *> spirv_extensions_of(const Device &device);
std::vector<const char *> spirv_instruction_sets_of(const Device &device);

} // namespace rivulet
