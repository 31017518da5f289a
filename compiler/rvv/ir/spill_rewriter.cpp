// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/ir/spill_rewriter.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Carries out a plan. Vectors are stored where they are made, so that each is stored once.
class SpillRewriter {
public:
    SpillRewriter(BasicBlock &block, const SpillPlan &plan, const VectorLiveness &liveness,
                  RematCallbacks &callbacks)
        : block_(block), plan_(plan), liveness_(liveness), callbacks_(callbacks) {}

    void run() {
        share_slots();
        Instruction &end = *block_.getTerminator();
        for (Instruction *instruction : plan_.order)
            instruction->moveBefore(end.getIterator());
        auto step = plan_.steps.begin();
        for (size_t i = 0; i <= plan_.order.size(); ++i) {
            Instruction &before = i < plan_.order.size() ? *plan_.order[i] : end;
            for (; step != plan_.steps.end() && step->before == i; ++step) {
                Instruction *copy = step->how == SpillPlan::How::reload
                                        ? reloaded(*step->value, before)
                                        : rematerialised(*step->value, before);
                now_[step->value] = copy;
                originals_[copy] = step->value;
            }
            for (Use &use : before.operands())
                use.set(now(use.get(), before));
        }
        for (Instruction *instruction : plan_.order)
            if (Instruction *copy = now_.lookup(instruction))
                instruction->replaceUsesWithIf(copy, [&](Use &use) {
                    auto *user = cast<Instruction>(use.getUser());
                    return user->getParent() != &block_ || isa<PHINode>(user);
                });
        store();
    }

private:
    // Values of this block whose ranges in memory don't overlap share a slot.
    void share_slots() {
        MapVector<Value *, size_t> last; // index of the last reload
        for (const SpillPlan::Step &step : plan_.steps)
            if (step.how == SpillPlan::How::reload)
                last[step.value] = step.before;
        SmallVector<std::pair<size_t, AllocaInst *>> known; // free from where on
        auto give = [&](Value *value, size_t from) {
            auto slot = find_if(known, [&](auto &other) {
                return other.first <= from && other.second->getAllocatedType() == value->getType();
            });
            if (slot == known.end())
                slot = known.insert(slot, {0, new_slot(value->getType())});
            slot->first = last[value];
            slots_[value] = slot->second;
        };
        const SmallPtrSet<Value *, 32> made_here(plan_.order.begin(), plan_.order.end());
        for (auto [value, reload] : last)
            if (!made_here.contains(value))
                slots_[value] = new_slot(value->getType());
        for (auto [i, instruction] : enumerate(plan_.order))
            if (last.contains(instruction))
                give(instruction, i);
    }

    AllocaInst *new_slot(Type *type) {
        BasicBlock &entry = block_.getParent()->getEntryBlock();
        AllocaInst *slot = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
        slot->setMetadata(spill_slot, MDNode::get(slot->getContext(), {}));
        return slot;
    }

    Instruction *rematerialised(Value &value, Instruction &before) {
        Instruction *copy = callbacks_.rematerialise(cast<Instruction>(value), before);
        for (Use &use : copy->operands())
            use.set(now(use.get(), *copy));
        return copy;
    }

    Instruction *reloaded(Value &value, Instruction &before) {
        AllocaInst *slot = slots_.lookup(&value);
        IRBuilder<> builder(&before);
        Value *length = callbacks_.vl_for(value, before);
        if (!length)
            return builder.CreateLoad(value.getType(), slot, true); // volatile: it stays here
        builder.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
        return builder.CreateIntrinsic(Intrinsic::vp_load, {value.getType(), slot->getType()},
                                       {slot, all_lanes(value), length});
    }

    static Value *all_lanes(const Value &value) {
        auto *type = cast<VectorType>(value.getType());
        return Constant::getAllOnesValue(
            VectorType::get(Type::getInt1Ty(type->getContext()), type->getElementCount()));
    }

    // Returns the present copy of the value; folded operands of the instruction at `before` are
    // rebuilt on it.
    Value *now(Value *value, Instruction &before) {
        if (auto found = originals_.find(value); found != originals_.end())
            value = found->second;
        if (liveness_.contains(value)) {
            auto found = now_.find(value);
            return found == now_.end() ? value : found->second;
        }
        auto *part = dyn_cast<Instruction>(value);
        // A load of pointers is folded into no user, and may not be repeated behind stores.
        if (!part || isa<PHINode>(part) || part->mayReadFromMemory() ||
            !(part->getType()->isVectorTy() || isa<TargetExtType>(part->getType())))
            return value;
        SmallVector<Value *, 4> operands;
        for (Value *operand : part->operands())
            operands.push_back(now(operand, before));
        if (equal(operands, part->operand_values()))
            return value;
        Instruction *copy = IRBuilder<>(&before).Insert(part->clone());
        for (auto [i, operand] : enumerate(operands))
            copy->setOperand(unsigned(i), operand);
        return copy;
    }

    void store() {
        for (auto [value, slot] : slots_) {
            BasicBlock::iterator insert_point =
                block_.getParent()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
            if (auto *instruction = dyn_cast<Instruction>(value))
                insert_point = isa<PHINode>(instruction)
                                   ? instruction->getParent()->getFirstNonPHIIt()
                                   : std::next(instruction->getIterator());
            IRBuilder<> builder(insert_point->getParent(), insert_point);
            if (Value *length = callbacks_.vl_for(*value, *insert_point))
                builder.CreateIntrinsic(Intrinsic::vp_store, {value->getType(), slot->getType()},
                                        {value, slot, all_lanes(*value), length});
            else
                builder.CreateStore(value, slot, true);
        }
    }

    BasicBlock &block_;
    const SpillPlan &plan_;
    const VectorLiveness &liveness_;
    RematCallbacks &callbacks_;
    DenseMap<Value *, Instruction *> now_;
    DenseMap<Value *, Value *> originals_;
    MapVector<Value *, AllocaInst *> slots_;
};

} // namespace

void spill(BasicBlock &block, const SpillPlan &plan, const VectorLiveness &liveness,
           RematCallbacks &callbacks) {
    SpillRewriter(block, plan, liveness, callbacks).run();
}

} // namespace rivulet::compiler
