// SPDX-License-Identifier: Apache-2.0
//
// A command in the trace, once it has ended: a slice on its queue's row, from clEnqueue… to its
// end, and one on the row of each hart that took part.
#include <map>
#include <string>

#include "hal/core/error.h"
#include "hal/core/lock.h"
#include "hal/core/trace.h"
#include "host-runtime/graph/device_scheduler.h"
#include "host-runtime/graph/event.h"
#include "host-runtime/graph/queue.h"

namespace rivulet {
namespace {

using hal::trace::Row;

std::string_view name_of(cl_command_type type) {
    switch (type) {
    case CL_COMMAND_NDRANGE_KERNEL:
        return "NDRange";
    case CL_COMMAND_TASK:
        return "task";
    case CL_COMMAND_NATIVE_KERNEL:
        return "native kernel";
    case CL_COMMAND_READ_BUFFER:
    case CL_COMMAND_READ_BUFFER_RECT:
        return "read buffer";
    case CL_COMMAND_WRITE_BUFFER:
    case CL_COMMAND_WRITE_BUFFER_RECT:
        return "write buffer";
    case CL_COMMAND_COPY_BUFFER:
    case CL_COMMAND_COPY_BUFFER_RECT:
        return "copy buffer";
    case CL_COMMAND_FILL_BUFFER:
        return "fill buffer";
    case CL_COMMAND_READ_IMAGE:
        return "read image";
    case CL_COMMAND_WRITE_IMAGE:
        return "write image";
    case CL_COMMAND_COPY_IMAGE:
    case CL_COMMAND_COPY_IMAGE_TO_BUFFER:
    case CL_COMMAND_COPY_BUFFER_TO_IMAGE:
        return "copy image";
    case CL_COMMAND_FILL_IMAGE:
        return "fill image";
    case CL_COMMAND_MAP_BUFFER:
    case CL_COMMAND_MAP_IMAGE:
        return "map";
    case CL_COMMAND_UNMAP_MEM_OBJECT:
        return "unmap";
    case CL_COMMAND_MIGRATE_MEM_OBJECTS:
        return "migrate";
    case CL_COMMAND_MARKER:
        return "marker";
    case CL_COMMAND_BARRIER:
        return "barrier";
    case CL_COMMAND_COMMAND_BUFFER_KHR:
        return "command buffer";
    case CL_COMMAND_SVM_FREE:
    case CL_COMMAND_SVM_MEMCPY:
    case CL_COMMAND_SVM_MEMFILL:
    case CL_COMMAND_SVM_MAP:
    case CL_COMMAND_SVM_UNMAP:
        return "SVM";
    default:
        return "command";
    }
}

/// The rows of all queues and harts, which stay for as long as the trace is written.
class Rows {
public:
    static Rows &get() {
        static Rows &rows = *new Rows;
        return rows;
    }
    Row &of(const Queue &queue) {
        const Lock lock(mutex_);
        const auto [at, is_new] = queues_.try_emplace(&queue, nullptr);
        if (is_new)
            at->second = std::make_unique<Row>(hal::text({"queue ", uint64_t{queues_.size()}}));
        return *at->second;
    }
    Row &of(const DeviceScheduler &scheduler, unsigned hart) {
        const Lock lock(mutex_);
        const auto [device, is_new_device] = devices_.try_emplace(&scheduler, nullptr);
        if (is_new_device)
            device->second =
                std::make_unique<Row>(hal::text({"device ", uint64_t{devices_.size()}}));
        const auto [at, is_new] = harts_.try_emplace({&scheduler, hart}, nullptr);
        if (is_new)
            at->second =
                std::make_unique<Row>(hal::text({"hart ", uint64_t{hart}}), device->second.get());
        return *at->second;
    }

private:
    Mutex mutex_{LockRank::callback}; // above the writer's
    std::map<const Queue *, std::unique_ptr<Row>> queues_;
    std::map<const DeviceScheduler *, std::unique_ptr<Row>> devices_;
    std::map<std::pair<const DeviceScheduler *, unsigned>, std::unique_ptr<Row>> harts_;
};

} // namespace

void Event::trace() const try {
    if (!queue_ || status() > CL_COMPLETE)
        return;
    const auto own_name = device_work_ ? device_work_->name() : std::string_view{};
    const auto name = own_name.empty() ? name_of(type_) : own_name;
    std::vector<hal::perfetto::Annotation> annotations;
    if (instructions_ != 0)
        annotations.push_back({"instructions", instructions_});
    if (status() < 0)
        annotations.push_back({"error", static_cast<uint64_t>(-int64_t{status()})});
    const Row::Slice command[] = {
        {name, times_[queued], times_[ended], annotations, flow()},
        {"waits", times_[queued], times_[submitted], {}, 0},
        {"submitted", times_[submitted], times_[started], {}, 0},
        {"runs", times_[started], times_[ended], {}, 0},
    };
    Rows::get().of(*queue_).add(command);
    for (unsigned hart = 0; hart < 64; ++hart)
        if ((harts_ >> hart & 1) != 0 && scheduler()) {
            const Row::Slice run{name, times_[started], times_[ended], annotations, flow()};
            Rows::get().of(*scheduler(), hart).add({&run, 1});
        }
} catch (const std::bad_alloc &) {
    // The trace has a gap, the application goes on.
}

} // namespace rivulet
