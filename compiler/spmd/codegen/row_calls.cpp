// SPDX-License-Identifier: Apache-2.0
//
// Calls of functions that stay functions, for all lanes (work_items/called_rows.h).
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/IR/Module.h>

#include "compiler/analysis/kept_calls.h"
#include "compiler/work_items/called_rows.h"
#include "compiler/work_items/small_buffers.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

SmallVector<Type *, 4> result_parts(Type *result) {
    if (result->isVoidTy())
        return {};
    if (auto *structure = dyn_cast<StructType>(result))
        return SmallVector<Type *, 4>(structure->elements());
    return {result};
}

// The declaration of the function's row; called_rows.cpp defines it.
FunctionCallee declare_row(Function &callee, StringRef forms, ArrayRef<Type *> types,
                           const Function &caller) {
    Module &module = *callee.getParent();
    const bool is_large = !promises_small_buffers(caller);
    std::string name = (callee.getName() + ".lanes." + forms + (is_large ? ".large" : "")).str();
    auto row = module.getOrInsertFunction(
        name, FunctionType::get(Type::getVoidTy(module.getContext()), types, false));
    auto &function = cast<Function>(*row.getCallee());
    if (!function.isDeclaration())
        return row;
    function.addFnAttr(called_row_mark, (callee.getName() + " " + forms).str());
    if (is_large)
        function.addFnAttr(large_buffers_mark);
    return row;
}

} // namespace

bool InstructionWidener::is_row_call(const Instruction &instruction) const {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && call->getCalledFunction() && is_kept_call(*call->getCalledFunction());
}

// Where lanes are masked off, results have to get back to the lanes that made the call.
bool InstructionWidener::can_call_row(const CallInst &call) const {
    return count_.isScalable() && (!active.mask || call.use_empty() ||
                                   all_of(result_parts(call.getType()),
                                          [&](Type *part) { return spreads(stored_type(part)); }));
}

// Memory for the values of a call's lanes; later calls use it again.
Value *InstructionWidener::call_memory(Type *type, unsigned number) {
    const uint64_t bytes = builder_.GetInsertBlock()->getDataLayout().getTypeAllocSize(type);
    AllocaInst *&memory = call_memory_[{bytes, number}];
    if (!memory)
        memory = buffer(type);
    return memory;
}

void InstructionWidener::emit_row_call(CallInst &call) {
    Function &callee = *call.getCalledFunction();
    Value *mask = active.mask;
    unsigned number = 0;
    std::string forms;
    SmallVector<Value *> operands = {mask ? lanes_in(mask) : active.length};
    const auto pass_lanes = [&](Value *wide) {
        Type *type = cast<VectorType>(wide->getType())->getElementType();
        operands.push_back(store_lanes(wide, mask, call_memory(stored_type(type), number++)));
    };
    for (Value *value : call.args()) {
        if (isa<Constant>(value) || strides_.uniform(value)) {
            forms += called_form::same;
            operands.push_back(scalar(value));
            continue;
        }
        if (!value->getType()->isPointerTy()) {
            forms += called_form::values;
            pass_lanes(vector(value));
            continue;
        }
        auto [base, each] = offsets(value);
        forms += base ? called_form::offsets : called_form::values;
        if (base)
            operands.push_back(base);
        pass_lanes(each);
    }
    SmallVector<Value *> results;
    const auto parts = result_parts(call.getType());
    for (Type *part : parts) {
        results.push_back(call_memory(stored_type(part), number++));
        operands.push_back(results.back());
    }
    SmallVector<Type *> types;
    for (Value *operand : operands)
        types.push_back(operand->getType());
    builder_.CreateCall(declare_row(callee, forms, types, *builder_.GetInsertBlock()->getParent()),
                        operands);
    if (call.use_empty())
        return;
    Value *whole =
        call.getType()->isStructTy() ? PoisonValue::get(vector_of(call.getType())) : nullptr;
    for (auto [i, part] : enumerate(parts)) {
        Type *stored = stored_type(part);
        Value *wide = mask ? expand_packed(results[i], stored, mask)
                           : builder_.CreateIntrinsic(Intrinsic::vp_load,
                                                      {vector_of(stored), results[i]->getType()},
                                                      {results[i], all_lanes(), active.length});
        if (part->isIntegerTy(1))
            wide = builder_.CreateIsNotNull(wide);
        whole = whole ? builder_.CreateInsertValue(whole, wide, unsigned(i)) : wide;
    }
    vectors_[&call] = whole;
}

} // namespace rivulet::compiler
