// SPDX-License-Identifier: Apache-2.0
//
// cl_ext_image_requirements_info: what an image would require, without creating it.
#include <algorithm>

#include "host-runtime/api/image_shape.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/memory/flags.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

/// What is known of the image: its type and format may be 0.
using Asked = ImageShape;

constexpr size_t largest_element = 16; // four channels of 32 bits

size_t alignment(const Asked &asked) {
    return asked.element_bytes ? asked.element_bytes : largest_element;
}

/// 1D image buffers, which are older than the extension, take any address.
size_t base_alignment(const Asked &asked) {
    return asked.type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? 1 : alignment(asked);
}

size_t bytes(const Asked &asked) {
    require(asked.element_bytes && asked.type, CL_INVALID_VALUE,
            "the size needs image_format and image_desc");
    return asked.bytes();
}

/// Like CL_DEVICE_IMAGE…_MAX_…, limits say nothing about memory. `has` tells which types have the
/// dimension.
template <bool (*has)(cl_mem_object_type)> cl_uint limit(const Asked &asked, size_t most) {
    require(!asked.type || has(asked.type), CL_INVALID_IMAGE_DESCRIPTOR,
            "images of type % have no such dimension", Hex{asked.type});
    return static_cast<cl_uint>(most);
}

constexpr bool is_3d(cl_mem_object_type type) { return type == CL_MEM_OBJECT_IMAGE3D; }

size_t max_height(const Asked &asked) {
    return asked.type && !is_3d(asked.type) ? max_image_width : max_image_depth;
}

constexpr auto requirement_queries = queries<Asked>(
    row<base_alignment>(CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT),
    row<alignment>(CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT),
    row<alignment>(CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT),
    row<bytes>(CL_IMAGE_REQUIREMENTS_SIZE_EXT),
    row(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT,
        [](const Asked &a) {
            return static_cast<cl_uint>(a.type ? max_width(a.type) : max_image_depth);
        }),
    row(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT,
        [](const Asked &a) { return limit<has_height>(a, max_height(a)); }),
    row(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT,
        [](const Asked &a) { return limit<is_3d>(a, max_image_depth); }),
    row(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT,
        [](const Asked &a) { return limit<is_array>(a, max_image_array); }));

constexpr bool asks_for_limit(cl_image_requirements_info_ext name) {
    return name >= CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT &&
           name <= CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT;
}

/// Sizes that are 0 stand for all sizes when a limit is asked for.
void take_description(cl_image_desc desc, bool for_limit, Asked &asked) {
    const bool any_type = for_limit && desc.image_type == 0;
    require(any_type || is_image_type(desc.image_type), CL_INVALID_IMAGE_DESCRIPTOR,
            "image_type is %, not an image type", Hex{desc.image_type});
    require(!desc.num_samples, CL_INVALID_IMAGE_DESCRIPTOR,
            "num_samples is %: images are not multisampled", desc.num_samples);
    asked.type = desc.image_type;
    if (for_limit)
        return;
    try {
        take_sizes(desc, asked);
    } catch (Failure &failure) { // this function has one code for both
        failure.code = CL_INVALID_IMAGE_DESCRIPTOR;
        throw;
    }
    take_pitches(desc, true, asked);
    take_levels(desc, false, asked);
}

} // namespace

extern "C" CL_API_ENTRY cl_int CL_API_CALL clGetImageRequirementsInfoEXT(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *image_format, const cl_image_desc *image_desc,
    cl_image_requirements_info_ext param_name, size_t param_value_size, void *param_value,
    size_t *param_value_size_ret) {
    return entry(context, [&](const Context &) {
        require(!properties || !*properties, CL_INVALID_PROPERTY,
                "properties[0] is %: no properties are defined", Hex{properties ? *properties : 0});
        check_mem_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE});
        Asked asked;
        if (image_format) {
            asked.format = *image_format;
            asked.element_bytes = element_bytes(*image_format);
            require(asked.element_bytes, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                    "channel order % and data type % can't be combined",
                    Hex{image_format->image_channel_order},
                    Hex{image_format->image_channel_data_type});
        }
        if (image_desc) {
            if (!image_format) // pitches suit some format
                asked.element_bytes = 1;
            take_description(*image_desc, asks_for_limit(param_name), asked);
            if (!image_format)
                asked.element_bytes = 0;
        }
        query(requirement_queries, asked, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}
