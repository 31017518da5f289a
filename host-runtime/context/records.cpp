// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/context/records.h"

#include <algorithm>
#include <iterator>

#include "host-runtime/device/device_instance.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {
constexpr size_t records_per_block = 16;
constexpr size_t most_blocks = 64; // in total as many records as a scheduler can have in flight
constexpr size_t words_bytes = 256;
static_assert(sizeof(rvl_launch_words) <= words_bytes);
static_assert(records_per_block * words_bytes <= RVL_PAGE_BYTES); // for the first records
} // namespace

RecordPool::RecordPool(DeviceInstance &instance, Arena &arena, Arena &code)
    : instance_(instance), arena_(arena), code_(code) {
    add({code_.allocate(records_per_block * RVL_PAGE_BYTES, RVL_PAGE_BYTES), {}});
    require(!free_.empty(), CL_OUT_OF_RESOURCES,
            "the device has no memory for a context's launch records: release another context, or "
            "give the machine more (memory=4G in RIVULET_MACHINE)");
    prepare(Lease(arena_));
}

// No cached data of a buffer that was there before may remain on the device (Device::write_launch).
void RecordPool::prepare(const Lease &lease) {
    if (prepared_ != lease.placement)
        instance_.sync(lease.words, RVL_PAGE_BYTES, RVL_SYNC_FROM_DEVICE);
    prepared_ = lease.placement;
}

void RecordPool::grow() {
    Block records = code_.allocate(records_per_block * RVL_PAGE_BYTES, RVL_PAGE_BYTES);
    Block words = arena_.allocate(records_per_block * words_bytes, RVL_CACHE_BLOCK);
    if (!words)
        return;
    (void)guarded([&] { instance_.sync(words.address(), words.bytes(), RVL_SYNC_FROM_DEVICE); });
    add({std::move(records), std::move(words)});
}

void RecordPool::add(Blocks blocks) {
    if (!blocks.records)
        return;
    (void)guarded([&] {
        instance_.sync(blocks.records.address(), blocks.records.bytes(), RVL_SYNC_FROM_DEVICE);
    });
    const BriefLock lock(mutex_);
    free_.reserve((blocks_.size() + 1) * records_per_block); // so that releasing a record can't
                                                             // fail
    blocks_.reserve(blocks_.size() + 1);
    for (size_t index = records_per_block; index-- > 0;)
        free_.push_back({blocks.records.address() + index * RVL_PAGE_BYTES,
                         blocks.words.address() + index * words_bytes});
    blocks_.push_back(std::move(blocks));
}

void RecordPool::trim() {
    std::vector<Blocks> unused; // freed without the lock
    const BriefLock lock(mutex_);
    if (free_.size() < blocks_.size() * records_per_block || blocks_.size() < 2)
        return;
    std::erase_if(free_, [](const Record &record) { return record.words >= RVL_PAGE_BYTES; });
    std::move(blocks_.begin() + 1, blocks_.end(), std::back_inserter(unused));
    blocks_.resize(1);
}

RecordPool::Record RecordPool::acquire() {
    BriefLock lock(mutex_);
    if (free_.empty() && blocks_.size() < most_blocks) {
        lock.unlock();
        (void)guarded([&] { grow(); }); // out of memory: records in use will be released
        lock.lock();
    }
    if (free_.empty())
        return {};
    const Record record = free_.back();
    free_.pop_back();
    return record;
}

void RecordPool::release(Record record) {
    BriefLock lock(mutex_);
    free_.push_back(record);
}

} // namespace rivulet
