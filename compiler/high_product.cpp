// SPDX-License-Identifier: Apache-2.0
#include "compiler/high_product.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace rivulet::compiler {
namespace {

constexpr llvm::StringLiteral names[] = {"_Z6mul_hill", "_Z6mul_himm"}; // in HighProduct's order

} // namespace

std::optional<HighProduct> high_product(const llvm::Function *callee) {
    if (!callee || !callee->hasName() || !callee->getName().starts_with("_Z6mul_hi"))
        return std::nullopt;
    const auto *name = llvm::find(names, callee->getName());
    if (name == std::end(names))
        return std::nullopt;
    return static_cast<HighProduct>(name - names);
}

void keep_high_products(llvm::Module &module) {
    for (llvm::StringRef name : names)
        if (llvm::Function *function = module.getFunction(name)) {
            function->removeFnAttr(llvm::Attribute::AlwaysInline);
            function->addFnAttr(llvm::Attribute::NoInline);
            function->addFnAttr(llvm::Attribute::Speculatable);
            function->setDoesNotAccessMemory();
            function->setDoesNotThrow();
            function->setWillReturn();
        }
}

void inline_high_products(llvm::Module &module) {
    for (llvm::StringRef name : names)
        if (llvm::Function *function = module.getFunction(name)) {
            while (!function->use_empty()) {
                llvm::InlineFunctionInfo info;
                InlineFunction(*llvm::cast<llvm::CallBase>(*function->user_begin()), info);
            }
            function->eraseFromParent();
        }
}

} // namespace rivulet::compiler
