// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/delayed_inlining.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/Cloning.h>

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
    while (!function.use_empty()) {
        llvm::InlineFunctionInfo info;
        llvm::InlineFunction(*llvm::cast<llvm::CallBase>(*function.user_begin()), info);
    }
    function.eraseFromParent();
}

} // namespace rivulet::compiler
