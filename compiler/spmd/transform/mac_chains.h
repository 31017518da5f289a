// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_MAC_CHAINS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_MAC_CHAINS_H

#include <optional>

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

// A value of half as many bits, extended, times a constant that as few bits hold.
struct WideProduct {
    llvm::Value *narrow;
    bool is_signed; // how it is extended
    int64_t factor;
};

// The product that one widening instruction can add to a sum, if the operand is one.
std::optional<WideProduct> wide_product(llvm::Value *value);

// Sums of such products become chains, one product added after the other: each is one instruction
// then, and few values are live at a time. `c + 2f + i - (a + 2d + g)` becomes `c - a + i - g + 2f
// - 2d`.
void form_mac_chains(llvm::Function &function);

} // namespace rivulet::compiler

#endif
