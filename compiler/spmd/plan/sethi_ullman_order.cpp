// SPDX-License-Identifier: Apache-2.0
//
// Orders the instructions of each block as Sethi and Ullman do: operands right before their user,
// the one that needs most registers first, so that few vectors are live at a time. LLVM's passes
// leave loads at the top of a block, far from their users. LLVM's scheduler comes too late to help:
// the number of vectors that are live decides the LMUL here, and with it how many lanes a strip
// has. Without this pass kernels that sum many neighbours run at a smaller LMUL, or spill.
//
// Tries three orders and keeps the one with the lowest cost of lane_count(), that is, with the
// fewest vectors that don't fit into registers at the best LMUL: the order as it is, one in which
// only contiguous loads wait for their users, and a new order of everything.
//
// Anchors, that is everything with effects, keep their order, and no load passes one: memory may
// change there. All other instructions may be moved freely within their block.
//
// Needs LaneAnalysis without an obstacle, and RowShapeAnalysis. Changes neither values nor control
// flow, so LaneAnalysis stays valid; LaneCountAnalysis doesn't.
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/CommandLine.h>

#include "compiler/spmd/plan/prepare_row.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(SethiUllmanOrderPass);

// Longer blocks keep their order, because operands are visited recursively. Protects the compiler's
// stack; not measured.
constexpr size_t sethi_ullman_max_instructions = 1000; // instructions of a block

// More uniform fields than this are loaded where they are used instead of together, which would
// take more scalar registers than there are. Measured together with rows inside strips: transposes
// by 16x16 tiles 2.07 -> 1.07 instructions per work-item, a 3-D stencil with a tile 131 -> 86.
constexpr size_t field_loads_max_scalars = 24; // scalar loads of neighbours

// Longer functions are analysed in one order of their instructions only.
static cl::opt<unsigned> reorder_max_instructions("rvl-reorder-max-instructions", cl::Hidden,
                                                  cl::init(4000),
                                                  cl::desc("Instructions of a work-item"));

namespace {

class SethiUllmanOrder {
public:
    explicit SethiUllmanOrder(llvm::Function &function);

    enum What { contiguous_loads, all }; // which instructions wait for their first user
    void change(const StrideAnalysis &strides, What what);
    // Restores the order from before.
    void restore();

private:
    llvm::Function &function_;
    std::vector<std::vector<llvm::Instruction *>> before_;
};

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

    // Instructions that don't wait are placed in the old order, each after its operands; waiting
    // ones are placed as operands. The last loop places values that only other blocks use: those
    // without a waiting user are the roots, from which it reaches the rest.
    void rearrange() {
        if (order_.size() > sethi_ullman_max_instructions)
            return;
        for (size_t i = 0; i < order_.size(); ++i) {
            Instruction *instruction = order_[i];
            if (waits(*instruction))
                continue;
            // Loads must not be delayed beyond an anchor, which may write what they read.
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

    // The most vectors that are live at a time while this one is computed (Sethi and Ullman's
    // number), as if its operands had no other users.
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
        // Loads of neighbouring fields stay together, so that code generation can merge them into
        // one access (spmd/codegen/interleaved_access_emission.cpp), unless they are more scalars
        // than there are registers.
        if (auto found = origins_.find(instruction); found != origins_.end())
            if (const auto &fields = neighbours_[found->second];
                fields.size() <= field_loads_max_scalars || !strides_.uniform(instruction))
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
    // Loads with the same number of anchors before them and the same base may be one access.
    using Origin = std::pair<unsigned, const Value *>;
    DenseMap<const Instruction *, Origin> origins_;
    DenseMap<Origin, SmallVector<LoadInst *, 4>> neighbours_;
    SmallPtrSet<Instruction *, 32> placed_;
    DenseMap<Instruction *, unsigned> needs_;
};

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

} // namespace

PreservedAnalyses SethiUllmanOrderPass::run(Function &work_item,
                                            FunctionAnalysisManager &analyses) {
    const LaneAnalysis::Result &known = get<LaneAnalysis>(work_item, analyses);
    if (known.obstacle || work_item.getInstructionCount() > reorder_max_instructions)
        return PreservedAnalyses::all();
    const RowShape &shape = get<RowShapeAnalysis>(work_item, analyses).shape;
    const LaneCount before = get<LaneCountAnalysis>(work_item, analyses).lanes;
    // Strides and control flow don't depend on the order within blocks; the lane count does.
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    preserved.preserve<LaneAnalysis>();
    SethiUllmanOrder order(work_item);
    order.change(*known.strides, SethiUllmanOrder::contiguous_loads);
    const LaneCount some = lane_count(work_item, known, shape);
    if (some.fits)
        return preserved; // no order is better
    order.change(*known.strides, SethiUllmanOrder::all);
    const LaneCount all = lane_count(work_item, known, shape);
    if (all.cost < std::min(some.cost, before.cost))
        return preserved;
    if (before.cost < some.cost)
        order.restore();
    else
        order.change(*known.strides, SethiUllmanOrder::contiguous_loads);
    return preserved;
}

} // namespace rivulet::compiler
