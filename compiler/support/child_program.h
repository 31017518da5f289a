// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_CHILD_PROGRAM_H
#define RIVULET_COMPILER_SUPPORT_CHILD_PROGRAM_H

#include <string>
#include <vector>

namespace rivulet::compiler {

// Runs a program until it ends. It is killed when this process dies, because the process that
// cancels a build doesn't know about it. `words[0]` is its path; its output goes to the file `log`.
// Returns an empty string if it ended with exit code 0, otherwise what happened instead.
std::string run_child_program(const std::vector<std::string> &words, int log);

} // namespace rivulet::compiler

#endif
