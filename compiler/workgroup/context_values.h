// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORKGROUP_CONTEXT_VALUES_H
#define RIVULET_COMPILER_WORKGROUP_CONTEXT_VALUES_H

#include "compiler/workgroup/parallel_regions.h"

namespace rivulet::compiler {

// Finds the values of the work-item function that are live across its boundaries, and turns each
// into loads and stores of a variable of its own.
void demote_live_values(llvm::Function &work_item, Regions &regions);

// Finds the private variables in memory that may be used after a boundary.
// `lanes`: work-items run side by side, for which elements of arrays lie side by side, too.
void find_saved_variables(llvm::Function &work_item, Regions &regions, bool lanes);

// Gives the saved values their offsets, largest alignment first. In groups of `items` work-items,
// if that is known, those that only regions themselves ask for become variables, if they are small;
// `flag`: such a value, though it is live at no boundary, or -1.
void lay_out_saved_values(Regions &regions, const llvm::DataLayout &layout, uint64_t items,
                          int flag);

} // namespace rivulet::compiler

#endif
