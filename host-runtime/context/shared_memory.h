// SPDX-License-Identifier: Apache-2.0
//
// Memory with the same addresses on host and device: from clSVMAlloc, and allocations of
// cl_intel_unified_shared_memory. It is in the context's arena, like buffers, on a device whose
// addresses are the host's (RVL_DEVICE_SAME_ADDRESSES): pointers stored in it are valid on both
// sides without translation.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>

#include "hal/hal.h"
#include "host-runtime/device/heap.h"
#include "host-runtime/include/opencl.h"

namespace rivulet {

class Device;
class ContextDevice;

struct SharedAllocation {
    std::byte *pointer = nullptr;
    size_t bytes = 0; // as requested
    ContextDevice *context_device = nullptr;
    cl_unified_shared_memory_type_intel type = CL_MEM_TYPE_UNKNOWN_INTEL; // unknown for clSVMAlloc
    cl_device_id device = nullptr;      // for which a USM allocation was made
    cl_mem_alloc_flags_intel flags = 0; // of clSVMAlloc
    Block block = {};

    [[nodiscard]] bool contains(const void *from, size_t count) const {
        const auto offset = static_cast<size_t>(static_cast<const std::byte *>(from) - pointer);
        return from >= pointer && offset <= bytes && count <= bytes - offset;
    }
};

/// A context's allocations, by address.
class SharedMemory {
public:
    /// Sets pointer and block; fails with CL_MEM_OBJECT_ALLOCATION_FAILURE.
    void *allocate(SharedAllocation wanted, size_t alignment);
    /// Returns false if no allocation starts there.
    bool free(const void *pointer);
    /// The allocation that contains a pointer, or nullptr.
    [[nodiscard]] std::shared_ptr<const SharedAllocation> find(const void *pointer) const;

    // Executed by commands, between host memory and allocations in any combination.
    void copy(void *to, const void *from, size_t bytes) const;
    void fill(void *to, std::span<const std::byte> pattern, size_t bytes) const;
    /// Must surround the host's own accesses on non-coherent devices.
    void sync(const void *pointer, size_t bytes, rvl_sync_direction direction) const;

private:
    mutable Mutex mutex_{LockRank::memory};
    std::map<const std::byte *, std::shared_ptr<const SharedAllocation>> allocations_;
};

} // namespace rivulet
