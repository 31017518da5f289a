// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/noalias_scopes.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

using Scopes = SmallPtrSet<const Metadata *, 8>;

Scopes declared_once(Function &function) {
    Scopes once, in_loops;
    for (auto component = scc_begin(&function); !component.isAtEnd(); ++component)
        for (BasicBlock *block : *component)
            for (Instruction &instruction : *block)
                if (auto *declaration = dyn_cast<NoAliasScopeDeclInst>(&instruction))
                    for (const MDOperand &scope : declaration->getScopeList()->operands())
                        (component.hasCycle() ? in_loops : once).insert(scope);
    for (const Metadata *scope : in_loops)
        once.erase(scope);
    return once;
}

void keep(Instruction &instruction, unsigned kind, const Scopes &scopes) {
    const MDNode *list = instruction.getMetadata(kind);
    if (!list)
        return;
    SmallVector<Metadata *, 8> kept;
    for (const MDOperand &scope : list->operands())
        if (scopes.contains(scope))
            kept.push_back(scope);
    if (kept.size() < list->getNumOperands())
        instruction.setMetadata(kind, kept.empty() ? nullptr
                                                   : MDNode::get(instruction.getContext(), kept));
}

} // namespace

void drop_alias_scopes_of_loops(Function &function) {
    const Scopes scopes = declared_once(function);
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *declaration = dyn_cast<NoAliasScopeDeclInst>(&instruction);
        if (declaration &&
            none_of(declaration->getScopeList()->operands(),
                    [&](const MDOperand &scope) { return scopes.contains(scope); })) {
            declaration->eraseFromParent();
            continue;
        }
        keep(instruction, LLVMContext::MD_alias_scope, scopes);
        keep(instruction, LLVMContext::MD_noalias, scopes);
    }
}

} // namespace rivulet::compiler
