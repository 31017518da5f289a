// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/sethi_ullman_order.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include "compiler/tuning/spmd_transform.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

class Block {
public:
    Block(BasicBlock &block, const StrideAnalysis &strides, SethiUllmanOrder::What what)
        : block_(block), strides_(strides), what_(what) {
        unsigned part = 0;
        for (Instruction &instruction : block) {
            if (isa<PHINode>(instruction) || instruction.isTerminator())
                continue;
            order_.push_back(&instruction);
            if (is_anchor(instruction))
                ++part;
            else if (auto *load = dyn_cast<LoadInst>(&instruction); load && !is_contiguous(*load))
                neighbours_[origins_[load] = {part, base_of(*load)}].push_back(load);
        }
    }

    void rearrange() {
        if (order_.size() > tuning::sethi_ullman_max_instructions)
            return;
        for (size_t i = 0; i < order_.size(); ++i) {
            Instruction *instruction = order_[i];
            if (waits(*instruction))
                continue;
            // Nothing that is read may change before.
            if (is_anchor(*instruction))
                for (Instruction *earlier : ArrayRef(order_).take_front(i))
                    if (isa<LoadInst>(earlier))
                        schedule(earlier);
            schedule(instruction);
        }
        for (Instruction *instruction : order_)
            if (none_of(instruction->users(), [&](User *user) {
                    Instruction *other = waiting(user);
                    return other && !other->isTerminator();
                }))
                schedule(instruction);
    }

private:
    static bool is_anchor(const Instruction &instruction) {
        auto *load = dyn_cast<LoadInst>(&instruction);
        return load ? !load->isSimple()
                    : instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects() ||
                          isa<AllocaInst>(instruction);
    }

    bool waits(const Instruction &instruction) const {
        if (is_anchor(instruction))
            return false;
        auto *load = dyn_cast<LoadInst>(&instruction);
        return what_ == SethiUllmanOrder::all || (load && is_contiguous(*load));
    }

    static const Value *base_of(const LoadInst &load) {
        APInt offset(load.getDataLayout().getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
        return load.getPointerOperand()->stripAndAccumulateConstantOffsets(load.getDataLayout(),
                                                                           offset, true);
    }

    bool is_contiguous(const LoadInst &load) const {
        Stride shape = strides_.of(load.getPointerOperand());
        return shape.kind == Stride::affine && !shape.scale &&
               shape.step == int64_t(load.getDataLayout().getTypeStoreSize(load.getType()));
    }

    Instruction *waiting(Value *value) const {
        auto *instruction = dyn_cast<Instruction>(value);
        return instruction && instruction->getParent() == &block_ && !isa<PHINode>(instruction) &&
                       !placed_.contains(instruction)
                   ? instruction
                   : nullptr;
    }

    // Values that are live at a time while this one is computed, as if it were a tree.
    unsigned need(Instruction &instruction) {
        if (auto known = needs_.find(&instruction); known != needs_.end())
            return known->second;
        bool wide =
            !instruction.getType()->isVoidTy() && strides_.of(&instruction).kind == Stride::varying;
        unsigned most = wide ? 1 : 0;
        unsigned held = 0;
        for (Instruction *operand : operands(instruction)) {
            most = std::max(most, need(*operand) + held);
            held += strides_.of(operand).kind == Stride::varying ? 1 : 0;
        }
        return needs_[&instruction] = most;
    }

    // The operands that aren't placed yet, the one that needs most registers first.
    SmallVector<Instruction *, 4> operands(Instruction &instruction) {
        SmallVector<Instruction *, 4> found;
        for (Value *value : instruction.operands())
            if (Instruction *operand = waiting(value))
                found.insert(
                    find_if(found,
                            [&](Instruction *other) { return need(*other) < need(*operand); }),
                    operand);
        return found;
    }

    void schedule(Instruction *instruction) {
        if (placed_.contains(instruction))
            return;
        // Fields of one address come together (spmd/codegen/interleaved_access_emission.cpp). More
        // scalars than registers hold don't.
        if (auto found = origins_.find(instruction); found != origins_.end())
            if (const auto &fields = neighbours_[found->second];
                fields.size() <= tuning::field_loads_max_scalars || !strides_.uniform(instruction))
                for (LoadInst *field : fields)
                    schedule_alone(field);
        schedule_alone(instruction);
    }

    void schedule_alone(Instruction *instruction) {
        if (placed_.contains(instruction))
            return;
        for (Instruction *operand : operands(*instruction))
            schedule(operand);
        placed_.insert(instruction);
        instruction->moveBefore(block_.getTerminator()->getIterator());
    }

    BasicBlock &block_;
    const StrideAnalysis &strides_;
    SethiUllmanOrder::What what_;
    std::vector<Instruction *> order_;
    // Where loads read from: after how many anchors, and from which base.
    using Origin = std::pair<unsigned, const Value *>;
    DenseMap<const Instruction *, Origin> origins_;
    DenseMap<Origin, SmallVector<LoadInst *, 4>> neighbours_;
    SmallPtrSet<Instruction *, 32> placed_;
    DenseMap<Instruction *, unsigned> needs_;
};

} // namespace

SethiUllmanOrder::SethiUllmanOrder(Function &function) : function_(function) {
    for (BasicBlock &block : function) {
        auto &order = before_.emplace_back();
        for (Instruction &instruction : block)
            order.push_back(&instruction);
    }
}

void SethiUllmanOrder::change(const StrideAnalysis &strides, What what) {
    restore();
    for (BasicBlock &block : function_)
        Block(block, strides, what).rearrange();
}

void SethiUllmanOrder::restore() {
    for (auto [block, order] : zip(function_, before_))
        for (Instruction *instruction : order)
            if (!isa<PHINode>(instruction) && !instruction->isTerminator())
                instruction->moveBefore(block.getTerminator()->getIterator());
}

} // namespace rivulet::compiler
