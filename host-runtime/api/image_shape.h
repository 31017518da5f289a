// SPDX-License-Identifier: Apache-2.0
//
// 5.3.1.2: from cl_image_desc to the shape of an image, for creating images and for asking what
// they would require.
#pragma once

#include "host-runtime/memory/image.h"

namespace rivulet {

constexpr bool is_image_type(cl_mem_object_type type) {
    return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

size_t max_width(cl_mem_object_type type);

/// Sizes, for the shape's type and element.
void take_sizes(const cl_image_desc &desc, ImageShape &shape);

/// Pitches; they may be `given` for memory of the host or of a buffer.
void take_pitches(const cl_image_desc &desc, bool given, ImageShape &shape);

/// cl_khr_mipmap_image: space for the levels, to the right of the first one.
void take_levels(const cl_image_desc &desc, bool given, ImageShape &shape);

} // namespace rivulet
