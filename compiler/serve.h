// SPDX-License-Identifier: Apache-2.0
//
// rivulet-cc --serve: jobs from the socket that is standard input (hal/protocol/compile.h).
#ifndef RIVULET_COMPILER_SERVE_H
#define RIVULET_COMPILER_SERVE_H

namespace rivulet::compiler {

// Returns, with the process' exit code, when standard input ends.
int serve();

} // namespace rivulet::compiler

#endif
