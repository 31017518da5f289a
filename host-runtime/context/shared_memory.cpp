// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/context/shared_memory.h"

#include <algorithm>
#include <cstring>

#include "hal/protocol/kernel_image.h"
#include "host-runtime/context/context.h"
#include "host-runtime/object/pattern.h"

namespace rivulet {
namespace {

bool is_large(const SharedAllocation &allocation) {
    return allocation.bytes > RVL_SMALL_BUFFER_BYTES;
}

uint64_t device_address(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

} // namespace

void *SharedMemory::allocate(SharedAllocation wanted, size_t alignment) {
    wanted.block =
        wanted.context_device->allocate(wanted.bytes, alignment ? alignment : buffer_alignment);
    wanted.pointer = wanted.context_device->instance().host_pointer(wanted.block.address());
    auto allocation = std::make_shared<const SharedAllocation>(std::move(wanted));
    const Lock lock(mutex_);
    allocations_[allocation->pointer] = allocation;
    allocation->context_device->large_shared_allocations += is_large(*allocation);
    return allocation->pointer;
}

bool SharedMemory::free(const void *pointer) {
    const Lock lock(mutex_);
    const auto found = allocations_.find(static_cast<const std::byte *>(pointer));
    if (found == allocations_.end())
        return false;
    found->second->context_device->large_shared_allocations -= is_large(*found->second);
    allocations_.erase(found);
    return true;
}

std::shared_ptr<const SharedAllocation> SharedMemory::find(const void *pointer) const {
    const Lock lock(mutex_);
    auto next = allocations_.upper_bound(static_cast<const std::byte *>(pointer));
    if (next == allocations_.begin())
        return nullptr;
    const auto &allocation = std::prev(next)->second;
    return static_cast<const std::byte *>(pointer) < allocation->pointer + allocation->bytes
               ? allocation
               : nullptr;
}

void SharedMemory::copy(void *to, const void *from, size_t bytes) const {
    sync(from, bytes, RVL_SYNC_FROM_DEVICE);
    if (const auto target = find(to)) // handles partially written cache blocks
        target->context_device->instance().write(device_address(to),
                                                 {static_cast<const std::byte *>(from), bytes});
    else
        std::memcpy(to, from, bytes);
}

void SharedMemory::fill(void *to, std::span<const std::byte> pattern, size_t bytes) const {
    const std::vector<std::byte> run = pattern_run(pattern, bytes);
    for (size_t done = 0; done < bytes; done += run.size())
        copy(static_cast<std::byte *>(to) + done, run.data(), std::min(run.size(), bytes - done));
}

void SharedMemory::sync(const void *pointer, size_t bytes, rvl_sync_direction direction) const {
    if (const auto allocation = find(pointer))
        allocation->context_device->instance().sync(device_address(pointer), bytes, direction);
}

} // namespace rivulet
