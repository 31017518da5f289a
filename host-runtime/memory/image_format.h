// SPDX-License-Identifier: Apache-2.0
//
// cl_image_format (5.3.1.1): supported formats, element sizes, and encoding of colors.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "host-runtime/include/opencl.h"

namespace rivulet {

/// The format of cl_ext_image_unorm_int_2_101010: CL_ARGB with alpha in the two most significant
/// bits.
constexpr cl_channel_type unorm_int_2_101010 = 0x10E5;

/// Tables 5.6 and 5.7. Returns 0 for an invalid format.
size_t element_bytes(const cl_image_format &format);

/// The formats supported for images of this type with these flags.
std::vector<cl_image_format> supported_formats(cl_mem_flags flags, cl_mem_object_type type);
bool is_supported(const cl_image_format &format, cl_mem_flags flags, cl_mem_object_type type);

/// 3.0, 5.3.1: whether an image with format `as` may be created from one with format `other`:
/// viewed as (s)RGB, or a single channel as depth.
bool may_look_at(const cl_image_format &other, const cl_image_format &as);

/// 8.3: encodes a color, given as 4 × float, int32_t or uint32_t, or a depth.
std::array<std::byte, 16> encoded(const cl_image_format &format, const void *color);

} // namespace rivulet
