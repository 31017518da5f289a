// SPDX-License-Identifier: Apache-2.0
//
// Dot products of four bytes (cl_khr_integer_dot_product) stay calls until work-items are lanes if
// the hart has an instruction for them. Written out, they are products of single bytes, in which
// nothing shows that these came from two words.
#ifndef RIVULET_COMPILER_LOWERING_DOT_PRODUCTS_H
#define RIVULET_COMPILER_LOWERING_DOT_PRODUCTS_H

#include <optional>

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

namespace rivulet::compiler {

// Which of the two words has signed bytes.
struct DotProduct {
    bool first_is_signed, second_is_signed;
};

// The dot product that the callee is, if any; the callee of an indirect call is null.
std::optional<DotProduct> dot_product(const llvm::Function *callee);

// Instructions vd += vs · vs' of four bytes in each element of 32 bits, as LLVM's intrinsics. In
// the mixed ones the bytes of the first factor are signed.
struct DotInstructions {
    llvm::StringLiteral feature;
    llvm::Intrinsic::ID of_signed, of_unsigned, mixed;
    // Also take the second factor from a scalar register: the first one's bytes are unsigned then.
    llvm::Intrinsic::ID with_signed_scalar;
};

// Null if the hart has none.
const DotInstructions *dot_instructions(llvm::StringRef target_features);

// Before inlining: calls of the library's dot products stay calls (delayed_inlining.h).
void delay_dot_products(llvm::Module &module, llvm::StringRef target_features);

// After the work-group pass: what is still called is written out.
void inline_dot_products(llvm::Module &module);

} // namespace rivulet::compiler

#endif
