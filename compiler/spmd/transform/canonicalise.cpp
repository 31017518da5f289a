// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/canonicalise.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/conditions.h"
#include "compiler/spmd/analysis/id_no_wrap_inference.h"
#include "compiler/spmd/analysis/lane_analyses.h"
#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/spmd/transform/phi_tree.h"
#include "compiler/spmd/transform/single_lane_regions.h"
#include "compiler/spmd/transform/uniform_trip_count.h"
#include "compiler/support/block_end_values.h"
#include "compiler/support/passes.h"
#include "compiler/tuning/spmd_transform.h"
#include "compiler/work_items/parameters.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// Between a vector and something of the same size: by shifts, which the scalariser leaves alone.
bool split_bitcasts(Function &function) {
    bool found = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *cast = dyn_cast<BitCastInst>(&instruction);
        if (!cast)
            continue;
        auto *from = dyn_cast<FixedVectorType>(cast->getSrcTy());
        auto *to = dyn_cast<FixedVectorType>(cast->getDestTy());
        if (!from == !to)
            continue;
        IRBuilder<> builder(cast);
        FixedVectorType *vector = from ? from : to;
        unsigned bits = unsigned(vector->getScalarSizeInBits());
        Type *whole = builder.getIntNTy(bits * vector->getNumElements());
        Type *part = builder.getIntNTy(bits);
        Value *result =
            from ? static_cast<Value *>(ConstantInt::get(whole, 0)) : PoisonValue::get(vector);
        Value *source =
            from ? cast->getOperand(0) : builder.CreateBitCast(cast->getOperand(0), whole);
        for (unsigned i = 0; i < vector->getNumElements(); ++i) {
            if (from) {
                Value *bits_of =
                    builder.CreateBitCast(builder.CreateExtractElement(source, i), part);
                result = builder.CreateOr(
                    result, builder.CreateShl(builder.CreateZExt(bits_of, whole), i * bits));
            } else {
                Value *bits_of = builder.CreateTrunc(builder.CreateLShr(source, i * bits), part);
                result = builder.CreateInsertElement(
                    result, builder.CreateBitCast(bits_of, vector->getElementType()), i);
            }
        }
        if (from)
            result = builder.CreateBitCast(result, cast->getDestTy());
        cast->replaceAllUsesWith(result);
        cast->eraseFromParent();
        found = true;
    }
    return found;
}

// Element by element, as the scalariser does with all others. OpenCL C says no more of volatile
// than C does: how memory of a vector is accessed is up to the implementation.
void split_volatile(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        if (!instruction.isVolatile() || !isa<LoadInst, StoreInst>(instruction))
            continue;
        auto *type = dyn_cast<FixedVectorType>(getLoadStoreType(&instruction));
        if (!type)
            continue;
        IRBuilder<> builder(&instruction);
        auto *load = dyn_cast<LoadInst>(&instruction);
        Type *part = type->getElementType();
        const uint64_t bytes = function.getDataLayout().getTypeStoreSize(part);
        Value *result = PoisonValue::get(type);
        for (unsigned i = 0; i < type->getNumElements(); ++i) {
            Value *at = builder.CreateConstInBoundsGEP1_32(
                part, getLoadStorePointerOperand(&instruction), i);
            const Align align = commonAlignment(getLoadStoreAlignment(&instruction), i * bytes);
            Instruction *access;
            if (load) {
                access = builder.CreateAlignedLoad(part, at, align, /*isVolatile=*/true);
                result = builder.CreateInsertElement(result, access, i);
            } else {
                access = builder.CreateAlignedStore(
                    builder.CreateExtractElement(instruction.getOperand(0), i), at, align,
                    /*isVolatile=*/true);
            }
            access->setAAMetadata(instruction.getAAMetadata());
        }
        if (load)
            load->replaceAllUsesWith(result);
        instruction.eraseFromParent();
    }
}

// any() and all() of vectors, as InstCombine has them.
void split_reductions(Function &function) {
    static constexpr std::pair<Intrinsic::ID, Instruction::BinaryOps> reductions[] = {
        {Intrinsic::vector_reduce_or, Instruction::Or},
        {Intrinsic::vector_reduce_and, Instruction::And},
        {Intrinsic::vector_reduce_xor, Instruction::Xor},
        {Intrinsic::vector_reduce_add, Instruction::Add},
        {Intrinsic::vector_reduce_mul, Instruction::Mul},
    };
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *call = dyn_cast<IntrinsicInst>(&instruction);
        auto *how =
            call ? find_if(reductions,
                           [&](const auto &row) { return row.first == call->getIntrinsicID(); })
                 : std::end(reductions);
        if (how == std::end(reductions))
            continue;
        IRBuilder<> builder(call);
        Value *vector = call->getArgOperand(0);
        Value *result = builder.CreateExtractElement(vector, uint64_t(0));
        for (unsigned i = 1; i < cast<FixedVectorType>(vector->getType())->getNumElements(); ++i)
            result =
                builder.CreateBinOp(how->second, result, builder.CreateExtractElement(vector, i));
        call->replaceAllUsesWith(result);
        call->eraseFromParent();
    }
}

// Users of a phi whose upper half changes may wrap elsewhere than before: they lose nuw and nsw.
void forget_wraps(PHINode &phi, DemandedBits &demanded) {
    SmallVector<Instruction *> pending{&phi};
    SmallPtrSet<Instruction *, 8> seen;
    while (!pending.empty())
        for (User *user : pending.pop_back_val()->users()) {
            auto *instruction = cast<Instruction>(user);
            if (isa<TruncInst>(instruction)) // its flags speak of the bits that are cut off
                instruction->dropPoisonGeneratingFlags();
            // Where all bits are demanded, none depends on that half.
            if (!instruction->getType()->isIntegerTy() ||
                demanded.getDemandedBits(instruction).isAllOnes() ||
                !seen.insert(instruction).second)
                continue;
            instruction->dropPoisonGeneratingAnnotations();
            pending.push_back(instruction);
        }
}

// Ids are of 64 bits, but often only their low half is wanted: so a loop's index counts in 32.
bool narrow_phis(Function &function) {
    DominatorTree dominators(function);
    AssumptionCache assumptions(function);
    DemandedBits demanded(function, assumptions, dominators);
    SmallVector<PHINode *> found;
    for (BasicBlock &block : function)
        for (PHINode &phi : block.phis())
            if (phi.getType()->isIntegerTy(64) &&
                demanded.getDemandedBits(&phi).getActiveBits() <= 32)
                found.push_back(&phi);
    for (PHINode *phi : found)
        forget_wraps(*phi, demanded);
    for (PHINode *phi : found) {
        IRBuilder<> builder(phi);
        PHINode *narrow =
            builder.CreatePHI(builder.getInt32Ty(), phi->getNumIncomingValues(), phi->getName());
        BlockEndValues narrowed;
        for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
            narrow->addIncoming(narrowed.get(block,
                                             [&](IRBuilder<> &at) {
                                                 return at.CreateTrunc(value, narrow->getType());
                                             }),
                                block);
        builder.SetInsertPoint(phi->getParent(), phi->getParent()->getFirstInsertionPt());
        phi->replaceAllUsesWith(builder.CreateZExt(narrow, phi->getType()));
        phi->eraseFromParent();
    }
    return !found.empty();
}

// The low 32 bits of a value, where its operands have no more; or null.
Value *low_half(Value *value, IRBuilder<> &builder, unsigned depth = tuning::low_half_max_depth) {
    Type *word = builder.getInt32Ty();
    if (auto *constant = dyn_cast<ConstantInt>(value))
        return ConstantInt::get(word, constant->getValue().trunc(32));
    if (auto *wide = dyn_cast<CastInst>(value);
        wide && wide->isIntegerCast() && wide->getSrcTy()->getIntegerBitWidth() <= 32)
        return isa<SExtInst>(wide) ? builder.CreateSExt(wide->getOperand(0), word)
                                   : builder.CreateZExt(wide->getOperand(0), word);
    auto *operation = dyn_cast<BinaryOperator>(value);
    if (!operation || depth == 0)
        return nullptr;
    switch (operation->getOpcode()) {
    case Instruction::Shl:
        if (auto *by = dyn_cast<ConstantInt>(operation->getOperand(1)); !by || by->uge(32))
            return nullptr;
        break;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
        break;
    default:
        return nullptr;
    }
    Value *left = low_half(operation->getOperand(0), builder, depth - 1);
    Value *right = left ? low_half(operation->getOperand(1), builder, depth - 1) : nullptr;
    return right ? builder.CreateBinOp(operation->getOpcode(), left, right) : nullptr;
}

// Arithmetic on uint comes as arithmetic on 64 bits of which the upper half is cut off: ids are of
// 64 bits. Last of all, since InstCombine likes it better that way.
void cut_before(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        Value *wide = nullptr;
        if (!match(&instruction, m_And(m_Value(wide), m_SpecificInt(UINT32_MAX))) ||
            !instruction.getType()->isIntegerTy(64))
            continue;
        IRBuilder<> builder(&instruction);
        if (Value *low = low_half(wide, builder))
            instruction.replaceAllUsesWith(builder.CreateZExt(low, instruction.getType()));
    }
}

// A switch with few cases: lanes run all of them, one after the other, and a mask of each is one
// comparison more where cases are sought by halves.
void compare_one_by_one(Function &function) {
    SmallVector<SwitchInst *> switches;
    for (BasicBlock &block : function)
        if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
            choice && choice->getNumCases() <= tuning::compare_chain_max_cases)
            switches.push_back(choice);
    for (SwitchInst *choice : switches) {
        BasicBlock *block = choice->getParent();
        IRBuilder<> builder(choice);
        auto enter = [&](BasicBlock *to) {
            for (PHINode &phi : to->phis())
                phi.addIncoming(phi.getIncomingValueForBlock(block), builder.GetInsertBlock());
        };
        // The last one needs no comparison where there is nothing else.
        bool complete = choice->defaultDestUnreachable();
        for (const auto &case_ : choice->cases()) {
            BasicBlock *to = case_.getCaseSuccessor();
            if (complete && case_.getCaseIndex() + 1 == choice->getNumCases()) {
                builder.CreateBr(to);
                enter(to);
                break;
            }
            auto *next = BasicBlock::Create(function.getContext(), block->getName() + ".next",
                                            &function, block->getNextNode());
            builder.CreateCondBr(builder.CreateICmpEQ(choice->getCondition(), case_.getCaseValue()),
                                 to, next);
            enter(to);
            builder.SetInsertPoint(next);
        }
        if (!complete) {
            builder.CreateBr(choice->getDefaultDest());
            enter(choice->getDefaultDest());
        }
        for (BasicBlock *to : successors(choice))
            to->removePredecessor(block, /*KeepOneInputPHIs=*/true);
        choice->eraseFromParent();
    }
    if (!switches.empty())
        EliminateUnreachableBlocks(function);
}

// An unreachable end may as well return.
void end_unreachable(Function &function) {
    for (BasicBlock &block : function)
        if (auto *end = dyn_cast<UnreachableInst>(block.getTerminator())) {
            ReturnInst::Create(function.getContext(), nullptr, end->getIterator());
            end->eraseFromParent();
        }
}

// Constants stay as they are: lane after lane if nothing else does.
bool has_vector(const Instruction &instruction) {
    return instruction.getType()->isVectorTy() ||
           any_of(instruction.operand_values(), [](const Value *value) {
               return value->getType()->isVectorTy() && !isa<Constant>(value);
           });
}

std::optional<VectorisationFailure> find_obstacle(Function &function) {
    for (Instruction &instruction : instructions(function)) {
        auto obstacle = [&](std::string reason) {
            return VectorisationFailure{std::move(reason), instruction.getDebugLoc()};
        };
        if (isa<IndirectBrInst, InvokeInst, CallBrInst>(instruction))
            return obstacle("unusual control flow");
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            if (!variable->isStaticAlloca())
                return obstacle("a private variable of unknown size");
        if (!has_vector(instruction))
            continue;
        if (auto *extract = dyn_cast<ExtractElementInst>(&instruction);
            extract && isa<llvm::Argument>(extract->getVectorOperand()))
            continue; // of a uniform argument
        return obstacle(std::string("a vector that can't be split: ") +
                        instruction.getOpcodeName());
    }
    return std::nullopt;
}

// A loop without an end gets one that never comes: an NDRange has a dimension.
bool end_loops(Function &function) {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    BasicBlock *end = nullptr;
    for (Loop *loop : loops.getLoopsInPreorder()) {
        if (!loop->hasNoExitBlocks())
            continue;
        LLVMContext &context = function.getContext();
        if (!end) {
            end = BasicBlock::Create(context, "never", &function);
            ReturnInst::Create(context, end);
        }
        BasicBlock *header = loop->getHeader();
        BasicBlock *latch = loop->getLoopLatch();
        auto *again = BasicBlock::Create(context, "again", &function, header);
        IRBuilder<> builder(again);
        Value *dimensions = function.getArg(parameter::work_dim);
        builder.CreateCondBr(builder.CreateIsNull(dimensions), end, header);
        latch->getTerminator()->replaceSuccessorWith(header, again);
        header->replacePhiUsesWith(latch, again);
    }
    return end;
}

// `while (u && v)`, of which one is uniform, has two exits: all lanes take that of u together.
// `if (u && v)` is a branch for all lanes first, without a mask.
void split_conditions(Function &function) {
    DominatorTree dominators(function);
    PostDominatorTree postdominators(function);
    LoopInfo loops(dominators);
    Uniformity uniformity(function, 1);
    struct Choice {
        BasicBlock *block;
        unsigned stay; // the successor that stays; the other leads out of the loop, or past what is
                       // guarded
    };
    SmallVector<Choice> pending;
    for (BasicBlock &block : function) {
        auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        if (!branch || branch->isUnconditional() ||
            branch->getSuccessor(0) == branch->getSuccessor(1))
            continue;
        Loop *loop = loops.getLoopFor(&block);
        for (unsigned stay : {0u, 1u}) {
            BasicBlock *away = branch->getSuccessor(1 - stay);
            if (loop && loop->isLoopExiting(&block)
                    ? loop->contains(branch->getSuccessor(stay)) && !loop->contains(away)
                    : postdominators.dominates(away, &block) &&
                          !(loop && loop->getHeader() == away))
                pending.push_back({&block, stay});
        }
    }
    for (auto [block, stay] : pending) {
        auto *branch = cast<BranchInst>(block->getTerminator());
        const bool all = stay == 0;
        Value *first = nullptr;
        SmallVector<Value *> others;
        IRBuilder<> builder(branch);
        auto combined = [&](Value *a, Value *b) {
            return !a ? b : all ? builder.CreateLogicalAnd(a, b) : builder.CreateLogicalOr(a, b);
        };
        SmallVector<Value *> parts{branch->getCondition()};
        while (!parts.empty()) {
            Value *part = parts.pop_back_val();
            if (uniformity.uniform(*part))
                // It counts even where others before it decide.
                first = combined(first, others.empty() ? part : builder.CreateFreeze(part));
            else if (const auto both = implied_parts(part, all))
                parts.append({both->right, both->left});
            else
                others.push_back(part);
        }
        if (!first || others.empty())
            continue;
        Value *condition = branch->getCondition();
        BasicBlock *inside = branch->getSuccessor(stay);
        BasicBlock *outside = branch->getSuccessor(1 - stay);
        auto *rest =
            BasicBlock::Create(function.getContext(), block->getName() + ".and", &function, inside);
        branch->clone()->insertInto(rest, rest->end());
        builder.SetInsertPoint(rest->getTerminator());
        Value *second = nullptr;
        for (Value *part : others)
            second = combined(second, part);
        cast<BranchInst>(rest->getTerminator())->setCondition(second);
        branch->setCondition(first);
        branch->setSuccessor(stay, rest);
        inside->replacePhiUsesWith(block, rest);
        for (PHINode &phi : outside->phis())
            phi.addIncoming(phi.getIncomingValueForBlock(block), rest);
        if (auto *unused = dyn_cast<Instruction>(condition); unused && unused->use_empty())
            unused->eraseFromParent();
        if (Loop *loop = loops.getLoopFor(block))
            loop->addBasicBlockToLoop(rest, loops);
    }
}

// `c ? &a[i] : &a[j]` is `&a[c ? i : j]`: addresses of all lanes are indices of one buffer then.
void index_by_choice(Function &function) {
    auto step = [](Value *pointer, Value *base) -> GetElementPtrInst * {
        auto *address = dyn_cast<GetElementPtrInst>(pointer);
        return address && address->getNumIndices() == 1 && address->getPointerOperand() == base
                   ? address
                   : nullptr;
    };
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *choice = dyn_cast<SelectInst>(&instruction);
        if (!choice || !choice->getType()->isPointerTy())
            continue;
        Value *yes = choice->getTrueValue();
        Value *no = choice->getFalseValue();
        auto *address = dyn_cast<GetElementPtrInst>(yes);
        Value *base = address && step(no, address->getPointerOperand())
                          ? address->getPointerOperand()
                      : step(yes, no) ? no
                      : step(no, yes) ? yes
                                      : nullptr;
        GetElementPtrInst *first = base ? step(yes, base) : nullptr;
        GetElementPtrInst *second = base ? step(no, base) : nullptr;
        GetElementPtrInst *any = first ? first : second;
        if (!any || (first && second &&
                     (first->getSourceElementType() != second->getSourceElementType() ||
                      first->getOperand(1)->getType() != second->getOperand(1)->getType())))
            continue;
        IRBuilder<> builder(choice);
        Value *none = ConstantInt::get(any->getOperand(1)->getType(), 0);
        Value *index =
            builder.CreateSelect(choice->getCondition(), first ? first->getOperand(1) : none,
                                 second ? second->getOperand(1) : none);
        choice->replaceAllUsesWith(builder.CreateGEP(any->getSourceElementType(), base, index));
        choice->eraseFromParent();
    }
}

// `x >= n ? x - n : x`, of which InstCombine makes x - (x < n ? 0 : n): of unsigned numbers the
// smaller one of x and x - n, which has wrapped where x is.
void take_smaller(Function &function) {
    SmallVector<WeakTrackingVH> replaced;
    for (Instruction &instruction : instructions(function)) {
        Value *x = nullptr;
        Value *n = nullptr;
        auto less = m_SpecificICmp(CmpInst::ICMP_ULT, m_Deferred(x), m_Deferred(n));
        if (!match(&instruction,
                   m_Sub(m_Value(x), m_OneUse(m_Select(m_Value(), m_Zero(), m_Value(n))))) ||
            !match(cast<User>(instruction.getOperand(1))->getOperand(0), less))
            continue;
        IRBuilder<> builder(&instruction);
        instruction.replaceAllUsesWith(
            builder.CreateBinaryIntrinsic(Intrinsic::umin, x, builder.CreateSub(x, n)));
        replaced.emplace_back(&instruction);
    }
    RecursivelyDeleteTriviallyDeadInstructions(replaced);
}

// LLVM's pass loses what phi nodes get from a block that branches to two of a cycle's entries: such
// edges get blocks of their own.
bool fix_irreducible(Function &function, FunctionAnalysisManager &analyses) {
    ReversePostOrderTraversal<Function *> order(&function);
    if (!containsIrreducibleCFG<BasicBlock *>(order, analyses.getResult<LoopAnalysis>(function)))
        return false;
    SplitAllCriticalEdges(function);
    analyses.invalidate(function, PreservedAnalyses::none());
    FixIrreduciblePass().run(function, analyses);
    return true;
}

// True also if there are vectors that the scalarizer splits.
bool split_bitcasts_or_vectors(Function &function) {
    return split_bitcasts(function) || any_of(instructions(function), has_vector);
}

const OwnPass passes[] = {
    transform_pass<"rvl-split-volatile", split_volatile>(),
    transform_pass<"rvl-split-bitcasts", split_bitcasts_or_vectors>(),
    transform_pass<"rvl-split-reductions", split_reductions>(),
    transform_pass<"rvl-narrow-phis", narrow_phis>(),
    transform_pass<"rvl-mark-ids", infer_id_no_wrap>(),
    transform_pass<"rvl-narrow-masked", cut_before>(),
    transform_pass<"rvl-select-index", index_by_choice>(),
    transform_pass<"rvl-end-unreachable", end_unreachable>(),
    transform_pass<"rvl-umin-wrap", take_smaller>(),
    transform_pass<"rvl-switch-to-compares", compare_one_by_one>(),
    transform_pass<"rvl-single-lane-regions", settle_single_lane_regions>(),
    transform_pass<"rvl-fix-irreducible", fix_irreducible>(),
    transform_pass<"rvl-end-loops", end_loops>(),
    transform_pass<"rvl-uniform-trip-count", canonicalise_trip_counts>(),
    transform_pass<"rvl-split-conditions", split_conditions>(),
    transform_pass<"rvl-phi-trees", build_phi_trees>(),
};

} // namespace

AnalysisKey ObstacleAnalysis::Key;

ObstacleAnalysis::Result ObstacleAnalysis::run(Function &work_item, FunctionAnalysisManager &) {
    return find_obstacle(work_item);
}

void simplify_work_item(Function &function, FunctionAnalysisManager &analyses) {
    run_stage(PassStage::scalarise, function, analyses);
    run_stage(PassStage::narrow_ids, function, analyses);
}

void simplify_combined_work_item(Function &function, FunctionAnalysisManager &analyses) {
    run_stage(PassStage::scalarise_again, function, analyses);
    run_stage(PassStage::narrow_ids, function, analyses);
}

std::optional<VectorisationFailure> canonicalise(Function &function,
                                                 FunctionAnalysisManager &analyses) {
    run_stage(PassStage::canonicalise, function, analyses);
    auto obstacle = get<ObstacleAnalysis>(function, analyses);
    analyses.clear(function, function.getName());
    return obstacle;
}

} // namespace rivulet::compiler
