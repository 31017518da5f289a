// SPDX-License-Identifier: Apache-2.0
//
// An NDRange on its way to the device: its kernel and its sizes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "hal/protocol/kernel_image.h"
#include "hal/protocol/sanitizer.h"
#include "host-runtime/device/device.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/memory/mem_object.h"
#include "host-runtime/object/object.h"
#include "host-runtime/program/loaded_kernel_image.h"

namespace rivulet {

/// cl_ext_atomic_counters_32, _64: where the device reads the counter first and writes it back.
struct AtomicCounter {
    uint64_t address;
    uint8_t bytes; // 4 or 8
    [[nodiscard]] bool overlaps(const AtomicCounter &other) const {
        return address < other.address + other.bytes && other.address < address + bytes;
    }
};

/// The accessible bytes around a pointer argument, for kernels built with -rv-sanitize=address.
struct PointerArgument {
    uint32_t index;
    bool is_local;
    uint64_t address; // of global memory
    rvl_large_bounds bounds;
};

/// A memory object passed as an argument.
struct MemoryArgument {
    Ref<MemObject> object;
    bool is_written = true; // unless known otherwise
};

/// Why a launch with larger memory objects than RVL_SMALL_BUFFER_BYTES fails.
constexpr const char *no_large_version =
    "the program's binary has no code for that: build it from source on this device, or with the "
    "option -rvl-large-buffers of rivulet-cc";

/// What all launches of a version of a kernel have in common in one argument.
struct KnownArgument {
    uint32_t index;
    bool is_sampler;
    std::array<uint32_t, 3> values; // of an image: channel order, data type, bytes of an element
    bool operator==(const KnownArgument &) const = default;
};

class KernelVersions;
struct ImageKernel;
struct KernelVersion;

/// A kernel with its arguments at the time of clEnqueueNDRangeKernel.
struct KernelSnapshot {
    /// The kernel's code and description; arguments stay.
    void take(std::shared_ptr<const LoadedKernelImage> loaded, const ImageKernel &described);

    std::shared_ptr<const LoadedKernelImage> image;
    const ImageKernel *kernel = nullptr;   // lives as long as the image
    const rvl_kernel_note *note = nullptr; // likewise
    std::string_view name;                 // likewise
    uint64_t entry = 0;                    // address of the kernel's function
    uint64_t large_entry = 0;              // of the one that takes large buffers; 0: none
    bool has_large_buffers = false;        // among the arguments
    std::vector<std::byte> arguments;      // as rvl_launch_record.arguments, for this device
    uint32_t local_bytes = 0;              // static and arguments
    std::vector<MemoryArgument> memory;    // all memory arguments, kept alive until the launch ends
    std::vector<PointerArgument> pointers; // for sanitized kernels
    std::vector<AtomicCounter> counters;   // indexed as in rvl_launch_words.counter
    // Of the program's image, which `image` is unless a version runs; null: it can have none.
    KernelVersions *versions = nullptr;
    std::vector<KnownArgument> known; // if it can have versions
    KernelVersion *version = nullptr; // that is not ready
};

/// Sizes of an NDRange; unused dimensions are 1 (offset 0).
struct NDRange {
    cl_uint dimensions = 1;
    std::array<size_t, 3> offset{0, 0, 0};
    std::array<size_t, 3> global{1, 1, 1};
    std::array<size_t, 3> local{1, 1, 1};
};

/// CL_KERNEL_WORK_GROUP_SIZE: the maximum number of work-items per group, given a hart's space for
/// local memory and saved values (5.7.3). 0 if not even one fits.
size_t max_group_size(const Device &device, const rvl_kernel_note &note, uint32_t local_bytes);

/// The local size used if the application gives none: fills the vector unit and, for kernels that
/// require uniform groups, divides the global size.
std::array<size_t, 3> suggested_local_size(const Device &device, const KernelSnapshot &kernel,
                                           const NDRange &range);

/// clEnqueueNDRangeKernel after its arguments have been validated.
std::unique_ptr<DeviceWork> launch_work(Queue &queue, KernelSnapshot &&kernel,
                                        const NDRange &range);

} // namespace rivulet
