// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_CODEGEN_SSA_REPAIR_H
#define RIVULET_COMPILER_SPMD_CODEGEN_SSA_REPAIR_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>

namespace rivulet::compiler {

// Code that is skipped if no lane needs it defines values that are used after it, and no lane reads
// them where it was skipped. This adds the phi nodes that SSA form requires: skipped values are
// poison, skipped masks are empty.
class SsaRepair {
public:
    // The block ends with a branch to guarded code or around it.
    void guard(llvm::BasicBlock *block) { guards_.insert(block); }
    llvm::Value *mask(llvm::Value *value) {
        masks_.insert(value);
        return value;
    }
    void run(llvm::Function &function);

private:
    llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *>
    guards_around(llvm::DominatorTree &dominators) const;

    llvm::SmallPtrSet<llvm::BasicBlock *, 16> guards_;
    llvm::SmallPtrSet<llvm::Value *, 32> masks_;
};

} // namespace rivulet::compiler

#endif
