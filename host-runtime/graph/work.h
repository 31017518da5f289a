// SPDX-License-Identifier: Apache-2.0
//
// The work of a command, executed when its turn has come.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "hal/core/trace_writer.h"
#include "hal/protocol/mailbox.h"
#include "host-runtime/include/opencl.h"
#include "host-runtime/object/task.h"

namespace rivulet {

class DeviceScheduler;
class DeviceWork;
class Event;
class Queue;

class Work {
public:
    virtual ~Work() = default;
};

/// Runs on the host: on the waiting thread, the thread that made it ready, or a worker.
class HostWork : public Work {
public:
    /// Throws Failure.
    virtual void run() = 0;
    /// True if it takes no longer than waking another thread: the thread that makes it ready runs
    /// it.
    [[nodiscard]] virtual bool runs_inline() const { return false; }
    /// The worker that does it if no thread waits for it.
    [[nodiscard]] virtual Worker worker() const { return Worker::commands; }
    /// The same for the device, if that can do it and there may be a reason to: kernels are ahead
    /// of this command, in its queue or as the caller knows. Null otherwise.
    [[nodiscard]] virtual std::unique_ptr<DeviceWork> on_device(Queue &queue,
                                                                bool is_behind_kernels);
};

/// Runs on the device: one ring slot, one completion.
class DeviceWork : public Work {
public:
    explicit DeviceWork(DeviceScheduler &scheduler) : scheduler_(scheduler) {}
    [[nodiscard]] DeviceScheduler &scheduler() const { return scheduler_; }

    /// For traces: a kernel's name; "" selects the command type's name.
    [[nodiscard]] virtual std::string_view name() const { return {}; }

    /// More details for traces: launch number, file of the kernel image, version of the kernel.
    /// Returns how many were added, at most 3.
    virtual size_t annotate(hal::trace::Annotation *annotations) const {
        (void)annotations;
        return 0;
    }

    /// Called under the graph's lock, when everything the command waits for has ended or precedes
    /// it on the device. Returns 0 if all memory it uses is on the device, and marks it as used
    /// there. Otherwise returns how many bytes `fetch_memory` has to copy first, without a lock.
    virtual size_t claim_memory() noexcept { return 0; }
    virtual void fetch_memory() {}

    /// Fills in group, service and payload; a launch keeps its number and stream. Returns false if
    /// memory is short until another command of the device has ended; it is called again then.
    virtual bool encode(rvl_slot &slot) = 0;

    /// Returns the status with which the event ends. Called without a lock, like the next two.
    virtual cl_int ended(const rvl_completion &completion) = 0;
    /// True if there is output, which `print` then writes on a separate thread before the event
    /// ends: its reader may block forever.
    [[nodiscard]] virtual bool prints() const { return false; }
    virtual void print() {}

private:
    DeviceScheduler &scheduler_;
};

inline std::unique_ptr<DeviceWork> HostWork::on_device(Queue & /*queue*/,
                                                       bool /*is_behind_kernels*/) {
    return nullptr;
}

template <class F> class HostFunction final : public HostWork {
public:
    HostFunction(F function, bool runs_inline, Worker worker)
        : function_(std::move(function)), inline_(runs_inline), worker_(worker) {}
    void run() override { function_(); }
    [[nodiscard]] bool runs_inline() const override { return inline_; }
    [[nodiscard]] Worker worker() const override { return worker_; }

private:
    F function_;
    bool inline_;
    Worker worker_;
};

/// Copying up to this much costs less than waking another thread for it.
constexpr size_t inline_bytes = 32 * 1024;

/// Creates work from a function object.
template <class F> std::shared_ptr<HostWork> host_work(F function, bool runs_inline = false) {
    return std::unique_ptr<HostWork>(
        new HostFunction<F>(std::move(function), runs_inline, Worker::commands));
}
/// Work that calls application functions.
template <class F> std::shared_ptr<HostWork> foreign_work(F function) {
    return std::unique_ptr<HostWork>(
        new HostFunction<F>(std::move(function), false, Worker::foreign));
}

/// Validated host work: submitted once by clEnqueue…, repeatedly by a command buffer.
struct HostCommand {
    cl_command_type type = 0;
    std::shared_ptr<HostWork> work;
};
/// A command that only keeps its position in the queue.
inline HostCommand nothing(cl_command_type type) {
    return {type, host_work([] {}, true)};
}

} // namespace rivulet
