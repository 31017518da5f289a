// SPDX-License-Identifier: Apache-2.0
#include "compiler/image/runtime_functions.h"

#include <llvm/Bitcode/BitcodeReader.h>

#include "compiler/codegen/target.h"

namespace rivulet::compiler {
namespace {

// One per pointer size.
constexpr char bitcode64[] = {
#embed "runtime64.bc"
};
constexpr char bitcode32[] = {
#embed "runtime32.bc"
};

} // namespace

Code generate_runtime(std::vector<std::string> &needed, const Target &target) {
    llvm::LLVMContext context;
    llvm::StringRef bitcode = target.xlen == 64 ? llvm::StringRef(bitcode64, sizeof bitcode64)
                                                : llvm::StringRef(bitcode32, sizeof bitcode32);
    auto module =
        llvm::cantFail(llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "runtime"), context));
    std::erase_if(needed, [&](const std::string &name) {
        llvm::Function *function = module->getFunction(name);
        if (!function || function->isDeclaration())
            return false;
        function->setSection(".text.runtime"); // marks it as needed
        return true;
    });
    for (llvm::Function &function : llvm::make_early_inc_range(*module)) {
        function.removeFnAttr("target-features");
        if (!function.hasSection() && !function.isDeclaration())
            function.eraseFromParent();
        else
            function.setSection("");
    }
    module->setTargetTriple(target.machine->getTargetTriple());
    set_target(*module, target);
    return generate_code(*module, target, CodeKind::object);
}

} // namespace rivulet::compiler
