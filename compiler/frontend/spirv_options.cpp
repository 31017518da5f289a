// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/spirv_options.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

namespace rivulet::compiler {
namespace {

bool is_among(const Options &options, llvm::StringRef name) {
    return llvm::is_contained(options.front_end, name);
}

// The flags that clang gives operations of OpenCL C.
llvm::FastMathFlags flags_of(const Options &options) {
    llvm::FastMathFlags flags;
    if (is_among(options, "-cl-fast-relaxed-math"))
        flags.setFast();
    if (is_among(options, "-cl-unsafe-math-optimizations")) {
        flags.setAllowReassoc();
        flags.setAllowReciprocal();
        flags.setApproxFunc();
        flags.setAllowContract(true);
        flags.setNoSignedZeros();
    }
    if (is_among(options, "-cl-finite-math-only")) {
        flags.setNoNaNs();
        flags.setNoInfs();
    }
    if (is_among(options, "-cl-no-signed-zeros"))
        flags.setNoSignedZeros();
    if (is_among(options, "-cl-mad-enable"))
        flags.setAllowContract(true);
    return flags;
}

} // namespace

void apply_options_to_spirv(llvm::Module &module, const Options &options) {
    const llvm::FastMathFlags flags = flags_of(options);
    const bool uniform = is_among(options, "-cl-uniform-work-group-size");
    for (llvm::Function &function : module) {
        if (uniform && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
            function.addFnAttr("uniform-work-group-size", "true");
        if (!flags.any())
            continue;
        for (llvm::Instruction &instruction : llvm::instructions(function))
            if (llvm::isa<llvm::FPMathOperator>(instruction))
                instruction.setFastMathFlags(instruction.getFastMathFlags() | flags);
    }
}

} // namespace rivulet::compiler
