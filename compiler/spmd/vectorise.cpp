// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/vectorise.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/spmd/analysis.h"
#include "compiler/spmd/emitter.h"
#include "compiler/spmd/lane_count.h"
#include "compiler/spmd/prepare.h"
#include "compiler/spmd/recompute.h"
#include "compiler/spmd/row_bounds.h"
#include "compiler/workgroup/row.h"

namespace rivulet::compiler {

using namespace llvm;

static cl::opt<unsigned> lanes_option("rivulet-lanes", cl::Hidden, cl::init(0),
                                      cl::desc("Lanes per 64 bits of vector register"));

namespace {

std::expected<Function *, Obstacle> vectorise_copy(Function &work_item, RowShape shape,
                                                   FunctionAnalysisManager &analyses) {
    RowBounds bounds(work_item);
    auto known = Analysis::of(work_item, shape, analyses);
    if (!known)
        return std::unexpected(known.error());
    const Analysis &analysis = **known;
    unsigned count = lanes_option ? lanes_option
                                  : choose_lane_count(work_item, analysis.loops(), analysis.flow(),
                                                      analysis.shapes(), shape.vlen, shape.length)
                                        .lanes;
    bool one_strip = shape.vlen && shape.length && count * shape.vlen / 64 >= shape.length;
    return emit_row(work_item, analysis.flow(), analysis.shapes(), bounds,
                    {count, one_strip, shape.vlen});
}

constexpr unsigned hoisted_branches = 3; // one after the other
constexpr unsigned hoisted_below = 300;  // instructions: what follows is there twice

// Hoists a branch that a whole row takes the same way: each way has a row of its own, with bounds
// of its own.
std::expected<Function *, Obstacle> vectorise_ways(Function &work_item, RowShape shape,
                                                   FunctionAnalysisManager &analyses,
                                                   unsigned depth) {
    simplify(work_item, analyses);
    auto *branch = dyn_cast<BranchInst>(work_item.getEntryBlock().getTerminator());
    if (depth == 0 || work_item.getInstructionCount() > hoisted_below || !branch ||
        branch->isUnconditional() || !is_recomputable(branch->getCondition(), 3))
        return vectorise_copy(work_item, shape, analyses);

    SmallVector<Function *, 2> rows;
    for (bool way : {true, false}) {
        ValueToValueMapTy map;
        keep_subprogram(work_item, map);
        Function *copy = CloneFunction(&work_item, map);
        cast<BranchInst>(map[branch])->setCondition(ConstantInt::getBool(copy->getContext(), way));
        auto row = vectorise_ways(*copy, shape, analyses, depth - 1);
        copy->eraseFromParent();
        if (!row) {
            for (Function *other : rows)
                other->eraseFromParent();
            return row;
        }
        rows.push_back(*row);
    }
    Function *row = create_row(work_item);
    LLVMContext &context = row->getContext();
    IRBuilder<> builder(BasicBlock::Create(context, "entry", row));
    DenseMap<Value *, Value *> parameters;
    for (Argument &argument : drop_begin(work_item.args()))
        parameters[&argument] = row->getArg(argument.getArgNo() + 1);
    Value *condition = recompute(builder, branch->getCondition(), parameters);
    SmallVector<Value *, 48> arguments;
    for (Argument &argument : row->args())
        arguments.push_back(&argument);
    SmallVector<BasicBlock *, 2> blocks;
    for (Function *way : rows) {
        blocks.push_back(BasicBlock::Create(context, "way", row));
        IRBuilder<> inside(blocks.back());
        CallInst *call = inside.CreateCall(way, arguments);
        if (DISubprogram *place = work_item.getSubprogram())
            call->setDebugLoc(DILocation::get(context, place->getLine(), 0, place));
        inside.CreateRetVoid();
        InlineFunctionInfo info;
        InlineFunction(*call, info);
        way->eraseFromParent();
    }
    builder.CreateCondBr(condition, blocks[0], blocks[1]);
    row->setSubprogram(work_item.getSubprogram());
    work_item.setSubprogram(nullptr);
    return row;
}

} // namespace

std::expected<Function *, Obstacle> vectorise(Function &work_item, RowShape shape,
                                              FunctionAnalysisManager &analyses) {
    ValueToValueMapTy map;
    keep_subprogram(work_item, map);
    Function *copy = CloneFunction(&work_item, map);
    copy->setLinkage(GlobalValue::InternalLinkage);
    auto row = vectorise_ways(*copy, shape, analyses, hoisted_branches);
    copy->eraseFromParent();
    return row;
}

std::optional<double> estimated_cost(Function &work_item, RowShape shape,
                                     FunctionAnalysisManager &analyses) {
    ValueToValueMapTy map;
    Function *copy = CloneFunction(&work_item, map);
    std::optional<double> cost;
    {
        simplify(*copy, analyses);
        RowBounds bounds(*copy);
        simplify(*copy, analyses);
        if (auto known = Analysis::of(*copy, shape, analyses))
            cost = choose_lane_count(*copy, (*known)->loops(), (*known)->flow(), (*known)->shapes(),
                                     shape.vlen, shape.length)
                       .cost;
    }
    copy->eraseFromParent();
    return cost;
}

} // namespace rivulet::compiler
