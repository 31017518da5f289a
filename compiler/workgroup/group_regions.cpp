// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/group_regions.h"

#include "compiler/workgroup/collectives.h"

namespace rivulet::compiler {

using namespace llvm;

// Kernels with more regions enter them through a volatile switch, so that LLVM doesn't ask of each
// loop what all regions before it have asked. 500 barriers build in 3 s instead of a minute, 1,000
// in 9 s.
constexpr unsigned region_switch_threshold = 48; // regions of a kernel

// Of many regions, each eighth is entered through the switch, the others from their predecessors.
// As region_switch_threshold.
constexpr unsigned region_switch_stride = 8; // regions

GroupRegions::GroupRegions(const KernelParts &parts, IRBuilder<> &builder,
                           const LaunchValues &launch)
    : parts_(parts), regions_(parts.regions), builder_(builder), launch_(launch),
      function_(builder.GetInsertBlock()->getParent()),
      are_many_(regions_.regions.size() > region_switch_threshold) {
    for (unsigned index : regions_.uniform_values())
        uniform_.push_back(builder.CreateAlloca(regions_.values[index].type));
    const uint32_t *size = parts.kernel.required_group_size;
    for (unsigned index : regions_.variables()) {
        saved_.push_back(builder.CreateAlloca(
            ArrayType::get(builder.getInt8Ty(),
                           uint64_t(size[0]) * size[1] * size[2] * regions_.values[index].bytes)));
        saved_.back()->setAlignment(Align(saved_variable_alignment));
    }
    ended_ = builder.CreateAlloca(builder.getInt32Ty());
}

void GroupRegions::run(const Group &group, BasicBlock *done) {
    if (parts_.initialise_local)
        builder_.CreateMemSet(launch_.local, builder_.getInt8(0), launch_.local_bytes, Align(64));
    SmallVector<BasicBlock *> starts;
    for (size_t i = 0; i < regions_.regions.size(); ++i)
        starts.push_back(BasicBlock::Create(builder_.getContext(), "region" + Twine(i), function_));
    const SmallVector<BasicBlock *> targets = separated(starts);
    builder_.CreateBr(targets[0]);
    for (auto [i, region] : enumerate(regions_.regions)) {
        builder_.SetInsertPoint(starts[i]);
        builder_.CreateStore(builder_.getInt32(~0u), ended_);
        // All work-items of the region see what the last one left; they all write the same.
        SmallVector<Value *> now;
        for (AllocaInst *variable : uniform_)
            now.push_back(builder_.CreateLoad(variable->getAllocatedType(), variable));
        Value *none = builder_.getInt32(0);
        if (parts_.ids == Ids::linear) {
            run_rows(i, {none, items(group)}, {none, builder_.getInt32(1)}, none, group, now);
        } else if (parts_.kernel.required_group_size[2] == 1 || are_alike(parts_.rows[i])) {
            Value *count =
                builder_.CreateMul(group.local_size[1], group.local_size[2], "", true, true);
            run_rows(i, {none, group.local_size[0]}, {none, count}, none, group, now);
        } else {
            Loop z(builder_, none, group.local_size[2], "z", are_many_);
            run_rows(i, {none, group.local_size[0]}, {none, group.local_size[1]}, z.index(), group,
                     now);
            z.close();
        }
        go_on(region, group, targets, done);
    }
    builder_.SetInsertPoint(done);
}

void GroupRegions::run_rows(size_t region, Range x, Range y, Value *z, const Group &group,
                            ArrayRef<Value *> uniform_values) {
    compiler::run_rows(
        builder_, parts_.rows[region], y,
        [&](Value *at) { return arguments(x, at, z, group, uniform_values); }, are_many_);
}

RowArguments GroupRegions::arguments(Range x, Value *y, Value *z, const Group &group,
                                     ArrayRef<Value *> uniform_values) {
    RowArguments all{x.first, x.second, y, z};
    for (const Dimensions &values :
         {group.first_id, group.local_size, launch_.local_size, group.id, launch_.group_count,
          launch_.global_size, launch_.global_offset})
        all.append(values.begin(), values.end());
    all.append({launch_.dimensions, launch_.work_items, launch_.saved, launch_.local});
    all.append(launch_.arguments);
    append_range(all, uniform_values);
    all.append(uniform_.begin(), uniform_.end());
    all.append(saved_.begin(), saved_.end());
    all.push_back(ended_);
    return all;
}

SmallVector<BasicBlock *> GroupRegions::separated(const SmallVector<BasicBlock *> &starts) {
    if (!are_many_)
        return starts;
    IRBuilder<>::InsertPointGuard guard(builder_);
    SmallVector<BasicBlock *> targets = starts;
    IRBuilder<> entry(&function_->getEntryBlock().front());
    AllocaInst *next = entry.CreateAlloca(builder_.getInt32Ty());
    auto *gate = BasicBlock::Create(builder_.getContext(), "gate", function_);
    auto *nowhere = BasicBlock::Create(builder_.getContext(), "nowhere", function_);
    builder_.SetInsertPoint(nowhere);
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(gate);
    SwitchInst *choice = builder_.CreateSwitch(
        builder_.CreateLoad(builder_.getInt32Ty(), next, /*isVolatile=*/true), nowhere);
    for (unsigned i = 0; i < starts.size(); i += region_switch_stride) {
        targets[i] = BasicBlock::Create(builder_.getContext(), "to_region" + Twine(i), function_);
        builder_.SetInsertPoint(targets[i]);
        builder_.CreateStore(builder_.getInt32(i / region_switch_stride), next,
                             /*isVolatile=*/true);
        builder_.CreateBr(gate);
        choice->addCase(builder_.getInt32(i / region_switch_stride), starts[i]);
    }
    return targets;
}

void GroupRegions::go_on(const Region &region, const Group &group, ArrayRef<BasicBlock *> starts,
                         BasicBlock *done) {
    if (region.next.empty()) {
        builder_.CreateBr(done);
        return;
    }
    SmallVector<BasicBlock *> targets;
    for (unsigned boundary : region.next)
        targets.push_back(is_collective(regions_.boundaries[boundary].builtin)
                              ? collective(boundary, group, starts[boundary + 1])
                              : starts[boundary + 1]);
    if (targets.size() == 1 && !region.may_return) {
        builder_.CreateBr(targets[0]);
        return;
    }
    Value *ended = builder_.CreateLoad(builder_.getInt32Ty(), ended_, "ended");
    SwitchInst *choice = builder_.CreateSwitch(ended, done);
    for (auto [boundary, target] : zip(region.next, targets))
        choice->addCase(builder_.getInt32(boundary), target);
}

BasicBlock *GroupRegions::collective(unsigned number, const Group &group, BasicBlock *then) {
    IRBuilder<>::InsertPointGuard guard(builder_);
    const Boundary &boundary = regions_.boundaries[number];
    auto *start = BasicBlock::Create(builder_.getContext(), "at_collective", function_);
    builder_.SetInsertPoint(start);
    Value *index = nullptr;
    if (boundary.index >= 0)
        index = builder_.CreateLoad(builder_.getInt64Ty(), uniform(boundary.index));
    Value *result =
        run_collective(builder_, boundary, regions_.values[boundary.operand],
                       {launch_.saved, launch_.work_items, items(group)}, index, parts_.elements);
    if (boundary.result != boundary.operand)
        builder_.CreateStore(result, uniform(boundary.result));
    builder_.CreateBr(then);
    return start;
}

Value *GroupRegions::items(const Group &group) {
    return builder_.CreateMul(
        builder_.CreateMul(group.local_size[0], group.local_size[1], "", true, true),
        group.local_size[2], "", true, true);
}

AllocaInst *GroupRegions::uniform(int value) {
    auto indices = regions_.uniform_values();
    return uniform_[find(indices, unsigned(value)) - indices.begin()];
}

} // namespace rivulet::compiler
