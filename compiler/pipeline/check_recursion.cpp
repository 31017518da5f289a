// SPDX-License-Identifier: Apache-2.0
//
// Rejects recursion, which OpenCL C doesn't have (6.9.i). A recursive function could not be
// inlined, and the stack of its calls would be unknown, which no launch could reserve. Sets the
// program's error to the first function that calls itself, by the name that the source gives it.
//
// Needs the bodies of all functions, so it runs after linking.
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "compiler/frontend/kernel_metadata.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(CheckRecursionPass);

void CheckRecursionPass::lower(Program &program, const Target &, llvm::ModuleAnalysisManager &) {
    llvm::CallGraph graph(*program.module);
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
        llvm::Function *function = component->front()->getFunction();
        if (!component.hasCycle() || !function)
            continue;
        std::string location;
        if (const llvm::DISubprogram *subprogram = function->getSubprogram())
            location = subprogram->getFilename().str() + ":" +
                       std::to_string(subprogram->getLine()) + ":1: ";
        program.error = location + "error: recursion is not supported in OpenCL C: '" +
                        name_in_source(function->getName()) + "' calls itself\n";
        return;
    }
}

} // namespace rivulet::compiler
