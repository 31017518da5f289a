// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_select_fprounding_mode: #pragma OPENCL SELECT_ROUNDING_MODE, based on clang's support for
// C's FENV_ROUND. lowering/rounding_modes.h turns that into instructions.
#ifndef RIVULET_COMPILER_FRONTEND_ROUNDING_PRAGMA_H
#define RIVULET_COMPILER_FRONTEND_ROUNDING_PRAGMA_H

#include <memory>

#include <clang/AST/ASTConsumer.h>
#include <clang/Lex/Preprocessor.h>

namespace rivulet::compiler {

// Adds the pragma, and keeps __ROUNDING_MODE__ up to date.
void add_rounding_pragma(clang::Preprocessor &preprocessor);

// "Various built-in conversions and vstore_half … that do not specify a rounding mode inherit the
// current rounding mode": they become those that do.
std::unique_ptr<clang::ASTConsumer> let_built_ins_inherit_rounding();

} // namespace rivulet::compiler

#endif
