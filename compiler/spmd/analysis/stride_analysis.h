// SPDX-License-Identifier: Apache-2.0
//
// The stride of a value: how it differs between neighbouring lanes.
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_STRIDE_ANALYSIS_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_STRIDE_ANALYSIS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include "compiler/spmd/analysis/control_flow.h"

namespace rivulet::compiler {

struct Stride {
    enum Kind {
        unknown, // not yet seen
        uniform, // the same in all lanes
        affine,  // lane i has the first value plus i · step · scale
        varying,
    };
    Kind kind = unknown;
    int64_t step = 0;
    llvm::Value *scale = nullptr; // a uniform value, taken as signed; null: 1
    // Affine modulo 2^32 only, which is enough for addresses: an index of 32 bits may wrap from one
    // lane to the next, or may have wrapped in lane 0, which needn't be active. Two active
    // neighbours access one small buffer (small_buffers.h), so they are as far apart as the step
    // says if that is below 2^31.
    //
    // Otherwise the shape holds for each lane whose value isn't poison. Lane 0's own may be: it may
    // be inactive, or compute what LLVM speculates and a select drops (`i >= n ? i - n : 0`, where
    // i - n has nuw). So the first value is the one that follows for lane 0 from the others: a sum
    // of the same terms, modulo 2^bits, that ignores the flags of the work-item's instructions.
    bool modulo_2_32 = false;

    bool operator==(const Stride &) const = default;
};

class StrideAnalysis {
public:
    StrideAnalysis(llvm::Function &function, const Uniformity &uniformity, const ControlFlow &flow);

    Stride of(const llvm::Value *value) const;
    bool uniform(const llvm::Value *value) const { return of(value).kind == Stride::uniform; }
    // Whether the value is also affine as a number of any width. Its flags say this for each lane
    // whose value isn't poison: there it is the sum of its terms as numbers of that width, which
    // InstructionWidener::number() computes for the first lane.
    bool is_number(llvm::Value *value, bool is_signed) const;
    // Whether a ZExt or SExt extends such a number by its sign.
    bool extends_signed(const llvm::Instruction &extension) const;
    // The affine operand of a comparison with a uniform one, if it tells a lane's number: of an
    // equality if neighbours are apart by 1, otherwise if the operand is a number.
    std::optional<unsigned> lane_side(const llvm::ICmpInst &compare) const;
    // Whether the pointers of all lanes point into one small buffer, at offsets that fit into 32
    // bits.
    bool shares_buffer(llvm::Value *pointer) const;
    bool in_loop(const llvm::BasicBlock *block) const { return flow_.in_loop(block); }

private:
    Stride transfer(llvm::Instruction &instruction) const;
    Stride binary(llvm::BinaryOperator &operation) const;
    Stride extended(llvm::Value *narrow, bool is_signed) const;
    Stride address(llvm::GetElementPtrInst &address) const;
    Stride merged(llvm::PHINode &phi) const;
    bool is_never_poison(const llvm::Instruction &instruction) const;
    bool is_exact(llvm::Value *value, bool is_signed) const;
    bool counts(const llvm::PHINode &counter, bool is_signed) const;

    const Uniformity &uniformity_;
    const ControlFlow &flow_;
    llvm::DenseMap<const llvm::Value *, Stride> strides_;
};

// The distance in bytes from a private variable of one lane to that of the next.
int64_t lane_bytes(const llvm::AllocaInst &variable);

} // namespace rivulet::compiler

#endif
