// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_FRONTEND_KERNEL_ARGUMENT_CHECKS_H
#define RIVULET_COMPILER_FRONTEND_KERNEL_ARGUMENT_CHECKS_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace rivulet::compiler {

// Finds the field, at any depth in structures, unions and arrays of these, whose type is not
// allowed in kernel arguments (6.9.a, k, p): pointers before OpenCL C 2.0, which introduced shared
// virtual memory; OpenCL objects; types of device-dependent size. Returns null if all are allowed.
// Clang checks nested structures, but not arrays of them.
const clang::FieldDecl *forbidden_in_argument(const clang::ASTContext &context,
                                              clang::QualType type);

} // namespace rivulet::compiler

#endif
