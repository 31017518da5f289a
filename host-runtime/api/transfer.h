// SPDX-License-Identifier: Apache-2.0
//
// Common to reading, writing, copying and filling buffers and images: a box of bytes at one address
// becomes one at another. It is done by the host, which can access the device's memory: it copies
// at about the rate of memcpy and fills at two to three times that. Kernels on two harts of QEMU
// copy at 0.5 to 0.9 and fill at 1.9 to 2.6 of that rate, less on a busy machine, and keep harts
// from other launches (`./dev bench`). If there were a bus in between, kernels would be cheaper.
// Small ones between kernels are done by the device (program/transfer.h).
#pragma once

#include "host-runtime/graph/queue.h"
#include "host-runtime/memory/buffer.h"

namespace rivulet {

/// cl_mem that must be a buffer of the queue's context and aligned for its device (5.2.2 … 5.2.5:
/// CL_MISALIGNED_SUB_BUFFER_OFFSET).
Ref<Buffer> checked_buffer(cl_mem handle, const Queue &queue);

/// The common end of clEnqueueRead… and clEnqueueWrite…, distinguished by the command's type.
void enqueue_transfer(Queue &queue, cl_command_type type, const Ref<MemObject> &object,
                      const Rect &rect, const void *ptr, const Rect &host_rect, cl_bool blocking,
                      const WaitList &waits, cl_event *event);
HostCommand copy_command(cl_command_type type, const Ref<MemObject> &from, const Rect &from_rect,
                         const Ref<MemObject> &to, const Rect &to_rect);
HostCommand fill_command(cl_command_type type, const Ref<MemObject> &object, const Rect &to,
                         std::span<const std::byte> pattern);

/// For fills: a power of two up to the size of long16.
void check_pattern(const void *pattern, size_t pattern_size);

// For clEnqueue… and clCommand…KHR of the same name: all checks except those of wait lists.
HostCommand copy_buffer(const Queue &queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                        size_t dst_offset, size_t size);
HostCommand copy_buffer_rect(const Queue &queue, cl_mem src_buffer, cl_mem dst_buffer,
                             const size_t *src_origin, const size_t *dst_origin,
                             const size_t *region, size_t src_row_pitch, size_t src_slice_pitch,
                             size_t dst_row_pitch, size_t dst_slice_pitch);
HostCommand fill_buffer(const Queue &queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                        size_t offset, size_t size);
HostCommand copy_image(const Context &context, cl_mem src_image, cl_mem dst_image,
                       const size_t *src_origin, const size_t *dst_origin, const size_t *region);
HostCommand fill_image(const Context &context, cl_mem image, const void *fill_color,
                       const size_t *origin, const size_t *region);
HostCommand copy_image_to_buffer(const Queue &queue, cl_mem src_image, cl_mem dst_buffer,
                                 const size_t *src_origin, const size_t *region, size_t dst_offset);
HostCommand copy_buffer_to_image(const Queue &queue, cl_mem src_buffer, cl_mem dst_image,
                                 size_t src_offset, const size_t *dst_origin, const size_t *region);

} // namespace rivulet
