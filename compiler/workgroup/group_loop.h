// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORKGROUP_GROUP_LOOP_H
#define RIVULET_COMPILER_WORKGROUP_GROUP_LOOP_H

#include "compiler/spmd/elements.h"
#include "compiler/workgroup/regions.h"

namespace rivulet::compiler {

// What does a region's work-items that differ in x only (row.h).
struct Rows {
    llvm::Function *one = nullptr;     // of one y, or null: `several` leaves none
    llvm::Function *several = nullptr; // of y … y + count - 1 (../spmd/several_rows.h), or null
    llvm::Function *fit = nullptr;     // whether it may, or null: always
    unsigned count = 1;
    bool divides = false;             // `several` does all of a full group's rows
    llvm::Function *limits = nullptr; // {begin, end} of y that are left of these; null: all
};

struct GroupFunctions {
    llvm::Function *kernel = nullptr;
    llvm::Function *uneven = nullptr; // that it calls, or null
};

// Builds void NAME(record, words, frame): takes chunks of work-groups until none is left, and
// runs the regions' rows for each group. Flat, it gets rows of work-items to run, too, from who
// takes the chunks (../runtime/dispatch.h).
// `rows` are one per region; with linear ids (linear_ids.h) one row is the whole group.
// `initialise_local`: groups find their local memory zeroed. `elements`: of the vector unit, or
// null: collectives do without.
//
// Where several rows do all of a full group, groups that the global size's end cuts short (5.8 of
// the API: only the last ones are) have a function of their own: they are few, so it is made with
// less effort, and the kernel needs no code for rows that are left.
enum class Ids { by_dimension, linear, flat };
GroupFunctions build_group_loop(const Kernel &kernel, const Regions &regions,
                                llvm::ArrayRef<Rows> rows, Ids ids, bool initialise_local,
                                const Elements *elements);

} // namespace rivulet::compiler

#endif
