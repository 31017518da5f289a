// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_MAC_CHAINS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_MAC_CHAINS_H

#include <optional>

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

// A value of half the width, extended, times a constant that fits into half the width.
struct WideProduct {
    llvm::Value *narrow;
    bool is_signed; // how it is extended
    int64_t factor;
};

// The operand as a product that one widening multiply-add can add to a sum, if it has that form.
std::optional<WideProduct> wide_product(llvm::Value *value);

} // namespace rivulet::compiler

#endif
