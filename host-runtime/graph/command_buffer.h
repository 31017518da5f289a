// SPDX-License-Identifier: Apache-2.0
//
// cl_command_buffer_khr: commands that are validated and recorded once and can be enqueued any
// number of times. Enqueued, they are ordinary commands: on an in-order queue, the launches go to
// the device in one batch.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "host-runtime/graph/queue.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

/// A launch as it was recorded or last updated. It doesn't change: an update replaces it, so
/// enqueued commands keep theirs.
class RecordedLaunch {
public:
    virtual ~RecordedLaunch() = default;
    /// False while arguments of its kernel have to be set by an update.
    [[nodiscard]] virtual bool is_complete() const = 0;
    virtual Ref<Event> add_to(Batch &batch, const WaitList &waits) const = 0;
};

class CommandBuffer final : public Object {
public:
    using Launch = std::shared_ptr<const RecordedLaunch>;
    /// A command has a host command or a launch; one with neither is a barrier.
    struct Command {
        HostCommand host;
        Launch launch;
    };

    /// cl_khr_command_buffer_mutable_dispatch: what the application asked for at creation.
    struct Updates {
        bool allowed = false;
        bool add_no_groups = false; // asserted by the application
    };

    CommandBuffer(Ref<Queue> queue, std::vector<cl_command_buffer_properties_khr> properties,
                  Updates updates)
        : Object(Kind::command_buffer), queue_(std::move(queue)),
          properties_(std::move(properties)), updates_(updates) {}

    [[nodiscard]] const Context &context() const { return queue_->context(); }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] Queue &queue() const { return *queue_; }
    [[nodiscard]] const std::vector<cl_command_buffer_properties_khr> &properties() const {
        return properties_;
    }
    [[nodiscard]] const Updates &updates() const { return updates_; }
    [[nodiscard]] bool is_finalized() const { return finalized_; }
    /// Finalized, and all launches are complete.
    [[nodiscard]] bool is_executable() const;

    /// Fails with CL_INVALID_OPERATION once finalized, or CL_INVALID_SYNC_POINT_WAIT_LIST_KHR.
    /// `handle` refers to this command buffer, which keeps it until the application releases that.
    cl_sync_point_khr record(Command command, std::span<const cl_sync_point_khr> waits,
                             Ref<Object> handle = nullptr);
    /// An empty `waits` means all earlier commands. Later commands wait for the barrier.
    cl_sync_point_khr record_barrier(std::span<const cl_sync_point_khr> waits);

    /// Fails with CL_INVALID_OPERATION if already finalized.
    void finalize();
    /// Fails with CL_INVALID_OPERATION if not executable.
    void enqueue(Queue &queue, const WaitList &waits, cl_event *event_ret) const;

    /// The launch that was recorded as `point`.
    [[nodiscard]] Launch launch(cl_sync_point_khr point) const;
    using Replacements = std::vector<std::pair<cl_sync_point_khr, Launch>>;
    /// Replaces launches, all at once. `make` looks at present ones; it is called again if another
    /// thread has replaced any meanwhile. If it fails, all launches stay.
    void update(FunctionRef<Replacements()> make);

private:
    struct Entry {
        Command command;
        std::vector<cl_sync_point_khr> predecessors;
    };
    cl_sync_point_khr add(Command command, std::span<const cl_sync_point_khr> waits);
    /// The launches of all entries.
    [[nodiscard]] std::vector<Launch> launches() const;
    void on_last_handle() override;

    const Ref<Queue> queue_;
    const std::vector<cl_command_buffer_properties_khr> properties_;
    const Updates updates_;
    std::atomic<bool> finalized_ = false; // the entries no longer change, except for launches
    mutable Mutex mutex_{LockRank::leaf};
    std::vector<Entry> entries_;       // the sync point of an entry is its index + 1
    size_t incomplete_ = 0;            // number of launches
    uint64_t version_ = 0;             // counts updates
    std::vector<Ref<Object>> handles_; // of commands
    cl_sync_point_khr implied_ = 0;    // sync point that further commands implicitly wait for
    cl_sync_point_khr behind_all_ = 0; // the latest one that waits for all earlier ones
};

} // namespace rivulet
