// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/debug_locations.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

DISubprogram *outermost(const DILocation *location) {
    while (location->getInlinedAt())
        location = location->getInlinedAt();
    return location->getScope()->getSubprogram();
}

} // namespace

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

} // namespace rivulet::compiler
