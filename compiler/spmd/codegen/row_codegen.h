// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_CODEGEN_ROW_CODEGEN_H
#define RIVULET_COMPILER_SPMD_CODEGEN_ROW_CODEGEN_H

#include "compiler/spmd/analysis/control_flow.h"
#include "compiler/spmd/analysis/stride_analysis.h"

namespace rivulet::compiler {

struct StripOptions {
    llvm::ElementCount lanes;
    unsigned widest;     // bits of an element
    bool one;            // no row is longer than a strip
    bool many;           // rows are mostly longer than several strips
    bool keeps_loads;    // loads uniform values in each strip: they are too many for the registers
    unsigned vlen;       // exact, or 0
    unsigned length = 0; // most work-items of a row; 0: unknown
    unsigned sub_group = 0; // work-items of each strip but the last; 0: as many as fit
    unsigned rows = 0; // that the function does at once, of those that each strip runs through;
                       // 0: it is called for each of them
};

// The row, or rows, of a work-item function (work_items/work_item_loop.h). A strip runs as many
// work-items side by side as a vector has lanes; the last strip is shorter.
llvm::Function *emit_row(llvm::Function &work_item, const ControlFlow &flow,
                         const StrideAnalysis &strides, StripOptions strips);

} // namespace rivulet::compiler

#endif
