// SPDX-License-Identifier: Apache-2.0
//
// 5.3.3 … 5.3.5: reading, writing, copying and filling images.
#include "host-runtime/api/transfer.h"
#include "host-runtime/memory/buffer.h"
#include "host-runtime/memory/image.h"

using namespace rivulet;

namespace {

Rect checked_image_rect(const Image &image, const size_t *origin, const size_t *region) {
    check_region(image.shape(), origin, region);
    return {image.layout(origin), image.shape().extent(region)};
}

/// A region of application memory; pitches of 0 mean tightly packed.
Rect host_rect(const Image &image, const Rect &rect, size_t row_pitch, size_t slice_pitch) {
    const auto [width, rows, slices] = rect.extent;
    require(!row_pitch || row_pitch >= width, CL_INVALID_VALUE,
            "row_pitch is %, a row of the region has % bytes", row_pitch, width);
    if (!row_pitch)
        row_pitch = width;
    // The images of a 1D array are treated as rows, a slice pitch apart.
    const bool rows_are_slices = image.type() == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const size_t slice =
        rows_are_slices
            ? row_pitch
            : (CheckedSize(row_pitch) * rows)
                  .or_fail(CL_INVALID_VALUE,
                           "row_pitch times the region's rows is more than there are addresses");
    require(!slice_pitch || has_slices(image.type()), CL_INVALID_VALUE,
            "slice_pitch is %, and must be 0 for an image without slices", slice_pitch);
    require(!slice_pitch || slice_pitch >= slice, CL_INVALID_VALUE,
            "slice_pitch is %, a slice of the region has % bytes", slice_pitch, slice);
    if (!slice_pitch)
        slice_pitch = slice;
    return {{0, rows_are_slices ? slice_pitch : row_pitch, slice_pitch}, rect.extent};
}

/// The buffer region of a copy: tightly packed.
Rect buffer_rect(const Buffer &buffer, size_t offset, const Rect &rect) {
    const Extent &extent = rect.extent;
    require(buffer.contains(offset, extent.bytes()), CL_INVALID_VALUE,
            "the region's % bytes at offset % reach beyond the buffer's % bytes", extent.bytes(),
            offset, buffer.size());
    return {{buffer.origin() + offset, extent.width, extent.width * extent.rows}, extent};
}

void require_distinct(const Image &image, const Buffer &buffer) {
    require(image.type() != CL_MEM_OBJECT_IMAGE1D_BUFFER || image.parent().get() != &buffer,
            CL_INVALID_MEM_OBJECT, "the image was created from that buffer");
}

} // namespace

namespace rivulet {

HostCommand copy_image(const Context &context, cl_mem src_image, cl_mem dst_image,
                       const size_t *src_origin, const size_t *dst_origin, const size_t *region) {
    auto from = checked_image(src_image, context);
    auto to = checked_image(dst_image, context);
    const cl_image_format &from_format = from->shape().format;
    const cl_image_format &to_format = to->shape().format;
    require(from_format.image_channel_order == to_format.image_channel_order &&
                from_format.image_channel_data_type == to_format.image_channel_data_type,
            CL_IMAGE_FORMAT_MISMATCH, "channel orders are % and %, data types % and %",
            Hex{from_format.image_channel_order}, Hex{to_format.image_channel_order},
            Hex{from_format.image_channel_data_type}, Hex{to_format.image_channel_data_type});
    const Rect from_rect = checked_image_rect(*from, src_origin, region);
    const Rect to_rect = checked_image_rect(*to, dst_origin, region);
    bool overlap = from == to && from->shape().level(src_origin) == to->shape().level(dst_origin);
    for (size_t axis = 0; axis < 3; ++axis)
        overlap &= src_origin[axis] < dst_origin[axis] + region[axis] &&
                   dst_origin[axis] < src_origin[axis] + region[axis];
    require(!overlap, CL_MEM_COPY_OVERLAP, "source and destination overlap");
    return copy_command(CL_COMMAND_COPY_IMAGE, from, from_rect, to, to_rect);
}

HostCommand fill_image(const Context &context, cl_mem image, const void *fill_color,
                       const size_t *origin, const size_t *region) {
    auto target = checked_image(image, context);
    require(fill_color, CL_INVALID_VALUE, "fill_color is NULL");
    const Rect to = checked_image_rect(*target, origin, region);
    const auto element = encoded(target->shape().format, fill_color);
    return fill_command(CL_COMMAND_FILL_IMAGE, target, to,
                        std::span(element).first(target->shape().element_bytes));
}

HostCommand copy_image_to_buffer(const Queue &queue, cl_mem src_image, cl_mem dst_buffer,
                                 const size_t *src_origin, const size_t *region,
                                 size_t dst_offset) {
    auto from = checked_image(src_image, queue.context());
    auto to = checked_buffer(dst_buffer, queue);
    require_distinct(*from, *to);
    const Rect from_rect = checked_image_rect(*from, src_origin, region);
    const Rect to_rect = buffer_rect(*to, dst_offset, from_rect);
    return copy_command(CL_COMMAND_COPY_IMAGE_TO_BUFFER, from, from_rect, to, to_rect);
}

HostCommand copy_buffer_to_image(const Queue &queue, cl_mem src_buffer, cl_mem dst_image,
                                 size_t src_offset, const size_t *dst_origin,
                                 const size_t *region) {
    auto from = checked_buffer(src_buffer, queue);
    auto to = checked_image(dst_image, queue.context());
    require_distinct(*to, *from);
    const Rect to_rect = checked_image_rect(*to, dst_origin, region);
    const Rect from_rect = buffer_rect(*from, src_offset, to_rect);
    return copy_command(CL_COMMAND_COPY_BUFFER_TO_IMAGE, from, from_rect, to, to_rect);
}

} // namespace rivulet

namespace {

cl_int transfer_image(cl_command_type type, cl_command_queue queue, cl_mem image, cl_bool blocking,
                      const size_t *origin, const size_t *region, size_t row_pitch,
                      size_t slice_pitch, const void *ptr, cl_uint num_events,
                      const cl_event *wait_list, cl_event *event,
                      Caller caller = __builtin_FUNCTION()) {
    return entry(
        queue,
        [&](Queue &object) {
            auto target = checked_image(image, object.context());
            const Rect rect = checked_image_rect(*target, origin, region);
            require(ptr, CL_INVALID_VALUE, "ptr is NULL");
            const Rect host = host_rect(*target, rect, row_pitch, slice_pitch);
            const auto waits = WaitList::checked(num_events, wait_list, object.context());
            enqueue_transfer(object, type, target, rect, ptr, host, blocking, waits, event);
        },
        caller);
}

} // namespace

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking_read,
                                      const size_t *origin, const size_t *region, size_t row_pitch,
                                      size_t slice_pitch, void *ptr, cl_uint num_events,
                                      const cl_event *wait_list, cl_event *event) {
    return transfer_image(CL_COMMAND_READ_IMAGE, queue, image, blocking_read, origin, region,
                          row_pitch, slice_pitch, ptr, num_events, wait_list, event);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking_write,
                                       const size_t *origin, const size_t *region,
                                       size_t input_row_pitch, size_t input_slice_pitch,
                                       const void *ptr, cl_uint num_events,
                                       const cl_event *wait_list, cl_event *event) {
    return transfer_image(CL_COMMAND_WRITE_IMAGE, queue, image, blocking_write, origin, region,
                          input_row_pitch, input_slice_pitch, ptr, num_events, wait_list, event);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem src_image, cl_mem dst_image,
                                      const size_t *src_origin, const size_t *dst_origin,
                                      const size_t *region, cl_uint num_events,
                                      const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit(
            copy_image(object.context(), src_image, dst_image, src_origin, dst_origin, region),
            num_events, wait_list, event);
    });
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *fill_color,
                                      const size_t *origin, const size_t *region,
                                      cl_uint num_events, const cl_event *wait_list,
                                      cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit(fill_image(object.context(), image, fill_color, origin, region), num_events,
                      wait_list, event);
    });
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem src_image,
                                              cl_mem dst_buffer, const size_t *src_origin,
                                              const size_t *region, size_t dst_offset,
                                              cl_uint num_events, const cl_event *wait_list,
                                              cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit(
            copy_image_to_buffer(object, src_image, dst_buffer, src_origin, region, dst_offset),
            num_events, wait_list, event);
    });
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem src_buffer,
                                              cl_mem dst_image, size_t src_offset,
                                              const size_t *dst_origin, const size_t *region,
                                              cl_uint num_events, const cl_event *wait_list,
                                              cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit(
            copy_buffer_to_image(object, src_buffer, dst_image, src_offset, dst_origin, region),
            num_events, wait_list, event);
    });
}
