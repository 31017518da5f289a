// SPDX-License-Identifier: Apache-2.0
//
// Launch records of a context on one device: pages in its arena, used again and again.
#pragma once

#include <atomic>
#include <vector>

#include "hal/protocol/launch.h"
#include "host-runtime/memory/heap.h"

namespace rivulet {

class RecordPool {
public:
    /// With some from the start: without any, a full heap could keep launches from ever running.
    /// Fails with CL_OUT_OF_RESOURCES.
    explicit RecordPool(Arena &arena);

    /// Address of RVL_LAUNCH_BYTES, or 0: none is free now.
    uint64_t take();
    void give_back(uint64_t record);

    std::atomic<unsigned> printf_rings = 0; // in use, of launches that print

private:
    void grow();

    Arena &arena_;
    Mutex mutex_{LockRank::memory};
    std::vector<Block> blocks_;
    std::vector<uint64_t> free_;
};

} // namespace rivulet
