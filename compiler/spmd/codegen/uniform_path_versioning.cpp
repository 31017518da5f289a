// SPDX-License-Identifier: Apache-2.0
//
// Comparisons such as x >= u change at one x of a row: in most strips they hold for all lanes or
// for none, which two scalar comparisons tell. A branch on them is emitted twice: as a branch for
// those strips, and under masks for the few others.
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/CommandLine.h>

#include "compiler/analysis/conditions.h"
#include "compiler/spmd/codegen/row_codegen_internal.h"
#include "compiler/support/instruction_remarks.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// A path up to this size is emitted twice: for strips whose lanes agree on its condition, and under
// masks.
static cl::opt<unsigned> versioned_path_max_instructions("rvl-versioned-path-max-instructions",
                                                         cl::Hidden, cl::init(48),
                                                         cl::desc("Instructions"));

// How deep in a condition to look for comparisons that all lanes may agree on.
constexpr unsigned versioned_condition_max_depth = 4; // operations

bool InstructionWidener::may_be_uniform(Value *condition, unsigned depth) const {
    if (depth == versioned_condition_max_depth)
        return false;
    if (const auto parts = parts_of(condition))
        return may_be_uniform(parts->left, depth + 1) && may_be_uniform(parts->right, depth + 1);
    if (Value *inverse = nullptr; match(condition, m_Not(m_Value(inverse))))
        return may_be_uniform(inverse, depth + 1);
    if (strides_.uniform(condition))
        return true;
    auto *compare = dyn_cast<ICmpInst>(condition);
    return compare && strides_.lane_side(*compare).has_value();
}

// Tells whether the condition is the same in all lanes below the length, and its value then. No
// lane goes on with poison here, except in parts of the condition that don't count. In the other
// parts, the first value is lane 0's own, and is_number() says that nothing wraps between it and
// the last lane's value.
InstructionWidener::UniformTest InstructionWidener::uniform_test(Value *condition) {
    if (const auto parts = parts_of(condition)) {
        UniformTest a = uniform_test(parts->left);
        UniformTest b = uniform_test(parts->right);
        return {parts->is_and ? builder_.CreateLogicalAnd(a.holds, b.holds)
                              : builder_.CreateLogicalOr(a.holds, b.holds),
                builder_.CreateLogicalAnd(a.same, b.same)};
    }
    if (Value *inverse = nullptr; match(condition, m_Not(m_Value(inverse)))) {
        UniformTest a = uniform_test(inverse);
        return {builder_.CreateNot(a.holds), a.same};
    }
    if (strides_.uniform(condition))
        return {scalar(condition), builder_.getTrue()};
    auto &compare = cast<ICmpInst>(*condition);
    unsigned side = *strides_.lane_side(compare);
    Value *first = scalar(compare.getOperand(side));
    Value *limit = scalar(compare.getOperand(1 - side));
    Value *length = builder_.CreateZExt(active.length, first->getType());
    if (compare.isEquality())
        return {builder_.getInt1(compare.getPredicate() == CmpInst::ICMP_NE),
                builder_.CreateICmpUGE(builder_.CreateSub(limit, first), length)};
    auto predicate = side == 0 ? compare.getPredicate() : compare.getSwappedPredicate();
    Value *step =
        ConstantInt::getSigned(first->getType(), strides_.of(compare.getOperand(side)).step);
    Value *one = ConstantInt::get(first->getType(), 1);
    Value *last =
        builder_.CreateAdd(first, builder_.CreateMul(builder_.CreateSub(length, one), step));
    Value *holds = builder_.CreateICmp(predicate, first, limit);
    return {holds, builder_.CreateICmpEQ(holds, builder_.CreateICmp(predicate, last, limit))};
}

bool RowCodegen::wants_versions(const RegionState &scope, unsigned n) const {
    const LoopRegion &level = scope.level;
    if (strips_.one || strips_.sub_group || twice_ || scope.iteration ||
        level.nodes[n].postdominator == level.end() || !level.single_entry(n))
        return false;
    size_t size = 0;
    // Scalar instructions for one lane are behind a branch anyway.
    bool has_result = !level.nodes[level.nodes[n].postdominator].block->phis().empty();
    bool touches_memory = false;
    for (unsigned inside : level.region(n)) {
        if (level.nodes[inside].loop ||
            (level.nodes[inside].predicated && !level.single_entry(inside)))
            return false;
        for (Instruction &instruction : *level.nodes[inside].block)
            touches_memory |= instruction.mayReadOrWriteMemory() &&
                              (has_result || !widener_.unsafe_with_empty_mask(instruction));
        size += level.nodes[inside].block->sizeWithoutDebug();
    }
    auto *branch = cast<BranchInst>(level.nodes[n].block->getTerminator());
    return touches_memory && size <= versioned_path_max_instructions &&
           widener_.may_be_uniform(branch->getCondition());
}

// Emits the branch's region as a branch that all lanes take, and returns the edge to the
// postdominator. The builder is then in the block for strips whose lanes disagree, and the region's
// nodes have no state left, so that the caller can emit them a second time under masks.
IncomingEdge RowCodegen::emit_uniform_version(RegionState &scope, unsigned n, const Nodes &region) {
    const RegionNode &node = scope.level.nodes[n];
    unsigned postdominator = node.postdominator;
    auto *branch = cast<BranchInst>(node.block->getTerminator());
    BasicBlock *agreed = new_block(node.block->getName() + ".uniform");
    BasicBlock *mixed = new_block(node.block->getName() + ".mixed");
    auto [holds, same] = widener_.uniform_test(branch->getCondition());
    // A part of the condition that earlier parts make irrelevant may compare poison; either way is
    // right then.
    BranchInst *versions = builder_.CreateCondBr(builder_.CreateFreeze(same), agreed, mixed);
    attach_remark(versions,
                  {CodeRemark::analysis, "Versions", branch->getDebugLoc(),
                   "what the condition guards is there twice: as a branch for strips that take it "
                   "all the same way, and under masks for the others",
                   ""});
    builder_.SetInsertPoint(agreed);
    BasicBlock *outer = std::exchange(scope.blocks[postdominator], nullptr);
    for (unsigned successor : {0u, 1u})
        add_branch_edge(scope, node.block, branch->getSuccessor(successor), nullptr);
    BasicBlock *yes = target_block(scope, branch->getSuccessor(0));
    BasicBlock *no = target_block(scope, branch->getSuccessor(1));
    builder_.CreateCondBr(holds, yes, no);
    twice_ = true;
    emit_branches(scope, region, nullptr);
    twice_ = false;
    builder_.SetInsertPoint(block_of(scope, postdominator));
    auto values = merge(scope.level.nodes[postdominator].block, scope.incoming[postdominator]);
    IncomingEdge edge{builder_.GetInsertBlock(), nullptr, values};
    scope.blocks[postdominator] = outer;
    builder_.CreateBr(block_of(scope, postdominator));
    scope.incoming[postdominator].clear();
    for (unsigned inside : region) {
        scope.incoming[inside].clear();
        scope.blocks.erase(inside);
        scope.masks.erase(inside);
    }
    builder_.SetInsertPoint(mixed);
    return edge;
}

} // namespace rivulet::compiler
