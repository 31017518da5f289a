// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on integers of 64 bits in two words.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_I64_EXPANSION_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_I64_EXPANSION_H

#include <optional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

struct Pair {
    llvm::Value *low, *high; // i32
};

// None: there is no short way.
std::optional<Pair> combine_pairs(llvm::IRBuilderBase &builder, llvm::Instruction::BinaryOps how,
                                  Pair a, Pair b);
llvm::Value *compare_pairs(llvm::IRBuilderBase &builder, llvm::CmpInst::Predicate how, Pair a,
                           Pair b);
Pair choose_pair(llvm::IRBuilderBase &builder, llvm::Value *condition, Pair yes, Pair no);
// Expands an integer intrinsic of one type; operands of other types are null.
std::optional<Pair> call_on_pairs(llvm::IRBuilderBase &builder, llvm::Intrinsic::ID function,
                                  llvm::ArrayRef<Pair> operands);

} // namespace rivulet::compiler

#endif
