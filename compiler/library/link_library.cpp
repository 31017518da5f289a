// SPDX-License-Identifier: Apache-2.0
//
// Links the modules of the built-in library that define what the program calls. Runs before
// inlining, and after rvl-rounding-modes, which makes calls of the library.
#include "compiler/library/builtin_library_linker.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(LinkLibraryPass);

void LinkLibraryPass::lower(Program &program, const Target &target, llvm::ModuleAnalysisManager &) {
    auto library = BuiltinLibrary::of(target.xlen);
    if (!library)
        program.error = library.error() + "\n";
    else if (auto linked = (*library)->link_into(*program.module); !linked)
        program.error = linked.error() + "\n";
}

} // namespace rivulet::compiler
