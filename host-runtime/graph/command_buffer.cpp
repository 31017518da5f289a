// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/command_buffer.h"

#include <algorithm>
#include <numeric>

#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

/// A longer wait list becomes a marker, for which each command then waits.
constexpr size_t own_waits = 4;

bool is_incomplete(const CommandBuffer::Launch &launch) { return launch && !launch->is_complete(); }

} // namespace

// 5.10: commands after a barrier wait for it, so depending on a later entry includes it.
cl_sync_point_khr CommandBuffer::add(Command command, std::span<const cl_sync_point_khr> waits) {
    require(!finalized_, CL_INVALID_OPERATION,
            "the command buffer is finalized: it records no more");
    Entry entry{std::move(command), {waits.begin(), waits.end()}};
    cl_sync_point_khr latest = 0;
    for (const cl_sync_point_khr point : waits) {
        require(point > 0 && point <= entries_.size(), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
                "sync point % is waited for, the command buffer has 1 to %", point,
                entries_.size());
        latest = std::max(latest, point);
    }
    if (latest < implied_)
        entry.predecessors.push_back(implied_);
    incomplete_ += is_incomplete(entry.command.launch);
    entries_.push_back(std::move(entry));
    return static_cast<cl_sync_point_khr>(entries_.size());
}

cl_sync_point_khr CommandBuffer::record(Command command, std::span<const cl_sync_point_khr> waits,
                                        Ref<Object> handle) {
    const Lock lock(mutex_);
    if (handle) // first, because a command that is recorded can't be taken back
        handles_.push_back(std::move(handle));
    const cl_sync_point_khr point = add(std::move(command), waits);
    if (queue_->in_order())
        implied_ = behind_all_ = point;
    return point;
}

cl_sync_point_khr CommandBuffer::record_barrier(std::span<const cl_sync_point_khr> waits) {
    const Lock lock(mutex_);
    if (!waits.empty())
        return implied_ = add({}, waits);
    std::vector<cl_sync_point_khr> since(entries_.size() - behind_all_);
    std::iota(since.begin(), since.end(), behind_all_ + 1);
    return implied_ = behind_all_ = add({}, since);
}

void CommandBuffer::finalize() {
    const Lock lock(mutex_);
    require(!finalized_.exchange(true), CL_INVALID_OPERATION,
            "the command buffer is finalized already");
}

bool CommandBuffer::is_executable() const {
    const Lock lock(mutex_);
    return finalized_ && incomplete_ == 0;
}

CommandBuffer::Launch CommandBuffer::launch(cl_sync_point_khr point) const {
    const Lock lock(mutex_);
    return entries_[point - 1].command.launch;
}

std::vector<CommandBuffer::Launch> CommandBuffer::launches() const {
    const Lock lock(mutex_);
    require(incomplete_ == 0, CL_INVALID_OPERATION,
            "% commands of the command buffer have kernels with arguments that are not set",
            incomplete_);
    std::vector<Launch> launches;
    launches.reserve(entries_.size());
    for (const Entry &entry : entries_)
        launches.push_back(entry.command.launch);
    return launches;
}

void CommandBuffer::update(FunctionRef<Replacements()> make) {
    for (;;) {
        uint64_t version = 0;
        {
            const Lock lock(mutex_);
            version = version_;
        }
        Replacements replacements = make(); // afterwards the former launches, released unlocked
        const Lock lock(mutex_);
        if (version_ != version)
            continue;
        for (auto &[point, launch] : replacements) {
            Launch &current = entries_[point - 1].command.launch;
            incomplete_ -= is_incomplete(current);
            incomplete_ += is_incomplete(launch);
            std::swap(current, launch);
        }
        ++version_;
        return;
    }
}

// Ends the cycle of references between the command buffer and the handles of its commands.
void CommandBuffer::on_last_handle() {
    std::vector<Ref<Object>> handles;
    {
        const Lock lock(mutex_);
        handles.swap(handles_);
    }
    for (const Ref<Object> &handle : handles)
        handle->release_handle();
}

void CommandBuffer::enqueue(Queue &queue, const WaitList &waits, cl_event *event_ret) const {
    require(finalized_, CL_INVALID_OPERATION, "the command buffer is not finalized");
    const std::vector<Launch> launches = this->launches();
    Batch batch(queue);
    WaitList start = waits;
    if (waits.size() > own_waits && entries_.size() > 1) {
        start = {};
        start.add(Ref<Event>(batch.add(CL_COMMAND_MARKER, waits)));
    }
    std::vector<Ref<Event>> events; // for each sync point; empty if there is nothing to wait for
    events.reserve(entries_.size());
    WaitList commands;
    for (size_t i = 0; i < entries_.size(); ++i) {
        const Entry &entry = entries_[i];
        const HostCommand &host = entry.command.host;
        const Launch &launch = launches[i];
        const bool is_barrier = !host.work && !launch;
        WaitList before = is_barrier ? WaitList() : start;
        const Event *latest = nullptr;
        if (!queue.in_order()) // an in-order queue needs no edges
            for (const cl_sync_point_khr point : entry.predecessors)
                if (const Ref<Event> &event = events[point - 1]; event && event.get() != latest) {
                    before.add(event);
                    latest = event.get();
                }
        if (!is_barrier) {
            events.push_back(launch ? launch->add_to(batch, before)
                                    : Ref<Event>(batch.add(host.type, before, host.work)));
            commands.add(events.back());
        } else if (before.size() > 1) {
            events.push_back(Ref<Event>(batch.add(CL_COMMAND_MARKER, before)));
        } else { // launches before and after it may stay in one device stream
            events.push_back(before.size() ? before.events()[0] : nullptr);
        }
    }
    if (event_ret)
        batch.add(CL_COMMAND_COMMAND_BUFFER_KHR, commands.size() ? commands : start).has_commands =
            commands.size() != 0;
    batch.submit(event_ret);
}

} // namespace rivulet
