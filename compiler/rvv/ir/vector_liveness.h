// SPDX-License-Identifier: Apache-2.0
//
// Liveness of the values that lie in vector registers.
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

// Elements that are moved and computed without detour, groups that need not be split.
bool is_plain(const llvm::VectorType &type);

class VectorLiveness {
public:
    explicit VectorLiveness(llvm::Function &function);

    bool empty() const { return values_.empty(); }

    bool contains(const llvm::Value *value) const { return numbers_.contains(value); }

    // In registers; 0: not there, or part of what wants it, or a mask.
    unsigned size(const llvm::Value *value) const;

    // The registers of the largest value. A mask, which goes through v0, takes as many: groups
    // begin at multiples of their size.
    unsigned largest() const { return largest_; }

    // Vectors that an instruction wants in registers.
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
