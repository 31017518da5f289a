// SPDX-License-Identifier: Apache-2.0
//
// What happens between the front end and the work-group pass.
#ifndef RIVULET_COMPILER_SIMPLIFY_H
#define RIVULET_COMPILER_SIMPLIFY_H

#include <expected>
#include <string>

#include "compiler/kernel.h"

namespace rivulet::compiler {

// Everything a kernel calls is inlined into it, but for what the work-group pass provides; then
// memory is promoted to values and the code tidied up. An error names the recursion found (6.9.i).
std::expected<void, std::string> inline_and_simplify(Program &program, const Target &target);

// The -O3 pipeline, after the work-group pass.
void optimise(Program &program, const Target &target);

} // namespace rivulet::compiler

#endif
