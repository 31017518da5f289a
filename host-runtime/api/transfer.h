// SPDX-License-Identifier: Apache-2.0
//
// What reading, writing, copying and filling have in common, of buffers and images alike: a box of
// bytes in one place becomes one in another.
#pragma once

#include "host-runtime/graph/queue.h"
#include "host-runtime/memory/mem_object.h"

namespace rivulet {

/// A region in a memory object's storage, or in memory of the application.
struct Rect {
    Layout layout;
    Extent extent;
};

void enqueue_read(Queue &queue, cl_command_type type, const Ref<MemObject> &object,
                  const Rect &from, void *ptr, const Rect &to, cl_bool blocking,
                  const WaitList &waits, cl_event *event);
void enqueue_write(Queue &queue, cl_command_type type, const Ref<MemObject> &object, const Rect &to,
                   const void *ptr, const Rect &from, cl_bool blocking, const WaitList &waits,
                   cl_event *event);
void enqueue_copy(Queue &queue, cl_command_type type, const Ref<MemObject> &from,
                  const Rect &from_rect, const Ref<MemObject> &to, const Rect &to_rect,
                  const WaitList &waits, cl_event *event);
void enqueue_fill(Queue &queue, cl_command_type type, const Ref<MemObject> &object, const Rect &to,
                  std::span<const std::byte> pattern, const WaitList &waits, cl_event *event);

} // namespace rivulet
