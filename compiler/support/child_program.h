// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_CHILD_PROGRAM_H
#define RIVULET_COMPILER_SUPPORT_CHILD_PROGRAM_H

#include <string>
#include <vector>

namespace rivulet::compiler {

// Runs a program until it ends. It is killed when this process dies: whoever cancels a build knows
// nothing of it. `words[0]` is its path; what it says goes to the file `log`. Empty: it ended with
// exit code 0; otherwise what happened instead.
std::string run_child_program(const std::vector<std::string> &words, int log);

} // namespace rivulet::compiler

#endif
