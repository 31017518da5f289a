// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/expected_memory.h"

#include <algorithm>

#include "hal/device.h"

namespace rivulet {

uint64_t expected_memory(const rvl_device_desc &description) {
    if (description.heap_bytes != 0)
        return description.heap_bytes;
    constexpr uint64_t firmware = uint64_t{8} << 20;
    constexpr uint64_t hart = uint64_t{5} << 20;
    const rvl_region second = hal::region_of(description, RVL_REGION_HEAP);
    const rvl_region scratchpad = hal::region_of(description, RVL_REGION_SCRATCHPAD);
    uint64_t all = description.memory_bytes; // up to a region behind the heap's beginning
    uint64_t before_heap = firmware + description.harts * hart;
    for (const rvl_region &region : {second, scratchpad}) {
        if (region.bytes == 0 || region.base <= description.memory_base)
            continue;
        const uint64_t offset = region.base - description.memory_base;
        if (offset < before_heap) // near the heap's beginning, it would leave nothing of the heap
            before_heap += region.bytes;
        else
            all = std::min(all, offset);
    }
    const uint64_t taken = std::max(all / 8, before_heap);
    return (taken < all ? all - taken : all / 8) / RVL_PAGE_BYTES * RVL_PAGE_BYTES + second.bytes;
}

} // namespace rivulet
