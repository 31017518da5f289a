// SPDX-License-Identifier: Apache-2.0
//
// Gives each kernel's function the debug information of the source function that was inlined into
// it; LLVM drops the lines of a function without any. Lines of other functions go, which no
// debugger could show as part of the kernel.
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(DebugLinesPass);

namespace {

DISubprogram *outermost(const DILocation *location) {
    while (location->getInlinedAt())
        location = location->getInlinedAt();
    return location->getScope()->getSubprogram();
}

void attach_lines(Function &function) {
    DISubprogram *subprogram = nullptr;
    for (Instruction &instruction : instructions(function)) {
        const DILocation *location = instruction.getDebugLoc();
        if (!location)
            continue;
        if (!subprogram)
            function.setSubprogram(subprogram = outermost(location));
        if (outermost(location) != subprogram) {
            instruction.setDebugLoc({});
            instruction.dropDbgRecords();
        }
        if (instruction.hasMetadata(LLVMContext::MD_loop)) // names lines, too
            updateLoopMetadataDebugLocations(instruction, [&](Metadata *node) -> Metadata * {
                auto *line = dyn_cast<DILocation>(node);
                return line && outermost(line) != subprogram ? nullptr : node;
            });
    }
}

} // namespace

void DebugLinesPass::lower(Program &program, const Target &, ModuleAnalysisManager &) {
    for (Kernel &kernel : program.kernels)
        attach_lines(*kernel.function);
}

} // namespace rivulet::compiler
