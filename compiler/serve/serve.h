// SPDX-License-Identifier: Apache-2.0
//
// rivulet-cc --serve: jobs from the socket that is standard input (hal/protocol/compile.h).
#ifndef RIVULET_COMPILER_SERVE_SERVE_H
#define RIVULET_COMPILER_SERVE_SERVE_H

#include <algorithm>
#include <thread>

#include "hal/protocol/compile.h"

namespace rivulet::compiler {

// The number of workers that run side by side; further jobs wait for their turn.
inline size_t most_workers() {
    return std::max<size_t>(RVL_COMPILE_LEAST_JOBS, std::thread::hardware_concurrency());
}

// Returns, with the process' exit code, when standard input ends.
int serve();

} // namespace rivulet::compiler

#endif
