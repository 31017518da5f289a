// SPDX-License-Identifier: Apache-2.0
//
// 5.2.4, 5.4.2: mapping memory objects into the application, and back.
#include "host-runtime/graph/queue.h"
#include "host-runtime/memory/buffer.h"

using namespace rivulet;

namespace {

void check_map_flags(cl_map_flags flags, const MemObject &object) {
    constexpr cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    require(!(flags & ~(CL_MAP_READ | writes)), CL_INVALID_VALUE);
    require(!(flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)),
            CL_INVALID_VALUE);
    require(!(flags & CL_MAP_READ) || object.host_may_read(), CL_INVALID_OPERATION);
    require(!(flags & writes) || object.host_may_write(), CL_INVALID_OPERATION);
}

} // namespace

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking_map,
                                     cl_map_flags map_flags, size_t offset, size_t size,
                                     cl_uint num_events, const cl_event *wait_list, cl_event *event,
                                     cl_int *errcode_ret) {
    return create(queue, errcode_ret, [&](Queue &object) {
        auto source = checked_buffer(buffer, object.context());
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        require(size > 0 && source->contains(offset, size), CL_INVALID_VALUE);
        check_map_flags(map_flags, *source);
        auto mapping = source->map(map_flags, source->layout(offset), {offset, 0, 0}, {size, 1, 1});
        auto work = [=] { source->fetch(*mapping); };
        object.submit(CL_COMMAND_MAP_BUFFER, host_work(std::move(work), mapping->in_place), waits,
                      event, blocking_map);
        return mapping->pointer;
    });
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memobj, void *mapped_ptr,
                                           cl_uint num_events, const cl_event *wait_list,
                                           cl_event *event) {
    return entry(queue, [&](Queue &object) {
        auto target = checked(memobj, object.context());
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        auto mapping = target->unmap(mapped_ptr);
        auto work = [=] { target->store(*mapping); };
        object.submit(CL_COMMAND_UNMAP_MEM_OBJECT, host_work(std::move(work), mapping->in_place),
                      waits, event);
    });
}
