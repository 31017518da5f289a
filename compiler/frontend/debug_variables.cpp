// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/debug_variables.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/analysis/debug_mark.h"
#include "compiler/analysis/sub_group_functions.h"
#include "compiler/support/program.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Of images, samplers and events, which passes follow from a variable to its uses.
bool is_opaque(Type &type) {
    if (type.isTargetExtTy())
        return true;
    if (auto *array = dyn_cast<ArrayType>(&type))
        return is_opaque(*array->getElementType());
    return false;
}

using Functions = SmallPtrSet<Function *, 8>;

// Functions that do the work of a sub-group, and those that call one or a sub-group function of
// OpenCL, directly or not.
Functions functions_of_sub_groups(Module &module) {
    Functions found;
    SmallVector<Function *> pending;
    for (Function &function : module) {
        if (is_sub_group_function(function))
            found.insert(&function);
        if (found.contains(&function) ||
            (function.isDeclaration() && function.getName().contains("sub_group")))
            pending.push_back(&function);
    }
    while (!pending.empty())
        for (User *user : pending.pop_back_val()->users())
            if (auto *call = dyn_cast<CallBase>(user);
                call && found.insert(call->getFunction()).second)
                pending.push_back(call->getFunction());
    return found;
}

// Of a private variable, or of a program's except in the functions `but`.
void make_accesses_volatile(Value &variable, const Functions &but = {}) {
    SmallVector<Value *> pending{&variable};
    while (!pending.empty())
        for (llvm::Use &use : pending.pop_back_val()->uses()) {
            User *user = use.getUser();
            if (auto *instruction = dyn_cast<Instruction>(user);
                instruction && but.contains(instruction->getFunction()))
                continue;
            if (auto *load = dyn_cast<LoadInst>(user))
                load->setVolatile(true);
            else if (auto *store = dyn_cast<StoreInst>(user);
                     store && use.getOperandNo() == StoreInst::getPointerOperandIndex())
                store->setVolatile(true);
            else if (auto *access = dyn_cast<MemIntrinsic>(user))
                access->setVolatile(ConstantInt::getTrue(user->getContext()));
            else if (isa<GEPOperator, BitCastOperator, AddrSpaceCastOperator>(user))
                pending.push_back(user);
        }
}

// Without a use, or with constants in place of all its uses, a variable would have no address.
void keep_program_variables(Module &module, const Functions &of_sub_groups) {
    SmallVector<GlobalValue *> addressed;
    for (GlobalVariable &variable : module.globals()) {
        if (variable.isDeclaration() || !variable.hasMetadata(LLVMContext::MD_dbg))
            continue;
        if (!variable.isConstant())
            make_accesses_volatile(variable, of_sub_groups);
        if (variable.getAddressSpace() != local_space)
            addressed.push_back(&variable);
    }
    appendToUsed(module, addressed);
}

// The type that debug information has for images, samplers and events: pointers.
Type *shown_type(Type *type) {
    if (auto *array = dyn_cast<ArrayType>(type))
        return ArrayType::get(shown_type(array->getElementType()), array->getNumElements());
    return PointerType::get(type->getContext(), private_space);
}

// By a function that rvl-opaque-types replaces.
Value *shown_value(IRBuilderBase &builder, Value *opaque) {
    auto *type = cast<TargetExtType>(opaque->getType());
    Module &module = *builder.GetInsertBlock()->getModule();
    return builder.CreateCall(
        module.getOrInsertFunction(("__rivulet_opaque." + type->getName()).str(),
                                   FunctionType::get(shown_type(type), {type}, false)),
        opaque);
}

// Whether all writes of the variable are stores of one image, sampler or event each.
bool is_written_by_stores(Instruction &pointer) {
    return all_of(pointer.uses(), [](const llvm::Use &use) {
        auto *user = cast<Instruction>(use.getUser());
        if (auto *element = dyn_cast<GetElementPtrInst>(user))
            return is_opaque(*element->getSourceElementType()) && is_written_by_stores(*element);
        if (isa<AddrSpaceCastInst>(user))
            return is_written_by_stores(*user);
        if (auto *store = dyn_cast<StoreInst>(user))
            return use.getOperandNo() == StoreInst::getPointerOperandIndex() &&
                   store->getValueOperand()->getType()->isTargetExtTy();
        auto *call = dyn_cast<CallInst>(user);
        return isa<LoadInst>(user) || (call && !isa<MemIntrinsic>(call) &&
                                       call->getCalledFunction() && // wait_group_events
                                       call->getCalledFunction()->isDeclaration());
    });
}

// Passes follow images, samplers and events from a variable to its uses, and accesses must stay
// what they are. Debuggers read a copy that is written together with the variable.
void show_copy(AllocaInst &variable) {
    const auto records = findDVRDeclares(&variable);
    if (records.empty() || !is_written_by_stores(variable))
        return;
    IRBuilder<> builder(&variable);
    Value *whole = builder.CreateAlloca(shown_type(variable.getAllocatedType()), nullptr,
                                        variable.getName() + ".shown");
    for (DbgVariableRecord *record : records)
        record->replaceVariableLocationOp(&variable, whole);
    SmallVector<std::pair<Instruction *, Value *>> pending{{&variable, whole}};
    while (!pending.empty()) {
        auto [pointer, copy] = pending.pop_back_val();
        for (User *user : make_early_inc_range(pointer->users())) {
            if (auto *store = dyn_cast<StoreInst>(user)) {
                builder.SetInsertPoint(store);
                builder.CreateStore(shown_value(builder, store->getValueOperand()), copy,
                                    /*isVolatile=*/true);
            } else if (auto *element = dyn_cast<GetElementPtrInst>(user)) {
                builder.SetInsertPoint(element);
                const SmallVector<Value *> indices(element->indices());
                pending.emplace_back(
                    element, builder.CreateInBoundsGEP(shown_type(element->getSourceElementType()),
                                                       copy, indices));
            } else if (isa<AddrSpaceCastInst>(user)) {
                pending.emplace_back(cast<Instruction>(user), copy);
            }
        }
    }
}

// What code generation leaves on its line.
bool is_access(const Instruction &instruction) {
    return isa<StoreInst>(instruction) || instruction.isVolatile();
}

// Gives a volatile access to each line of a branch or call that has none yet: a branch has no code
// of its own once blocks are laid out (`break;`), and neither has a call that is inlined.
void keep_lines(Function &function) {
    AllocaInst *line = nullptr;
    for (BasicBlock &block : function) {
        unsigned last = 0; // line with an access
        for (Instruction &instruction : block) {
            const DebugLoc &location = instruction.getDebugLoc();
            if (!location || location.getLine() == 0 || location.getLine() == last)
                continue;
            if (!is_access(instruction)) {
                if (!isa<CallBase>(instruction) && !instruction.isTerminator())
                    continue;
                if (!line) {
                    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
                    line = builder.CreateAlloca(builder.getInt8Ty(), nullptr, "line");
                }
                IRBuilder<> builder(&instruction);
                builder.CreateStore(builder.getInt8(0), line, /*isVolatile=*/true);
            }
            last = location.getLine();
        }
    }
}

} // namespace

void keep_variables(Module &module) {
    const Functions of_sub_groups = functions_of_sub_groups(module);
    keep_program_variables(module, of_sub_groups);
    for (Function &function : module) {
        if (function.isDeclaration() || of_sub_groups.contains(&function))
            continue;
        function.addFnAttr(debug_mark);
        SmallVector<AllocaInst *> variables;
        for (Instruction &instruction : instructions(function))
            if (auto *variable = dyn_cast<AllocaInst>(&instruction))
                variables.push_back(variable);
        for (AllocaInst *variable : variables) {
            if (is_opaque(*variable->getAllocatedType()))
                show_copy(*variable);
            else
                make_accesses_volatile(*variable);
        }
        keep_lines(function);
    }
}

} // namespace rivulet::compiler
