// SPDX-License-Identifier: Apache-2.0
//
// Liveness of the values that are in vector registers.
#ifndef RIVULET_COMPILER_RVV_IR_VECTOR_LIVENESS_H
#define RIVULET_COMPILER_RVV_IR_VECTOR_LIVENESS_H

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

#include "compiler/analysis/vector_registers.h"

namespace rivulet::compiler {

unsigned registers_of(const llvm::VectorType &type);

// Whether the vector unit has such elements, and the type fits into one register group.
bool is_plain(const llvm::VectorType &type);

// What models of register pressure know of values. For vector IR, that is in their types. LMUL
// selection asks about scalar code, as if what differs between lanes were vectors.
class VectorValues {
public:
    virtual ~VectorValues() = default;

    // Whether the value has vector registers of its own.
    virtual bool contains(const llvm::Value &value) const = 0;

    // In registers; 0 for a mask, which RegisterFile counts. A tuple has several groups.
    virtual unsigned size(const llvm::Value &value) const = 0;
    virtual unsigned group(const llvm::Value &value) const { return size(value); }

    // Vectors that an instruction wants in registers, and of which `contains` is true.
    virtual void operands(const llvm::Instruction &instruction,
                          llvm::function_ref<bool(const llvm::Value &)> contains,
                          llvm::SmallVectorImpl<llvm::Value *> &found) const = 0;

    // The value in registers that an operand of a phi is folded from.
    virtual llvm::Value *whole(llvm::Value *operand) const { return operand; }
};

class VectorLiveness {
public:
    // Of vector IR.
    explicit VectorLiveness(llvm::Function &function);
    VectorLiveness(llvm::Function &function, const VectorValues &values);

    bool empty() const { return all_.empty(); }

    bool contains(const llvm::Value *value) const { return numbers_.contains(value); }

    const VectorValues &values() const { return values_; }

    // In registers; 0: not there, or part of what wants it, or a mask.
    unsigned size(const llvm::Value *value) const {
        return contains(value) ? values_.size(*value) : 0;
    }

    // The registers of the largest group. A mask, which goes through v0, takes as many: groups
    // begin at multiples of their size.
    unsigned largest() const { return largest_; }

    // The vectors that an instruction needs in registers.
    llvm::ArrayRef<llvm::Value *> operands(const llvm::Instruction &instruction) const;

    llvm::ArrayRef<llvm::Value *> live_in(const llvm::BasicBlock &block) const;
    llvm::ArrayRef<llvm::Value *> live_out(const llvm::BasicBlock &block) const;

    // The most registers in use at a time.
    unsigned most_used(const llvm::BasicBlock &block) const;

private:
    using Blocks = llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<llvm::Value *, 4>>;

    void add(llvm::Value &value);
    void find_live(llvm::Function &function);

    const VectorValues &values_;
    llvm::DenseMap<const llvm::Value *, unsigned> numbers_;
    std::vector<llvm::Value *> all_;
    llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<llvm::Value *, 4>> operands_;
    Blocks live_in_, live_out_;
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
