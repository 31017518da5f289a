// SPDX-License-Identifier: Apache-2.0
//
// cl_command_buffer_khr: commands that are validated and recorded once and can be enqueued any
// number of times. Enqueued, they are ordinary commands: on an in-order queue, the launches go to
// the device in one batch.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "host-runtime/graph/queue.h"

namespace rivulet {

class CommandBuffer final : public Object {
public:
    /// Adds a launch to a batch.
    using Launch = std::function<Ref<Event>(Batch &, const WaitList &)>;
    /// A command has a host command or a launch; one with neither is a barrier.
    struct Command {
        HostCommand host;
        Launch launch;
        [[nodiscard]] bool is_barrier() const { return !host.work && !launch; }
    };

    CommandBuffer(Ref<Queue> queue, std::vector<cl_command_buffer_properties_khr> properties)
        : Object(Kind::command_buffer), queue_(std::move(queue)),
          properties_(std::move(properties)) {}

    [[nodiscard]] const Context &context() const { return queue_->context(); }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] Queue &queue() const { return *queue_; }
    [[nodiscard]] const std::vector<cl_command_buffer_properties_khr> &properties() const {
        return properties_;
    }
    [[nodiscard]] bool is_executable() const { return executable_; }

    /// Fails with CL_INVALID_OPERATION once finalized, or CL_INVALID_SYNC_POINT_WAIT_LIST_KHR.
    cl_sync_point_khr record(Command command, std::span<const cl_sync_point_khr> waits);
    /// An empty `waits` means all earlier commands. Later commands wait for the barrier.
    cl_sync_point_khr record_barrier(std::span<const cl_sync_point_khr> waits);

    /// Fails with CL_INVALID_OPERATION if already finalized.
    void finalize();
    /// Fails with CL_INVALID_OPERATION if not finalized.
    void enqueue(Queue &queue, const WaitList &waits, cl_event *event_ret) const;

private:
    struct Entry {
        Command command;
        std::vector<cl_sync_point_khr> predecessors;
    };
    cl_sync_point_khr add(Command command, std::span<const cl_sync_point_khr> waits);

    const Ref<Queue> queue_;
    const std::vector<cl_command_buffer_properties_khr> properties_;
    std::atomic<bool> executable_ = false; // the entries no longer change
    Mutex mutex_{LockRank::leaf};
    std::vector<Entry> entries_;       // the sync point of an entry is its index + 1
    cl_sync_point_khr implied_ = 0;    // sync point that further commands implicitly wait for
    cl_sync_point_khr behind_all_ = 0; // the latest one that waits for all earlier ones
};

} // namespace rivulet
