// SPDX-License-Identifier: Apache-2.0
//
// From a kernel for one work-item to a kernel for chunks of work-groups.
#ifndef RIVULET_COMPILER_WORKGROUP_WORKGROUP_H
#define RIVULET_COMPILER_WORKGROUP_WORKGROUP_H

#include <expected>

#include "compiler/support/program.h"
#include "compiler/support/remarks.h"

namespace rivulet::compiler {

// Replaces every kernel of the program by void NAME(record, words, frame, …) as runtime/dispatch.h
// describes it, and fills in what the kernel image's note says of it. Work-item functions,
// barriers and variables in local memory are gone afterwards. Expects everything inlined.
// An error is for the program's author: a kernel whose sub-groups can't be had.
std::expected<void, std::string> lower_work_groups(Program &program, const Target &target,
                                                   Remarks &remarks);

} // namespace rivulet::compiler

#endif
