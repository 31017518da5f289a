// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/sanitizer_barriers.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/lowering/sanitizer_accesses.h"
#include "compiler/support/program.h"
#include "compiler/work_items/launch_end.h"
#include "compiler/work_items/work_group_builtin_table.h"
#include "hal/protocol/sanitizer.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// The site's text; the lines of all boundaries follow, once they have their numbers.
std::string barrier_text(StringRef what, const DebugLoc &location) {
    return formatv("{}\n{}\n0 1 32\n0\nlines", what, source_line(location)).str();
}

Function *declared(Module &module, StringRef name, Type *result, ArrayRef<Type *> parameters,
                   MemoryEffects effects) {
    auto *function = cast<Function>(
        module.getOrInsertFunction(name, FunctionType::get(result, parameters, false)).getCallee());
    function->setDoesNotThrow();
    function->setMemoryEffects(effects);
    return function;
}

void report(IRBuilder<> &builder, Value *other, StringRef what, const DebugLoc &location) {
    Module &module = *builder.GetInsertBlock()->getModule();
    LLVMContext &context = module.getContext();
    Type *word = builder.getInt32Ty();
    std::string text = barrier_text(what, location);
    text.resize(RVL_SITE_BYTES - 1);
    Constant *bytes = ConstantDataArray::getString(context, text);
    auto *site =
        new GlobalVariable(module, bytes->getType(), true, GlobalValue::InternalLinkage, bytes,
                           "site", nullptr, GlobalValue::NotThreadLocal, constant_space);
    site->addAttribute(arrival_site);
    SmallVector<Value *> operands{site, other};
    Type *index = module.getDataLayout().getIndexType(PointerType::get(context, global_space));
    Function *query = declared(module, "_Z13get_global_idj", index, {word}, MemoryEffects::none());
    query->setWillReturn();
    query->addFnAttr(Attribute::Speculatable);
    for (unsigned d = 0; d < 3; ++d)
        operands.push_back(
            builder.CreateTrunc(builder.CreateCall(query, {builder.getInt32(d)}), word));
    Function *end =
        declared(module, (bad_access + Twine(32)).str(), builder.getVoidTy(),
                 {site->getType(), word, word, word, word}, MemoryEffects::inaccessibleMemOnly());
    end->addFnAttr(Attribute::Cold);
    builder.SetCurrentDebugLocation(location);
    builder.CreateCall(end, operands);
}

void check_arrival(Instruction &at, uint32_t number, StringRef what) {
    Module &module = *at.getModule();
    IRBuilder<> builder(&at);
    Function *arrive = declared(module, arrival, builder.getInt32Ty(), {builder.getInt32Ty()},
                                MemoryEffects::inaccessibleMemOnly());
    arrive->setWillReturn();
    arrive->setConvergent();
    Value *other = builder.CreateCall(arrive, {builder.getInt32(number)});
    Value *differs = builder.CreateAnd(builder.CreateICmpNE(other, builder.getInt32(nowhere)),
                                       builder.CreateICmpNE(other, builder.getInt32(number)));
    const DebugLoc location = at.getDebugLoc();
    Instruction *end = SplitBlockAndInsertIfThen(
        differs, at.getIterator(), false, MDBuilder(at.getContext()).createUnlikelyBranchWeights());
    builder.SetInsertPoint(end);
    report(builder, other, what, location);
}

} // namespace

bool check_arrivals(Function &kernel) {
    SmallVector<CallInst *> boundaries;
    SmallVector<ReturnInst *> returns;
    for (Instruction &instruction : instructions(kernel)) {
        if (auto *call = dyn_cast<CallInst>(&instruction)) {
            if (auto builtin = builtin_of(*call); builtin && is_boundary(*builtin))
                boundaries.push_back(call);
        } else if (auto *end = dyn_cast<ReturnInst>(&instruction)) {
            returns.push_back(end);
        }
    }
    if (boundaries.empty())
        return false;
    LLVMContext &context = kernel.getContext();
    for (auto [i, call] : enumerate(boundaries)) {
        Metadata *number = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), i));
        call->setMetadata(arrival, MDNode::get(context, {number}));
        check_arrival(*call, static_cast<uint32_t>(i), "barrier");
    }
    for (ReturnInst *end : returns)
        check_arrival(*end, returned_early, "return");
    return true;
}

} // namespace rivulet::compiler
