// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/mulhi_lowering.h"

#include "compiler/lowering/delayed_inlining.h"

namespace rivulet::compiler {
namespace {

// Signed ones and unsigned ones, in MulhiKind's order.
constexpr llvm::StringLiteral mulhi_names[] = {"_Z6mul_hicc", "_Z6mul_hihh", "_Z6mul_hiss",
                                               "_Z6mul_hitt", "_Z6mul_hiii", "_Z6mul_hijj",
                                               "_Z6mul_hill", "_Z6mul_himm"};

} // namespace

std::optional<MulhiKind> mulhi_kind(const llvm::Function *callee) {
    if (!callee || !callee->hasName() || !callee->getName().starts_with("_Z6mul_hi"))
        return std::nullopt;
    const auto *name = llvm::find(mulhi_names, callee->getName());
    if (name == std::end(mulhi_names))
        return std::nullopt;
    return static_cast<MulhiKind>((name - mulhi_names) % 2);
}

void delay_mulhi(llvm::Module &module) {
    for (llvm::StringRef name : mulhi_names)
        if (llvm::Function *function = module.getFunction(name))
            delay_inlining(*function);
}

void inline_mulhi(llvm::Module &module) {
    for (llvm::StringRef name : mulhi_names)
        if (llvm::Function *function = module.getFunction(name))
            inline_delayed(*function);
}

} // namespace rivulet::compiler
