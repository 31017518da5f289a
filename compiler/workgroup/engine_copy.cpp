// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/engine_copy.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/work_items/async_copy_element.h"
#include "compiler/work_items/parameters.h"
#include "compiler/work_items/work_group_builtin_table.h"
#include "hal/protocol/launch.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

bool is_copy(const Instruction &instruction) {
    const auto *call = dyn_cast<CallInst>(&instruction);
    const auto builtin = call ? builtin_of(*call) : std::nullopt;
    return builtin == Builtin::async_copy || builtin == Builtin::async_strided_copy;
}

// wait_group_events, or async_work_group_copy_fence, after which work-items may copy themselves.
bool is_wait(const Instruction &instruction) {
    const auto *call = dyn_cast<CallInst>(&instruction);
    const auto builtin = call ? builtin_of(*call) : std::nullopt;
    return builtin == Builtin::wait_events ||
           (builtin == Builtin::barrier &&
            unmangled_name(call->getCalledFunction()->getName()) == "async_work_group_copy_fence");
}

// The firmware keeps all registers.
void call_firmware(IRBuilder<> &builder, unsigned number, ArrayRef<Value *> operands) {
    Type *word = builder.getInt64Ty();
    SmallVector<Value *> all(operands);
    std::string constraints;
    for (unsigned i = 0; i < operands.size(); ++i) {
        word = operands[i]->getType();
        constraints += "{x" + std::to_string(10 + i) + "},";
    }
    all.push_back(builder.getInt32(number));
    SmallVector<Type *> types(operands.size(), word);
    types.push_back(builder.getInt32Ty());
    builder.CreateCall(InlineAsm::get(FunctionType::get(builder.getVoidTy(), types, false), "ecall",
                                      constraints + "{x17},~{memory}", /*hasSideEffects=*/true),
                       all);
}

// Code before the instruction that one work-item of the group runs: the first, or the last, which
// comes when most others have run. Linear ids are all in x (linear_ids.h).
enum class Which { first, last };
Instruction *for_one_work_item(Instruction &before, Function &work_item, Which which,
                               bool has_linear_ids) {
    IRBuilder<> builder(&before);
    const auto size = [&](unsigned d) -> Value * {
        return work_item.getArg(parameter::local_size + d);
    };
    Value *is_it = nullptr;
    for (unsigned d = 0; d < (has_linear_ids ? 1 : 3); ++d) {
        Value *number = builder.getInt32(0);
        if (which == Which::last) {
            Value *items = size(d);
            if (has_linear_ids)
                items = builder.CreateMul(builder.CreateMul(items, size(1)), size(2));
            number = builder.CreateSub(items, builder.getInt32(1));
        }
        Value *is_here = builder.CreateICmpEQ(work_item.getArg(parameter::id + d), number);
        is_it = is_it ? builder.CreateAnd(is_it, is_here) : is_here;
    }
    return SplitBlockAndInsertIfThen(is_it, before.getIterator(), /*Unreachable=*/false);
}

// Whether control may come from the copy to the end of its path without a wait.
void find_ends_without_wait(Instruction &copy, SmallPtrSetImpl<Instruction *> &ends) {
    SmallVector<Instruction *> starts = {copy.getNextNode()};
    SmallPtrSet<BasicBlock *, 8> seen;
    while (!starts.empty()) {
        Instruction *at = starts.pop_back_val();
        while (!is_wait(*at) && !at->isTerminator())
            at = at->getNextNode();
        if (is_wait(*at))
            continue;
        if (isa<ReturnInst>(at))
            ends.insert(at);
        for (BasicBlock *next : successors(at->getParent()))
            if (seen.insert(next).second)
                starts.push_back(&next->front());
    }
}

} // namespace

bool has_copy_engine(const Target &target) {
    return is_contained(target.unknown_extensions, RVL_COPY_EXTENSION);
}

bool has_copies(Function &work_item) { return any_of(instructions(work_item), is_copy); }

void lower_engine_copy(CallInst &call, Function &work_item, bool has_linear_ids) {
    const AsyncCopyElement element = *async_copy_element(call.getCalledFunction()->getName());
    const bool strided = builtin_of(call) == Builtin::async_strided_copy;
    const bool from_global =
        call.getArgOperand(1)->getType()->getPointerAddressSpace() != local_space;
    IRBuilder<> builder(for_one_work_item(call, work_item, Which::first, has_linear_ids));
    Type *word = call.getArgOperand(2)->getType(); // size_t
    const auto address = [&](unsigned operand) {
        return builder.CreatePtrToInt(call.getArgOperand(operand), word);
    };
    Value *bytes = ConstantInt::get(word, size_t{element.bytes} * element.components);
    Value *count = call.getArgOperand(2);
    Value *line = strided ? bytes : builder.CreateMul(count, bytes);
    Value *lines = strided ? count : ConstantInt::get(word, 1);
    Value *far = strided ? builder.CreateMul(call.getArgOperand(3), bytes) : line;
    call_firmware(
        builder, RVL_ECALL_COPY,
        {address(0), address(1), line, lines, from_global ? line : far, from_global ? far : line});
    // An event given is the one returned; without one any will do.
    call.replaceAllUsesWith(call.getArgOperand(call.arg_size() - 1));
    call.eraseFromParent();
}

void add_copy_waits(Function &work_item, bool has_linear_ids) {
    SmallPtrSet<Instruction *, 8> ends;
    SmallVector<Instruction *> waits;
    for (Instruction &instruction : instructions(work_item)) {
        if (is_copy(instruction))
            find_ends_without_wait(instruction, ends);
        else if (is_wait(instruction) || isa<ReturnInst>(instruction))
            waits.push_back(&instruction);
    }
    for (Instruction *wait : waits) {
        if (isa<ReturnInst>(wait) && !ends.contains(wait))
            continue;
        IRBuilder<> builder(for_one_work_item(*wait, work_item, Which::last, has_linear_ids));
        call_firmware(builder, RVL_ECALL_COPY_WAIT, {});
    }
}

} // namespace rivulet::compiler
