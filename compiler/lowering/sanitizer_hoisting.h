// SPDX-License-Identifier: Apache-2.0
//
// -rv-sanitize=address: hoists bounds checks out of loops.
//
// A check may be hoisted only if the loop is certain to execute the access in each of its
// iterations: then a failing check reports what would have happened, and nothing else is reported.
// That is so if
// - the loop has one exit, whose count LLVM knows before the loop (SCEV's exact exit count, which
//   the loop can't change), and the access dominates the latch;
// - no instruction of the loop can keep a work-item from reaching the next one, and neither can an
//   inner loop that is not known to terminate. Barriers are assumed to be passed: every work-item
//   of a group reaches them, or the launch is undefined.
// The access executes once more than the latch if it dominates the loop's exit, otherwise as often.
//
// The index has to be start + iteration * step, modulo 2^bits, with an invariant step. An enclosing
// loop hoists the check further out if steps and counts of the inner loops are invariant in it,
// too.
#ifndef RIVULET_COMPILER_LOWERING_SANITIZER_HOISTING_H
#define RIVULET_COMPILER_LOWERING_SANITIZER_HOISTING_H

#include <memory>
#include <optional>

#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

struct HoistedCheck {
    // The step is added to the index from one iteration to the next; the first one is number 0.
    struct Dimension {
        llvm::Value *step;
        llvm::Value *last;
    };
    llvm::Instruction *insert_point = nullptr;  // before the outermost loop
    llvm::Value *start = nullptr;               // index in the first iterations
    llvm::SmallVector<Dimension, 2> dimensions; // innermost loop first
    llvm::SmallVector<llvm::Value *, 2> guards; // conditions for at least one iteration to execute
};

// Gives loops preheaders and single latches. Keeps analyses: no branch may be made, nor block be
// split, while it is in use.
class CheckHoisting {
public:
    explicit CheckHoisting(llvm::Function &kernel);
    ~CheckHoisting();

    // Computes the hoisted check at the insert_point; nullopt if it could not be moved.
    std::optional<HoistedCheck> hoist(llvm::Instruction *insert_point, llvm::Value *index);

    bool dominates(const llvm::Instruction *a, const llvm::Instruction *b) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// True if a work-item that executes `instruction` always reaches the next one.
bool goes_on(const llvm::Instruction &instruction);

} // namespace rivulet::compiler

#endif
