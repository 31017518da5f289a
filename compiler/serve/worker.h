// SPDX-License-Identifier: Apache-2.0
//
// The child of `rivulet-cc --serve` that does jobs, one at a time.
#ifndef RIVULET_COMPILER_SERVE_WORKER_H
#define RIVULET_COMPILER_SERVE_WORKER_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rivulet::compiler {

// A compile worker ends after this many jobs, and with it unnoticed damage and fragmented memory.
inline constexpr unsigned worker_max_jobs = 100;

// A worker's status for its parent, in memory that both map, read when the worker has died. A
// misbehaving compiler may have written anything here: the parent follows no pointers and limits
// string reads to the array sizes.
struct WorkerStatus {
    std::atomic<bool> is_answering; // a RESULT is being sent: no other process may write
    uint32_t seconds;               // its limits
    uint64_t memory_bytes;
    char phase[64];     // of the compilation
    char message[1024]; // LLVM's fatal error

    void enter(const char *text) { copy(phase, text); }
    void leave(const char *text) { copy(message, text); }

    // Resets the record for another job.
    void begin() {
        enter("its start");
        leave("");
        is_answering = false;
    }

private:
    template <size_t size> static void copy(char (&to)[size], const char *text) {
        strncpy(to, text, size - 1);
        to[size - 1] = 0;
    }
};

// Takes jobs from the control socket, to which it writes a byte when done with each. Exits when the
// socket is closed, after its last job, or when a job has left too much memory allocated.
[[noreturn]] void work(int control, WorkerStatus &last_words);

} // namespace rivulet::compiler

#endif
