// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/debug_locations.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

DISubprogram *outermost(const DILocation *place) {
    while (place->getInlinedAt())
        place = place->getInlinedAt();
    return place->getScope()->getSubprogram();
}

} // namespace

void attach_lines(Function &function) {
    DISubprogram *subprogram = nullptr;
    for (Instruction &instruction : instructions(function)) {
        const DILocation *place = instruction.getDebugLoc();
        if (!place)
            continue;
        if (!subprogram)
            function.setSubprogram(subprogram = outermost(place));
        if (outermost(place) != subprogram) {
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
