// SPDX-License-Identifier: Apache-2.0
//
// 5.3: images. No device supports them yet (CL_DEVICE_IMAGE_SUPPORT): what the specification says
// of that.
#include "host-runtime/device/context.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/memory/flags.h"
#include "host-runtime/memory/mem_object.h"

using namespace rivulet;

namespace {

cl_mem no_images(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                 cl_int *errcode_ret) {
    return create(context, errcode_ret, [&](const Context &) -> cl_mem {
        require(is_valid_mem_flags(flags), CL_INVALID_VALUE);
        require(format, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        fail(CL_INVALID_OPERATION);
    });
}

} // namespace

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format *image_format, const cl_image_desc *, void *,
                                 cl_int *errcode_ret) {
    return no_images(context, flags, image_format, errcode_ret);
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties *,
                                               cl_mem_flags flags,
                                               const cl_image_format *image_format,
                                               const cl_image_desc *, void *, cl_int *errcode_ret) {
    return no_images(context, flags, image_format, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *image_format, size_t, size_t, size_t,
                                   void *, cl_int *errcode_ret) {
    return no_images(context, flags, image_format, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *image_format, size_t, size_t, size_t,
                                   size_t, size_t, void *, cl_int *errcode_ret) {
    return no_images(context, flags, image_format, errcode_ret);
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags, cl_mem_object_type,
                                              cl_uint num_entries, cl_image_format *image_formats,
                                              cl_uint *num_image_formats) {
    return entry(context, [&](const Context &) {
        require(!image_formats || num_entries > 0, CL_INVALID_VALUE);
        if (num_image_formats)
            *num_image_formats = 0;
    });
}

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info, size_t, void *, size_t *) {
    return entry(image, [](const MemObject &) { fail(CL_INVALID_MEM_OBJECT); });
}
