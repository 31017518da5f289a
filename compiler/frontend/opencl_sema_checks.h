// SPDX-License-Identifier: Apache-2.0
//
// Checks on the syntax tree for code that OpenCL C forbids and clang accepts.
#ifndef RIVULET_COMPILER_FRONTEND_OPENCL_SEMA_CHECKS_H
#define RIVULET_COMPILER_FRONTEND_OPENCL_SEMA_CHECKS_H

#include <memory>

#include <clang/AST/ASTConsumer.h>

#include "compiler/frontend/build_options.h"
#include "compiler/support/program.h"

namespace rivulet::compiler {

// Reports errors and warnings as clang does, for each declaration before code is generated from it.
std::unique_ptr<clang::ASTConsumer> check_restrictions(const Options &options,
                                                       const Target &target);

} // namespace rivulet::compiler

#endif
