// SPDX-License-Identifier: Apache-2.0
//
// 5.2.2 … 5.2.4: reading, writing, copying and filling buffers. 5.4.4: migration.
#include "host-runtime/api/transfer.h"

#include <bit>
#include <cstring>

#include "host-runtime/memory/buffer.h"
#include "host-runtime/memory/flags.h"
#include "host-runtime/program/transfer.h"

using namespace rivulet;

namespace {

/// The region of a rect command; pitches of 0 mean tightly packed.
Rect checked_rect(const size_t *origin, const size_t *region, size_t row_pitch,
                  size_t slice_pitch) {
    require(origin && region, CL_INVALID_VALUE, "an origin or region is NULL");
    require(region[0] && region[1] && region[2], CL_INVALID_VALUE,
            "region is % x % x %, and must be at least 1 each", region[0], region[1], region[2]);
    require(!row_pitch || row_pitch >= region[0], CL_INVALID_VALUE,
            "a row pitch is %, less than region[0], which is %", row_pitch, region[0]);
    if (!row_pitch)
        row_pitch = region[0];
    const size_t slice =
        (CheckedSize(region[1]) * row_pitch)
            .or_fail(CL_INVALID_VALUE, "region[1] times the row pitch exceeds the address space");
    require(!slice_pitch || (slice_pitch >= slice && slice_pitch % row_pitch == 0),
            CL_INVALID_VALUE,
            "a slice pitch is %: it must be a multiple of the row pitch, %, and at least region[1] "
            "of those, %",
            slice_pitch, row_pitch, slice);
    if (!slice_pitch)
        slice_pitch = slice;
    Rect rect{{origin[0], row_pitch, slice_pitch}, {region[0], region[1], region[2]}};
    rect.layout.offset = rect.layout.checked_at(origin[1], origin[2])
                             .or_fail(CL_INVALID_VALUE, "an origin exceeds the address space");
    return rect;
}

/// The same region of a buffer.
Rect checked_rect(const Buffer &buffer, const size_t *origin, const size_t *region,
                  size_t row_pitch, size_t slice_pitch) {
    Rect rect = checked_rect(origin, region, row_pitch, slice_pitch);
    const CheckedSize end = rect.layout.checked_end(rect.extent);
    require(end.fits(buffer.size()), CL_INVALID_VALUE,
            "the region ends at byte %, the buffer has %", end.saturated(), buffer.size());
    rect.layout.offset += buffer.origin();
    return rect;
}

Rect range_of(const Buffer &buffer, size_t offset, size_t size) {
    require(size > 0, CL_INVALID_VALUE, "size is 0");
    require(buffer.contains(offset, size), CL_INVALID_VALUE,
            "offset % and size % reach beyond the buffer's % bytes", offset, size, buffer.size());
    return {buffer.layout(offset), {size, 1, 1}};
}

/// cl_ext_immutable_memory_objects: commands don't change them.
void require_mutable(const MemObject &object) {
    require(!(object.flags() & CL_MEM_IMMUTABLE_EXT), CL_INVALID_OPERATION,
            "the memory object was created with CL_MEM_IMMUTABLE_EXT");
}

} // namespace

namespace rivulet {

Ref<Buffer> checked_buffer(cl_mem handle, const Queue &queue) {
    auto buffer = checked_buffer(handle, queue.context());
    require_aligned(*buffer, queue.context_device());
    return buffer;
}

void enqueue_transfer(Queue &queue, cl_command_type type, const Ref<MemObject> &object,
                      const Rect &rect, const void *ptr, const Rect &host_rect, cl_bool blocking,
                      const WaitList &waits, cl_event *event) {
    const bool reads = type == CL_COMMAND_READ_BUFFER || type == CL_COMMAND_READ_BUFFER_RECT ||
                       type == CL_COMMAND_READ_IMAGE;
    require(end_of(ptr, host_rect.layout.checked_end(rect.extent)).fits(UINTPTR_MAX),
            CL_INVALID_VALUE, "the memory at ptr % would exceed the address space",
            address_of(ptr));
    require(reads ? object->host_may_read() : object->host_may_write(), CL_INVALID_OPERATION,
            "the memory object's flags, %, do not allow the host %", Hex{object->flags()},
            reads ? "reading it" : "writing it");
    const bool is_small = rect.extent.bytes() <= inline_bytes; // asking would cost as much again
    // The application passed this memory for writing, so it is not const.
    auto work = [=, host = static_cast<std::byte *>(const_cast<void *>(ptr))] {
        if (!is_small)
            require_mapped(host, host_rect.layout, rect.extent);
        if (reads)
            read_box(object->storage(), rect.layout, host, host_rect.layout, rect.extent);
        else
            write_box(object->storage(), rect.layout, host, host_rect.layout, rect.extent);
    };
    queue.submit(type, host_work(std::move(work), is_small), waits, event, blocking);
}

HostCommand copy_command(cl_command_type type, const Ref<MemObject> &from, const Rect &from_rect,
                         const Ref<MemObject> &to, const Rect &to_rect) {
    require_mutable(*to);
    return Transfer::command(type, {to, to_rect.layout}, {from, from_rect.layout}, {},
                             from_rect.extent);
}

HostCommand fill_command(cl_command_type type, const Ref<MemObject> &object, const Rect &to,
                         std::span<const std::byte> pattern) {
    require_mutable(*object);
    return Transfer::command(type, {object, to.layout}, {}, pattern, to.extent);
}

HostCommand copy_buffer(const Queue &queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                        size_t dst_offset, size_t size) {
    auto from = checked_buffer(src_buffer, queue);
    auto to = checked_buffer(dst_buffer, queue);
    const Rect from_range = range_of(*from, src_offset, size);
    const Rect to_range = range_of(*to, dst_offset, size);
    const size_t from_start = from_range.layout.offset;
    const size_t to_start = to_range.layout.offset;
    require(&from->storage() != &to->storage() || from_start + size <= to_start ||
                to_start + size <= from_start,
            CL_MEM_COPY_OVERLAP, "% bytes from % and from % on overlap", size, from_start,
            to_start);
    return copy_command(CL_COMMAND_COPY_BUFFER, from, from_range, to, to_range);
}

HostCommand copy_buffer_rect(const Queue &queue, cl_mem src_buffer, cl_mem dst_buffer,
                             const size_t *src_origin, const size_t *dst_origin,
                             const size_t *region, size_t src_row_pitch, size_t src_slice_pitch,
                             size_t dst_row_pitch, size_t dst_slice_pitch) {
    auto from = checked_buffer(src_buffer, queue);
    auto to = checked_buffer(dst_buffer, queue);
    const Rect from_rect = checked_rect(*from, src_origin, region, src_row_pitch, src_slice_pitch);
    const Rect to_rect = checked_rect(*to, dst_origin, region, dst_row_pitch, dst_slice_pitch);
    if (&from->storage() == &to->storage()) {
        // 5.2.2: within one buffer, both regions must have the same pitches.
        require(from != to || (from_rect.layout.row_pitch == to_rect.layout.row_pitch &&
                               from_rect.layout.slice_pitch == to_rect.layout.slice_pitch),
                CL_INVALID_VALUE,
                "within one buffer pitches must be the same: rows % and %, slices % and %",
                from_rect.layout.row_pitch, to_rect.layout.row_pitch, from_rect.layout.slice_pitch,
                to_rect.layout.slice_pitch);
        require(!overlap(from_rect, to_rect), CL_MEM_COPY_OVERLAP,
                "source and destination overlap");
    }
    return copy_command(CL_COMMAND_COPY_BUFFER_RECT, from, from_rect, to, to_rect);
}

void check_pattern(const void *pattern, size_t pattern_size) {
    require(pattern, CL_INVALID_VALUE, "pattern is NULL");
    require(std::has_single_bit(pattern_size) && pattern_size <= 128, CL_INVALID_VALUE,
            "pattern_size is %, and must be a power of two up to 128", pattern_size);
}

HostCommand fill_buffer(const Queue &queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                        size_t offset, size_t size) {
    auto target = checked_buffer(buffer, queue);
    require(target->contains(offset, size), CL_INVALID_VALUE,
            "offset % and size % reach beyond the buffer's % bytes", offset, size, target->size());
    check_pattern(pattern, pattern_size);
    require(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE,
            "offset % and size % must be multiples of pattern_size, %", offset, size, pattern_size);
    return fill_command(CL_COMMAND_FILL_BUFFER, target, {target->layout(offset), {size, 1, 1}},
                        {static_cast<const std::byte *>(pattern), pattern_size});
}

} // namespace rivulet

namespace {

cl_int transfer_range(cl_command_type type, cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                      size_t offset, size_t size, const void *ptr, cl_uint num_events,
                      const cl_event *wait_list, cl_event *event,
                      Caller caller = __builtin_FUNCTION()) {
    return entry(
        queue,
        [&](Queue &object) {
            auto target = checked_buffer(buffer, object);
            const auto waits = WaitList::checked(num_events, wait_list, object.context());
            require(ptr, CL_INVALID_VALUE, "ptr is NULL");
            const Rect range = range_of(*target, offset, size);
            enqueue_transfer(object, type, target, range, ptr, {}, blocking, waits, event);
        },
        caller);
}

cl_int transfer_rect(cl_command_type type, cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                     const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                     size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                     size_t host_slice_pitch, const void *ptr, cl_uint num_events,
                     const cl_event *wait_list, cl_event *event,
                     Caller caller = __builtin_FUNCTION()) {
    return entry(
        queue,
        [&](Queue &object) {
            auto target = checked_buffer(buffer, object);
            const auto waits = WaitList::checked(num_events, wait_list, object.context());
            require(ptr, CL_INVALID_VALUE, "ptr is NULL");
            const Rect rect =
                checked_rect(*target, buffer_origin, region, buffer_row_pitch, buffer_slice_pitch);
            const Rect host = checked_rect(host_origin, region, host_row_pitch, host_slice_pitch);
            enqueue_transfer(object, type, target, rect, ptr, host, blocking, waits, event);
        },
        caller);
}

} // namespace

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_read,
                                       size_t offset, size_t size, void *ptr, cl_uint num_events,
                                       const cl_event *wait_list, cl_event *event) {
    return transfer_range(CL_COMMAND_READ_BUFFER, queue, buffer, blocking_read, offset, size, ptr,
                          num_events, wait_list, event);
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
                                        cl_bool blocking_write, size_t offset, size_t size,
                                        const void *ptr, cl_uint num_events,
                                        const cl_event *wait_list, cl_event *event) {
    return transfer_range(CL_COMMAND_WRITE_BUFFER, queue, buffer, blocking_write, offset, size, ptr,
                          num_events, wait_list, event);
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer,
                                           cl_bool blocking_read, const size_t *buffer_origin,
                                           const size_t *host_origin, const size_t *region,
                                           size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                           size_t host_row_pitch, size_t host_slice_pitch,
                                           void *ptr, cl_uint num_events, const cl_event *wait_list,
                                           cl_event *event) {
    return transfer_rect(CL_COMMAND_READ_BUFFER_RECT, queue, buffer, blocking_read, buffer_origin,
                         host_origin, region, buffer_row_pitch, buffer_slice_pitch, host_row_pitch,
                         host_slice_pitch, ptr, num_events, wait_list, event);
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer,
                                            cl_bool blocking_write, const size_t *buffer_origin,
                                            const size_t *host_origin, const size_t *region,
                                            size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                            size_t host_row_pitch, size_t host_slice_pitch,
                                            const void *ptr, cl_uint num_events,
                                            const cl_event *wait_list, cl_event *event) {
    return transfer_rect(CL_COMMAND_WRITE_BUFFER_RECT, queue, buffer, blocking_write, buffer_origin,
                         host_origin, region, buffer_row_pitch, buffer_slice_pitch, host_row_pitch,
                         host_slice_pitch, ptr, num_events, wait_list, event);
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem src_buffer, cl_mem dst_buffer,
                                       size_t src_offset, size_t dst_offset, size_t size,
                                       cl_uint num_events, const cl_event *wait_list,
                                       cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit(copy_buffer(object, src_buffer, dst_buffer, src_offset, dst_offset, size),
                      num_events, wait_list, event);
    });
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem src_buffer,
                                           cl_mem dst_buffer, const size_t *src_origin,
                                           const size_t *dst_origin, const size_t *region,
                                           size_t src_row_pitch, size_t src_slice_pitch,
                                           size_t dst_row_pitch, size_t dst_slice_pitch,
                                           cl_uint num_events, const cl_event *wait_list,
                                           cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit(copy_buffer_rect(object, src_buffer, dst_buffer, src_origin, dst_origin,
                                       region, src_row_pitch, src_slice_pitch, dst_row_pitch,
                                       dst_slice_pitch),
                      num_events, wait_list, event);
    });
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                       size_t pattern_size, size_t offset, size_t size,
                                       cl_uint num_events, const cl_event *wait_list,
                                       cl_event *event) {
    return entry(queue, [&](Queue &object) {
        object.submit(fill_buffer(object, buffer, pattern, pattern_size, offset, size), num_events,
                      wait_list, event);
    });
}

cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_mem_objects,
                                              const cl_mem *mem_objects,
                                              cl_mem_migration_flags flags, cl_uint num_events,
                                              const cl_event *wait_list, cl_event *event) {
    return entry(queue, [&](Queue &object) {
        require(num_mem_objects > 0 && mem_objects, CL_INVALID_VALUE,
                "num_mem_objects is %, mem_objects is %", num_mem_objects, address_of(mem_objects));
        std::vector<Ref<MemObject>> objects;
        for (const cl_mem handle : std::span(mem_objects, num_mem_objects))
            objects.push_back(checked(handle, object.context()));
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        check_migration(flags);
        // A migration to the host does nothing: the host accesses the contents where they are.
        if (flags & CL_MIGRATE_MEM_OBJECT_HOST)
            objects.clear();
        const bool discards = flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        auto work = [=, context_device = &object.context_device(), objects = std::move(objects)] {
            for (const Ref<MemObject> &moved : objects)
                if (discards && !(moved->flags() & CL_MEM_IMMUTABLE_EXT))
                    moved->storage().discard(*context_device, moved->range());
                else
                    moved->storage().fetch(*context_device, moved->range(), false);
        };
        object.submit(CL_COMMAND_MIGRATE_MEM_OBJECTS, host_work(std::move(work)), waits, event);
    });
}
