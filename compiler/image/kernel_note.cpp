// SPDX-License-Identifier: Apache-2.0
//
// Adds the note that describes the program's kernels to the loader and the host
// (hal/protocol/kernel_image.h), as a variable in its own section. Entries and stack sizes are
// still 0: complete_note() reads them from the linked image. Nothing in the image calls the
// kernels, so this pass lists them in llvm.used, or LLVM and lld would drop them.
//
// Runs when all passes that add flags to kernels are done, and removes their metadata.
#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/image/kernel_image_note.h"
#include "compiler/support/kernel_state.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(KernelNotePass);

void KernelNotePass::lower(Program &program, const Target &target, llvm::ModuleAnalysisManager &) {
    llvm::Module &module = *program.module;
    auto *bytes = llvm::ConstantDataArray::get(module.getContext(),
                                               llvm::ArrayRef(write_note(program, target)));
    auto *note = new llvm::GlobalVariable(
        module, bytes->getType(), true, llvm::GlobalValue::InternalLinkage, bytes, "rivulet.note");
    note->setSection(note_section);
    note->setAlignment(llvm::Align(4));
    llvm::SmallVector<llvm::GlobalValue *> kept = {note};
    for (Kernel &kernel : program.kernels) {
        kept.push_back(module.getFunction(kernel.name));
        forget_kernel(kernel);
    }
    llvm::appendToUsed(module, kept);
}

} // namespace rivulet::compiler
