// SPDX-License-Identifier: Apache-2.0
//
// Makes the passes of PassRegistry.def known to LLVM's pass builder.
#include <llvm/Passes/PassBuilder.h>

#include "compiler/support/function_pass.h"
#include "compiler/support/passes.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

#define PROGRAM_PASS(NAME, CLASS) RVL_PROGRAM_PASS(CLASS);
#define FUNCTION_PASS(NAME, CLASS) RVL_FUNCTION_PASS(CLASS);
#include "compiler/passes/PassRegistry.def"

namespace {

using llvm::StringRef;
using Elements = llvm::ArrayRef<llvm::PassBuilder::PipelineElement>;

constexpr StringRef names[] = {
#define PROGRAM_PASS(NAME, CLASS) "rvl-" NAME,
#define FUNCTION_PASS(NAME, CLASS) "rvl-" NAME,
#include "compiler/passes/PassRegistry.def"
};

template <class Pass, class Manager> bool add(StringRef wanted, StringRef name, Manager &manager) {
    if (wanted != name)
        return false;
    if (!is_disabled(name))
        manager.addPass(Pass());
    return true;
}

bool parse_program_pass(StringRef name, llvm::ModulePassManager &manager, Elements) {
#define PROGRAM_PASS(NAME, CLASS)                                                                  \
    if (add<CLASS>(name, "rvl-" NAME, manager))                                                    \
        return true;
#include "compiler/passes/PassRegistry.def"
    return false;
}

bool parse_function_pass(StringRef name, llvm::FunctionPassManager &manager, Elements) {
#define FUNCTION_PASS(NAME, CLASS)                                                                 \
    if (add<CLASS>(name, "rvl-" NAME, manager))                                                    \
        return true;
#include "compiler/passes/PassRegistry.def"
    return false;
}

} // namespace

llvm::ArrayRef<StringRef> own_passes() { return names; }

void register_passes(llvm::PassBuilder &builder) {
    if (auto *callbacks = builder.getPassInstrumentationCallbacks()) {
#define PROGRAM_PASS(NAME, CLASS) callbacks->addClassToPassName(CLASS::name(), "rvl-" NAME);
#define FUNCTION_PASS(NAME, CLASS) callbacks->addClassToPassName(CLASS::name(), "rvl-" NAME);
#include "compiler/passes/PassRegistry.def"
    }
    builder.registerPipelineParsingCallback(parse_program_pass);
    builder.registerPipelineParsingCallback(parse_function_pass);
}

} // namespace rivulet::compiler
