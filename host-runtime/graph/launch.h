// SPDX-License-Identifier: Apache-2.0
//
// An NDRange on its way to the device: what it needs to know of its kernel, and its sizes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hal/protocol/kernel_image.h"
#include "hal/protocol/sanitizer.h"
#include "host-runtime/device/device.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/memory/mem_object.h"
#include "host-runtime/object/object.h"

namespace rivulet {

/// A kernel image loaded into a context's memory; programs own and derive it.
class LoadedImage {
public:
    virtual ~LoadedImage() = default;

    uint64_t base = 0;     // where image address 0 is
    uint64_t start = 0;    // address of the entry stub
    size_t code_bytes = 0; // whole pages; the data's follow
    size_t data_bytes = 0;

    std::string file; // that debug_files keeps of it; "": none

    /// "file:line" or "function at file:line" of an address in the image; empty: not known.
    [[nodiscard]] virtual std::string symbolize(uint64_t image_address) const = 0;
};

/// cl_ext_atomic_counters_32, _64: where the device reads it first and writes it at the end.
struct AtomicCounter {
    uint64_t address;
    uint8_t bytes; // 4 or 8
    [[nodiscard]] bool overlaps(const AtomicCounter &other) const {
        return address < other.address + other.bytes && other.address < address + bytes;
    }
};

/// The bytes that a pointer among the arguments may reach, for kernels built with
/// -rv-sanitize=address.
struct PointerArgument {
    uint32_t index;
    bool is_local;
    uint64_t address; // of global memory
    rvl_bounds bounds;
};

/// A memory object that an argument names.
struct MemoryArgument {
    Ref<MemObject> object;
    bool is_written = true; // as far as is known
};

/// A kernel with its arguments as they were at clEnqueueNDRangeKernel.
struct KernelSnapshot {
    std::shared_ptr<const LoadedImage> image;
    const rvl_kernel_note *note = nullptr; // lives as long as the image
    std::string_view name;                 // likewise
    uint64_t entry = 0;                    // address of the kernel's function
    std::vector<std::byte> arguments;      // as rvl_launch_record.arguments, for this device
    uint32_t local_bytes = 0;              // static and arguments
    std::vector<MemoryArgument> memory;    // all that the arguments name, kept until the end
    std::vector<PointerArgument> pointers; // of sanitized kernels
    std::vector<AtomicCounter> counters;   // by their index in rvl_launch_words.counter
};

/// Sizes of an NDRange, unused dimensions 1 (offset 0).
struct NDRange {
    cl_uint dimensions = 1;
    std::array<size_t, 3> offset{0, 0, 0};
    std::array<size_t, 3> global{1, 1, 1};
    std::array<size_t, 3> local{1, 1, 1};
};

/// CL_KERNEL_WORK_GROUP_SIZE: how many work-items a group may have, given the local memory and
/// the saved values that a hart has room for (5.7.3). 0: not even one.
size_t max_group_size(const Device &device, const rvl_kernel_note &note, uint32_t local_bytes);

/// The local size to use where the application gives none: fills the vector unit and, for kernels
/// that can't have uneven groups, divides the global size.
std::array<size_t, 3> suggested_local_size(const Device &device, const KernelSnapshot &kernel,
                                           const NDRange &range);

/// clEnqueueNDRangeKernel once its arguments are validated.
std::unique_ptr<DeviceWork> launch_work(Queue &queue, KernelSnapshot kernel, const NDRange &range);

/// 5.8: a validated NDRange, with the kernel's arguments as they are now.
struct CheckedLaunch {
    KernelSnapshot kernel;
    NDRange range;

    static CheckedLaunch of(const Context &context, const Device &device, cl_kernel kernel,
                            cl_uint work_dim, const size_t *offset, const size_t *global,
                            const size_t *local);
    [[nodiscard]] bool is_empty() const;
    /// Adds the launch to a batch. `type` is the event's.
    Ref<Event> add_to(Batch &batch, const WaitList &waits,
                      cl_command_type type = CL_COMMAND_NDRANGE_KERNEL) const;
};

} // namespace rivulet
