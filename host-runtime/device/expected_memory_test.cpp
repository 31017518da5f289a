// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/expected_memory.h"

#include <gtest/gtest.h>

#include "hal/protocol/mailbox.h"

namespace rivulet {
namespace {

constexpr uint64_t base = 0x80000000, mib = 1 << 20;

rvl_device_desc machine() {
    rvl_device_desc description{};
    description.size = sizeof description;
    description.harts = 4;
    description.memory_base = base;
    description.memory_bytes = 1024 * mib;
    return description;
}
rvl_region region(rvl_region_kind kind, uint64_t offset, uint64_t bytes) {
    return {
        .kind = static_cast<uint32_t>(kind), .reserved = 0, .base = base + offset, .bytes = bytes};
}

TEST(ExpectedMemory, LeavesAnEighthToTheFirmware) {
    EXPECT_EQ(expected_memory(machine()), 896 * mib);
}

TEST(ExpectedMemory, IsWhatTheDriverKnows) {
    auto description = machine();
    description.heap_bytes = 100 * mib;
    EXPECT_EQ(expected_memory(description), 100 * mib);
}

TEST(ExpectedMemory, EndsAtARegionBehindTheHeap) {
    auto description = machine();
    description.regions[0] = region(RVL_REGION_SCRATCHPAD, 512 * mib, mib);
    EXPECT_EQ(expected_memory(description), 448 * mib);
    description.regions[1] = region(RVL_REGION_HEAP, 256 * mib, 256 * mib);
    EXPECT_EQ(expected_memory(description), (224 + 256) * mib);
}

TEST(ExpectedMemory, IsNotCutByAScratchpadBeforeTheHeap) {
    auto description = machine();
    description.regions[0] = region(RVL_REGION_SCRATCHPAD, 2 * mib, mib);
    EXPECT_EQ(expected_memory(description), 896 * mib);
    description.memory_bytes =
        128 * mib; // of which firmware, harts and scratchpad take more than an eighth
    EXPECT_EQ(expected_memory(description), (128 - 8 - 4 * 5 - 1) * mib);
}

TEST(ExpectedMemory, IsNotCutByAScratchpadOutsideOfMemory) {
    for (const uint64_t offset : {-4 * mib, 4096 * mib}) {
        auto description = machine();
        description.regions[0] = region(RVL_REGION_SCRATCHPAD, offset, mib);
        EXPECT_EQ(expected_memory(description), 896 * mib);
    }
}

} // namespace
} // namespace rivulet
