// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/image.h"

#include <algorithm>

#include "hal/protocol/launch.h"

namespace rivulet {

std::array<size_t, 3> ImageShape::size(size_t level) const {
    const auto at_level = [level](size_t extent) { return std::max<size_t>(extent >> level, 1); };
    if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        return {at_level(width), array_size, 1};
    return {at_level(width), at_level(height), at_level(depth) * array_size};
}

bool ImageShape::contains(const size_t *origin, const size_t *region) const {
    if (!origin || !region || level(origin) >= std::max(mip_levels, cl_uint{1}))
        return false;
    const std::array<size_t, 3> all = size(level(origin));
    for (size_t axis = 0; axis < all.size(); ++axis) {
        const size_t first = mip_levels > 1 && axis == axes() ? 0 : origin[axis];
        if (!region[axis] || first > all[axis] || region[axis] > all[axis] - first)
            return false;
    }
    return true;
}

void check_region(const ImageShape &shape, const size_t *origin, const size_t *region) {
    require(origin && region, CL_INVALID_VALUE, "origin is %, region is %", address_of(origin),
            address_of(region));
    if (shape.contains(origin, region))
        return;
    const size_t level = shape.level(origin);
    require(level < std::max(shape.mip_levels, cl_uint{1}), CL_INVALID_VALUE,
            "mip level % of % in origin", level, shape.mip_levels);
    const auto [width, height, depth] = shape.size(level);
    fail(CL_INVALID_VALUE, "origin (%, %, %) with region % x % x %: the image has % x % x %",
         {origin[0], origin[1], origin[2], region[0], region[1], region[2], width, height, depth});
}

Layout ImageShape::layout(const size_t *origin) const {
    const bool rows_are_slices = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    Layout layout{origin[0] * element_bytes, rows_are_slices ? slice_pitch : row_pitch,
                  slice_pitch};
    layout.offset = layout.at(axes() > 1 ? origin[1] : 0, axes() > 2 ? origin[2] : 0);
    if (const size_t below = level(origin))
        layout.offset +=
            width * element_bytes + (height - (height >> (below - 1)) + below - 1) * row_pitch;
    return layout;
}

Image::Image(const Ref<Context> &context, cl_mem_flags flags, const ImageShape &shape,
             void *host_ptr, std::vector<cl_mem_properties> properties,
             std::shared_ptr<const ExternalMemory> external)
    : MemObject({.context = context,
                 .type = shape.type,
                 .flags = flags,
                 .size = shape.bytes(),
                 .storage = Storage::made_for(*context, flags, shape.bytes(), host_ptr,
                                              std::move(external)),
                 .host_pointer =
                     flags & CL_MEM_USE_HOST_PTR ? static_cast<std::byte *>(host_ptr) : nullptr,
                 .properties = std::move(properties)}),
      shape_(shape), descriptor_(*context, sizeof(rvl_image_descriptor)) {
    describe();
    if (!host_ptr || storage().is_shared())
        return;
    constexpr size_t start[3] = {};
    const Layout all = layout(start);
    const Extent extent = shape.extent(shape.size().data());
    const auto *contents = static_cast<const std::byte *>(host_ptr);
    require_mapped(contents, all, extent);
    write_box(storage(), all, contents, all, extent);
}

Image::Image(const Ref<MemObject> &parent, cl_mem_flags flags, const ImageShape &shape,
             std::vector<cl_mem_properties> properties)
    : MemObject({.context = parent->context_ref(),
                 .type = shape.type,
                 .flags = flags,
                 .size = shape.bytes(),
                 // Aliasing pointer: the parent, to which this object holds a reference, keeps it
                 // alive.
                 .storage = std::shared_ptr<Storage>(std::shared_ptr<void>(), &parent->storage()),
                 .host_pointer = parent->host_pointer(),
                 .parent = parent,
                 .origin = parent->origin(),
                 .properties = std::move(properties)}),
      shape_(shape), descriptor_(parent->context(), sizeof(rvl_image_descriptor)) {
    describe();
}

void Image::describe() {
    for (const auto &context_device : context().context_devices()) {
        const rvl_image_descriptor descriptor{
            .data = storage().address(*context_device) + origin(),
            .row_pitch = shape_.row_pitch,
            .slice_pitch = shape_.slice_pitch,
            .width = static_cast<uint32_t>(shape_.width),
            .height = static_cast<uint32_t>(shape_.height),
            .depth = static_cast<uint32_t>(shape_.depth),
            .array_size = static_cast<uint32_t>(shape_.array_size),
            .channel_order = shape_.format.image_channel_order,
            .channel_data_type = shape_.format.image_channel_data_type,
            .element_bytes = static_cast<uint32_t>(shape_.element_bytes),
            .mip_levels = std::max(shape_.mip_levels, cl_uint{1}),
            .reserved = 0,
        };
        context_device->instance().write(descriptor_.address(*context_device),
                                         std::as_bytes(std::span(&descriptor, 1)));
    }
}

} // namespace rivulet
