// SPDX-License-Identifier: Apache-2.0
//
// Moves all pointers to address space 0: a hart has one address space. LLVM's RISC-V backend would
// refuse casts between SPIR's spaces, and its optimiser handles pointers of address space 0 best.
//
// Runs when no pass asks for address spaces any more, right after rvl-address-space-scopes has
// preserved what they say about aliasing. Types are part of every name and constant, so functions
// and variables are recreated (type_rewriter.h).
#include "compiler/lowering/type_rewriter.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(FlattenAddressSpacesPass);

namespace {

llvm::Type *without_address_space(llvm::Type *type) {
    return type->isPointerTy() ? llvm::PointerType::get(type->getContext(), 0) : type;
}

} // namespace

void FlattenAddressSpacesPass::lower(Program &program, const Target &,
                                     llvm::ModuleAnalysisManager &) {
    replace_types(program, without_address_space);
}

} // namespace rivulet::compiler
