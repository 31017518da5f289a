// SPDX-License-Identifier: Apache-2.0
//
// LLVM's code generator, run once over a module.
#ifndef RIVULET_COMPILER_CODEGEN_CODEGEN_PIPELINE_H
#define RIVULET_COMPILER_CODEGEN_CODEGEN_PIPELINE_H

#include <string>

#include <llvm/ADT/StringSet.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/OptBisect.h>

#include "compiler/codegen/codegen_driver.h"

namespace rivulet::compiler {

// While an object exists, these passes skip the functions in its sets: the machine scheduler,
// MachineLICM, loop strength reduction, and the sinking of operands.
class PassGate : public llvm::OptPassGate {
public:
    explicit PassGate(llvm::LLVMContext &context);
    ~PassGate() override;
    PassGate(const PassGate &) = delete;
    PassGate &operator=(const PassGate &) = delete;

    llvm::StringSet<> unscheduled, unhoisted, unreduced, unsunk;

private:
    bool isEnabled() const override { return true; }
    bool shouldRunPass(llvm::StringRef pass, llvm::StringRef what) const override;

    llvm::LLVMContext &context_;
    llvm::OptPassGate &before_;
    mutable std::string function_;
};

// Modifies the module.
Code make_machine_code(llvm::Module &module, const Target &target, CodeKind kind);

} // namespace rivulet::compiler

#endif
