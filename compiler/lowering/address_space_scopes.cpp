// SPDX-License-Identifier: Apache-2.0
//
// Preserves the information in address spaces as alias scopes. Global, local and private memory are
// disjoint, and constant memory doesn't change (6.7.2, 6.7.3), but after
// rvl-flatten-address-spaces all pointers look alike. This pass runs right before it and gives each
// access the scope of its space and `noalias` scopes of all others. Without it a store to local
// memory would keep LLVM from hoisting a load of global memory.
//
// An access through a generic pointer, or of two spaces, gets no scope. The scopes hold for the
// whole program, so they need no declaration, unlike those of `restrict`.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(AddressSpaceScopesPass);

namespace {

constexpr unsigned spaces = constant_space + 2; // private, global, constant, local

bool reaches_only_its_pointers(const llvm::IntrinsicInst &call) {
    return call.onlyAccessesArgMemory() || llvm::isa<llvm::VPIntrinsic>(call) ||
           call.getCalledFunction()->getName().starts_with("llvm.riscv.v");
}

// The one space that an instruction accesses; nullopt if it accesses several, or the generic one.
std::optional<unsigned> accessed_space(const llvm::Instruction &instruction) {
    llvm::SmallVector<const llvm::Value *, 2> pointers;
    if (const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction))
        pointers.push_back(pointer);
    else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
        pointers.push_back(instruction.getOperand(0));
    else if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
             call && reaches_only_its_pointers(*call))
        for (const llvm::Value *operand : call->args())
            if (operand->getType()->isPtrOrPtrVectorTy())
                pointers.push_back(operand);
    if (pointers.size() != 1)
        return std::nullopt;
    unsigned space = pointers[0]->getType()->getPointerAddressSpace();
    return space < spaces ? std::optional(space) : std::nullopt;
}

} // namespace

void AddressSpaceScopesPass::lower(Program &program, const Target &,
                                   llvm::ModuleAnalysisManager &) {
    llvm::LLVMContext &context = program.module->getContext();
    llvm::MDBuilder builder(context);
    llvm::MDNode *domain = builder.createAnonymousAliasScopeDomain("address spaces");
    llvm::MDNode *own[spaces], *others[spaces];
    for (llvm::MDNode *&scope : own)
        scope = builder.createAnonymousAliasScope(domain);
    for (unsigned space = 0; space < spaces; ++space) {
        llvm::SmallVector<llvm::Metadata *, spaces> rest;
        for (unsigned other = 0; other < spaces; ++other)
            if (other != space)
                rest.push_back(own[other]);
        others[space] = llvm::MDNode::get(context, rest);
    }
    auto add = [](llvm::Instruction &instruction, unsigned kind, llvm::MDNode *node) {
        instruction.setMetadata(kind,
                                llvm::MDNode::concatenate(instruction.getMetadata(kind), node));
    };
    for (llvm::Function &function : *program.module)
        for (llvm::Instruction &instruction : llvm::instructions(function)) {
            auto space = accessed_space(instruction);
            if (!space)
                continue;
            add(instruction, llvm::LLVMContext::MD_alias_scope,
                llvm::MDNode::get(context, {own[*space]}));
            add(instruction, llvm::LLVMContext::MD_noalias, others[*space]);
            if (*space == constant_space && llvm::isa<llvm::LoadInst>(instruction))
                instruction.setMetadata(llvm::LLVMContext::MD_invariant_load,
                                        llvm::MDNode::get(context, {}));
        }
}

} // namespace rivulet::compiler
