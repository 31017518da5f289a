// SPDX-License-Identifier: Apache-2.0
//
// The model of the vector registers that LMUL selection and the spill planner share. Both walk
// through a block as an allocator would that always evicts the value which is cheapest to do
// without (Belady's MIN, weighed). LMUL selection counts what that costs with so many lanes, in
// scalar code; the spill planner notes what to do in vector code. They differ in what they evict
// and how they get it back, not in what fits.
#ifndef RIVULET_COMPILER_RVV_IR_REGISTER_WALK_H
#define RIVULET_COMPILER_RVV_IR_REGISTER_WALK_H

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>

#include "compiler/rvv/ir/vector_liveness.h"

namespace rivulet::compiler {

// Values that are in vector registers.
class RegisterFile {
public:
    // `masks` more masks may be live besides those that are inserted, and `taken` registers aren't
    // there.
    explicit RegisterFile(const VectorValues &values, unsigned masks = 0, unsigned taken = 0)
        : sizes_(&values), used_(taken), masks_(masks) {}

    bool insert(llvm::Value *value);
    bool remove(llvm::Value *value);
    bool contains(llvm::Value *value) const { return values_.contains(value); }
    llvm::ArrayRef<llvm::Value *> values() const { return values_.getArrayRef(); }

    // A mask is in v0, and groups begin at multiples of their size: it takes the largest one's
    // room.
    unsigned mask_size() const;
    bool has_room(unsigned more = 0) const;

private:
    const VectorValues *sizes_;
    llvm::SmallSetVector<llvm::Value *, 16> values_;
    unsigned used_ = 0;
    unsigned masks_;
};

class RegisterWalk {
public:
    virtual ~RegisterWalk() = default;

protected:
    RegisterWalk(const VectorValues &values, RegisterFile file)
        : sizes_(values), file_(std::move(file)) {}

    // Uses have to be added from the last to the first.
    void add_use(llvm::Value *value, size_t index);

    // Through the instructions with the numbers below `end`.
    void walk(size_t end);

    // Gets the value into a register, if it isn't in one, and leaves what is needed there.
    void bring_in(llvm::Value *value, llvm::ArrayRef<llvm::Value *> needed);

    // Evicts values until `free` registers are free.
    void evict_for(llvm::ArrayRef<llvm::Value *> needed, unsigned free);

    // The number of the next instruction that uses the value, or none_left.
    size_t next_use(llvm::Value *value) const;
    bool has_later_use(llvm::Value *value) const { return next_use(value) != none_left; }

    static constexpr size_t none_left = ~size_t(0);

    const VectorValues &sizes_;
    RegisterFile file_;
    size_t now_ = 0;
    llvm::MapVector<llvm::Value *, llvm::SmallVector<size_t, 4>> uses_; // the next one last

private:
    virtual const llvm::Instruction &instruction_at(size_t index) const = 0;
    // Otherwise a comparison may still move to where its mask has room.
    virtual bool has_final_order() const { return true; }
    // The vectors that it wants in registers.
    virtual llvm::ArrayRef<llvm::Value *> operands_at(size_t index) const = 0;
    // The vector that it makes, or null.
    virtual llvm::Value *result_at(size_t index) const = 0;
    // Whether a last operand's registers can't be the result's.
    virtual bool is_kept_beside(const llvm::Value &operand,
                                const llvm::Instruction &user) const = 0;
    // What to do for a value that isn't in a register.
    virtual void get_back(llvm::Value *value, llvm::ArrayRef<llvm::Value *> needed) = 0;
    // The value to do without, or null.
    virtual llvm::Value *victim(llvm::ArrayRef<llvm::Value *> needed) = 0;
    virtual void evicted(llvm::Value *) {}
    virtual void does_not_fit() {}
    virtual void passes(const llvm::Instruction &) {}
};

} // namespace rivulet::compiler

#endif
