// SPDX-License-Identifier: Apache-2.0
//
// Ranges of a function's integers, through phis and loops. LLVM's computeConstantRange() looks at a
// single instruction, and its lazy value info knows no loop-carried minimum or maximum.
//
// A range holds where the value isn't poison: flags are believed.
#ifndef RIVULET_COMPILER_ANALYSIS_INTEGER_RANGES_H
#define RIVULET_COMPILER_ANALYSIS_INTEGER_RANGES_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

class IntegerRanges {
public:
    explicit IntegerRanges(llvm::Function &function);

    // Of an integer; the full range if nothing is known.
    llvm::ConstantRange of(const llvm::Value *value) const;

private:
    llvm::ConstantRange known(const llvm::Value *value) const;
    llvm::ConstantRange computed(const llvm::Instruction &instruction) const;
    // Of a * m + b * (most - m), where m is at most `most`: between those of a * most and b * most.
    llvm::ConstantRange weighted_mean(const llvm::BinaryOperator &sum) const;

    struct State {
        llvm::ConstantRange range;
        unsigned changes = 0;
    };
    llvm::DenseMap<const llvm::Value *, State> states_;
};

} // namespace rivulet::compiler

#endif
