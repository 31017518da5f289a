// SPDX-License-Identifier: Apache-2.0
//
// Turns bitcasts between a vector and another type of the same size into shifts, truncations and
// insertelements. The scalarizer that runs next splits every vector operation but these: without
// this pass a char4 that is read as an int remains a vector, and the work-item is not vectorised.
//
// Expects a little-endian target: element 0 is in the lowest bits. A bitcast between two vectors is
// left to the scalarizer, and one between scalars needs no splitting.
//
// Reports a change also if it found no bitcast but vectors for the scalarizer to split, so that
// rvl-if-changed(rvl-split-bitcasts,scalarizer,…) runs the rest exactly where it has work to do.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/spmd/transform/obstacle.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SplitBitcastsPass);

namespace {

bool split_bitcasts(Function &function) {
    bool found = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *cast = dyn_cast<BitCastInst>(&instruction);
        if (!cast)
            continue;
        auto *from = dyn_cast<FixedVectorType>(cast->getSrcTy());
        auto *to = dyn_cast<FixedVectorType>(cast->getDestTy());
        if (!from == !to)
            continue;
        IRBuilder<> builder(cast);
        FixedVectorType *vector = from ? from : to;
        unsigned bits = unsigned(vector->getScalarSizeInBits());
        Type *whole = builder.getIntNTy(bits * vector->getNumElements());
        Type *part = builder.getIntNTy(bits);
        Value *result =
            from ? static_cast<Value *>(ConstantInt::get(whole, 0)) : PoisonValue::get(vector);
        Value *source =
            from ? cast->getOperand(0) : builder.CreateBitCast(cast->getOperand(0), whole);
        for (unsigned i = 0; i < vector->getNumElements(); ++i) {
            if (from) {
                Value *bits_of =
                    builder.CreateBitCast(builder.CreateExtractElement(source, i), part);
                result = builder.CreateOr(
                    result, builder.CreateShl(builder.CreateZExt(bits_of, whole), i * bits));
            } else {
                Value *bits_of = builder.CreateTrunc(builder.CreateLShr(source, i * bits), part);
                result = builder.CreateInsertElement(
                    result, builder.CreateBitCast(bits_of, vector->getElementType()), i);
            }
        }
        if (from)
            result = builder.CreateBitCast(result, cast->getDestTy());
        cast->replaceAllUsesWith(result);
        cast->eraseFromParent();
        found = true;
    }
    return found;
}

} // namespace

PreservedAnalyses SplitBitcastsPass::run(Function &function, FunctionAnalysisManager &) {
    return preserved_unless(split_bitcasts(function) || any_of(instructions(function), has_vector));
}

} // namespace rivulet::compiler
