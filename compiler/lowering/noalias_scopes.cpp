// SPDX-License-Identifier: Apache-2.0
//
// Drops alias scopes (`restrict` parameters of inlined functions) that are declared in a loop. Such
// a scope says something of one execution of its declaration only. A transform that makes several
// iterations of one has to give each its own scopes, and finds them by their declaration; lanes
// have no declaration each, so the vectoriser would keep a scope where it doesn't hold.
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(NoaliasScopesPass);

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

PreservedAnalyses NoaliasScopesPass::run(Function &function, FunctionAnalysisManager &) {
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
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
