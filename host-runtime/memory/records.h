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
    /// With some from the start, whose words lie on the arena's page of words (Lease): without any,
    /// a full heap could keep launches from ever running. Fails with CL_OUT_OF_RESOURCES.
    RecordPool(DeviceInstance &instance, Arena &arena, Arena &code);

    /// Addresses of an rvl_launch_record and its rvl_launch_words.
    struct Record {
        uint64_t record = 0;
        uint64_t words = 0; // on the arena's page of words: from its start
        explicit operator bool() const { return record != 0; }
        [[nodiscard]] uint64_t words_address(const Lease &lease) const {
            return words < RVL_PAGE_BYTES ? lease.words + words : words;
        }
    };
    /// An empty one: none is free now.
    Record acquire();
    void release(Record record);
    /// Before anything is written to the words of a lease; one thread at a time.
    void prepare(const Lease &lease);
    /// Gives back the memory of all but the first records, if none is in use.
    void trim();

    std::atomic<unsigned> printf_rings = 0; // in use, of launches that print

private:
    struct Blocks {
        Block records;
        Block words; // none of the first records
    };
    void grow();
    void add(Blocks blocks);

    DeviceInstance &instance_;
    Arena &arena_; // of the words
    Arena &code_;  // of the records
    Mutex mutex_{LockRank::memory};
    std::vector<Blocks> blocks_;
    std::vector<Record> free_;
    uint64_t prepared_ = ~uint64_t{0}; // placement of the arena's page of words
};

} // namespace rivulet
