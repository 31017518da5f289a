// SPDX-License-Identifier: Apache-2.0
//
// Expands integer sums, products and bitwise reductions of fixed vectors into operations on
// elements. InstCombine makes llvm.vector.reduce.or and .and of any() and all(), and the scalarizer
// doesn't know these intrinsics: without this pass the vector remains and the work-item is not
// vectorised.
//
// Reductions whose operation is an intrinsic itself, or that need an order, don't come from OpenCL
// C and are left alone. There are no scalable vectors yet.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SplitReductionsPass);

PreservedAnalyses SplitReductionsPass::run(Function &function, FunctionAnalysisManager &) {
    static constexpr std::pair<Intrinsic::ID, Instruction::BinaryOps> reductions[] = {
        {Intrinsic::vector_reduce_or, Instruction::Or},
        {Intrinsic::vector_reduce_and, Instruction::And},
        {Intrinsic::vector_reduce_xor, Instruction::Xor},
        {Intrinsic::vector_reduce_add, Instruction::Add},
        {Intrinsic::vector_reduce_mul, Instruction::Mul},
    };
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *call = dyn_cast<IntrinsicInst>(&instruction);
        auto *how =
            call ? find_if(reductions,
                           [&](const auto &row) { return row.first == call->getIntrinsicID(); })
                 : std::end(reductions);
        if (how == std::end(reductions))
            continue;
        IRBuilder<> builder(call);
        Value *vector = call->getArgOperand(0);
        Value *result = builder.CreateExtractElement(vector, uint64_t(0));
        for (unsigned i = 1; i < cast<FixedVectorType>(vector->getType())->getNumElements(); ++i)
            result =
                builder.CreateBinOp(how->second, result, builder.CreateExtractElement(vector, i));
        call->replaceAllUsesWith(result);
        call->eraseFromParent();
    }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
