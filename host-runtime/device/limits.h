// SPDX-License-Identifier: Apache-2.0
//
// What the devices promise, where it doesn't follow from the hardware: section 10's minimum for
// the embedded profile or better.
#pragma once

#include <algorithm>

#include "hal/protocol/launch.h"
#include "host-runtime/device/device.h"

namespace rivulet {

constexpr cl_uint vendor_id = 0x10000 + 0x52; // not a PCI vendor
constexpr const char *driver_version = RIVULET_VERSION;
constexpr size_t timer_resolution = 100; // ns, of the 10 MHz clock that machines have

constexpr cl_bool image_support = CL_FALSE;
constexpr cl_uint max_image_arguments = 64;
constexpr cl_uint max_samplers = 16;
constexpr size_t max_image_width = 8192;
constexpr size_t max_image_depth = 2048;
constexpr size_t max_image_array = 2048;
constexpr size_t max_image_buffer = 1 << 24; // elements
constexpr cl_uint image_pitch_alignment = 1;
constexpr cl_uint image_base_alignment = 1;

constexpr cl_uint max_constant_arguments = 64;
constexpr size_t printf_bytes = 1 << 20;

/// Largest buffer: half of the memory, and no more than the compiler's index arithmetic assumes.
inline cl_ulong max_allocation(const Device &device) {
    return std::min<cl_ulong>(device.global_memory_bytes() / 2, cl_ulong{1} << 31);
}

/// Work-items that fill the vector unit: 32-bit lanes of a group of four registers.
inline size_t lanes(const Device &device) { return std::max<size_t>(1, device.vlen() / 32 * 4); }

cl_device_svm_capabilities svm_capabilities(const Device &device);

} // namespace rivulet
