// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_command_buffer_mutable_dispatch: launches of a command buffer that can be changed after
// recording.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "host-runtime/api/launch.h"
#include "host-runtime/graph/command_buffer.h"
#include "host-runtime/program/kernel.h"

namespace rivulet {

constexpr cl_mutable_dispatch_fields_khr updatable_fields =
    CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
    CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
    CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

/// The properties of clCommandNDRangeKernelKHR.
struct LaunchProperties {
    LaunchProperties(const CommandBuffer &command_buffer,
                     const cl_command_properties_khr *properties, const size_t *local_work_size);
    std::vector<cl_command_properties_khr> list; // as given, with its final 0
    cl_mutable_dispatch_fields_khr fields = updatable_fields;
    bool arguments_may_be_missing = false;
};

/// The sizes of a launch as the application gave them.
struct LaunchSizes {
    using Size = std::optional<std::array<size_t, 3>>; // empty if NULL was given

    LaunchSizes(cl_uint work_dim, const size_t *offset, const size_t *global, const size_t *local);
    cl_uint work_dim;
    Size offset, global, local;
    /// Whether all work-groups have the same size; empty if the runtime chooses the size.
    [[nodiscard]] std::optional<bool> is_uniform() const;
};

/// A recorded launch.
struct Dispatch final : RecordedLaunch {
    explicit Dispatch(LaunchSizes sizes) : sizes(sizes) {}
    /// Validates a launch. `may_change` says whether updates may follow.
    static std::shared_ptr<const Dispatch> recorded(const Kernel &kernel, const Device &device,
                                                    const LaunchProperties &properties,
                                                    bool may_change, const LaunchSizes &sizes);
    [[nodiscard]] bool is_complete() const override { return launch.has_arguments; }
    Ref<Event> add_to(Batch &batch, const WaitList &waits) const override {
        return CheckedLaunch(launch).add_to(batch, waits);
    }

    Ref<Kernel> kernel; // holds the arguments; null if there are no updates
    LaunchSizes sizes;
    CheckedLaunch launch;
};

/// The handle of a launch in a command buffer, which ends with that.
class MutableCommand final : public Object {
public:
    MutableCommand(Ref<CommandBuffer> command_buffer, Ref<Kernel> kernel,
                   const LaunchProperties &properties);

    [[nodiscard]] const Context &context() const { return command_buffer_->context(); }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] const CommandBuffer &command_buffer() const { return *command_buffer_; }
    /// Where it was recorded.
    void set_point(cl_sync_point_khr point) { point_ = point; }
    [[nodiscard]] cl_sync_point_khr point() const { return point_; }
    [[nodiscard]] const Kernel &kernel() const { return *kernel_; }
    [[nodiscard]] const LaunchProperties &properties() const { return properties_; }
    /// The launch that is recorded now.
    [[nodiscard]] std::shared_ptr<const Dispatch> dispatch() const;

private:
    const Ref<CommandBuffer> command_buffer_;
    cl_sync_point_khr point_ = 0;
    const Ref<Kernel> kernel_; // the application's, which updates don't change
    const LaunchProperties properties_;
};

} // namespace rivulet
