// SPDX-License-Identifier: Apache-2.0
//
// Images (5.3): consecutive elements in rows and slices, with pitches in bytes. Kernels get the
// address of a descriptor.
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

/// Validated sizes (5.3.1.2). Dimensions that the type doesn't have are 1.
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

    /// Sizes in the order of origins and regions: the images of a 1D array are its rows.
    [[nodiscard]] std::array<size_t, 3> size(size_t level = 0) const;
    /// Number of coordinates in an origin; the next element is the mip level, if there are any.
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

/// Checks the rules for origin and region, or fails with CL_INVALID_VALUE.
void check_region(const ImageShape &shape, const size_t *origin, const size_t *region);

class Image final : public MemObject {
public:
    /// Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE. `host_ptr` is used according to `flags`.
    Image(const Ref<Context> &context, cl_mem_flags flags, const ImageShape &shape, void *host_ptr,
          std::vector<cl_mem_properties> properties,
          std::shared_ptr<const ExternalMemory> external = nullptr);
    /// Created from the elements of a buffer or another image.
    Image(const Ref<MemObject> &parent, cl_mem_flags flags, const ImageShape &shape,
          std::vector<cl_mem_properties> properties);

    [[nodiscard]] const ImageShape &shape() const { return shape_; }
    [[nodiscard]] uint64_t argument(const ContextDevice &context_device) const override {
        return descriptor_.address(context_device);
    }
    /// The layout in the storage.
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

/// Checks that a cl_mem is an image: CL_INVALID_MEM_OBJECT.
inline Ref<Image> checked_image(cl_mem handle) {
    auto object = checked(handle);
    require(object->is_image(), CL_INVALID_MEM_OBJECT, "% is a buffer, not an image",
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
