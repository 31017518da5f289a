// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on 64-bit integers as two 32-bit words, for vector units without elements of 64 bits.
// Everything that has a form of a few word operations; divisions don't.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_I64_EXPANSION_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_I64_EXPANSION_H

#include <optional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

struct I64Pair {
    llvm::Value *low, *high; // i32
};

// Nothing if the operation has no short expansion.
std::optional<I64Pair> combine_pairs(llvm::IRBuilderBase &builder, llvm::Instruction::BinaryOps how,
                                     I64Pair a, I64Pair b);
llvm::Value *compare_pairs(llvm::IRBuilderBase &builder, llvm::CmpInst::Predicate how, I64Pair a,
                           I64Pair b);
I64Pair choose_pair(llvm::IRBuilderBase &builder, llvm::Value *condition, I64Pair yes, I64Pair no);
// Expands an integer intrinsic of one type; operands of other types are null.
std::optional<I64Pair> call_on_pairs(llvm::IRBuilderBase &builder, llvm::Intrinsic::ID function,
                                     llvm::ArrayRef<I64Pair> operands);

} // namespace rivulet::compiler

#endif
