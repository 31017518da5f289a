// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORKGROUP_COLLECTIVES_H
#define RIVULET_COMPILER_WORKGROUP_COLLECTIVES_H

#include "compiler/spmd/analysis/legal_element_types.h"
#include "compiler/workgroup/parallel_regions.h"

namespace rivulet::compiler {

// The address of a group's saved operands, and how many there are.
struct GroupValues {
    llvm::Value *saved;
    llvm::Value *full_items; // of a full group
    llvm::Value *items;      // of this one
};

// 6.15.16: what the group does at a collective between two regions. The result of a scan goes
// where the operands are; otherwise it is returned. `index` is the linear local id of the
// work-item that broadcasts. In vectors where `elements` of the operands' type are there. May add
// blocks.
llvm::Value *run_collective(llvm::IRBuilderBase &builder, const Boundary &boundary,
                            const LiveValue &operand, const GroupValues &group, llvm::Value *index,
                            const LegalElementTypes *elements);

} // namespace rivulet::compiler

#endif
