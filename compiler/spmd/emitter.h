// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_EMITTER_H
#define RIVULET_COMPILER_SPMD_EMITTER_H

#include "compiler/spmd/control_flow.h"
#include "compiler/spmd/shapes.h"

namespace rivulet::compiler {

struct Strips {
    unsigned lanes_per_vscale;
    unsigned widest; // bits of an element
    bool one;        // no row is longer than a strip
    bool many;       // rows are longer than several, mostly
    unsigned vlen;   // exact, or 0
};

// The row of a work-item function (../workgroup/row.h), as many work-items side by side as fit:
// strips of at most lanes_per_vscale · vscale, the last one shorter.
llvm::Function *emit_row(llvm::Function &work_item, const ControlFlow &flow, const Shapes &shapes,
                         Strips strips);

} // namespace rivulet::compiler

#endif
