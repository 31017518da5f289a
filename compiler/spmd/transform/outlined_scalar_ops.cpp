// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/outlined_scalar_ops.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/analysis/sub_group_functions.h"
#include "compiler/spmd/analysis/sub_group_calls.h"

namespace rivulet::compiler {

using namespace llvm;

static constexpr StringLiteral lane_function = "rivulet.lane_function";

bool is_part_of_lane_function(const Value *operand) {
    return isa<Constant, MetadataAsValue, InlineAsm>(operand);
}

bool is_lane_function(const Function &function) {
    return function.getName().starts_with(lane_function);
}

CallInst *call_lane_function(IRBuilderBase &builder, Instruction &instruction, Type *result,
                             ArrayRef<Value *> operands, SetOperand set_operand, Finish finish) {
    Function &caller = *instruction.getFunction();
    LLVMContext &context = caller.getContext();
    SmallVector<Type *> types;
    for (Value *operand : operands)
        types.push_back(operand->getType());
    auto *function =
        Function::Create(FunctionType::get(result, types, false), GlobalValue::InternalLinkage,
                         caller.getAddressSpace(), lane_function, caller.getParent());
    function->addFnAttrs(AttrBuilder(context, caller.getAttributes().getFnAttrs()));
    function->addFnAttr(Attribute::NoUnwind);
    function->setMemoryEffects(instruction.mayReadOrWriteMemory() ? MemoryEffects::unknown()
                                                                  : MemoryEffects::none());
    if (instruction.willReturn())
        function->setWillReturn();

    IRBuilder<> body(BasicBlock::Create(context, "entry", function));
    SmallVector<Value *> parameters(make_pointer_range(function->args()));
    ArrayRef<Value *> left = parameters;
    Instruction *whole = instruction.clone();
    for (Use &operand : whole->operands())
        if (!is_part_of_lane_function(operand))
            operand.set(set_operand(body, operand.get(), left));
    whole->setDebugLoc({});
    body.Insert(whole);
    if (result->isVoidTy())
        body.CreateRetVoid();
    else
        body.CreateRet(finish(body, *whole));
    CallInst *call = builder.CreateCall(function, operands);
    call->setDebugLoc(instruction.getDebugLoc());
    return call;
}

void split_operands_of_calls(Function &work_item) {
    auto has_components = [](const Value *operand) {
        return isa<FixedVectorType>(operand->getType()) && !is_part_of_lane_function(operand);
    };
    for (Instruction &instruction : make_early_inc_range(instructions(work_item))) {
        auto *call = dyn_cast<CallInst>(&instruction);
        if (!call || isa<IntrinsicInst>(call) || sub_group_call(*call) ||
            calls_sub_group_function(*call) || call->getType()->isVectorTy() ||
            none_of(call->operand_values(), has_components))
            continue;
        IRBuilder<> builder(call);
        SmallVector<Value *> operands;
        for (Value *operand : call->operand_values()) {
            if (is_part_of_lane_function(operand))
                continue;
            if (auto *vector = dyn_cast<FixedVectorType>(operand->getType()))
                for (unsigned i = 0; i < vector->getNumElements(); ++i)
                    operands.push_back(builder.CreateExtractElement(operand, i));
            else
                operands.push_back(operand);
        }
        CallInst *split = call_lane_function(
            builder, *call, call->getType(), operands,
            [](IRBuilderBase &body, Value *operand, ArrayRef<Value *> &parameters) -> Value * {
                auto *vector = dyn_cast<FixedVectorType>(operand->getType());
                if (!vector)
                    return parameters.consume_front();
                Value *whole = PoisonValue::get(vector);
                for (unsigned i = 0; i < vector->getNumElements(); ++i)
                    whole = body.CreateInsertElement(whole, parameters.consume_front(), i);
                return whole;
            },
            [](IRBuilderBase &, Instruction &whole) { return &whole; });
        call->replaceAllUsesWith(split);
        call->eraseFromParent();
    }
}

// One may call another: of a call whose operands were split as words first, then as components.
void inline_lane_functions(Function &row) {
    auto calls_lane_function = [](const CallBase &call) {
        return call.getCalledFunction() && is_lane_function(*call.getCalledFunction());
    };
    SmallVector<CallBase *> pending;
    for (Instruction &instruction : instructions(row))
        if (auto *call = dyn_cast<CallBase>(&instruction); call && calls_lane_function(*call))
            pending.push_back(call);
    while (!pending.empty()) {
        InlineFunctionInfo info;
        InlineFunction(*pending.pop_back_val(), info);
        for (CallBase *call : info.InlinedCallSites)
            if (calls_lane_function(*call))
                pending.push_back(call);
    }
}

} // namespace rivulet::compiler
