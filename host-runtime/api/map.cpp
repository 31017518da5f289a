// SPDX-License-Identifier: Apache-2.0
//
// 5.2.4, 5.3.6, 5.4.2: mapping and unmapping memory objects.
#include "host-runtime/api/transfer.h"
#include "host-runtime/memory/buffer.h"
#include "host-runtime/memory/image.h"

using namespace rivulet;

namespace {

void check_map_flags(cl_map_flags flags, const MemObject &object) {
    constexpr cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    require(!(flags & ~(CL_MAP_READ | writes)) &&
                !(flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)),
            CL_INVALID_VALUE, "map_flags % have unknown bits, or exclude each other", Hex{flags});
    require((!(flags & CL_MAP_READ) || object.host_may_read()) &&
                (!(flags & writes) || object.host_may_write()),
            CL_INVALID_OPERATION,
            "map_flags % ask for more than the memory object's flags, %, allow the host",
            Hex{flags}, Hex{object.flags()});
}

void *enqueue_map(Queue &queue, cl_command_type type, const Ref<MemObject> &object,
                  cl_map_flags flags, const Layout &layout, const Layout &host_layout,
                  const Extent &extent, cl_bool blocking, const WaitList &waits, cl_event *event) {
    check_map_flags(flags, *object);
    auto mapping = object->map(flags, layout, host_layout, extent);
    auto work = [=] { object->fetch(*mapping); };
    try {
        queue.submit(type, host_work(std::move(work), mapping->in_place), waits, event, blocking);
    } catch (...) { // the application got no pointer that it could unmap
        object->unmap(mapping->pointer);
        throw;
    }
    return mapping->pointer;
}

} // namespace

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_map,
                                     cl_map_flags map_flags, size_t offset, size_t size,
                                     cl_uint num_events, const cl_event *wait_list, cl_event *event,
                                     cl_int *errcode_ret) {
    return create(queue, errcode_ret, [&](Queue &object) {
        auto source = checked_buffer(buffer, object);
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        require(size > 0 && source->contains(offset, size), CL_INVALID_VALUE,
                "size is %, offset %: the region must be non-empty and within the buffer's % bytes",
                size, offset, source->size());
        return enqueue_map(object, CL_COMMAND_MAP_BUFFER, source, map_flags, source->layout(offset),
                           {offset, 0, 0}, {size, 1, 1}, blocking_map, waits, event);
    });
}

// The pitches are the image's own, whatever the pointer refers to.
void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking_map,
                                    cl_map_flags map_flags, const size_t *origin,
                                    const size_t *region, size_t *image_row_pitch,
                                    size_t *image_slice_pitch, cl_uint num_events,
                                    const cl_event *wait_list, cl_event *event,
                                    cl_int *errcode_ret) {
    return create(queue, errcode_ret, [&](Queue &object) {
        auto source = checked_image(image, object.context());
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        const ImageShape &shape = source->shape();
        check_region(shape, origin, region);
        check_map_flags(map_flags, *source); // its errors come before that of missing pitches
        require(
            image_row_pitch && (image_slice_pitch || !has_slices(shape.type)), CL_INVALID_VALUE,
            "image_row_pitch is %, image_slice_pitch is %: the first is required, for slices both",
            address_of(image_row_pitch), address_of(image_slice_pitch));
        void *pointer =
            enqueue_map(object, CL_COMMAND_MAP_IMAGE, source, map_flags, source->layout(origin),
                        shape.layout(origin), shape.extent(region), blocking_map, waits, event);
        *image_row_pitch = shape.row_pitch;
        if (image_slice_pitch)
            *image_slice_pitch = has_slices(shape.type) ? shape.slice_pitch : 0;
        return pointer;
    });
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memobj, void *mapped_ptr,
                                           cl_uint num_events, const cl_event *wait_list,
                                           cl_event *event) {
    return entry(queue, [&](Queue &object) {
        auto target = checked(memobj, object.context());
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        auto unmapped = target->unmap(mapped_ptr);
        auto work = [target, mapping = unmapped.mapping.mapped()] { target->store(*mapping); };
        const bool in_place = unmapped.mapping.mapped()->in_place;
        try {
            object.submit(CL_COMMAND_UNMAP_MEM_OBJECT, host_work(std::move(work), in_place), waits,
                          event);
        } catch (...) {
            target->keep(std::move(unmapped));
            throw;
        }
    });
}
