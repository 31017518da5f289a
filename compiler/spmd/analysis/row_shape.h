// SPDX-License-Identifier: Apache-2.0
//
// The rows that a function is vectorised for, and the reason why a function isn't vectorised.
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_ROW_SHAPE_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_ROW_SHAPE_H

#include <string>

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Function.h>

#include "compiler/spmd/analysis/legal_element_types.h"

namespace rivulet::compiler {

struct VectorisationFailure {
    std::string reason;
    llvm::DebugLoc location;
};

struct RowShape {
    unsigned vlen = 0;      // exact, in bits; 0: unknown
    unsigned length = 0;    // most work-items of a row; 0: unknown
    unsigned likely = 0;    // most rows have at most this many; 0: unknown
    bool long_rows = false; // over many groups
    bool parted = false;    // into parts of a few strips, mostly
    bool rare = false;      // hardly ever run: not worth more than one way
    bool called = false;    // by other rows, whose variables are on the same stack
    LegalElementTypes elements;
    unsigned sub_group = 0; // size of sub-groups; 0: the function uses none
    unsigned min_vlen = 0;  // of rows of sub-groups; 0: no vector unit
    unsigned rows = 0;      // that the function does at once, if it may be called for all that are
                            // neighbours in y, of which there is at least one; 0: it may not
};

// Marks a work-item function with the rows that it is prepared for (except the elements), and reads
// the mark.
void set_row_shape(llvm::Function &function, const RowShape &shape);
RowShape row_shape(const llvm::Function &function);

} // namespace rivulet::compiler

#endif
