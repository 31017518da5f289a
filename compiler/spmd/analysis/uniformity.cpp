// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/uniformity.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Instructions.h>

#include "compiler/analysis/sub_group_functions.h"
#include "compiler/spmd/analysis/sub_group_calls.h"
#include "compiler/work_items/launch_end.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

class LaneInfo : public TargetTransformInfoImplCRTPBase<LaneInfo> {
    using Base = TargetTransformInfoImplCRTPBase<LaneInfo>;

public:
    LaneInfo(const DataLayout &layout, unsigned ids, const Uniformity::Values &divergent)
        : Base(layout), ids_(ids), divergent_(divergent) {}

    bool hasBranchDivergence(const Function *) const override { return true; }

    InstructionUniformity getInstructionUniformity(const Value *value) const override {
        // Lanes are one sub-group; the work-items of a work-group are several.
        if (auto call = sub_group_call(*value))
            return ids_ == 1 && same_in_all_lanes(*call) ? InstructionUniformity::AlwaysUniform
                                                         : InstructionUniformity::NeverUniform;
        if (calls_sub_group_function(*value))
            return ids_ == 1 ? InstructionUniformity::AlwaysUniform
                             : InstructionUniformity::NeverUniform;
        if (auto *call = dyn_cast<CallBase>(value); call && is_arrival(*call))
            return InstructionUniformity::AlwaysUniform;
        return differs(value) ? InstructionUniformity::NeverUniform
                              : InstructionUniformity::Default;
    }

private:
    bool differs(const Value *value) const {
        if (divergent_.contains(value))
            return true;
        if (auto *argument = dyn_cast<Argument>(value))
            return argument->getArgNo() < ids_;
        if (auto *load = dyn_cast<LoadInst>(value))
            return !load->isUnordered();
        if (auto *call = dyn_cast<CallBase>(value))
            return !call->doesNotAccessMemory();
        return isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(value);
    }

    unsigned ids_;
    Uniformity::Values divergent_;
};

} // namespace

struct Uniformity::State {
    DominatorTree dominators;
    CycleInfo cycles;
    TargetTransformInfo target;
    UniformityInfo info;

    State(Function &function, unsigned ids, const Values &divergent)
        : dominators(function),
          target(std::make_unique<LaneInfo>(function.getDataLayout(), ids, divergent)) {
        cycles.compute(function);
        info = UniformityInfo(dominators, cycles, &target);
        info.compute();
    }
};

Uniformity::Uniformity(Function &function, unsigned ids, const Values &divergent)
    : state_(std::make_unique<State>(function, ids, divergent)) {}
Uniformity::~Uniformity() = default;

bool Uniformity::uniform(const Value &value) const { return state_->info.isUniform(&value); }

bool Uniformity::uniform_use(const Use &use) const { return !state_->info.isDivergentUse(use); }

bool Uniformity::uniform_branch(const BasicBlock &block) const {
    return !state_->info.hasDivergentTerminator(block);
}

} // namespace rivulet::compiler
