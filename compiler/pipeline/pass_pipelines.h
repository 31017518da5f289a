// SPDX-License-Identifier: Apache-2.0
//
// LLVM's passes around the work-group pass.
#ifndef RIVULET_COMPILER_PIPELINE_PASS_PIPELINES_H
#define RIVULET_COMPILER_PIPELINE_PASS_PIPELINES_H

#include <expected>
#include <string>

#include "compiler/support/program.h"

namespace rivulet::compiler {

// Everything a kernel calls is inlined into it, but for what the work-group pass provides; then
// memory is promoted to values and the code tidied up. Nothing is recursive (6.9.i). Fails with the
// program's error.
std::expected<void, std::string> inline_and_simplify(Program &program, const Target &target);

// After the work-group pass: what it and the kernels want of -O3 (pass_pipelines.cpp says which
// passes); -O1 with -cl-opt-disable, all of -O3 where LLVM's loop vectoriser is to be compared
// with.
void optimise(Program &program, const Target &target);

} // namespace rivulet::compiler

#endif
