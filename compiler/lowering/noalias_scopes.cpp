// SPDX-License-Identifier: Apache-2.0
//
// Drops alias scopes (`restrict` parameters of inlined functions) that are declared in a loop. Such
// a scope holds for one execution of its declaration: p[i] of one iteration may be q[i + 1] of
// another. A transform that merges iterations must give each its own scopes, and finds them by
// their declaration. Lanes are iterations, too, but have no declaration each, so the vectoriser
// would claim for a whole vector what holds for each lane. Without this pass loads are moved across
// stores to the same memory.
//
// Scopes without any declaration are dropped as well: nothing tells how far they hold.
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

// The scopes that are declared outside of all cycles, and nowhere else.
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

// An access of scopes A and B is through a pointer that is based on either. It doesn't alias an
// access with `noalias` A and B, but may alias one with `noalias` A only. So a scope can be dropped
// from the list of `noalias`; a list of `alias.scope` that loses one scope must go as a whole.
void keep(Instruction &instruction, unsigned kind, const Scopes &scopes) {
    const MDNode *list = instruction.getMetadata(kind);
    if (!list)
        return;
    SmallVector<Metadata *, 8> kept;
    for (const MDOperand &scope : list->operands())
        if (scopes.contains(scope))
            kept.push_back(scope);
    if (kept.size() < list->getNumOperands() && kind == LLVMContext::MD_alias_scope)
        kept.clear();
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
