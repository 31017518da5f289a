// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/argument_writes.h"

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace rivulet::compiler {
namespace {

using namespace llvm;

// 6.12.10: the source is the second argument; SPIR's functions have no attributes that say so.
bool is_async_copy_source(const CallBase &call, unsigned operand) {
    const Function *callee = call.getCalledFunction();
    return operand == 1 && callee && callee->isDeclaration() &&
           callee->getName().contains("async_work_group_");
}

// Whether what is derived from the argument is only read, compared and passed to calls that do no
// more. All else counts as a write: stores, atomics, pointers that become integers or go to memory.
bool is_only_read(const llvm::Argument &argument) {
    SmallVector<const Value *> derived = {&argument};
    SmallPtrSet<const Value *, 32> seen = {&argument};
    while (!derived.empty()) {
        for (const Use &use : derived.pop_back_val()->uses()) {
            const auto *user = cast<Instruction>(use.getUser());
            switch (user->getOpcode()) {
            case Instruction::Load:
            case Instruction::ICmp:
                break;
            case Instruction::GetElementPtr:
            case Instruction::BitCast:
            case Instruction::AddrSpaceCast:
            case Instruction::PHI:
            case Instruction::Select:
            case Instruction::Freeze:
                if (seen.insert(user).second)
                    derived.push_back(user);
                break;
            case Instruction::Call: {
                const auto &call = cast<CallBase>(*user);
                if (!call.isArgOperand(&use))
                    return false;
                const unsigned operand = call.getArgOperandNo(&use);
                if (!is_async_copy_source(call, operand) &&
                    !(call.doesNotCapture(operand) && call.onlyReadsMemory(operand)))
                    return false;
                break;
            }
            default:
                return false;
            }
        }
    }
    return true;
}

// Shared memory holds pointers, possibly to what an argument points to: a write by a pointer that
// was loaded, or made of an integer, may go anywhere. An image's descriptor is no such memory.
bool is_known(const Value &pointer, const Kernel &kernel) {
    SmallVector<const Value *> objects;
    getUnderlyingObjects(&pointer, objects, nullptr, 0);
    return all_of(objects, [&](const Value *object) {
        if (isa<AllocaInst, Constant>(object))
            return !isa<ConstantExpr>(object);
        if (isa<llvm::Argument>(object))
            return true;
        if (const auto *pointer = dyn_cast<IntToPtrInst>(object)) {
            object = pointer->getOperand(0);
            if (const auto *word = dyn_cast<TruncInst>(object)) // on 32 bits
                object = word->getOperand(0);
        }
        const auto *load = dyn_cast<LoadInst>(object);
        const auto *from =
            load ? dyn_cast<llvm::Argument>(getUnderlyingObject(load->getPointerOperand(), 0))
                 : nullptr;
        return from && from->getParent() == kernel.function &&
               kernel.arguments[from->getArgNo()].kind == RVL_ARGUMENT_IMAGE;
    });
}

// Declared functions write through their arguments only, and the arguments of others are taken for
// known in their bodies. Assembly and functions that only a pointer names may write anywhere.
bool has_unknown_write(const CallBase &call, const Kernel &kernel) {
    if (!call.getCalledFunction())
        return true;
    return any_of(call.args(), [&](const Use &operand) {
        const unsigned number = call.getArgOperandNo(&operand);
        return operand->getType()->isPtrOrPtrVectorTy() && !call.onlyReadsMemory(number) &&
               !is_async_copy_source(call, number) && !is_known(*operand, kernel);
    });
}

bool has_unknown_write(const Function &function, const Kernel &kernel,
                       SmallPtrSetImpl<const Function *> &seen) {
    if (!seen.insert(&function).second)
        return false;
    return any_of(instructions(function), [&](const Instruction &instruction) {
        // Ordered loads count as writes for LLVM.
        if (!instruction.mayWriteToMemory() || isa<FenceInst, LoadInst>(instruction))
            return false;
        if (const auto *call = dyn_cast<CallBase>(&instruction)) {
            const Function *callee = call->getCalledFunction();
            return has_unknown_write(*call, kernel) ||
                   (callee && !callee->isDeclaration() && has_unknown_write(*callee, kernel, seen));
        }
        const auto location = MemoryLocation::getOrNone(&instruction);
        return !location || !is_known(*location->Ptr, kernel);
    });
}

} // namespace

void find_unwritten_arguments(Kernel &kernel) {
    SmallPtrSet<const Function *, 8> seen;
    if (has_unknown_write(*kernel.function, kernel, seen))
        return;
    for (const llvm::Argument &argument : kernel.function->args())
        kernel.arguments[argument.getArgNo()].is_unwritten =
            argument.getType()->isPointerTy() && is_only_read(argument);
}

} // namespace rivulet::compiler
