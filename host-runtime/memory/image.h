// SPDX-License-Identifier: Apache-2.0
//
// Images (5.3): elements in rows and slices, one after the other, with pitches in bytes. Kernels
// get the address of a descriptor.
#pragma once

#include <array>

#include "host-runtime/memory/image_format.h"
#include "host-runtime/memory/mem_object.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

constexpr bool has_height(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
           type == CL_MEM_OBJECT_IMAGE3D;
}
constexpr bool is_array(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}
constexpr bool has_slices(cl_mem_object_type type) {
    return is_array(type) || type == CL_MEM_OBJECT_IMAGE3D;
}

/// 5.3.1.2, validated. Sizes that the type doesn't have are 1.
struct ImageShape {
    cl_image_format format{};
    cl_mem_object_type type = 0;
    size_t element_bytes = 0;
    size_t width = 1;
    size_t height = 1;
    size_t depth = 1;
    size_t array_size = 1;
    size_t row_pitch = 0;
    size_t slice_pitch = 0;
    cl_uint mip_levels = 0; // beyond 1: see rvl_image_descriptor

    /// Dimensions as origins and regions count them: the images of a 1D array are its rows.
    [[nodiscard]] std::array<size_t, 3> size(size_t level = 0) const;
    /// How many numbers of an origin say where; the next one is the mip level, if there are any.
    [[nodiscard]] size_t axes() const { return size_t{1} + has_height(type) + has_slices(type); }
    [[nodiscard]] size_t level(const size_t *origin) const {
        return mip_levels > 1 ? origin[axes()] : 0;
    }
    /// 5.3.3: the rules for origin and region.
    [[nodiscard]] bool contains(const size_t *origin, const size_t *region) const;
    [[nodiscard]] Layout layout(const size_t *origin) const;
    [[nodiscard]] Extent extent(const size_t *region) const {
        return {region[0] * element_bytes, region[1], region[2]};
    }
    [[nodiscard]] size_t bytes() const { return slice_pitch * depth * array_size; }
};

/// The rules for origin and region, or CL_INVALID_VALUE.
void check_region(const ImageShape &shape, const size_t *origin, const size_t *region);

class Image final : public MemObject {
public:
    /// Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE. `host_ptr` goes with its flags.
    Image(const Ref<Context> &context, cl_mem_flags flags, const ImageShape &shape, void *host_ptr,
          std::vector<cl_mem_properties> properties);
    /// Made of a buffer's or another image's elements.
    Image(const Ref<MemObject> &parent, cl_mem_flags flags, const ImageShape &shape,
          std::vector<cl_mem_properties> properties);

    [[nodiscard]] const ImageShape &shape() const { return shape_; }
    [[nodiscard]] uint64_t argument(const ContextDevice &context_device) const override {
        return descriptor_.address(context_device);
    }
    /// In the storage.
    [[nodiscard]] Layout layout(const size_t *at) const {
        Layout layout = shape_.layout(at);
        layout.offset += origin();
        return layout;
    }

private:
    void describe();

    const ImageShape shape_;
    const Storage descriptor_;
};

/// cl_mem that must be an image: CL_INVALID_MEM_OBJECT.
inline Ref<Image> checked_image(cl_mem handle) {
    auto object = checked(handle);
    require(object->is_image(), CL_INVALID_MEM_OBJECT, "% is a buffer, an image is wanted",
            address_of(handle));
    return Ref<Image>(static_cast<Image &>(*object));
}
inline Ref<Image> checked_image(cl_mem handle, const Context &context) {
    auto image = checked_image(handle);
    require(&image->context() == &context, CL_INVALID_CONTEXT, "% is an image of another context",
            address_of(handle));
    return image;
}

} // namespace rivulet
