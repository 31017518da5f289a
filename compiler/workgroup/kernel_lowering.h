// SPDX-License-Identifier: Apache-2.0
//
// The state that the passes which lower work-groups hand to each other for each kernel: metadata of
// the kernel's function, so that each of them runs on what the one before has left in a file.
#ifndef RIVULET_COMPILER_WORKGROUP_KERNEL_LOWERING_H
#define RIVULET_COMPILER_WORKGROUP_KERNEL_LOWERING_H

#include <optional>
#include <string>

#include "compiler/support/program.h"
#include "compiler/support/remarks.h"
#include "compiler/workgroup/group_loops.h"
#include "compiler/workgroup/parallel_regions.h"
#include "compiler/workgroup/work_item.h"
#include "compiler/workgroup/work_item_loops.h"

namespace rivulet::compiler {

struct KernelLowering {
    std::string pass; // that wrote this
    WorkItem work_item;
    bool has_y = false; // of the work-item function: it asks for its y
    bool flat = false;  // no work-item asks for its group
    Regions regions;
    llvm::SmallVector<Rows> rows;
    GroupFunctions functions;
};

// The state that pass `before` has left; if it hasn't run right before, sets the program's
// error.
std::optional<KernelLowering> lowering_after(llvm::StringRef before, const Kernel &kernel,
                                             Program &program);

// Writes it, and what is known of the kernel, into the IR.
void save_lowering(llvm::StringRef pass, Kernel &kernel, KernelLowering &lowering);

void forget_lowering(const Kernel &kernel);

// Whether work-items of the program become lanes.
inline bool has_lanes(const Program &program, const Target &target) {
    return target.min_vlen != 0 && program.vectorise == Vectorise::spmd;
}

// Inlines the function into all callers; it is gone afterwards.
void inline_all(llvm::Function &function);

} // namespace rivulet::compiler

#endif
