// SPDX-License-Identifier: Apache-2.0
//
// Liveness of the values that are in vector registers.
#ifndef RIVULET_COMPILER_RVV_IR_VECTOR_LIVENESS_H
#define RIVULET_COMPILER_RVV_IR_VECTOR_LIVENESS_H

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

#include "compiler/analysis/vector_registers.h"

namespace rivulet::compiler {

unsigned registers_of(const llvm::VectorType &type);

// Whether the vector unit has such elements, and the type fits into one register group.
bool is_plain(const llvm::VectorType &type);

class VectorLiveness {
public:
    explicit VectorLiveness(llvm::Function &function);

    bool empty() const { return values_.empty(); }

    bool contains(const llvm::Value *value) const { return numbers_.contains(value); }

    // The number of registers; 0 for values that have none of their own, are folded into their
    // users, or are masks.
    unsigned size(const llvm::Value *value) const;

    // The registers of the largest value. A mask, which goes through v0, takes as many: groups
    // begin at multiples of their size.
    unsigned largest() const { return largest_; }

    // The vectors that an instruction needs in registers.
    llvm::ArrayRef<llvm::Value *> operands(const llvm::Instruction &instruction) const;

    llvm::ArrayRef<llvm::Value *> live_out(const llvm::BasicBlock &block) const;

    // The most registers in use at a time.
    unsigned most_used(const llvm::BasicBlock &block) const;

private:
    void add(llvm::Value &value);
    void collect(const llvm::Instruction &instruction,
                 llvm::SmallVectorImpl<llvm::Value *> &found) const;
    void find_live(llvm::Function &function);

    llvm::DenseMap<const llvm::Value *, unsigned> numbers_;
    std::vector<llvm::Value *> values_;
    std::vector<unsigned> sizes_;
    llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<llvm::Value *, 4>> operands_;
    llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<llvm::Value *, 4>> live_out_;
    unsigned largest_ = 0;
};

// Walks through a block backwards and knows which values are live.
class LivenessWalk {
public:
    LivenessWalk(const VectorLiveness &liveness, const llvm::BasicBlock &block);

    unsigned used() const;
    unsigned masks() const { return masks_; }
    bool is_live(llvm::Value *value) const { return live_.contains(value); }
    const llvm::SmallPtrSetImpl<llvm::Value *> &live() const { return live_; }

    // Registers in use when the result is there, or the operands still are.
    unsigned pass(const llvm::Instruction &instruction);
    // How many more are live before the instruction than after it.
    int growth(const llvm::Instruction &instruction) const;

private:
    void add(llvm::Value *value);
    void remove(const llvm::Value *value);

    const VectorLiveness &liveness_;
    llvm::SmallPtrSet<llvm::Value *, 16> live_;
    unsigned used_ = 0;
    unsigned masks_ = 0;
};

} // namespace rivulet::compiler

#endif
