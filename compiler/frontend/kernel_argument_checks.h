// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_FRONTEND_KERNEL_ARGUMENT_CHECKS_H
#define RIVULET_COMPILER_FRONTEND_KERNEL_ARGUMENT_CHECKS_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace rivulet::compiler {

// The field, however deep in structures, unions and arrays of both, whose type no argument of a
// kernel may hold (6.9.a, k, p): pointers before OpenCL C 2.0, which has shared virtual memory;
// OpenCL objects; types whose size depends on the device. Null: there is none. Clang looks into
// nested structures, not into arrays of them.
const clang::FieldDecl *forbidden_in_argument(const clang::ASTContext &context,
                                              clang::QualType type);

} // namespace rivulet::compiler

#endif
