// SPDX-License-Identifier: Apache-2.0
//
// Launch records of a context on one device, and the words that kernels write: used again and
// again.
#pragma once

#include <atomic>
#include <vector>

#include "hal/protocol/launch.h"
#include "host-runtime/memory/heap.h"

namespace rivulet {

class DeviceInstance;

class RecordPool {
public:
    /// With some from the start: without any, a full heap could keep launches from ever running.
    /// Fails with CL_OUT_OF_RESOURCES.
    RecordPool(DeviceInstance &instance, Arena &arena, Arena &code);

    /// Addresses of an rvl_launch_record and its rvl_launch_words.
    struct Record {
        uint64_t record = 0;
        uint64_t words = 0;
        explicit operator bool() const { return record != 0; }
    };
    /// An empty one: none is free now.
    Record acquire();
    void release(Record record);

    std::atomic<unsigned> printf_rings = 0; // in use, of launches that print

private:
    void grow();

    DeviceInstance &instance_;
    Arena &arena_; // of the words
    Arena &code_;  // of the records
    Mutex mutex_{LockRank::memory};
    std::vector<Block> blocks_;
    std::vector<Record> free_;
};

} // namespace rivulet
