// SPDX-License-Identifier: Apache-2.0
//
// Memory that host and kernels name by the same pointers: what clSVMAlloc gives, and the
// allocations of cl_intel_unified_shared_memory. It lies in the context's arena, like buffers, on a
// device whose addresses are the host's own (RVL_DEVICE_SAME_ADDRESSES): pointers that are stored
// in it mean the same on both sides, and nothing is translated.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>

#include "hal/hal.h"
#include "host-runtime/api/opencl.h"
#include "host-runtime/memory/heap.h"

namespace rivulet {

class Device;
class ContextDevice;

struct SharedAllocation {
    std::byte *pointer = nullptr;
    size_t bytes = 0; // as asked for
    ContextDevice *context_device = nullptr;
    cl_unified_shared_memory_type_intel type = CL_MEM_TYPE_UNKNOWN_INTEL; // of clSVMAlloc: unknown
    cl_device_id device = nullptr;      // that a USM allocation was made for
    cl_mem_alloc_flags_intel flags = 0; // flags of clSVMAlloc
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
    /// `false`: no allocation starts there.
    bool free(const void *pointer);
    /// The allocation that a pointer points into, or nullptr.
    [[nodiscard]] std::shared_ptr<const SharedAllocation> find(const void *pointer) const;

    // Between any two of host memory and allocations, as commands do it.
    void copy(void *to, const void *from, size_t bytes) const;
    void fill(void *to, std::span<const std::byte> pattern, size_t bytes) const;
    /// Has to be called around accesses of the host's own, on devices that are not coherent.
    void sync(const void *pointer, size_t bytes, rvl_sync_direction direction) const;

private:
    mutable Mutex mutex_{LockRank::memory};
    std::map<const std::byte *, std::shared_ptr<const SharedAllocation>> allocations_;
};

} // namespace rivulet
