// SPDX-License-Identifier: Apache-2.0
//
// Regions: what a work-item does between two boundaries (a barrier, a collective, …).
//
//   a; barrier; while (u) { b; barrier; c; } d;      region 0: a
//                                                    region 1: loop { b } or d
//                                                    region 2: c, then loop { b } or d
//
// Each region is a work-item function of its own; all work-items of a group run it before the
// group goes on to the next one. Which one that is, is the same for all of them, since boundaries
// are in uniform control flow (6.15.8).
#ifndef RIVULET_COMPILER_WORKGROUP_PARALLEL_REGIONS_H
#define RIVULET_COMPILER_WORKGROUP_PARALLEL_REGIONS_H

#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/work_items/work_group_builtin_table.h"
#include "compiler/workgroup/work_item.h"

namespace rivulet::compiler {

// A value that lives over boundaries.
struct LiveValue {
    enum Kind {
        uniform,    // the same for the whole group: a variable of the group
        recomputed, // cheap: computed again at the region's start
        saved,      // one per work-item, in memory: [local id]
    };
    Kind kind = saved;
    llvm::AllocaInst *memory = nullptr; // stands for it in the work-item function
    llvm::Instruction *value = nullptr; // of recomputed ones
    llvm::Type *type = nullptr;
    std::vector<bool> live; // at each boundary
    uint32_t offset = 0;    // of saved ones: bytes, times the work-items of a full group
    uint32_t bytes = 0;
    // For arrays, if not 0: the first elements of all work-items come first, then all second ones…
    uint32_t element_bytes = 0;
    bool in_variable = false; // of saved ones: in a variable of the kernel, not in saved memory
};

// That of variables with saved values, and of the stack.
constexpr uint64_t saved_variable_alignment = 16; // bytes

struct Boundary {
    llvm::CallInst *call = nullptr;
    llvm::BasicBlock *after = nullptr;
    Builtin builtin = Builtin::barrier;
    Operation operation = Operation::add; // of a reduction or scan
    // For collectives: indices of live values. The operand of every work-item is saved; a scan
    // leaves its result in the operand's slot, the others in a uniform one.
    int operand = -1;
    int result = -1;
    int index = -1;         // linear local id of the work-item that broadcasts
    bool is_signed = false; // how integers compare
};

struct Region {
    llvm::Function *function = nullptr;
    std::vector<unsigned> next; // boundaries at which it may end
    bool may_return = false;
};

// Region 0 is the kernel's start, region i + 1 what follows boundary i. Parameters of a region:
// those of the work-item function, then the value of each uniform live value at its start, then a
// pointer for the value of each at its end, then the variables of saved values, then a pointer for
// the boundary where it ended. That is left alone when the work-item returned.
struct Regions {
    std::vector<LiveValue> values;
    std::vector<Boundary> boundaries;
    std::vector<Region> regions;
    uint64_t saved_bytes = 0; // per work-item

    std::vector<unsigned> uniform_values() const;
    std::vector<unsigned> variables() const; // saved values that are in one
};

// Consumes the work-item function. `lanes`: its work-items run side by side. `items`: of each full
// group, or 0.
Regions split_into_regions(llvm::Function &work_item, bool lanes, uint64_t items);

// &value of the work-item with the linear local id, in saved memory.
llvm::Value *saved_address(llvm::IRBuilderBase &builder, llvm::Value *saved, llvm::Value *items,
                           llvm::Value *linear_id, uint32_t offset, uint32_t bytes);

} // namespace rivulet::compiler

#endif
