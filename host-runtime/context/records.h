// SPDX-License-Identifier: Apache-2.0
//
// Reusable launch records of a context on one device, and the words that kernels write.
#pragma once

#include <atomic>
#include <vector>

#include "base/brief_lock.h"
#include "hal/protocol/launch.h"
#include "host-runtime/device/heap.h"

namespace rivulet {

class DeviceInstance;

class RecordPool {
public:
    /// Creates some records in advance, whose words are on the arena's page of words (Lease):
    /// without them, a full heap could keep launches from ever running. Fails with
    /// CL_OUT_OF_RESOURCES.
    RecordPool(DeviceInstance &instance, Arena &arena, Arena &code);

    /// Addresses of an rvl_launch_record and its rvl_launch_words.
    struct Record {
        uint64_t record = 0;
        uint64_t words = 0; // for the first records, relative to the arena's page of words
        explicit operator bool() const { return record != 0; }
        [[nodiscard]] uint64_t words_address(const Lease &lease) const {
            return words < RVL_PAGE_BYTES ? lease.words + words : words;
        }
    };
    /// Returns an empty record if none is free.
    Record acquire();
    void release(Record record);
    /// To be called before writing to a lease's words; one thread at a time.
    void prepare(const Lease &lease);
    /// Frees all records except the first ones, if none is in use.
    void trim();

    std::atomic<unsigned> printf_rings = 0; // in use by printing launches

private:
    struct Blocks {
        Block records;
        Block words; // none for the first records
    };
    void grow();
    void add(Blocks blocks);

    DeviceInstance &instance_;
    Arena &arena_; // contains the words
    Arena &code_;  // contains the records
    BriefMutex mutex_{LockRank::memory};
    std::vector<Blocks> blocks_;
    std::vector<Record> free_;
    uint64_t prepared_ = ~uint64_t{0}; // placement of the prepared page of words
};

} // namespace rivulet
