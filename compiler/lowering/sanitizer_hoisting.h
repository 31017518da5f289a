// SPDX-License-Identifier: Apache-2.0
//
// -rv-sanitize=address: checks of loops, done once before them.
//
// A check moves in front of a loop only if the loop will certainly do the access in each of its
// iterations: then a failing one reports what would have happened, and nothing is reported that
// would not. That is so if
// - the loop has one exit, whose count LLVM knows before the loop (SCEV's exact exit count, which
//   the loop can't change), and the access dominates the latch;
// - no instruction of the loop keeps a work-item from coming to the next one, nor does an inner
//   loop of which nobody knows that it ends. Barriers count as passed: every work-item of a group
//   comes to them, or the launch has no meaning.
// The access runs once more than the latch if it dominates the loop's exit, else as often.
//
// The index has to be start + iteration * step, modulo 2^bits, with a step that stays. A loop
// around it takes the check further out if steps and counts of the inner ones stay in it, too.
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
    llvm::Value *start = nullptr;               // the index of the first iterations
    llvm::SmallVector<Dimension, 2> dimensions; // the innermost loop's first
    llvm::SmallVector<llvm::Value *, 2> guards; // what has to hold for an iteration to be there
};

// Gives loops preheaders and single latches. Keeps analyses: no branch may be made, nor block be
// split, while it is in use.
class CheckHoisting {
public:
    explicit CheckHoisting(llvm::Function &kernel);
    ~CheckHoisting();

    // Computes what is wanted at the insert_point; none if it would be where it is.
    std::optional<HoistedCheck> hoist(llvm::Instruction *insert_point, llvm::Value *index);

    bool dominates(const llvm::Instruction *a, const llvm::Instruction *b) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Whether a work-item that begins with `instruction` comes to the next one.
bool goes_on(const llvm::Instruction &instruction);

} // namespace rivulet::compiler

#endif
