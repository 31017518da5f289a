// SPDX-License-Identifier: Apache-2.0
//
// The vector register file as all models of register pressure see it.
#ifndef RIVULET_COMPILER_ANALYSIS_VECTOR_REGISTERS_H
#define RIVULET_COMPILER_ANALYSIS_VECTOR_REGISTERS_H

#include <llvm/IR/Type.h>
#include <llvm/IR/Value.h>

namespace rivulet::compiler {

inline constexpr unsigned vector_registers = 32; // RISC-V V 1.0, 2
inline constexpr unsigned largest_lmul = 8;      // registers of a group: 3.4.2
inline constexpr unsigned largest_vlen = 1024;   // bits, of the devices that this project knows

// The distance to a value's next use in another block, in instructions: more than a block has.
inline constexpr unsigned distance_to_other_block = 1 << 20;

// A bit for each lane, before or after work-items became lanes. Instructions read masks from v0.
inline bool is_mask(const llvm::Value &value) {
    return value.getType()->getScalarType()->isIntegerTy(1);
}

} // namespace rivulet::compiler

#endif
