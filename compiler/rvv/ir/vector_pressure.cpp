// SPDX-License-Identifier: Apache-2.0
//
// Lowers register pressure before code generation. The start values of loops over strips get the
// strip's VL. Where more vectors are live than there are registers, splats sink to their users;
// loads sink behind loops that don't use them, and into loops that alone use them; blocks are
// reordered; loads are repeated, and values that one instruction computes are rematerialised, if
// everything fits then. LLVM's allocator spills whole register groups and rematerialises little, so
// what doesn't fit here costs two memory accesses of up to eight registers each.
//
// spill_vectors.cpp runs the same reducer with spills allowed, where vectors still spill.
#include "compiler/rvv/ir/vector_pressure.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsRISCV.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/CommandLine.h>

#include "compiler/analysis/alias_queries.h"
#include "compiler/analysis/limits.h"
#include "compiler/analysis/operations.h"
#include "compiler/rvv/ir/demanded_vl.h"
#include "compiler/rvv/ir/mask_in_sign_bit.h"
#include "compiler/rvv/ir/pressure_scheduling.h"
#include "compiler/rvv/ir/rematerialisation.h"
#include "compiler/rvv/ir/spill_rewriter.h"
#include "compiler/rvv/ir/vector_liveness.h"
#include "compiler/support/block_end_values.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(VectorPressurePass);

// Longer blocks are not reordered against register pressure.
static cl::opt<size_t> pressure_max_instructions("rvl-pressure-max-instructions", cl::Hidden,
                                                 cl::init(600),
                                                 cl::desc("Instructions of a block"));

// Values that are rematerialised until a block fits.
constexpr unsigned max_remats = 12; // values of a block

// A scalar that is added in at most so many products is added by an instruction of its own: a splat
// for them doesn't pay.
constexpr size_t unfuse_max_sums = 2; // multiply-adds

// Products that are split and planned once more, each on its own. Each plan takes as long as all
// other planning: lbm_like builds in 75 ms, in 140 without the limit; code of 170 kernels doesn't
// change.
constexpr size_t unfuse_max_plans = 2; // multiply-adds

// Plans with more reloads are not tried again with rematerialisation only.
constexpr size_t remat_plan_max_reloads = 6; // reloads of a plan

// A plan without spills may add that much to a block. blackscholes: 12 % more vector instructions,
// 6 % more modelled cycles, and no stack traffic; all sixteen kernels of the bench are without
// vector spills.
constexpr size_t spill_free_overhead_divisor = 8; // th part of a block's instructions

// Blocks that use more aren't tried to fit by rematerialisation alone.
constexpr unsigned register_file_overflow_factor = 2; // times 32 registers

// The instructions that keep a mask in sign bits and get it back. Counted.
constexpr unsigned sign_mask_cost = 3; // instructions

namespace {

bool is_contiguous_load(const Instruction &instruction) {
    return match(&instruction, m_Intrinsic<Intrinsic::vp_load>());
}

bool is_minimum_or_maximum(const Instruction &value) {
    return isa<MinMaxIntrinsic>(value) || is_fp_minimum_or_maximum(value);
}

bool may_write(const Instruction &instruction) { return instruction.mayWriteToMemory(); }

// Builds a product and a sum: code generation may do so for an FMA that needn't round once.
Instruction *build_mul_add(IntrinsicInst &sum, Value *addend) {
    IRBuilder<> builder(&sum);
    builder.setFastMathFlags(sum.getFastMathFlags());
    Value *product = builder.CreateFMul(sum.getArgOperand(0), sum.getArgOperand(1));
    return cast<Instruction>(builder.CreateFAdd(product, addend));
}

void unfuse_mul_add(IntrinsicInst &sum, Value *scalar) {
    auto *type = cast<VectorType>(sum.getType());
    Value *splat = IRBuilder<>(&sum).CreateVectorSplat(type->getElementCount(), scalar);
    auto *copy = cast<Instruction>(sum.getArgOperand(2));
    sum.replaceAllUsesWith(build_mul_add(sum, splat));
    sum.eraseFromParent();
    if (copy->use_empty())
        copy->eraseFromParent();
}

// Splits fmuladds where that is allowed: a sum takes the scalar as a .vf operand, which otherwise
// needs a splat. Many sums may share a splat.
bool unfuse_mul_adds(BasicBlock &block) {
    bool any = false;
    MapVector<Value *, SmallVector<IntrinsicInst *, 2>> sums;
    for (Instruction &instruction : block) {
        Value *scalar = nullptr;
        if (match(&instruction,
                  m_Intrinsic<Intrinsic::fmuladd>(
                      m_Value(), m_Value(),
                      m_Intrinsic<Intrinsic::riscv_vfmv_v_f>(m_Undef(), m_Value(scalar)))))
            sums[scalar].push_back(cast<IntrinsicInst>(&instruction));
    }
    for (auto &[scalar, all] : sums)
        if (all.size() <= unfuse_max_sums) {
            for (IntrinsicInst *sum : all)
                unfuse_mul_add(*sum, scalar);
            any = true;
        }
    return any;
}

class PressureReducer : RematCallbacks {
public:
    explicit PressureReducer(Function &function)
        : function_(function), dominators_(function), loops_(dominators_),
          lengths_(function, dominators_) {}

    void run() {
        const VectorLiveness before(function_);
        if (before.empty())
            return;
        auto fits = [&](const VectorLiveness &liveness) {
            return all_of(function_, [&](BasicBlock &block) {
                return liveness.most_used(block) <= vector_registers;
            });
        };
        set_splat_vls(fits(before));
        sink_splat_addends(before);
        if (fits(liveness()))
            return;
        rematerialise_step_vectors();
        sink_loads();
        sink_loads_into_loops();
        for (BasicBlock &block : function_)
            if (block.size() <= pressure_max_instructions)
                reduce_in_block(block);
        for (BasicBlock &block : function_)
            if (liveness().most_used(block) <= comfortable_vector_registers)
                fence_loads(block);
    }

    bool spill() {
        bool any = false;
        std::optional<VectorLiveness> liveness(function_);
        for (BasicBlock &block : function_) {
            if (block.size() > pressure_max_instructions ||
                liveness->most_used(block) <= vector_registers ||
                live_through_exceeds_registers(block, *liveness))
                continue;
            SpillPlan plan = planned(block, liveness);
            if (plan.fits && plan.reloads() > 0 && plan.reloads() <= remat_plan_max_reloads)
                prefer_rematerialisation(block, liveness, plan);
            if (plan.fits) {
                compiler::spill(block, plan, *liveness, *this);
                liveness.emplace(function_);
                any = true;
            }
        }
        return any;
    }

private:
    // Where a factor is reloaded for an FMA, the product may be computed by itself, while the
    // factor is still in a register.
    SpillPlan planned(BasicBlock &block, std::optional<VectorLiveness> &liveness) {
        SpillPlan best = plan_spills(block, *liveness, aliases(), *this);
        for (IntrinsicInst *sum : fmas_that_reload(best)) {
            Instruction *unfused = build_mul_add(*sum, sum->getArgOperand(2));
            sum->replaceAllUsesWith(unfused);
            sum->removeFromParent();
            liveness.emplace(function_);
            SpillPlan plan = plan_spills(block, *liveness, aliases(), *this);
            if (plan.fits && plan.cost + 1 < best.cost) {
                best = std::move(plan);
                sum->deleteValue();
                continue;
            }
            sum->insertBefore(unfused->getIterator());
            unfused->replaceAllUsesWith(sum);
            auto *product = cast<Instruction>(unfused->getOperand(0));
            unfused->eraseFromParent();
            product->eraseFromParent();
            liveness.emplace(function_);
        }
        return best;
    }

    // Replaces a plan that uses the stack if rematerialisation takes only a few instructions more.
    void prefer_rematerialisation(BasicBlock &block, std::optional<VectorLiveness> &liveness,
                                  SpillPlan &plan) {
        SignBitMasks masks(block, [&](Instruction &host) { return vl_of(host, host); });
        liveness.emplace(function_);
        SpillPlan other = plan_rematerialisation(block, *liveness, aliases(), *this);
        other.cost += sign_mask_cost * unsigned(masks.size());
        if (other.fits && other.reloads() == 0 &&
            other.cost <= plan.cost + plan.order.size() / spill_free_overhead_divisor) {
            plan = std::move(other);
            return;
        }
        masks.undo();
        liveness.emplace(function_);
    }

    static SmallSetVector<IntrinsicInst *, 8> fmas_that_reload(const SpillPlan &plan) {
        SmallSetVector<IntrinsicInst *, 8> sums;
        for (const SpillPlan::Step &step : plan.steps) {
            if (sums.size() == unfuse_max_plans)
                break;
            if (step.how == SpillPlan::How::rematerialise || step.before == plan.order.size())
                continue;
            Instruction *user = plan.order[step.before];
            if (match(user, m_Intrinsic<Intrinsic::fmuladd>()) &&
                is_contained({user->getOperand(0), user->getOperand(1)}, step.value))
                sums.insert(cast<IntrinsicInst>(user));
        }
        return sums;
    }

    // Whether the values live into or out of the block alone exceed the registers.
    static bool live_through_exceeds_registers(const BasicBlock &block,
                                               const VectorLiveness &liveness) {
        LivenessWalk walk(liveness, block);
        if (walk.used() > vector_registers)
            return true;
        for (const Instruction &instruction : reverse(block))
            if (!isa<PHINode>(instruction))
                walk.pass(instruction);
        return walk.used() > vector_registers;
    }

    // The VL that is demanded of the vector, if the strip's VL is known there and such a
    // vector has as many lanes as the strip.
    IntrinsicInst *vl_of(const Value &vector, const Instruction &before) const {
        IntrinsicInst *length = lengths_.of(vector);
        if (!length || !loops_.getLoopFor(length->getParent()) ||
            !dominators_.dominates(length, &before))
            return nullptr;
        return counts_lanes_of(*length, *cast<VectorType>(vector.getType())) ? length : nullptr;
    }

    static Value *build_splat(Instruction &before, Type *type, Value *scalar, Value *length) {
        const Intrinsic::ID id =
            type->isFPOrFPVectorTy() ? Intrinsic::riscv_vfmv_v_f : Intrinsic::riscv_vmv_v_x;
        return IRBuilder<>(&before).CreateIntrinsic(id, {type, length->getType()},
                                                    {PoisonValue::get(type), scalar, length});
    }

    static Value *build_step_vector(Instruction &before, Type *type, Value &length) {
        return IRBuilder<>(&before).CreateIntrinsic(Intrinsic::riscv_vid, {type, length.getType()},
                                                    {PoisonValue::get(type), &length});
    }

    // Whether the phi is a loop's header phi or an exit value.
    bool is_of_loop(const PHINode &phi) const {
        const BasicBlock *block = phi.getParent();
        return loops_.isLoopHeader(block) || any_of(phi.blocks(), [&](const BasicBlock *from) {
                   return loops_.getLoopDepth(from) > loops_.getLoopDepth(block);
               });
    }

    // Gives the start values of loops and step vectors the strip's VL: otherwise VL would change to
    // VLMAX and back for them. Where registers suffice, the start values of all phis get it: they
    // can't be rematerialised everywhere then.
    void set_splat_vls(bool all_phis) {
        for (Instruction &instruction : make_early_inc_range(instructions(function_))) {
            auto *type = dyn_cast<ScalableVectorType>(instruction.getType());
            if (!type || !is_plain(*type))
                continue;
            if (match(&instruction, m_Intrinsic<Intrinsic::stepvector>())) {
                if (Value *length = vl_of(instruction, instruction)) {
                    instruction.replaceAllUsesWith(build_step_vector(instruction, type, *length));
                    instruction.eraseFromParent();
                }
                continue;
            }
            auto *phi = dyn_cast<PHINode>(&instruction);
            if (!phi || !(all_phis || is_of_loop(*phi)))
                continue;
            BlockEndValues splats;
            for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
                phi->setIncomingValue(
                    i, splats.get(phi->getIncomingBlock(i), [&](IRBuilder<> &at) -> Value * {
                        Value *value = phi->getIncomingValue(i);
                        Value *scalar = getSplatValue(value);
                        if (!scalar || isa<UndefValue>(scalar))
                            return value;
                        Instruction &end = *at.GetInsertPoint();
                        Value *length = vl_of(*phi, end);
                        return length ? build_splat(end, type, scalar, length) : value;
                    }));
        }
    }

    // Step vectors from before the loop over strips would be rematerialised in it with another VL.
    void rematerialise_step_vectors() {
        for (Instruction &numbers : make_early_inc_range(instructions(function_))) {
            auto *type = dyn_cast<ScalableVectorType>(numbers.getType());
            if (!type || !is_plain(*type) || !match(&numbers, m_Intrinsic<Intrinsic::stepvector>()))
                continue;
            for (Use &use : make_early_inc_range(numbers.uses())) {
                auto *user = cast<Instruction>(use.getUser());
                if (isa<BinaryOperator, CastInst, CmpInst>(user) && !isa<BitCastInst>(user))
                    if (Value *length = vl_of(*user, *user))
                        use.set(build_step_vector(*user, type, *length));
            }
        }
    }

    // The operand that is a splat and the addend of a product: one instruction computes both.
    static Use *added_to_product(Instruction &instruction) {
        auto is_product = [](const Value *value) {
            return value->hasOneUse() && match(value, m_Mul(m_Value(), m_Value()));
        };
        if (instruction.getOpcode() != Instruction::Add)
            return nullptr;
        for (unsigned i : {0u, 1u}) {
            Value *other = instruction.getOperand(1 - i);
            auto *sum = dyn_cast<BinaryOperator>(other);
            if (getSplatValue(instruction.getOperand(i)) &&
                (is_product(other) ||
                 (sum && sum->hasOneUse() && sum->getOpcode() == Instruction::Add &&
                  any_of(sum->operands(), is_product))))
                return &instruction.getOperandUse(i);
        }
        return nullptr;
    }

    // Addends of products have no .vx or .vf form. Their splats are invariant in the loop over
    // strips and would be hoisted out of it, unless they have its VL.
    void sink_splat_addends(const VectorLiveness &liveness) {
        struct Splat {
            unsigned size = 0;
            SmallVector<std::pair<Use *, Value *>, 4> uses; // and lengths
        };
        MapVector<const Loop *, MapVector<Value *, Splat>> splats;
        for (Instruction &instruction : instructions(function_)) {
            Use *use =
                is_fma(instruction) ? &instruction.getOperandUse(2) : added_to_product(instruction);
            if (!use)
                continue;
            auto *type = dyn_cast<ScalableVectorType>((*use)->getType());
            Value *scalar = getSplatValue(use->get());
            if (!type || !is_plain(*type) || !scalar)
                continue;
            if (IntrinsicInst *length = vl_of(instruction, instruction)) {
                Splat &splat = splats[loops_.getLoopFor(length->getParent())][scalar];
                splat.size = registers_of(*type);
                splat.uses.push_back({use, length});
            }
        }
        for (auto &[loop, all] : splats) {
            unsigned used = 0;
            for (const BasicBlock *block : loop->blocks())
                used = std::max(used, liveness.most_used(*block));
            for (auto &[scalar, splat] : all)
                used += splat.size;
            if (used <= vector_registers)
                continue;
            for (auto &[scalar, splat] : all)
                for (auto [use, length] : splat.uses)
                    sink_splat_addend(*use, scalar, length);
        }
    }

    static void sink_splat_addend(Use &use, Value *scalar, Value *length) {
        auto &user = *cast<Instruction>(use.getUser());
        if (is_fma(user)) {
            use.set(build_splat(user, use->getType(), scalar, length));
            return;
        }
        Type *type = user.getType();
        user.replaceAllUsesWith(IRBuilder<>(&user).CreateIntrinsic(
            Intrinsic::riscv_vadd, {type, scalar->getType(), length->getType()},
            {PoisonValue::get(type), user.getOperand(1 - use.getOperandNo()), scalar, length}));
        user.eraseFromParent();
    }

    // Sinks loads behind loops where only code behind the loop uses them.
    void sink_loads() {
        for (BasicBlock &block : function_)
            for (Instruction &load : make_early_inc_range(reverse(block))) {
                if (!is_contiguous_load(load) &&
                    !match(&load, m_Intrinsic<Intrinsic::experimental_vp_strided_load>()))
                    continue;
                BasicBlock *target = nullptr;
                for (Use &use : load.uses()) {
                    auto *user = cast<Instruction>(use.getUser());
                    auto *phi = dyn_cast<PHINode>(user);
                    BasicBlock *wanted = phi ? phi->getIncomingBlock(use) : user->getParent();
                    target =
                        target ? dominators_.findNearestCommonDominator(target, wanted) : wanted;
                }
                if (target && target != &block &&
                    loops_.getLoopFor(target) == loops_.getLoopFor(&block) &&
                    !writes_between(load, *target)) {
                    load.moveBefore(target->getFirstNonPHIIt());
                    liveness_.reset();
                }
            }
    }

    // Looks at all paths from the instruction to the block, which it dominates.
    static bool writes_between(Instruction &from, BasicBlock &to) {
        if (any_of(make_range(from.getIterator(), from.getParent()->end()), may_write))
            return true;
        SmallPtrSet<BasicBlock *, 16> seen{from.getParent(), &to};
        SmallVector<BasicBlock *, 16> left(predecessors(&to));
        while (!left.empty()) {
            BasicBlock *block = left.pop_back_val();
            if (!seen.insert(block).second)
                continue;
            if (any_of(*block, may_write))
                return true;
            append_range(left, predecessors(block));
        }
        return false;
    }

    // Under register pressure, a load before a loop that only the loop uses moves into it.
    void sink_loads_into_loops() {
        for (Loop *loop : reverse(loops_.getLoopsInPreorder()))
            while (loop->getLoopPreheader() && sink_some_loads_into(*loop)) {
            }
    }

    // Rematerialises as many loads as the estimated pressure asks for.
    bool sink_some_loads_into(Loop &loop) {
        unsigned used = 0;
        for (const BasicBlock *block : loop.blocks())
            used = std::max(used, liveness().most_used(*block));
        bool any = false;
        for (Instruction &load : make_early_inc_range(*loop.getLoopPreheader())) {
            if (used <= vector_registers)
                break;
            if (!is_contiguous_load(load) || !is_used_only_in(loop, load) ||
                may_be_clobbered_in(loop, load))
                continue;
            used -= liveness().size(&load);
            rematerialise_at_uses(load);
            any = true;
        }
        if (any)
            liveness_.reset();
        return any;
    }

    // The liveness of the function as it is. Another order within a block doesn't change it.
    const VectorLiveness &liveness() {
        if (!liveness_)
            liveness_.emplace(function_);
        return *liveness_;
    }

    AliasQueries &aliases() {
        if (!aliases_)
            aliases_.emplace(function_, dominators_);
        return *aliases_;
    }

    static bool is_used_only_in(const Loop &loop, const Instruction &load) {
        return all_of(load.users(), [&](const User *user) {
            auto *wanting = cast<Instruction>(user);
            return loop.contains(wanting->getParent()) && !isa<PHINode>(wanting);
        });
    }

    bool may_be_clobbered_in(const Loop &loop, const Instruction &load) {
        if (any_of(make_range(load.getIterator(), load.getParent()->end()), may_write))
            return true;
        return any_of(loop.blocks(), [&](BasicBlock *block) {
            return any_of(*block, [&](Instruction &instruction) {
                return may_write(instruction) && aliases().conflict(instruction, load);
            });
        });
    }

    // Rematerialises the load once in each block that uses it.
    static void rematerialise_at_uses(Instruction &load) {
        MapVector<BasicBlock *, Instruction *> first;
        for (User *user : load.users()) {
            auto *wanting = cast<Instruction>(user);
            Instruction *&known = first[wanting->getParent()];
            if (!known || wanting->comesBefore(known))
                known = wanting;
        }
        for (auto [block, user] : first) {
            Instruction *copy = IRBuilder<>(user).Insert(load.clone());
            load.replaceUsesWithIf(copy, [&](const Use &use) {
                return cast<Instruction>(use.getUser())->getParent() == block;
            });
        }
        load.eraseFromParent();
    }

    // Arithmetic is rematerialised only if all values fit in the end: otherwise spills are cheaper,
    // but not cheaper than repeated loads.
    void reduce_in_block(BasicBlock &block) {
        const unsigned used = liveness().most_used(block);
        if (used <= vector_registers) {
            reorder(block, liveness(), aliases(), comfortable_vector_registers);
            return;
        }
        if (LivenessWalk(liveness(), block).used() + liveness().largest() > vector_registers)
            return; // all of them are live through the block
        rematerialised_.clear();
        if (used > register_file_overflow_factor * vector_registers ||
            !fit_by_rematerialising(block))
            while (rematerialised_.size() < max_remats &&
                   rematerialise_farthest(block, Remade::loads)) {
            }
        fence_rematerialised_loads();
    }

    bool fit_by_rematerialising(BasicBlock &block) {
        std::vector<Instruction *> before;
        for (Instruction &instruction : block)
            if (!isa<PHINode>(instruction) && !instruction.isTerminator())
                before.push_back(&instruction);
        while (true) {
            reorder(block, liveness(), aliases(), vector_registers);
            if (liveness().most_used(block) <= vector_registers)
                return true;
            if (rematerialised_.size() == max_remats || !rematerialise_farthest(block, Remade::all))
                break;
        }
        for (Instruction *instruction : before)
            instruction->moveBefore(block.getTerminator()->getIterator());
        for (auto [original, copy] : rematerialised_) {
            copy->replaceAllUsesWith(original);
            copy->eraseFromParent();
            liveness_.reset();
        }
        rematerialised_.clear();
        return false;
    }

    // Instruction selection would merge equal loads again.
    void fence_rematerialised_loads() {
        for (auto [original, copy] : rematerialised_)
            if (is_contiguous_load(*copy))
                insert_scheduling_fence(*copy);
    }

    // Keeps the scheduler from hoisting more loads than fit.
    static void fence_loads(BasicBlock &block) {
        unsigned loaded = 0;
        for (Instruction &instruction : block) {
            if (isa<FenceInst>(instruction))
                loaded = 0;
            if (!is_contiguous_load(instruction))
                continue;
            const unsigned size = registers_of(*cast<VectorType>(instruction.getType()));
            if (loaded + size > comfortable_vector_registers) {
                insert_scheduling_fence(instruction);
                loaded = 0;
            }
            loaded += size;
        }
    }

    // The fence is for this thread alone, so no instruction is emitted.
    static void insert_scheduling_fence(Instruction &before) {
        IRBuilder<>(&before).CreateFence(AtomicOrdering::SequentiallyConsistent,
                                         SyncScope::SingleThread);
    }

    // Rematerialises the value with the farthest next use that is live where the pressure is
    // highest.
    enum class Remade { loads, all };
    bool rematerialise_farthest(BasicBlock &block, Remade what) {
        LivenessWalk walk(liveness(), block);
        unsigned most = 0;
        Instruction *peak = nullptr;
        SmallPtrSet<Value *, 16> live;
        for (Instruction &instruction : reverse(block)) {
            if (isa<PHINode>(instruction))
                break;
            SmallPtrSet<Value *, 16> after(walk.live().begin(), walk.live().end());
            if (unsigned used = walk.pass(instruction); used > most) {
                most = used;
                peak = &instruction;
                live = std::move(after);
            }
        }
        Instruction *best = nullptr;
        Instruction *best_next = nullptr;
        for (Instruction &instruction : block) { // in order: that of `live` is one of addresses
            if (!live.contains(&instruction) || &instruction == peak ||
                is_contained(liveness().operands(*peak), &instruction) ||
                was_rematerialised(&instruction) ||
                (what == Remade::loads && !is_contiguous_load(instruction)))
                continue;
            Instruction *next = next_use(instruction, *peak, liveness());
            if (next && (!best || best_next->comesBefore(next)) &&
                can_rematerialise(instruction, *next, liveness())) {
                best = &instruction;
                best_next = next;
            }
        }
        if (!best || most <= vector_registers)
            return false;
        Instruction *copy = build_rematerialised(*best, *best_next);
        rematerialised_[best] = copy;
        best->replaceUsesWithIf(copy, [&](Use &use) {
            auto *user = cast<Instruction>(use.getUser());
            return user->getParent() != &block || isa<PHINode>(user) || copy->comesBefore(user);
        });
        liveness_.reset();
        return true;
    }

    bool was_rematerialised(Instruction *instruction) const {
        return any_of(rematerialised_, [&](auto &pair) {
            return pair.first == instruction || pair.second == instruction;
        });
    }

    static Instruction *next_use(Instruction &value, Instruction &after,
                                 const VectorLiveness &liveness) {
        for (Instruction &instruction :
             make_range(std::next(after.getIterator()), after.getParent()->end()))
            if (is_contained(liveness.operands(instruction), &value))
                return &instruction;
        return nullptr;
    }

    bool can_rematerialise(Instruction &value, Instruction &next,
                           const VectorLiveness &liveness) const {
        if (is_contiguous_load(value))
            return none_of(make_range(value.getIterator(), next.getIterator()), may_write);
        if (!is_trivially_rematerialisable(&value) ||
            !is_plain(*cast<VectorType>(value.getType())) || !vl_of_copy(value, next))
            return false;
        // Requires the operands to be live there anyway.
        LivenessWalk walk(liveness, *value.getParent());
        for (Instruction &instruction : reverse(*value.getParent())) {
            if (&instruction == &next)
                break;
            walk.pass(instruction);
        }
        return all_of(liveness.operands(value),
                      [&](Value *operand) { return walk.is_live(operand); });
    }

    // VL as an i32, which VP intrinsics take.
    Value *vl_of_copy(Value &value, Instruction &next) const {
        Value *length = vl_of(value, next);
        if (!length || length->getType()->isIntegerTy(32))
            return length;
        for (User *user : length->users())
            if (auto *narrow = dyn_cast<TruncInst>(user); narrow &&
                                                          narrow->getType()->isIntegerTy(32) &&
                                                          dominators_.dominates(narrow, &next))
                return narrow;
        return nullptr;
    }

    bool is_rematerialisable(const Instruction &value) const override {
        return is_contiguous_load(value) || isa<BitCastInst>(value) ||
               ((is_trivially_rematerialisable(&value) || isa<CmpInst>(value) ||
                 is_minimum_or_maximum(value)) &&
                is_plain(*cast<VectorType>(value.getOperand(0)->getType())) && lengths_.of(value));
    }

    Value *vl_for(Value &value, Instruction &before) override { return vl_of_copy(value, before); }

    Instruction *rematerialise(Instruction &value, Instruction &before) override {
        if (is_contiguous_load(value))
            insert_scheduling_fence(before);
        return build_rematerialised(value, before);
    }

    // Builds another instruction with the same result: selection would merge equal ones again.
    Instruction *build_rematerialised(Instruction &value, Instruction &next) const {
        IRBuilder<> builder(&next);
        Value *length = is_contiguous_load(value) || isa<BitCastInst>(value)
                            ? nullptr
                            : vl_of_copy(value, next);
        if (!length)
            return builder.Insert(value.clone()); // see fence_rematerialised_loads
        auto *type = cast<VectorType>(value.getType());
        auto *intrinsic = dyn_cast<IntrinsicInst>(&value);
        SmallVector<Value *, 5> operands(intrinsic ? intrinsic->args() : value.operands());
        if (auto *comparison = dyn_cast<CmpInst>(&value)) {
            LLVMContext &context = value.getContext();
            const StringRef how = CmpInst::getPredicateName(comparison->getPredicate());
            operands.push_back(MetadataAsValue::get(context, MDString::get(context, how)));
        }
        operands.push_back(Constant::getAllOnesValue(
            VectorType::get(builder.getInt1Ty(), type->getElementCount())));
        operands.push_back(length);
        const Intrinsic::ID operation =
            intrinsic ? VPIntrinsic::getForIntrinsic(intrinsic->getIntrinsicID())
                      : VPIntrinsic::getForOpcode(value.getOpcode());
        Instruction *copy =
            builder.CreateIntrinsic(operation, {value.getOperand(0)->getType()}, operands);
        copy->setDebugLoc(value.getDebugLoc());
        if (isa<FPMathOperator>(copy))
            copy->copyFastMathFlags(&value);
        return copy;
    }

    Function &function_;
    DominatorTree dominators_;
    LoopInfo loops_;
    DemandedVl lengths_;                                     // of the vectors at the start
    std::optional<AliasQueries> aliases_;                    // made when asked
    std::optional<VectorLiveness> liveness_;                 // likewise
    MapVector<Instruction *, Instruction *> rematerialised_; // and what replaces it from there on
};

bool has_vectors(Function &function) {
    return any_of(instructions(function), [](const Instruction &instruction) {
        return isa<ScalableVectorType>(instruction.getType());
    });
}

} // namespace

PreservedAnalyses VectorPressurePass::run(Function &function, FunctionAnalysisManager &) {
    if (has_vectors(function))
        PressureReducer(function).run();
    return PreservedAnalyses::none();
}

bool spill_vectors(Function &function) {
    if (!has_vectors(function))
        return false;
    bool any = false;
    const VectorLiveness liveness(function);
    if (liveness.empty())
        return false;
    for (BasicBlock &block : function)
        if (liveness.most_used(block) > vector_registers)
            any |= unfuse_mul_adds(block);
    return PressureReducer(function).spill() || any;
}

} // namespace rivulet::compiler
