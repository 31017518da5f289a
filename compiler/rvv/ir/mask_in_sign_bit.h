// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_MASK_IN_SIGN_BIT_H
#define RIVULET_COMPILER_RVV_IR_MASK_IN_SIGN_BIT_H

#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

// Keeps masks in sign bits. A comparison that is used once, much later, either keeps the vector
// that it compares live until then, or is in v0, which costs as many registers. Instead its result
// becomes the sign of another live vector, the host, whose own sign is clear and which has no use
// in between. Before their uses, the mask is a comparison of the host's bits with 0, and the host
// its absolute value.
class SignBitMasks {
public:
    // Moves all masks of the block for which there is a host. `length` returns the VL that is
    // demanded of a vector, or null: both must be known, and the same.
    using Length = llvm::function_ref<llvm::Value *(llvm::Instruction &vector)>;
    SignBitMasks(llvm::BasicBlock &block, Length length);

    size_t size() const { return moved_masks_.size(); }

    // Undoes everything but the order.
    void undo();

private:
    struct Candidate {
        llvm::CmpInst *mask;
        llvm::Use *mask_use;
        llvm::Instruction *host;
        llvm::Use *host_use;
        llvm::Instruction *last;                         // before the mask is made
        llvm::SmallVector<llvm::Instruction *, 4> moved; // to there from behind
        ptrdiff_t stay;                                  // in instructions
    };
    struct MovedMask {
        llvm::CmpInst *mask;
        llvm::Use *mask_use;
        llvm::Instruction *host;
        llvm::Use *host_use;
        llvm::Instruction *sign, *restored;
    };

    static std::optional<Candidate> find_host(llvm::CmpInst &mask, llvm::Instruction &host);
    void move_to_sign_bit(const Candidate &candidate, llvm::Value *length);

    llvm::SmallVector<MovedMask, 4> moved_masks_;
};

} // namespace rivulet::compiler

#endif
