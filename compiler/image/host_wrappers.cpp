// SPDX-License-Identifier: Apache-2.0
//
// Host only: gives each kernel an entry that hands its body to the dispatcher. The host's driver
// calls void NAME(record, words, frame) in the image (hal/protocol/launch.h); a RISC-V image starts
// at a symbol of the dispatcher instead, to which the firmware passes the kernel.
//
// Runs on lowered kernels. The body's prefix data, which the firmware reads next to the code,
// becomes an argument here.
#include <llvm/IR/IRBuilder.h>

#include "compiler/image/dispatcher.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(HostWrappersPass);

void HostWrappersPass::lower(Program &program, const Target &target,
                             llvm::ModuleAnalysisManager &) {
    if (!target.host)
        return;
    llvm::Module &module = *program.module;
    llvm::IRBuilder<> builder(module.getContext());
    llvm::Type *pointer = builder.getPtrTy();
    llvm::FunctionCallee dispatch = module.getOrInsertFunction(
        dispatcher, builder.getVoidTy(), pointer, pointer, pointer, pointer, builder.getInt32Ty());
    for (const Kernel &kernel : program.kernels) {
        llvm::Function &body = *kernel.function;
        body.setName(kernel.name + ".body");
        auto *entry = llvm::Function::Create(
            llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer}, false),
            body.getLinkage(), kernel.name, module);
        entry->setVisibility(body.getVisibility());
        builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", entry));
        builder.CreateCall(dispatch, {entry->getArg(0), entry->getArg(1), entry->getArg(2), &body,
                                      body.getPrefixData()});
        builder.CreateRetVoid();
    }
}

} // namespace rivulet::compiler
