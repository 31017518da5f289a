// SPDX-License-Identifier: Apache-2.0
//
// Merges loads of fields that fill an aligned 32-bit word into one load of the word, with a shift
// and a truncation for each field, where addresses follow no pattern between lanes. A gather costs
// one memory access per lane, a shift one instruction for all lanes. Without this pass uchar4
// pixels at computed addresses take four gathers.
//
// The word is loaded where its first field was: LoadsByAddress finds no loads behind a write. It
// is aligned, so it can't reach into a page that the fields don't touch.
//
// Needs LaneAnalysis without an obstacle. Runs on canonical functions, right before code
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

namespace {

// Fields of whole bytes: others leave gaps in the word. A pointer would become a number.
bool may_be_field(const LoadInst &load) {
    Type *type = load.getType();
    return !type->isPointerTy() && load.getDataLayout().typeSizeEqualsStoreSize(type);
}

} // namespace

PreservedAnalyses FieldLoadsPass::run(Function &function, FunctionAnalysisManager &analyses) {
    const LaneAnalysis::Result &lanes = get<LaneAnalysis>(function, analyses);
    if (lanes.obstacle)
        return PreservedAnalyses::all();
    const StrideAnalysis &strides = *lanes.strides;
    SmallVector<WeakTrackingVH> loads;
    for (Instruction &instruction : instructions(function))
        if (auto *load = dyn_cast<LoadInst>(&instruction);
            load && load->isSimple() && load->getAlign() >= Align(word_bytes) &&
            may_be_field(*load) && strides.of(load).kind == Stride::varying &&
            strides.of(load->getPointerOperand()).kind == Stride::varying)
            loads.push_back(load);
    const LoadsByAddress by_address(function);
    bool found = false;
    for (WeakTrackingVH &value : loads) {
        auto *first = dyn_cast_or_null<LoadInst>(value);
        if (!first)
            continue;
        auto fields = by_address.of_fields(*first);
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
