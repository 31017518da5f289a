// SPDX-License-Identifier: Apache-2.0
//
// Merges loads of fields that fill an aligned 32-bit word, at addresses that differ in any way
// between lanes, into one load of the word, a shift and a truncation for each field. A gather costs
// one access for each lane, a shift one instruction for all of them. Without this pass uchar4
// pixels at computed addresses take four gathers.
//
// Needs LaneAnalysis without an obstacle; runs on canonical functions, right before code
// generation.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/spmd/analysis/adjacent_accesses.h"
#include "compiler/spmd/analysis/lane_analyses.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(FieldLoadsPass);

constexpr unsigned word_bytes = 4;

PreservedAnalyses FieldLoadsPass::run(Function &function, FunctionAnalysisManager &analyses) {
    const LaneAnalysis::Result &lanes = get<LaneAnalysis>(function, analyses);
    if (lanes.obstacle)
        return PreservedAnalyses::all();
    const StrideAnalysis &strides = *lanes.strides;
    SmallVector<WeakTrackingVH> loads;
    for (Instruction &instruction : instructions(function))
        if (auto *load = dyn_cast<LoadInst>(&instruction);
            load && load->isSimple() && load->getAlign() >= Align(word_bytes) &&
            !load->getType()->isPointerTy() && strides.of(load).kind == Stride::varying &&
            strides.of(load->getPointerOperand()).kind == Stride::varying)
            loads.push_back(load);
    bool found = false;
    for (WeakTrackingVH &value : loads) {
        auto *first = dyn_cast_or_null<LoadInst>(value);
        if (!first)
            continue;
        auto fields = loads_of_fields(*first);
        auto bits = unsigned(first->getType()->getScalarSizeInBits());
        if (fields.size() < 2 || fields.size() * bits != 8 * word_bytes)
            continue;
        IRBuilder<> builder(first);
        LoadInst *word = builder.CreateAlignedLoad(builder.getInt32Ty(), first->getPointerOperand(),
                                                   first->getAlign());
        for (auto [i, load] : enumerate(fields)) {
            builder.SetInsertPoint(load);
            Value *field =
                builder.CreateTrunc(builder.CreateLShr(word, bits * i), builder.getIntNTy(bits));
            load->replaceAllUsesWith(builder.CreateBitCast(field, load->getType()));
            load->eraseFromParent();
        }
        found = true;
    }
    return preserved_unless(found);
}

} // namespace rivulet::compiler
