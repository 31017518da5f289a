// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/delayed_inlining.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace rivulet::compiler {

void delay_inlining(llvm::Function &function) {
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::Speculatable);
    function.setDoesNotAccessMemory();
    function.setDoesNotThrow();
    function.setWillReturn();
}

void inline_delayed(llvm::Function &function) {
    // __attribute__((used))
    llvm::removeFromUsedLists(*function.getParent(), [&](const llvm::Constant *symbol) {
        return symbol->stripPointerCasts() == &function;
    });
    llvm::SmallVector<llvm::CallBase *> calls;
    for (const llvm::Use &use : function.uses())
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
            call && call->getCalledFunction() == &function && call->isCallee(&use))
            calls.push_back(call);
    for (llvm::CallBase *call : calls) {
        llvm::InlineFunctionInfo info;
        llvm::InlineFunction(*call, info);
    }
    if (function.use_empty()) // otherwise its address is taken
        function.eraseFromParent();
}

} // namespace rivulet::compiler
