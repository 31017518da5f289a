// SPDX-License-Identifier: Apache-2.0
//
// 5.3.1: creating images. 5.3.2: formats. 5.3.7: querying images.
#include "host-runtime/memory/image.h"

#include <algorithm>

#include "host-runtime/api/external_memory.h"
#include "host-runtime/api/image_shape.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/memory/flags.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

using I = const Image &;

constexpr auto image_queries = queries<Image>(
    row(CL_IMAGE_FORMAT, [](I i) { return i.shape().format; }),
    row(CL_IMAGE_ELEMENT_SIZE, [](I i) { return i.shape().element_bytes; }),
    row(CL_IMAGE_ROW_PITCH, [](I i) { return i.shape().row_pitch; }),
    row(CL_IMAGE_SLICE_PITCH, [](I i) { return has_slices(i.type()) ? i.shape().slice_pitch : 0; }),
    row(CL_IMAGE_WIDTH, [](I i) { return i.shape().width; }),
    row(CL_IMAGE_HEIGHT, [](I i) { return has_height(i.type()) ? i.shape().height : 0; }),
    row(CL_IMAGE_DEPTH,
        [](I i) { return i.type() == CL_MEM_OBJECT_IMAGE3D ? i.shape().depth : 0; }),
    row(CL_IMAGE_ARRAY_SIZE, [](I i) { return is_array(i.type()) ? i.shape().array_size : 0; }),
    row(CL_IMAGE_BUFFER,
        [](I i) {
            const MemObject *parent = i.parent().get();
            return handle_of<cl_mem>(parent && parent->is_buffer() ? parent : nullptr);
        }),
    row(CL_IMAGE_NUM_MIP_LEVELS, [](I i) { return i.shape().mip_levels; }),
    row(CL_IMAGE_NUM_SAMPLES, [](I) -> cl_uint { return 0; }));

/// The object that provides the image's memory, if it has none of its own.
Ref<MemObject> checked_parent(const cl_image_desc &desc, const Context &context) {
    if (!desc.mem_object) {
        require(desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR,
                "a 1D image buffer needs a buffer in image_desc");
        return nullptr;
    }
    Ref<MemObject> parent = find(desc.mem_object);
    require(parent && &parent->context() == &context, CL_INVALID_IMAGE_DESCRIPTOR,
            "mem_object % is not a memory object of the context", address_of(desc.mem_object));
    // cl_ext_image_from_buffer: images of any type have buffers.
    require(parent->is_buffer() || (desc.image_type == CL_MEM_OBJECT_IMAGE2D &&
                                    parent->type() == CL_MEM_OBJECT_IMAGE2D),
            CL_INVALID_IMAGE_DESCRIPTOR,
            "an image of type % can't be made of a memory object of type %", Hex{desc.image_type},
            Hex{parent->type()});
    return parent;
}

/// cl_ext_image_requirements_info: pitches and address of an image of a buffer are multiples of its
/// element (CL_DEVICE_IMAGE_PITCH_ALIGNMENT and …_BASE_ADDRESS_ALIGNMENT are 1). 1D image buffers,
/// which are older, take any address.
void check_image_alignment(const MemObject &buffer, const cl_image_desc &desc,
                           const ImageShape &shape) {
    const size_t slice_pitch = has_slices(shape.type) ? desc.image_slice_pitch : 0;
    const auto address = shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER
                             ? 0
                             : reinterpret_cast<uintptr_t>(buffer.host_pointer());
    require(desc.image_row_pitch % shape.element_bytes == 0 &&
                slice_pitch % shape.element_bytes == 0 && address % shape.element_bytes == 0,
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            "image_row_pitch is %, image_slice_pitch %, the buffer's host_ptr %: not multiples of "
            "the element's % bytes",
            desc.image_row_pitch, slice_pitch, Hex{address}, shape.element_bytes);
}

/// 3.0, 5.3.1: an image created from another image differs from it only in channel order.
void check_look_at(I parent, const cl_image_desc &desc, ImageShape &shape) {
    require(may_look_at(parent.shape().format, shape.format) &&
                shape.width == parent.shape().width && shape.height == parent.shape().height &&
                (!desc.image_row_pitch || desc.image_row_pitch == parent.shape().row_pitch),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            "an image of another image's elements is like that one in size, pitch and data type: % "
            "x % there",
            parent.shape().width, parent.shape().height);
    shape.row_pitch = parent.shape().row_pitch;
    shape.slice_pitch = parent.shape().slice_pitch;
}

cl_mem create_image(Context &context, cl_mem_flags flags, const cl_image_format *format,
                    const cl_image_desc *desc, void *host_ptr,
                    const MemoryProperties &properties = {}) {
    require(image_support, CL_INVALID_OPERATION, "images are not supported");
    require(!properties.has_address(), CL_INVALID_PROPERTY,
            "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is a property of buffers");
    check_mem_flags(flags);
    require(format, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is NULL");
    ImageShape shape;
    shape.format = *format;
    shape.element_bytes = element_bytes(*format);
    require(shape.element_bytes, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            "channel order % and data type % can't be combined", Hex{format->image_channel_order},
            Hex{format->image_channel_data_type});
    require(desc, CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is NULL");
    require(is_image_type(desc->image_type) && !desc->num_samples, CL_INVALID_IMAGE_DESCRIPTOR,
            "image_type is %, num_samples is %: not an image type, or multisampled",
            Hex{desc->image_type}, desc->num_samples);
    shape.type = desc->image_type;
    const Ref<MemObject> parent = checked_parent(*desc, context);
    require(!parent || !(flags & host_pointer_flags), CL_INVALID_VALUE,
            "flags %: the memory is mem_object's, and has no host_ptr of its own", Hex{flags});
    take_sizes(*desc, shape);
    if (parent && parent->is_image()) {
        check_look_at(static_cast<I>(*parent), *desc, shape);
    } else {
        if (parent)
            check_image_alignment(*parent, *desc, shape);
        take_pitches(*desc, host_ptr || parent, shape);
    }
    take_levels(*desc, host_ptr || parent, shape);
    check_host_pointer(flags, host_ptr);
    if (parent) {
        require(!(parent->flags() & CL_MEM_IMMUTABLE_EXT) || flags & CL_MEM_IMMUTABLE_EXT,
                CL_INVALID_VALUE,
                "flags % lack CL_MEM_IMMUTABLE_EXT, which mem_object was created with", Hex{flags});
        flags = inherited_flags(flags, parent->flags());
    } else {
        check_contents(flags);
    }
    require(is_supported(*format, flags, shape.type), CL_IMAGE_FORMAT_NOT_SUPPORTED,
            "channel order % with data type % is not supported for image type % with flags %: "
            "see clGetSupportedImageFormats",
            Hex{format->image_channel_order}, Hex{format->image_channel_data_type}, Hex{shape.type},
            Hex{flags});
    require(shape.bytes() <= largest_image,
            parent ? CL_INVALID_IMAGE_SIZE : CL_MEM_OBJECT_ALLOCATION_FAILURE,
            "the image has % bytes, the most is %", shape.bytes(), largest_image);
    if (parent) {
        require(shape.bytes() <= parent->size(), CL_INVALID_IMAGE_SIZE,
                "the image has % bytes, mem_object %", shape.bytes(), parent->size());
        require(properties.list().size() < 2, CL_INVALID_PROPERTY,
                "the memory is mem_object's: it comes from no handle and gets none");
        return give<cl_mem>(make<Image>(parent, flags, shape, properties.list()));
    }
    check_allocation(context, shape.bytes(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    auto image = make<Image>(
        Ref<Context>(context), flags, shape, host_ptr, properties.list(),
        properties.memory(context, flags, shape.bytes(), CL_MEM_OBJECT_ALLOCATION_FAILURE));
    properties.take_over();
    return give<cl_mem>(std::move(image));
}

/// 1.1: a single code for invalid sizes and pitches.
cl_mem create_old_image(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                        const cl_image_desc &desc, void *host_ptr, cl_int *errcode_ret,
                        Caller caller = __builtin_FUNCTION()) {
    return create(
        context, errcode_ret,
        [&](Context &object) {
            try {
                return create_image(object, flags, format, &desc, host_ptr);
            } catch (Failure &failure) {
                if (failure.code == CL_INVALID_IMAGE_DESCRIPTOR)
                    failure.code = CL_INVALID_IMAGE_SIZE;
                throw;
            }
        },
        caller);
}

} // namespace

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format *image_format,
                                 const cl_image_desc *image_desc, void *host_ptr,
                                 cl_int *errcode_ret) {
    return create(context, errcode_ret, [&](Context &object) {
        return create_image(object, flags, image_format, image_desc, host_ptr);
    });
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                               const cl_mem_properties *properties,
                                               cl_mem_flags flags,
                                               const cl_image_format *image_format,
                                               const cl_image_desc *image_desc, void *host_ptr,
                                               cl_int *errcode_ret) {
    return create(context, errcode_ret, [&](Context &object) {
        return create_image(object, flags, image_format, image_desc, host_ptr,
                            {object, properties});
    });
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *image_format, size_t image_width,
                                   size_t image_height, size_t image_row_pitch, void *host_ptr,
                                   cl_int *errcode_ret) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = image_width;
    desc.image_height = image_height;
    desc.image_row_pitch = image_row_pitch;
    return create_old_image(context, flags, image_format, desc, host_ptr, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *image_format, size_t image_width,
                                   size_t image_height, size_t image_depth, size_t image_row_pitch,
                                   size_t image_slice_pitch, void *host_ptr, cl_int *errcode_ret) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_width = image_width;
    desc.image_height = image_height;
    desc.image_depth = image_depth > 1 ? image_depth : 0; // 1.1: 1 means no depth
    desc.image_row_pitch = image_row_pitch;
    desc.image_slice_pitch = image_slice_pitch;
    return create_old_image(context, flags, image_format, desc, host_ptr, errcode_ret);
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type image_type, cl_uint num_entries,
                                              cl_image_format *image_formats,
                                              cl_uint *num_image_formats) {
    return entry(context, [&](const Context &) {
        const bool by_one_kernel = flags & CL_MEM_KERNEL_READ_AND_WRITE;
        flags &= ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE};
        check_mem_flags(flags);
        require(is_image_type(image_type), CL_INVALID_VALUE, "% is not an image type",
                Hex{image_type});
        require(!image_formats || num_entries > 0, CL_INVALID_VALUE,
                "num_entries is 0, image_formats is not NULL");
        std::vector<cl_image_format> formats;
        if (image_support)
            formats = supported_formats(by_one_kernel ? CL_MEM_READ_WRITE : flags, image_type);
        if (image_formats)
            std::ranges::copy_n(formats.begin(),
                                std::min<ptrdiff_t>(num_entries, std::ssize(formats)),
                                image_formats);
        if (num_image_formats)
            *num_image_formats = static_cast<cl_uint>(formats.size());
    });
}

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret) {
    return entry(image, [&](const MemObject &) {
        query(image_queries, *checked_image(image), param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}
