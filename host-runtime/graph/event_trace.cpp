// SPDX-License-Identifier: Apache-2.0
//
// Writes an ended command to the trace: a slice on its queue's track, from clEnqueue… to its end,
// and one on the track of each hart that took part.
#include <bit>
#include <span>
#include <string_view>

#include "hal/core/trace.h"
#include "host-runtime/device/physical_device.h"
#include "host-runtime/graph/device_scheduler.h"
#include "host-runtime/graph/event.h"
#include "host-runtime/graph/queue.h"

namespace rivulet {
namespace {

using hal::trace::Annotation;
using hal::trace::Slice;
using hal::trace::TraceWriter;

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
    case CL_COMMAND_SEMAPHORE_SIGNAL_KHR:
        return "signal semaphore";
    case CL_COMMAND_SEMAPHORE_WAIT_KHR:
        return "wait for semaphore";
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

} // namespace

void Event::trace() const {
    TraceWriter *const writer = hal::trace::writer();
    if (writer == nullptr || !queue_ || status() > CL_COMPLETE)
        return;
    const auto own_name = is_device_work_ ? device_work_->name() : std::string_view{};
    const auto name = own_name.empty() ? name_of(type_) : own_name;
    Annotation known[5];
    size_t count = 0;
    if (instructions_ != 0 &&
        queue_->device().physical_device().has(RVL_DEVICE_COUNTS_INSTRUCTIONS))
        known[count++] = {"instructions", instructions_, {}};
    if (is_device_work_)
        count += device_work_->annotate(known + count);
    if (status() < 0)
        known[count++] = {"error", static_cast<uint64_t>(-int64_t{status()}), {}};
    const std::span annotations(known, count);
    const Slice command[] = {
        {name, times_[queued], times_[ended], annotations, flow()},
        {"waits", times_[queued], times_[submitted], {}, 0},
        {"submitted", times_[submitted], times_[started], {}, 0},
        {"runs", times_[started], times_[ended], {}, 0},
    };
    writer->add_slices(writer->find_row(&*queue_, "queue"), command);
    if (!scheduler() || harts_ == 0)
        return;
    const uint64_t device = writer->find_row(&*scheduler(), "device");
    const Slice run{name, times_[started], times_[ended], annotations, flow()};
    for (uint64_t harts = harts_; harts != 0; harts &= harts - 1)
        writer->add_slices(
            writer->find_part(device, "hart", static_cast<unsigned>(std::countr_zero(harts))),
            {&run, 1});
    scheduler()->trace_samples(*writer, device);
}

} // namespace rivulet
