// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/records.h"

#include "host-runtime/device/device_instance.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {
constexpr size_t records_per_block = 16;
constexpr size_t most_blocks = 64; // in all as many as a scheduler has in flight
constexpr size_t words_bytes = 256;
static_assert(sizeof(rvl_launch_words) <= words_bytes);
} // namespace

RecordPool::RecordPool(DeviceInstance &instance, Arena &arena, Arena &code)
    : instance_(instance), arena_(arena), code_(code) {
    grow();
    require(!free_.empty(), CL_OUT_OF_RESOURCES);
}

void RecordPool::grow() {
    Block block = code_.allocate(records_per_block * RVL_PAGE_BYTES, RVL_PAGE_BYTES);
    Block words = arena_.allocate(records_per_block * words_bytes, RVL_CACHE_BLOCK);
    if (!block || !words)
        return;
    // Nothing of a buffer that lay there is left in a cache of the device (Device::write_launch).
    (void)guarded([&] {
        instance_.sync(block.address(), block.bytes(), RVL_SYNC_FROM_DEVICE);
        instance_.sync(words.address(), words.bytes(), RVL_SYNC_FROM_DEVICE);
    });
    const Lock lock(mutex_);
    const size_t records = (blocks_.size() / 2 + 1) * records_per_block;
    free_.reserve(records); // giving one back never fails
    blocks_.reserve(blocks_.size() + 2);
    for (size_t index = records_per_block; index-- > 0;)
        free_.push_back(
            {block.address() + index * RVL_PAGE_BYTES, words.address() + index * words_bytes});
    blocks_.push_back(std::move(block));
    blocks_.push_back(std::move(words));
}

RecordPool::Record RecordPool::acquire() {
    Lock lock(mutex_);
    if (free_.empty() && blocks_.size() < 2 * most_blocks) {
        lock.unlock();
        (void)guarded([&] { grow(); }); // without memory: there are others, which come back
        lock.lock();
    }
    if (free_.empty())
        return {};
    const Record record = free_.back();
    free_.pop_back();
    return record;
}

void RecordPool::release(Record record) {
    Lock lock(mutex_);
    free_.push_back(record);
}

} // namespace rivulet
