// SPDX-License-Identifier: Apache-2.0
//
// The work of a command, done when its turn has come.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "hal/core/trace_writer.h"
#include "hal/protocol/mailbox.h"
#include "host-runtime/api/opencl.h"
#include "host-runtime/graph/task.h"

namespace rivulet {

class DeviceScheduler;
class Event;

class Work {
public:
    virtual ~Work() = default;
};

/// Runs on the host: on the thread that waits for it, the one that made it ready, or a worker.
class HostWork : public Work {
public:
    /// Throws Failure.
    virtual void run() = 0;
    /// Takes about as long as waking another thread: done at once by whoever makes it ready.
    [[nodiscard]] virtual bool runs_inline() const { return false; }
    /// The worker that does it when nobody waits for it.
    [[nodiscard]] virtual Worker worker() const { return Worker::commands; }
};

/// Runs on the device: one slot of the ring, one completion.
class DeviceWork : public Work {
public:
    explicit DeviceWork(DeviceScheduler &scheduler) : scheduler_(scheduler) {}
    [[nodiscard]] DeviceScheduler &scheduler() const { return scheduler_; }

    /// For traces: a kernel's name; "": that of the command's type.
    [[nodiscard]] virtual std::string_view name() const { return {}; }

    /// More of it for traces: a launch's number, the file of its kernel image. How many were added.
    virtual size_t annotate(hal::trace::Annotation *annotations) const {
        (void)annotations;
        return 0;
    }

    /// Called under the graph's lock, when all that the command waits for has ended or is ahead of
    /// it on the device: 0 if all memory that it uses is on the device, and from now on counts as
    /// used there. Else how many bytes `fetch_memory` has to bring first, with no lock held.
    virtual size_t claim_memory() noexcept { return 0; }
    virtual void fetch_memory() {}

    /// Fills in group, service and payload. `false`: some memory is short until another command
    /// of the device has ended. Called again then.
    virtual bool encode(rvl_slot &slot) = 0;

    /// The status that the command's event ends with. Called with no lock held, like the next two.
    virtual cl_int ended(const rvl_completion &completion) = 0;
    /// True if there is output, which `print` then writes on a thread of its own before the event
    /// ends: its reader may take for ever.
    [[nodiscard]] virtual bool prints() const { return false; }
    virtual void print() {}

private:
    DeviceScheduler &scheduler_;
};

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

/// Copying as much costs less than waking another thread for it.
constexpr size_t inline_bytes = 32 * 1024;

/// Work from a function object.
template <class F> std::shared_ptr<HostWork> host_work(F function, bool runs_inline = false) {
    return std::unique_ptr<HostWork>(
        new HostFunction<F>(std::move(function), runs_inline, Worker::commands));
}
/// Work that calls functions of the application.
template <class F> std::shared_ptr<HostWork> foreign_work(F function) {
    return std::unique_ptr<HostWork>(
        new HostFunction<F>(std::move(function), false, Worker::foreign));
}

/// Validated host work: clEnqueue… submits it, a command buffer again and again.
struct HostCommand {
    cl_command_type type = 0;
    std::shared_ptr<HostWork> work;
};
/// A command that does nothing but keep its position.
inline HostCommand nothing(cl_command_type type) {
    return {type, host_work([] {}, true)};
}

} // namespace rivulet
