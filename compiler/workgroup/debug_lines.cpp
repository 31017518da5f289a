// SPDX-License-Identifier: Apache-2.0
//
// Gives each kernel's function the debug information of the source function that was inlined into
// it, because LLVM drops the lines of a function without any. Drops lines of other functions, which
// are invalid in this one. They come from loops and records that LLVM attached to instructions
// without a line as well, so each is looked at on its own.
//
// Runs after the work-group pass, when everything has been inlined. Without it faults have no line.
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/analysis/debug_mark.h"
#include "compiler/support/program_pass.h"
#include "compiler/workgroup/debugger_variables.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(DebugLinesPass);

namespace {

DISubprogram *outermost(const DILocation *location) {
    while (location->getInlinedAt())
        location = location->getInlinedAt();
    return location->getScope()->getSubprogram();
}

// The source function of the first line in the function; null if it has no lines.
DISubprogram *source_of(Function &function) {
    for (Instruction &instruction : instructions(function))
        if (const DILocation *location = instruction.getDebugLoc())
            return outermost(location);
    return nullptr;
}

void attach_lines(Function &function) {
    DISubprogram *subprogram = source_of(function);
    if (subprogram)
        function.setSubprogram(subprogram);
    auto is_foreign = [&](const DILocation *location) {
        return location && outermost(location) != subprogram;
    };
    for (Instruction &instruction : instructions(function)) {
        if (is_foreign(instruction.getDebugLoc()))
            instruction.setDebugLoc({});
        for (DbgRecord &record : make_early_inc_range(instruction.getDbgRecordRange()))
            if (is_foreign(record.getDebugLoc()))
                record.eraseFromParent();
        if (instruction.hasMetadata(LLVMContext::MD_loop)) // names lines, too
            updateLoopMetadataDebugLocations(instruction, [&](Metadata *node) -> Metadata * {
                auto *line = dyn_cast<DILocation>(node);
                return is_foreign(line) ? nullptr : node;
            });
    }
}

} // namespace

void DebugLinesPass::lower(Program &program, const Target &, ModuleAnalysisManager &) {
    for (Kernel &kernel : program.kernels) {
        if (is_debuggable(*kernel.function))
            merge_slots(*kernel.function);
        attach_lines(*kernel.function);
    }
}

} // namespace rivulet::compiler
