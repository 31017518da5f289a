// SPDX-License-Identifier: Apache-2.0
//
// Limits that don't depend on the hardware: section 10's minimum for the embedded profile, or
// better.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "hal/protocol/kernel_image.h"
#include "hal/protocol/launch.h"
#include "hal/protocol/sub_groups.h"
#include "host-runtime/device/device.h"

namespace rivulet {

constexpr cl_uint vendor_id = 0x10000 + 0x52; // not a PCI vendor
constexpr size_t timer_resolution = 100;      // ns, of the 10 MHz clock that machines have

/// True if hal/protocol/features.def has such a row, i.e. every device supports it.
consteval bool offers(std::string_view wanted) {
    constexpr std::string_view names[] = {
#define RVL_EXTENSION(name, major, minor, patch, needs) #name,
#define RVL_FEATURE(name, major, minor, patch, needs) #name,
#include "hal/protocol/features.def"
    };
    return std::ranges::find(names, wanted) != std::end(names);
}
constexpr cl_bool image_support = offers("__opencl_c_images");
constexpr bool srgb_writes = offers("cl_khr_srgb_image_writes");
constexpr cl_uint max_image_arguments = image_support ? 64 : 0;
constexpr cl_uint max_read_write_image_arguments =
    offers("__opencl_c_read_write_images") ? max_image_arguments : 0;
constexpr cl_uint max_samplers = image_support ? 16 : 0;
constexpr size_t max_image_width = image_support ? 8192 : 0;
constexpr size_t max_image_depth = image_support ? 2048 : 0;
constexpr size_t max_image_array = image_support ? 2048 : 0;
constexpr size_t max_image_buffer = image_support ? 1 << 24 : 0; // elements
constexpr cl_uint image_alignment = image_support; // pixels: pitch and address in a buffer

constexpr cl_uint max_constant_arguments = 64;
constexpr size_t max_global_variable = 1 << 20;

/// RIVULET_PRINTF.
size_t printf_bytes();

/// Memory objects that any kernel may access: others need code of their own (kernel_image.h).
constexpr cl_ulong largest_small_buffer = RVL_SMALL_BUFFER_BYTES;

/// Kernels find the elements of images with unsigned offsets of 32 bits.
constexpr cl_ulong largest_image = cl_ulong{1} << 32;

/// Largest buffer: the heap in one piece, less what a context needs beside it.
cl_ulong max_allocation(const Device &device);

/// Whether kernels are built for larger memory objects, too.
inline bool offers_large_buffers(const Device &device) {
    return max_allocation(device) > largest_small_buffer;
}

/// Work-items that fill the vector unit: 32-bit lanes of four registers.
inline size_t lanes(const Device &device) { return std::max<size_t>(1, device.vlen() / 32 * 4); }

/// In ascending order; kernels may require any of them.
inline std::vector<size_t> sub_group_sizes(const Device &device) {
    std::array<uint32_t, RVL_SUB_GROUP_SIZES> sizes{};
    const uint32_t count = rvl_sub_group_sizes(device.vlen(), sizes.data());
    return {sizes.begin(), sizes.begin() + count};
}

cl_device_svm_capabilities svm_capabilities(const Device &device);

} // namespace rivulet
