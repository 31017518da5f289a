// SPDX-License-Identifier: Apache-2.0
//
// Removes variables that are only written, and the stores to them. Values that live over a barrier
// are stored to variables (workgroup/context_values.cpp); where a work-group is one strip, they are
// mostly forwarded to where they would be loaded again (rvl-vp-forwarding). LLVM removes such
// variables, too, but takes vp.store for any call that the address escapes to.
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(WriteOnlyVariablesPass);

namespace {

// Whether the instruction only writes to the address, and nothing shows when it is gone. An address
// that is stored itself may be read through.
bool only_writes_to(const Instruction &instruction, const Use &address) {
    if (auto *store = dyn_cast<StoreInst>(&instruction))
        return store->isSimple() && address.getOperandNo() == StoreInst::getPointerOperandIndex();
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
        return false;
    switch (call->getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
        return true;
    case Intrinsic::vp_store:
    case Intrinsic::vp_scatter:
    case Intrinsic::experimental_vp_strided_store:
    case Intrinsic::masked_store:
        return address.getOperandNo() == 1; // the first one is what is stored
    default:
        return false;
    }
}

// A variable that is only written, and all its users; else nothing.
SmallVector<Instruction *> writers(AllocaInst &variable) {
    SmallVector<Instruction *> found{&variable};
    SmallPtrSet<Instruction *, 8> seen{&variable};
    for (size_t i = 0; i < found.size(); ++i)
        for (Use &use : found[i]->uses()) {
            auto *user = cast<Instruction>(use.getUser());
            const bool is_address = isa<GetElementPtrInst, AddrSpaceCastInst>(user);
            if (!is_address && !only_writes_to(*user, use))
                return {};
            if (seen.insert(user).second)
                found.push_back(user);
        }
    return found;
}

} // namespace

PreservedAnalyses WriteOnlyVariablesPass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<AllocaInst *> variables;
    for (Instruction &instruction : function.getEntryBlock())
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            variables.push_back(variable);
    bool changed = false;
    for (AllocaInst *variable : variables) {
        const SmallVector<Instruction *> found = writers(*variable);
        for (Instruction *instruction : found)
            instruction->dropAllReferences();
        for (Instruction *instruction : found)
            instruction->eraseFromParent();
        changed |= !found.empty();
    }
    return preserved_unless(changed);
}

} // namespace rivulet::compiler
