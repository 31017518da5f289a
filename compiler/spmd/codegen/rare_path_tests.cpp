// SPDX-License-Identifier: Apache-2.0
//
// A branch to a report of -rv-sanitize=address that compares affine values with limits. Two scalar
// comparisons, of the first and the last lane, prove that no lane takes it. If they fail, all lanes
// are compared as usual.
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/conditions.h"
#include "compiler/analysis/limits.h"
#include "compiler/spmd/codegen/row_codegen_internal.h"
#include "compiler/work_items/launch_end.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// How deep in a condition to look for comparisons that rule out a rare path for all lanes.
constexpr unsigned rare_path_max_depth = 8; // operations

namespace {

// A report of -rv-sanitize=address.
bool may_end_launch(const LoopRegion &level, unsigned n) {
    const RegionNode &node = level.nodes[n];
    const auto ends = [](BasicBlock *block) {
        return any_of(*block, [](const Instruction &instruction) {
            auto *call = dyn_cast<CallInst>(&instruction);
            return call && ends_launch(*call);
        });
    };
    return node.loop ? any_of(node.loop->blocks(), ends) : ends(node.block);
}

// The comparison with the affine operand first, as it holds for that outcome of the branch.
struct Comparison {
    CmpInst::Predicate predicate;
    Value *value, *limit;
};

} // namespace

// Whether condition == outcome may hold in a lane below the length; null if only a comparison of
// all lanes can tell.
//
// The limit is clamped to half of all numbers, and a strip spans at most a quarter of them
// (max_affine_step times the most lanes; a scale is tested). So if the first and the last lane are
// below the limit as unsigned numbers, no lane between them has wrapped, and they are below it,
// too. A scale is uniform. Inactive lanes may make this true, which costs only time.
Value *InstructionWidener::may_hold(Value *condition, bool outcome, unsigned depth) {
    if (depth == rare_path_max_depth)
        return nullptr;
    Value *operand = nullptr;
    if (match(condition, m_Freeze(m_Value(operand))))
        return may_hold(operand, outcome, depth + 1);
    if (match(condition, m_Not(m_Value(operand))))
        return may_hold(operand, !outcome, depth + 1);
    if (const auto parts = parts_of(condition)) {
        Value *a = may_hold(parts->left, outcome, depth + 1);
        Value *b = may_hold(parts->right, outcome, depth + 1);
        if (parts->is_and != outcome)
            return a && b ? builder_.CreateOr(a, b) : nullptr;
        return a && b ? builder_.CreateAnd(a, b) : a ? a : b;
    }
    if (strides_.uniform(condition)) {
        Value *one = builder_.CreateFreeze(scalar(condition));
        return outcome ? one : builder_.CreateNot(one);
    }
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare)
        return nullptr;
    Comparison known{outcome ? compare->getPredicate() : compare->getInversePredicate(),
                     compare->getOperand(0), compare->getOperand(1)};
    if (!strides_.uniform(known.limit))
        known = {CmpInst::getSwappedPredicate(known.predicate), known.limit, known.value};
    const Stride shape = strides_.of(known.value);
    auto *type = dyn_cast<IntegerType>(known.value->getType());
    if ((known.predicate != CmpInst::ICMP_UGE && known.predicate != CmpInst::ICMP_UGT) ||
        !strides_.uniform(known.limit) || shape.kind != Stride::affine || shape.modulo_2_32 ||
        !type || type->getBitWidth() < 32 || std::abs(shape.step) > max_affine_step)
        return nullptr;
    Value *first = scalar(known.value);
    Value *limit = builder_.CreateBinaryIntrinsic(
        Intrinsic::umin, scalar(known.limit),
        ConstantInt::get(type, APInt::getSignedMaxValue(type->getBitWidth())));
    Value *lanes = builder_.CreateNUWSub(active.length, builder_.getInt32(1));
    Value *last = builder_.CreateAdd(
        first, builder_.CreateMul(builder_.CreateZExtOrTrunc(lanes, type), stride(shape, type)));
    Value *may = builder_.CreateOr(builder_.CreateICmp(known.predicate, first, limit),
                                   builder_.CreateICmp(known.predicate, last, limit));
    if (shape.scale) {
        const auto most =
            static_cast<uint64_t>(max_affine_step / std::max<int64_t>(1, std::abs(shape.step)));
        Value *scale = builder_.CreateSExtOrTrunc(scalar(shape.scale), type);
        may = builder_.CreateOr(
            may, builder_.CreateICmpUGT(builder_.CreateAdd(scale, ConstantInt::get(type, most)),
                                        ConstantInt::get(type, 2 * most)));
    }
    return builder_.CreateFreeze(may);
}

// The test for a node whose branch leads to its postdominator or, before that, to rare code:
// whether a lane may take the rare path. Null if this can't be tested.
Value *RowCodegen::rare_path_test(RegionState &scope, unsigned n, const Nodes &region) {
    const LoopRegion &level = scope.level;
    const RegionNode &node = level.nodes[n];
    if (strips_.sub_group || node.postdominator >= level.end() || region.empty() ||
        !level.single_entry(n))
        return nullptr;
    const RegionNode &after = level.nodes[node.postdominator];
    auto *branch = dyn_cast<BranchInst>(node.block->getTerminator());
    if (!branch || branch->isUnconditional() || !after.block->phis().empty())
        return nullptr;
    const bool first_is_rare = branch->getSuccessor(1) == after.block;
    if (!first_is_rare && branch->getSuccessor(0) != after.block)
        return nullptr;
    const bool is_rare =
        all_of(region, [&](unsigned inside) { return rare_.contains(level.nodes[inside].block); });
    if (!is_rare || none_of(region, [&](unsigned inside) { return may_end_launch(level, inside); }))
        return nullptr;
    return widener_.may_hold(branch->getCondition(), first_is_rare);
}

// Continues where a lane may take the rare path. Returns the block whose edge leads around it.
BasicBlock *RowCodegen::emit_rare_path_test(Value *may, BasicBlock *around) {
    BasicBlock *before = builder_.GetInsertBlock();
    BasicBlock *careful = new_block("careful");
    repair_.guard(before);
    builder_.CreateCondBr(may, careful, around,
                          MDBuilder(row_->getContext()).createUnlikelyBranchWeights());
    builder_.SetInsertPoint(careful);
    return before;
}

} // namespace rivulet::compiler
