// SPDX-License-Identifier: Apache-2.0
//
// Makes all pointers pointers to address space 0: memory is one address space for a hart. Runs when
// nothing asks for address spaces any more, after rvl-address-space-scopes has kept what they tell.
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
