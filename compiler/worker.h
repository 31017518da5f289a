// SPDX-License-Identifier: Apache-2.0
//
// The child of `rivulet-cc --serve` that does jobs, one at a time.
#ifndef RIVULET_COMPILER_WORKER_H
#define RIVULET_COMPILER_WORKER_H

#include <atomic>
#include <cstdint>

namespace rivulet::compiler {

// What a worker leaves to its parent, in memory that both see: read when the worker has died.
struct LastWords {
    std::atomic<const char *> phase; // of static storage: the same address on both sides
    std::atomic<bool> is_answering;  // a RESULT is on its way: nobody else may write
    uint32_t seconds;                // its limits
    uint64_t memory_bytes;
    char message[1024]; // LLVM's fatal error

    // Of another job.
    void begin() {
        phase = "its start";
        is_answering = false;
        message[0] = 0;
    }
};

// Jobs come on the control socket, which gets a byte for each that is done. Ends with it, or when
// a job left much memory behind.
[[noreturn]] void work(int control, LastWords &last_words);

} // namespace rivulet::compiler

#endif
