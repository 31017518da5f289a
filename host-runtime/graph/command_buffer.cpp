// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/command_buffer.h"

#include <numeric>

#include "host-runtime/object/entry.h"

namespace rivulet {

cl_sync_point_khr CommandBuffer::add(Command command, std::span<const cl_sync_point_khr> waits) {
    require(!executable_, CL_INVALID_OPERATION);
    Entry entry{std::move(command), {waits.begin(), waits.end()}};
    for (const cl_sync_point_khr point : waits)
        require(point > 0 && point <= entries_.size(), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    if (implied_)
        entry.predecessors.push_back(implied_);
    entries_.push_back(std::move(entry));
    return static_cast<cl_sync_point_khr>(entries_.size());
}

cl_sync_point_khr CommandBuffer::record(Command command, std::span<const cl_sync_point_khr> waits) {
    const Lock lock(mutex_);
    const cl_sync_point_khr point = add(std::move(command), waits);
    if (queue_->in_order())
        implied_ = point;
    return point;
}

cl_sync_point_khr CommandBuffer::record_barrier(std::span<const cl_sync_point_khr> waits) {
    const Lock lock(mutex_);
    std::vector<cl_sync_point_khr> all(waits.empty() ? entries_.size() : 0);
    std::iota(all.begin(), all.end(), 1);
    return implied_ = add({}, waits.empty() ? all : waits);
}

void CommandBuffer::finalize() {
    const Lock lock(mutex_);
    require(!executable_.exchange(true), CL_INVALID_OPERATION);
}

void CommandBuffer::enqueue(Queue &queue, const WaitList &waits, cl_event *event_ret) const {
    require(executable_, CL_INVALID_OPERATION);
    // The events that stand for each sync point: its command's, or all that a barrier waits for.
    std::vector<std::vector<Ref<Event>>> events;
    events.reserve(entries_.size());
    WaitList all = waits;
    Batch batch(queue);
    for (const Entry &entry : entries_) {
        const auto &[host, launch] = entry.command;
        const bool is_barrier = entry.command.is_barrier();
        WaitList before = waits;
        std::vector<Ref<Event>> &own = events.emplace_back();
        if (!queue.in_order() || is_barrier) // in order, nothing needs to be said
            for (const cl_sync_point_khr point : entry.predecessors)
                for (const Ref<Event> &event : events[point - 1])
                    is_barrier ? own.push_back(event) : before.add(event);
        if (is_barrier)
            continue;
        own.push_back(launch ? launch->add_to(batch, before)
                             : Ref<Event>(batch.add(host.type, before, host.work)));
        all.add(own.back());
    }
    if (event_ret)
        batch.add(CL_COMMAND_COMMAND_BUFFER_KHR, all);
    batch.submit(event_ret);
}

} // namespace rivulet
