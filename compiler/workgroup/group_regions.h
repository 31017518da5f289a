// SPDX-License-Identifier: Apache-2.0
//
// Code that does one work-group: region after region, as the work-items go on from boundary to
// boundary.
#ifndef RIVULET_COMPILER_WORKGROUP_GROUP_REGIONS_H
#define RIVULET_COMPILER_WORKGROUP_GROUP_REGIONS_H

#include "compiler/spmd/analysis/legal_element_types.h"
#include "compiler/workgroup/launch_values.h"
#include "compiler/workgroup/parallel_regions.h"
#include "compiler/workgroup/work_item_loops.h"

namespace rivulet::compiler {

// How a kernel's functions know work-items: by x, y, z in the group; by their linear local id
// (linear_ids.h: one row is the whole group); or, flat, by x, y, z in the NDRange less its offset.
enum class Ids { by_dimension, linear, flat };

// The functions and values that a kernel's code consists of.
struct KernelParts {
    const Kernel &kernel;
    const Regions &regions;
    llvm::ArrayRef<Rows> rows; // one for each region
    Ids ids;
    bool initialise_local;             // groups find their local memory zeroed
    const LegalElementTypes *elements; // of the vector unit, or null: collectives do without
};

struct Group {
    Dimensions first_id;   // global
    Dimensions local_size; // of this group
    Dimensions id;
};

class GroupRegions {
public:
    // The builder is in the entry block of the function that the code is for.
    GroupRegions(const KernelParts &parts, llvm::IRBuilder<> &builder, const LaunchValues &launch);

    // All regions of the group, from where the builder is to `done`, where it is afterwards.
    void run(const Group &group, llvm::BasicBlock *done);

    // One region's work-items with one z.
    void run_rows(size_t region, Range x, Range y, llvm::Value *z, const Group &group,
                  llvm::ArrayRef<llvm::Value *> uniform_values = {});

    // The arguments of a region's row. `uniform_values` are those at its start, if it has any.
    RowArguments arguments(Range x, llvm::Value *y, llvm::Value *z, const Group &group,
                           llvm::ArrayRef<llvm::Value *> uniform_values = {});

private:
    // The branches to the regions. What LLVM asks of a loop, it asks of all that stands before it:
    // that is many regions' conditions, unless a switch that it can't foresee lies between them.
    llvm::SmallVector<llvm::BasicBlock *>
    separated(const llvm::SmallVector<llvm::BasicBlock *> &starts);
    // To the region after the boundary at which all work-items ended.
    void go_on(const Region &region, const Group &group, llvm::ArrayRef<llvm::BasicBlock *> starts,
               llvm::BasicBlock *done);
    llvm::BasicBlock *collective(unsigned number, const Group &group, llvm::BasicBlock *then);
    llvm::Value *items(const Group &group);
    llvm::AllocaInst *uniform(int value);

    const KernelParts &parts_;
    const Regions &regions_;
    llvm::IRBuilder<> &builder_;
    const LaunchValues &launch_;
    llvm::Function *function_;
    const bool are_many_;                           // regions
    llvm::SmallVector<llvm::AllocaInst *> uniform_; // variables of the group
    llvm::SmallVector<llvm::AllocaInst *> saved_;   // of all work-items, for saved values
    llvm::AllocaInst *ended_;                       // number of the boundary
};

} // namespace rivulet::compiler

#endif
