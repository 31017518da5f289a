// SPDX-License-Identifier: Apache-2.0
//
// Keeps vectors in memory that a loop carries from iteration to iteration, such as the accumulators
// of a large tile, where they need more than twice the registers that there are: most of them are
// on the stack anyway. LLVM's allocator moves whole groups of up to eight registers there and back,
// however few lanes are in use; loads and stores with the strip's VL move these lanes only. Without
// carried vectors, rvl-vector-pressure can also order the block, and code generation takes a
// fraction of the time.
//
// Takes loops of one block. A vector is loaded before its only use in an iteration and stored when
// its next value is there. Lanes from VL on aren't demanded of any of its values (demanded_vl.h).
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/rvv/ir/demanded_vl.h"
#include "compiler/rvv/ir/spill_rewriter.h"
#include "compiler/rvv/ir/vector_liveness.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SpillCarriedPass);

// Loops that carry less are left to LLVM's allocator and to planned spills. half_gemm_4x8 carries
// 32 times the registers; between 1 and 2 nothing was measured.
constexpr unsigned carried_overflow_factor = 2; // times 32 registers

// Users of a result behind the loop, each of which loads it.
constexpr unsigned result_max_uses = 2; // instructions

namespace {

class CarriedSpiller {
public:
    explicit CarriedSpiller(Function &function)
        : function_(function), dominators_(function), loops_(dominators_),
          lengths_(function, dominators_) {}

    bool run() {
        bool any = false;
        for (Loop *loop : loops_.getLoopsInPreorder())
            if (loop->getNumBlocks() == 1 && loop->getLoopPreheader() && loop->getExitBlock())
                any |= spill(*loop);
        return any;
    }

private:
    struct Carried {
        PHINode *phi;
        Instruction *next;
        PHINode *result;                 // in the exit block, of several ways there; or null
        SmallVector<Instruction *> uses; // behind the loop
        Value *length;                   // VL as an i32
    };

    bool spill(Loop &loop) {
        BasicBlock &block = *loop.getHeader();
        const VectorLiveness liveness(function_);
        if (LivenessWalk(liveness, block).used() <= carried_overflow_factor * vector_registers)
            return false;
        // What is reloaded is in registers for a moment, too.
        const unsigned used = liveness.most_used(block) + liveness.largest();
        unsigned freed = 0;
        SmallVector<Carried> all;
        for (PHINode &phi : block.phis())
            if (used > vector_registers + freed)
                if (auto carried = carried_by(phi, loop)) {
                    freed += liveness.size(&phi);
                    all.push_back(std::move(*carried));
                }
        for (Carried &carried : all)
            keep_in_memory(carried, *loop.getLoopPreheader());
        return !all.empty();
    }

    std::optional<Carried> carried_by(PHINode &phi, const Loop &loop) const {
        auto *type = dyn_cast<ScalableVectorType>(phi.getType());
        if (!type || !(is_plain(*type) || type->getElementType()->isHalfTy()) || !phi.hasOneUse())
            return std::nullopt;
        BasicBlock *block = phi.getParent();
        auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(block));
        auto *user = cast<Instruction>(phi.user_back());
        if (!next || next->getParent() != block || isa<PHINode>(next) ||
            user->getParent() != block || isa<PHINode>(user) || next->comesBefore(user))
            return std::nullopt;
        Carried carried{&phi, next, nullptr, {}, nullptr};
        for (User *other : next->users()) {
            if (other == &phi)
                continue;
            auto *behind = cast<Instruction>(other);
            auto *merge = dyn_cast<PHINode>(behind);
            if (behind->getParent() == block || carried.result || (merge && !carried.uses.empty()))
                return std::nullopt;
            if (merge && merge->getParent() != loop.getExitBlock())
                return std::nullopt;
            if (merge)
                carried.result = merge;
            else
                carried.uses.push_back(behind);
        }
        if (carried.result)
            for (User *use : carried.result->users())
                carried.uses.push_back(cast<Instruction>(use));
        return has_length(carried, *loop.getLoopPreheader()) ? std::optional(carried)
                                                             : std::nullopt;
    }

    // Whether one VL covers all that is demanded of the values, and is known wherever they are
    // loaded and stored.
    bool has_length(Carried &carried, const BasicBlock &preheader) const {
        IntrinsicInst *length = lengths_.of(*carried.next);
        if (!length || lengths_.of(*carried.phi) != length ||
            (carried.result && lengths_.of(*carried.result) != length) ||
            !counts_lanes_of(*length, *cast<VectorType>(carried.phi->getType())))
            return false;
        SmallVector<const Instruction *> places{preheader.getTerminator()};
        for (Instruction *use : carried.uses) {
            if (isa<PHINode>(use))
                return false;
            places.push_back(use);
        }
        if (carried.uses.size() > result_max_uses)
            return false;
        // A way to a use on which the slot has changed would not lead through the exit block.
        if (carried.result)
            for (const BasicBlock *from : carried.result->blocks()) {
                if (from != carried.phi->getParent() &&
                    dominators_.dominates(carried.result->getParent(), from))
                    return false;
                places.push_back(from->getTerminator());
            }
        if (carried.result && dominators_.dominates(carried.result->getParent(), &preheader))
            return false;
        carried.length = vl_as_i32(*length, places);
        return carried.length != nullptr;
    }

    Value *vl_as_i32(IntrinsicInst &length, ArrayRef<const Instruction *> places) const {
        const auto is_known = [&](Value *value) {
            return value->getType()->isIntegerTy(32) && all_of(places, [&](const Instruction *at) {
                       return dominators_.dominates(value, at);
                   });
        };
        if (is_known(&length))
            return &length;
        for (User *user : length.users())
            if (isa<TruncInst>(user) && is_known(user))
                return user;
        return nullptr;
    }

    // Whether the block in front of the preheader, which may leave the loop out, stores the same.
    static bool is_stored_for_way_around(const Carried &carried, const BasicBlock &preheader,
                                         const Value &first) {
        const BasicBlock *parting = preheader.getSinglePredecessor();
        const int way =
            parting && carried.result ? carried.result->getBasicBlockIndex(parting) : -1;
        return way >= 0 && carried.result->getIncomingValue(unsigned(way)) == &first;
    }

    void keep_in_memory(Carried &carried, BasicBlock &preheader) {
        Type *type = carried.phi->getType();
        BasicBlock &entry = function_.getEntryBlock();
        AllocaInst *slot = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
        slot->setMetadata(spill_slot, MDNode::get(slot->getContext(), {}));
        Value *lanes = Constant::getAllOnesValue(VectorType::get(
            Type::getInt1Ty(type->getContext()), cast<VectorType>(type)->getElementCount()));
        const auto store = [&](Value *value, Instruction &before) {
            IRBuilder<>(&before).CreateIntrinsic(Intrinsic::vp_store, {type, slot->getType()},
                                                 {value, slot, lanes, carried.length});
        };
        const auto load_for = [&](Instruction &user, Value *value) {
            user.replaceUsesOfWith(value, IRBuilder<>(&user).CreateIntrinsic(
                                              Intrinsic::vp_load, {type, slot->getType()},
                                              {slot, lanes, carried.length}));
        };
        Value *first = carried.phi->getIncomingValueForBlock(&preheader);
        if (!is_stored_for_way_around(carried, preheader, *first))
            store(first, *preheader.getTerminator());
        load_for(*cast<Instruction>(carried.phi->user_back()), carried.phi);
        store(carried.next, *carried.next->getNextNode());
        for (Instruction *use : carried.uses)
            load_for(*use, carried.result ? cast<Instruction>(carried.result) : carried.next);
        if (carried.result) {
            SmallPtrSet<BasicBlock *, 4> stored{carried.phi->getParent()};
            for (auto [value, from] :
                 zip(carried.result->incoming_values(), carried.result->blocks()))
                if (stored.insert(from).second)
                    store(value, *from->getTerminator());
            carried.result->eraseFromParent();
        }
        carried.phi->eraseFromParent();
    }

    Function &function_;
    DominatorTree dominators_;
    LoopInfo loops_;
    const DemandedVl lengths_; // of the vectors at the start
};

} // namespace

PreservedAnalyses SpillCarriedPass::run(Function &function, FunctionAnalysisManager &) {
    return preserved_unless(CarriedSpiller(function).run());
}

} // namespace rivulet::compiler
