// SPDX-License-Identifier: Apache-2.0
//
// Demanded VL: how many lanes of a vector are used.
#ifndef RIVULET_COMPILER_RVV_IR_DEMANDED_VL_H
#define RIVULET_COMPILER_RVV_IR_DEMANDED_VL_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ValueMap.h>

namespace rivulet::compiler {

// Whether such a vector has as many lanes as the vsetvli's VL is at most: those of a register
// group.
bool counts_lanes_of(const llvm::IntrinsicInst &vsetvli, const llvm::VectorType &type);

class DemandedVl {
public:
    DemandedVl(llvm::Function &function, const llvm::DominatorTree &dominators);

    // The vsetvli whose lanes are all that is demanded of the vector, at places that the vsetvli
    // dominates. Null if more lanes (or none) are demanded, or if the vector was created after this
    // analysis ran.
    llvm::IntrinsicInst *of(const llvm::Value &vector) const { return lengths_.lookup(&vector); }

private:
    void demand(llvm::Value &vector, llvm::IntrinsicInst *length);
    void pass_on(llvm::Instruction &instruction, llvm::IntrinsicInst *length);

    const llvm::DominatorTree &dominators_;
    // Forgets erased instructions, because another one may get the same address.
    struct Erasure : llvm::ValueMapConfig<const llvm::Value *> {
        enum { FollowRAUW = false };
    };
    using Lengths = llvm::ValueMap<const llvm::Value *, llvm::IntrinsicInst *, Erasure>;

    Lengths lengths_; // null: all lanes
    llvm::SmallVector<llvm::Instruction *> changed_;
};

} // namespace rivulet::compiler

#endif
