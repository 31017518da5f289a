// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/api/image_shape.h"

#include <algorithm>
#include <bit>

#include "host-runtime/device/limits.h"

namespace rivulet {

size_t max_width(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE3D          ? max_image_depth
           : type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? max_image_buffer
                                                  : max_image_width;
}

void take_sizes(const cl_image_desc &desc, ImageShape &shape) {
    const bool is_3d = desc.image_type == CL_MEM_OBJECT_IMAGE3D;
    const size_t most = max_width(desc.image_type);
    const auto take = [](const char *name, size_t size, size_t limit, size_t &to) {
        require(size > 0, CL_INVALID_IMAGE_DESCRIPTOR, "% is 0", name);
        require(size <= limit, CL_INVALID_IMAGE_SIZE, "% is %, the most is %", name, size, limit);
        to = size;
    };
    take("image_width", desc.image_width, most, shape.width);
    if (has_height(desc.image_type))
        take("image_height", desc.image_height, most, shape.height);
    if (is_3d)
        take("image_depth", desc.image_depth, most, shape.depth);
    if (is_array(desc.image_type))
        take("image_array_size", desc.image_array_size, max_image_array, shape.array_size);
}

void take_pitches(const cl_image_desc &desc, bool given, ImageShape &shape) {
    constexpr size_t largest = size_t{1} << 31; // limit for any image, so that nothing overflows
    const auto take = [given](const char *name, size_t pitch, size_t least, size_t unit,
                              size_t &to) {
        require(!pitch || given, CL_INVALID_IMAGE_DESCRIPTOR,
                "% is %, and must be 0 without host_ptr or a buffer", name, pitch);
        require(!pitch || (pitch >= least && pitch <= largest && pitch % unit == 0),
                CL_INVALID_IMAGE_DESCRIPTOR, "% is %, and must be a multiple of % from % to %",
                name, pitch, unit, least, largest);
        to = pitch ? pitch : least;
    };
    take("image_row_pitch", desc.image_row_pitch, shape.width * shape.element_bytes,
         shape.element_bytes, shape.row_pitch);
    // A single row ends with its last element, whatever its pitch.
    const bool is_one_row = !has_height(shape.type) && !has_slices(shape.type);
    const size_t slice =
        is_one_row ? shape.width * shape.element_bytes : shape.row_pitch * shape.height;
    take("image_slice_pitch", has_slices(shape.type) ? desc.image_slice_pitch : 0, slice,
         shape.row_pitch, shape.slice_pitch);
}

void take_levels(const cl_image_desc &desc, bool given, ImageShape &shape) {
    shape.mip_levels = desc.num_mip_levels;
    if (shape.mip_levels < 2)
        return;
    const size_t longest = std::max({shape.width, shape.height, shape.depth});
    require(
        !given && shape.type != CL_MEM_OBJECT_IMAGE1D_BUFFER &&
            shape.mip_levels <= static_cast<size_t>(std::bit_width(longest)),
        CL_INVALID_IMAGE_DESCRIPTOR,
        "num_mip_levels is %, the most is %, and 0 with host_ptr, a buffer or a 1D image buffer",
        shape.mip_levels, std::bit_width(longest));
    shape.row_pitch += std::max<size_t>(shape.width / 2, 1) * shape.element_bytes;
    shape.slice_pitch = shape.row_pitch * (shape.height + shape.mip_levels);
}

} // namespace rivulet
