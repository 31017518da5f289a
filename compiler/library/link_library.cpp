// SPDX-License-Identifier: Apache-2.0
//
// Links the modules of the built-in library that define functions which the program calls. Runs
// before inlining, because every function that a kernel calls must be inlined to be vectorised, and
// after rvl-rounding-modes, which adds calls of the library. Without it built-in functions are
// undefined.
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
