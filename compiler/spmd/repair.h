// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_REPAIR_H
#define RIVULET_COMPILER_SPMD_REPAIR_H

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Code that runs only when a lane wants it defines values that are used after it, where no lane
// looks at them if it didn't run. This gives them the phi nodes that SSA form asks for: skipped
// values are poison, skipped masks are empty.
class Repair {
public:
    // The block ends with a branch around code.
    void guard(llvm::BasicBlock *block) { guards_.push_back(block); }
    llvm::Value *mask(llvm::Value *value) {
        masks_.insert(value);
        return value;
    }
    void run(llvm::Function &function);

private:
    llvm::SmallVector<llvm::BasicBlock *> guards_;
    llvm::SmallPtrSet<llvm::Value *, 32> masks_;
};

} // namespace rivulet::compiler

#endif
