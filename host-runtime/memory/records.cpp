// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/records.h"

#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {
constexpr size_t records_per_block = 16;
constexpr size_t most_blocks = 64; // in all as many as a scheduler has in flight
} // namespace

RecordPool::RecordPool(Arena &arena) : arena_(arena) {
    grow();
    require(!free_.empty(), CL_OUT_OF_RESOURCES);
}

void RecordPool::grow() {
    const size_t records = (blocks_.size() + 1) * records_per_block;
    free_.reserve(records); // giving one back never fails
    blocks_.reserve(blocks_.size() + 1);
    Block block = arena_.allocate(records_per_block * RVL_LAUNCH_BYTES, RVL_PAGE_BYTES);
    if (!block)
        return;
    for (size_t index = records_per_block; index-- > 0;)
        free_.push_back(block.address() + index * RVL_LAUNCH_BYTES);
    blocks_.push_back(std::move(block));
}

uint64_t RecordPool::take() {
    Lock lock(mutex_);
    if (free_.empty() && blocks_.size() < most_blocks)
        (void)guarded([&] { grow(); }); // without memory: there are others, which come back
    if (free_.empty())
        return 0;
    const uint64_t record = free_.back();
    free_.pop_back();
    return record;
}

void RecordPool::give_back(uint64_t record) {
    Lock lock(mutex_);
    free_.push_back(record);
}

} // namespace rivulet
