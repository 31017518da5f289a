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

// What a worker leaves to its parent, in memory that both see: read when the worker has died. A
// compiler gone wild can have written anything here, so there is nothing that the parent follows,
// and what it reads of texts ends with the arrays.
struct LastWords {
    std::atomic<bool> is_answering; // a RESULT is on its way: nobody else may write
    uint32_t seconds;               // its limits
    uint64_t memory_bytes;
    char phase[64];     // of the compilation
    char message[1024]; // LLVM's fatal error

    void enter(const char *text) { copy(phase, text); }
    void leave(const char *text) { copy(message, text); }

    // Of another job.
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

// What damage nobody noticed, and what memory is in pieces, ends after so many.
constexpr unsigned jobs_per_worker = 100;

// Jobs come on the control socket, which gets a byte for each that is done. Ends with it, after
// the last of its jobs, or when one left much memory behind.
[[noreturn]] void work(int control, LastWords &last_words);

} // namespace rivulet::compiler

#endif
