// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/plan/lmul_selection.h"

#include <cmath>
#include <limits>

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/analysis/block_hotness.h"
#include "compiler/analysis/limits.h"
#include "compiler/analysis/operations.h"
#include "compiler/analysis/target_features.h"
#include "compiler/analysis/vector_registers.h"
#include "compiler/rvv/ir/register_walk.h"
#include "compiler/rvv/ir/rematerialisation.h"
#include "compiler/spmd/plan/field_accesses.h"
#include "compiler/spmd/transform/mac_chains.h"
#include "compiler/work_items/small_buffers.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// The weight of blocks that hardly ever run, in LMUL selection.
constexpr double rare_block_weight = 1.0 / 64; // times a usual block

// An LMUL that takes more instructions than this is never chosen, whatever its cycles.
constexpr double lmul_max_instruction_ratio = 2.5; // times the fewest instructions of all LMULs

// LMUL selection minimises instructions^this * cycles. sample_red had +4 % (VLEN 128) and +7 %
// (512) instructions with 1; 170 other kernels don't change.
constexpr double lmul_instruction_exponent = 1.2; // exponent, against 1 of cycles

// Another LMUL must be cheaper by this much, because estimates differ by rounding. A guard against
// rounding, not measured.
constexpr double lmul_min_gain = 0.9995; // times the cost of fewer lanes

// The cost of a value that is live throughout a loop and doesn't fit into registers. Counted: a
// store, a load and an address for each.
constexpr double carried_spill_cost = 4; // instructions in each iteration

// Where lanes leave a loop early, or accesses are indexed, more lanes are taken only without
// spills: spills while lanes wait cost more than fewer lanes do. 85 kernels outside the tuning set:
// 10.5 % (VLEN 128) and 9.7 % (512) fewer instructions in the geometric mean, with indices of 32
// bits; two kernels +5 % and +24 %.
constexpr unsigned divergent_max_spilling_lanes = 8; // lanes per 64 bits of VLEN

namespace {

double weighed(double instructions, double cycles) {
    return std::pow(std::pow(instructions, lmul_instruction_exponent) * cycles,
                    1 / (1 + lmul_instruction_exponent));
}

// The cost of code that runs for a whole strip: instructions, and cycles if each instruction takes
// as many cycles as it has registers (see FieldAccesses for accesses to several fields).
struct Cost {
    double instructions = 0;
    double cycles = 0;
    bool spills = false;
    void add(double count, double each, double weight) {
        instructions += weight * count;
        cycles += weight * count * each;
    }
};

// Values that are extended to a pointer's bits only as indices of one small buffer, where 32 bits
// are enough.
using Indices = SmallPtrSet<const Value *, 16>;
Indices narrow_indices(Function &function, const StrideAnalysis &strides) {
    auto is_access = [](const User *user) {
        return isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst, GetElementPtrInst>(user);
    };
    auto is_offset = [&](User *user) {
        return isa<GetElementPtrInst>(user) && all_of(user->users(), is_access) &&
               strides.shares_buffer(user);
    };
    Indices found;
    for (Instruction &instruction : instructions(function))
        if (isa<ZExtInst, SExtInst>(instruction) && instruction.getType()->isIntegerTy(64) &&
            instruction.getOperand(0)->getType()->getIntegerBitWidth() <= 32 &&
            !instruction.use_empty() && strides.of(&instruction).kind == Stride::varying &&
            all_of(instruction.users(), is_offset))
            found.insert(&instruction);
    return found;
}

constexpr unsigned factor_operands[] = {0, 1}; // of a multiply-add

// Whether rvl-widening-fma finds an instruction that extends the factors itself: each is extended
// from half the width, or a constant that half the width can hold.
bool may_widen(const Instruction &fma) {
    Type *narrow = nullptr;
    for (unsigned side : factor_operands)
        if (auto *extension = dyn_cast<FPExtInst>(fma.getOperand(side)))
            narrow = extension->getSrcTy();
    if (!narrow || !has_widening_fma(*fma.getFunction(), *narrow, *fma.getType()))
        return false;
    return all_of(factor_operands, [&](unsigned side) {
        const Value *factor = fma.getOperand(side);
        if (auto *constant = dyn_cast<ConstantFP>(factor)) {
            APFloat value = constant->getValueAPF();
            bool inexact = true;
            value.convert(narrow->getFltSemantics(), APFloat::rmNearestTiesToEven, &inexact);
            return !inexact && !value.isNaN();
        }
        auto *extension = dyn_cast<FPExtInst>(factor);
        return extension && extension->getSrcTy() == narrow;
    });
}

// Extensions of floats that rvl-widening-fma will take away: all of their users extend by
// themselves. It keeps both factors of a multiply-add wide if one has other users, and then the
// other one's users keep it, too. Uniform factors are extended as scalars, whatever uses them.
using Extensions = SmallPtrSet<const Value *, 8>;
Extensions extensions_in_fmas(Function &function, const StrideAnalysis &strides) {
    SmallSetVector<Instruction *, 16> widening;
    for (Instruction &instruction : instructions(function))
        if (is_fma(instruction) && may_widen(instruction))
            widening.insert(&instruction);
    auto goes = [&](const Value &extension) {
        return all_of(extension.uses(), [&](const Use &use) {
            return use.getOperandNo() < 2 && widening.contains(cast<Instruction>(use.getUser()));
        });
    };
    auto stays_wide = [&](const Instruction *fma) {
        return any_of(factor_operands, [&](unsigned side) {
            const Value *factor = fma->getOperand(side);
            return isa<FPExtInst>(factor) && !strides.uniform(factor) && !goes(*factor);
        });
    };
    while (widening.remove_if(stays_wide)) {
    }
    Extensions found;
    for (const Instruction *fma : widening)
        for (unsigned side : factor_operands)
            if (isa<FPExtInst>(fma->getOperand(side)))
                found.insert(fma->getOperand(side));
    return found;
}

// Affine values, such as ids and sums of them, that loops need in all lanes: code generation adds
// the first lane's value to a vector of the lanes' distances, which stays in registers throughout
// the loop. Addresses take the scalar, and so do comparisons by the numbers of lanes, and those
// that shorten VL instead.
using AffineVectors = SmallPtrSet<const Value *, 8>;
AffineVectors affine_vectors(Function &function, const LoopInfo &loops, const ControlFlow &flow,
                             const StrideAnalysis &strides, bool compares_lanes) {
    auto takes_scalar = [&](const Instruction &user, Loop &loop) {
        auto *compare = dyn_cast<ICmpInst>(&user);
        if (!compare)
            return false;
        const auto &shrinks = flow.level(&loop).shrinking_vl;
        return (shrinks && is_contained(compare->operands(), shrinks->index) &&
                is_contained(compare->operands(), shrinks->limit)) ||
               ((compares_lanes || compare->isEquality()) && strides.lane_side(*compare));
    };
    AffineVectors found;
    for (Instruction &user : instructions(function)) {
        auto *store = dyn_cast<StoreInst>(&user);
        Loop *loop = loops.getLoopFor(user.getParent());
        if (!loop || isa<GetElementPtrInst, LoadInst>(user) ||
            !(store || strides.of(&user).kind == Stride::varying) || takes_scalar(user, *loop))
            continue;
        for (const Value *operand : user.operands())
            if (operand->getType()->isIntegerTy() && strides.of(operand).kind == Stride::affine)
                found.insert(operand);
    }
    return found;
}

// Neighbours in memory that belong to one work-item are accessed as segments of up to eight
// registers in all. With eight registers for each byte, they would be accessed one by one.
bool has_fields(Function &function, const StrideAnalysis &strides) {
    return any_of(instructions(function), [&](Instruction &instruction) {
        Value *pointer = getLoadStorePointerOperand(&instruction);
        const Stride shape = pointer ? strides.of(pointer) : Stride();
        return shape.kind == Stride::affine &&
               (shape.scale ||
                std::abs(shape.step) != int64_t(function.getDataLayout().getTypeStoreSize(
                                            getLoadStoreType(&instruction))));
    });
}

// What lanes leave a loop with, one by one, is kept until the last one has left, in a register that
// scalar code doesn't show: a vector aside, or a phi node of the header that otherwise ended at its
// last use in an iteration (RowCodegen::classify_results()).
struct KeptResult {
    const Value *result;   // the exit's phi node
    const PHINode *header; // null: aside
};
using KeptResults = DenseMap<const Loop *, SmallVector<KeptResult, 2>>;

SmallVector<KeptResult, 2> kept_results(const LoopRegion &level) {
    SmallVector<KeptResult, 2> kept;
    for (PHINode &phi : level.loop->getUniqueExitBlock()->phis()) {
        auto is_from_inside = [&](const Value *value) {
            auto *inside = dyn_cast<Instruction>(value);
            return inside && level.loop->contains(inside);
        };
        const Value *common = nullptr;
        bool is_common = true;
        for (auto [value, from] : zip(phi.incoming_values(), phi.blocks())) {
            if (level.uniform_exits.contains(from) || isa<UndefValue>(value))
                continue;
            is_common &= !common || common == value;
            common = value;
        }
        if (!common || (is_common && !is_from_inside(common)))
            continue;
        auto *header = is_common ? dyn_cast<PHINode>(common) : nullptr;
        if (header && header->getParent() != level.loop->getHeader())
            header = nullptr;
        kept.push_back({&phi, header});
    }
    return kept;
}

KeptResults kept_results(const LoopInfo &loops, const ControlFlow &flow) {
    KeptResults kept;
    for (Loop *top : loops.getTopLevelLoops())
        for (Loop *loop : top->getLoopsInPreorder())
            if (flow.level(loop).divergent)
                kept[loop] = kept_results(flow.level(loop));
    return kept;
}

// The vectors that values of scalar code become with a given number of lanes.
class LaneValues : public VectorValues {
public:
    LaneValues(const StrideAnalysis &strides, const Indices &indices, const Extensions &extensions,
               const AffineVectors &affine)
        : strides_(strides), indices_(indices), extensions_(extensions), affine_(affine) {}

    void set_lanes(unsigned count) { count_ = count; }
    unsigned lanes() const { return count_; }

    // Whether the value is a vector.
    bool wide(const Value *value) const {
        return isa<Instruction>(value) && !isa<AllocaInst>(value) &&
               !value->getType()->isVoidTy() &&
               (strides_.of(value).kind == Stride::varying || affine_.contains(value));
    }

    // Extensions and products that are part of the instruction that uses them: RVV has forms with
    // operands of half as many bits, and accesses with offsets of 32.
    bool is_part(const Value *value) const {
        if (indices_.contains(value) || extensions_.contains(value))
            return true;
        if (auto *extension = dyn_cast<CastInst>(value))
            return isa<ZExtInst, SExtInst>(extension) &&
                   2 * extension->getSrcTy()->getScalarSizeInBits() ==
                       extension->getType()->getScalarSizeInBits() &&
                   all_of(extension->users(), [this](const User *user) {
                       auto opcode = cast<Instruction>(user)->getOpcode();
                       return opcode == Instruction::Add || opcode == Instruction::Sub ||
                              opcode == Instruction::Mul || is_part(user);
                   });
        auto *product = dyn_cast<BinaryOperator>(value);
        return product && product->hasOneUse() && product == product->user_back()->getOperand(1) &&
               is_sum(product->user_back()) && wide_product(const_cast<BinaryOperator *>(product));
    }

    bool contains(const Value &value) const override { return wide(&value) && !is_part(&value); }

    unsigned size(const Value &value) const override {
        return is_mask(value) ? 0 : registers(value);
    }

    // The number of registers; a mask's, too.
    unsigned registers(const Value &value) const { return registers(bits(value.getType())); }
    unsigned registers(unsigned bits) const { return std::max(1u, bits * count_ / 64); }

    // An operand that is part of the instruction is replaced by its own operand.
    void operands(const Instruction &instruction, function_ref<bool(const Value &)> contains,
                  SmallVectorImpl<Value *> &found) const override {
        if (is_part(&instruction))
            return;
        for (Value *operand : instruction.operands())
            if (operand = whole(operand); contains(*operand))
                found.push_back(operand);
    }

    Value *whole(Value *operand) const override {
        while (is_part(operand))
            operand = cast<Instruction>(operand)->getOperand(0);
        return operand;
    }

private:
    static unsigned bits(const Type *type) {
        // Pointers are offsets of 32 bits, mostly.
        return type->isPointerTy() ? 32 : std::max(1u, type->getScalarSizeInBits());
    }

    const StrideAnalysis &strides_;
    const Indices &indices_;
    const Extensions &extensions_;
    const AffineVectors &affine_;
    unsigned count_ = 1;
};

class PressureModel {
public:
    PressureModel(Function &function, const LoopInfo &loops, const ControlFlow &flow,
                  const StrideAnalysis &strides)
        : function_(function), loops_(loops), strides_(strides), kept_(kept_results(loops, flow)),
          compares_lanes_(widest_element(function, strides) <= 16),
          indices_(narrow_indices(function, strides)),
          extensions_(extensions_in_fmas(function, strides)),
          affine_(affine_vectors(function, loops, flow, strides, compares_lanes_)),
          rare_(rare_blocks(function)), values_(strides, indices_, extensions_, affine_),
          liveness_(function, values_), fields_(function, strides) {
        find_wanted();
    }

    // The cost of vector instructions and spills with so many lanes, weighted by loop depth. If
    // `masked`, a mask may be live everywhere.
    Cost cost(unsigned count, bool masked = false) {
        values_.set_lanes(count);
        Cost total;
        Entering entering;
        for (BasicBlock &block : function_)
            entering.try_emplace(&block, enter(block, masked));
        for (BasicBlock &block : function_)
            BlockWalk(*this, block, entering, total).run();
        return total;
    }

    // Spills that no order of instructions avoids: those of values that are live throughout an
    // iteration.
    double carried_cost_of(unsigned count) {
        values_.set_lanes(count);
        double total = 0;
        for (Loop *loop : loops_) {
            double used = 0;
            double largest = 1;
            for (Value *value : liveness_.live_out(*loop->getLoopLatch())) {
                used += values_.registers(*value);
                largest = std::max<double>(largest, values_.registers(*value));
            }
            total += assumed_trip_count * carried_spill_cost *
                     std::max(0.0, (used + largest - vector_registers) / largest);
        }
        return total;
    }

    // Instructions in loops that don't depend on the number of lanes. Indices and addresses don't
    // count: unrolling takes most of them away.
    double scalar_cost() const {
        double total = 0;
        for (BasicBlock &block : function_) {
            double weight = loops_.getLoopDepth(&block) > 0 ? weight_of(block) : 0;
            for (Instruction &instruction : block)
                if (!values_.wide(&instruction) && !instruction.isDebugOrPseudoInst() &&
                    (isa<LoadInst, CallInst>(instruction) ||
                     instruction.getType()->isFloatingPointTy()))
                    total += weight;
        }
        return total;
    }

    // Branches at the ends of loops' iterations.
    double branches() const {
        double total = 0;
        for (BasicBlock &block : function_)
            if (loops_.getLoopDepth(&block) > 0 && block.getTerminator()->getNumSuccessors() > 1)
                total += weight_of(block);
        return total;
    }

    bool has_indices() const { return !indices_.empty(); }
    bool has_fields() const { return !fields_.empty(); }

private:
    using Entering = DenseMap<const BasicBlock *, RegisterFile>;

    // Counts instructions and spills. The value with the farthest next use is spilled and reloaded,
    // unless it is rematerialised.
    class BlockWalk : RegisterWalk {
    public:
        BlockWalk(const PressureModel &model, BasicBlock &block, const Entering &entering,
                  Cost &total)
            : RegisterWalk(model.values_, entering.at(&block)), model_(model), block_(block),
              entering_(entering), total_(total), weight_(model.weight_of(block)) {
            for (Instruction &instruction : block)
                if (!isa<PHINode>(instruction)) {
                    order_.push_back(&instruction);
                    operands_.push_back(model.vectors_of(instruction));
                }
            model.add_uses(block, [&](Value *value, size_t index) { add_use(value, index); });
        }

        void run() {
            for (Value *value : model_.liveness_.live_in(block_))
                if (!file_.contains(value))
                    stored_.insert(value);
            for (PHINode &phi : block_.phis())
                if (!file_.contains(&phi))
                    stored_.insert(&phi);
            walk(order_.size());
            for (BasicBlock *next : successors(&block_))
                for (Value *value : entering_.at(next).values()) {
                    if (!model_.wanted_in_.contains({model_.loops_.getLoopFor(next), value}))
                        continue;
                    auto *phi = dyn_cast<PHINode>(value);
                    if (phi && phi->getParent() == next)
                        value = model_.values_.whole(phi->getIncomingValueForBlock(&block_));
                    if (model_.values_.wide(value) && !file_.contains(value))
                        reload(value, std::min(weight_, model_.weight_of(*next)));
                }
        }

    private:
        const Instruction &instruction_at(size_t index) const override { return *order_[index]; }
        bool has_final_order() const override { return false; }
        ArrayRef<Value *> operands_at(size_t index) const override { return operands_[index]; }
        Value *result_at(size_t index) const override {
            return model_.values_.contains(*order_[index]) ? order_[index] : nullptr;
        }
        bool is_kept_beside(const Value &, const Instruction &) const override { return false; }

        void get_back(Value *value, ArrayRef<Value *>) override { reload(value, weight_); }

        Value *victim(ArrayRef<Value *> needed) override {
            Value *last = nullptr;
            std::tuple<bool, bool, size_t> best;
            for (Value *value : file_.values())
                if (const size_t next = next_use(value);
                    !is_mask(*value) && !is_contained(needed, value))
                    if (std::tuple order(next >= distance_to_other_block, can_rematerialise(value),
                                         next);
                        !last || order > best) {
                        best = order;
                        last = value;
                    }
            return last;
        }

        void evicted(Value *value) override {
            if (!can_rematerialise(value) && has_later_use(value) && stored_.insert(value).second)
                spill(value, weight_);
        }

        void passes(const Instruction &instruction) override {
            const LaneValues &values = model_.values_;
            if (const auto field = model_.fields_.cost(instruction, values.lanes())) {
                total_.instructions += weight_ * field->instructions;
                total_.cycles += weight_ * field->cycles;
                return;
            }
            if (!values.is_part(&instruction) &&
                (values.wide(&instruction) || instruction.mayWriteToMemory()))
                total_.add(model_.splits(instruction),
                           std::clamp<double>(model_.widest(instruction), 1, 8), weight_);
        }

        void spill(const Value *value, double often) {
            total_.spills |= often >= 1;
            total_.add(1, model_.values_.registers(*value), often);
            total_.add(1, 1, often); // its address
        }

        void reload(Value *value, double often) {
            if (can_rematerialise(value)) {
                total_.spills |= model_.values_.wide(value) && often >= 1;
                total_.add(1, model_.values_.registers(*value), often);
                return;
            }
            spill(value, often);
            if (stored_.insert(value).second)
                spill(value, weight_);
        }

        bool can_rematerialise(Value *value) const {
            return !model_.values_.wide(value) ||
                   (is_trivially_rematerialisable(value) &&
                    all_of(model_.vectors_of(*cast<Instruction>(value)),
                           [&](Value *part) { return file_.contains(part); }));
        }

        const PressureModel &model_;
        BasicBlock &block_;
        const Entering &entering_;
        Cost &total_;
        const double weight_;
        std::vector<Instruction *> order_;
        std::vector<SmallVector<Value *, 4>> operands_;
        SmallPtrSet<Value *, 16> stored_;
    };

    double weight_of(const BasicBlock &block) const {
        return std::pow(assumed_trip_count, loops_.getLoopDepth(&block)) *
               (rare_.contains(&block) ? rare_block_weight : 1);
    }

    // The vectors that an instruction needs in registers. The addend of a product counts even if it
    // is uniform: RVV has no such form with a scalar.
    SmallVector<Value *, 4> vectors_of(const Instruction &instruction) const {
        SmallVector<Value *, 4> vectors(liveness_.operands(instruction));
        if (values_.contains(instruction) && is_fma(instruction))
            if (Value *added = instruction.getOperand(2); !values_.wide(added))
                vectors.push_back(added);
        return vectors;
    }

    // Passes each use of a vector to `add`, from last to first, with the number of the instruction.
    // A use behind the block in the same loop gets the number of instructions in the block, a later
    // one a far larger number.
    void add_uses(const BasicBlock &block, function_ref<void(Value *, size_t)> add) const {
        auto index = size_t(std::distance(block.getFirstNonPHIIt(), block.end()));
        const Loop *loop = loops_.getLoopFor(&block);
        for (Value *value : liveness_.live_out(block))
            add(value, index + (wanted_in_.contains({loop, value}) ? 0 : distance_to_other_block));
        for (const Instruction &instruction : reverse(block)) {
            if (isa<PHINode>(instruction))
                break;
            --index;
            for (Value *operand : vectors_of(instruction))
                add(operand, index);
        }
    }

    // Registers of what lanes have left the loops around the block with.
    unsigned kept_in(const BasicBlock &block) const {
        unsigned registers = 0;
        for (const Loop *loop = loops_.getLoopFor(&block); loop; loop = loop->getParentLoop())
            for (const auto &[result, header] : kept_.lookup(loop))
                if (values_.wide(result) && !(header && is_live_through(*header, block)))
                    registers += values_.size(*result);
        return std::min(registers, vector_registers / 2);
    }

    bool is_live_through(const PHINode &phi, const BasicBlock &block) const {
        return is_contained(liveness_.live_out(block), &phi);
    }

    // Keeps the live-in values with the nearest uses. The rest was spilled before.
    RegisterFile enter(BasicBlock &block, bool masked) const {
        DenseMap<Value *, size_t> next_uses;
        add_uses(block, [&](Value *value, size_t index) { next_uses[value] = index; });
        RegisterFile held(values_, masked, kept_in(block));
        for (Value *value : liveness_.live_in(block))
            held.insert(value);
        for (PHINode &phi : block.phis())
            if (values_.contains(phi) && next_uses.contains(&phi))
                held.insert(&phi);
        while (!held.has_room()) {
            auto last = max_element(held.values(), [&](Value *a, Value *b) {
                return std::pair(!is_mask(*a), next_uses[a]) <
                       std::pair(!is_mask(*b), next_uses[b]);
            });
            held.remove(*last);
        }
        return held;
    }

    // A value wider than eight registers takes several instructions.
    double splits(const Instruction &instruction) const {
        return std::max(1.0, widest(instruction) / double(largest_lmul));
    }

    unsigned widest(const Instruction &instruction) const {
        // Ids are compared by the numbers of lanes: see codegen/widen_comparisons.cpp.
        if (auto *compare = dyn_cast<ICmpInst>(&instruction);
            compare && compares_lanes_ && strides_.lane_side(*compare))
            return values_.registers(16);
        unsigned most = values_.registers(instruction);
        // An address that lanes are steps from, or that all have, is a scalar.
        const Value *address = getLoadStorePointerOperand(&instruction);
        if (address && strides_.of(address).kind == Stride::varying)
            address = nullptr;
        for (const Value *operand : instruction.operands())
            if (operand != address && !indices_.contains(operand))
                most = std::max(most, values_.registers(*operand));
        return most;
    }

    void want(Value *value, const Loop *loop) {
        for (; loop && wanted_in_.insert({loop, value}).second; loop = loop->getParentLoop()) {
        }
        wanted_in_.insert({nullptr, value});
    }

    void find_wanted() {
        for (BasicBlock &block : function_)
            for (Instruction &instruction : block)
                if (auto *phi = dyn_cast<PHINode>(&instruction)) {
                    for (Use &use : phi->incoming_values())
                        want(values_.whole(use.get()),
                             loops_.getLoopFor(phi->getIncomingBlock(use)));
                } else {
                    for (Value *operand : vectors_of(instruction))
                        want(operand, loops_.getLoopFor(&block));
                }
    }

    Function &function_;
    const LoopInfo &loops_;
    const StrideAnalysis &strides_;
    const KeptResults kept_;
    const bool compares_lanes_;
    const Indices indices_;
    const Extensions extensions_;
    const AffineVectors affine_;
    const RareBlocks rare_;
    LaneValues values_;
    const VectorLiveness liveness_;
    const FieldAccesses fields_;
    DenseSet<std::pair<const Loop *, Value *>> wanted_in_;
};

} // namespace

unsigned widest_element(Function &function, const StrideAnalysis &strides) {
    unsigned bits = 8;
    const Indices indices = narrow_indices(function, strides);
    for (Instruction &instruction : instructions(function)) {
        auto consider = [&](const Value *value) {
            Type *type = value->getType();
            if (strides.of(value).kind == Stride::varying && !type->isPointerTy() &&
                !type->isStructTy())
                bits = std::max(bits, unsigned(type->getScalarSizeInBits()));
        };
        if (!instruction.use_empty() && !indices.contains(&instruction))
            consider(&instruction);
        // The addresses of lanes in a large buffer need offsets of 64 bits.
        if (const Value *pointer = getLoadStorePointerOperand(&instruction);
            pointer && strides.of(pointer).kind == Stride::varying &&
            !is_in_small_buffer(*pointer, function))
            bits = std::max(bits, 64u);
        if (auto *store = dyn_cast<StoreInst>(&instruction);
            store && !store->getValueOperand()->getType()->isPointerTy() &&
            !(strides.uniform(store->getValueOperand()) &&
              strides.uniform(store->getPointerOperand())))
            bits = std::max(bits,
                            unsigned(store->getValueOperand()->getType()->getScalarSizeInBits()));
    }
    return bits;
}

LaneCount choose_lane_count(Function &function, const LoopInfo &loops, const ControlFlow &flow,
                            const StrideAnalysis &strides, unsigned vlen, unsigned row_length) {
    bool waits = any_of(loops.getTopLevelLoops(), [&](Loop *top) {
        return any_of(top->getLoopsInPreorder(),
                      [&](Loop *loop) { return flow.level(loop).divergent; });
    });
    PressureModel pressure(function, loops, flow, strides);
    const unsigned least_bits = has_fields(function, strides) ? 16 : 8;
    unsigned most = 512 / std::max(least_bits, widest_element(function, strides));
    // Long vectors save instructions, but spills cost cycles. Takes the best product, in which
    // instructions weigh a little more, among the choices that need not many more instructions than
    // the fewest. If nothing is spilled, fewer lanes are no better, unless they let fields be
    // accessed as segments.
    const double scalar = pressure.scalar_cost();
    const double control = scalar + pressure.branches();
    struct Choice {
        unsigned lanes;
        Cost whole, each; // of all lanes, and of one
    };
    SmallVector<Choice, 5> choices;
    double fewest = std::numeric_limits<double>::infinity();
    for (unsigned count = most; count >= 2; count /= 2) {
        // Lanes that leave a loop early wait for the others. While they wait, and next to indexed
        // loads, spills cost more than fewer lanes do.
        if (count > divergent_max_spilling_lanes && (waits || pressure.has_indices()) &&
            pressure.cost(count, waits).spills) {
            most = count / 2;
            continue;
        }
        const Cost cost = pressure.cost(count);
        choices.push_back(
            {count,
             cost,
             {(cost.instructions + control) / count, (cost.cycles + control) / count}});
        fewest = std::min(fewest, choices.back().each.instructions);
        if (!cost.spills && !pressure.has_fields())
            break;
    }
    const Choice *best = nullptr;
    double least = 0;
    for (const Choice &choice : choices)
        if (double product = weighed(choice.each.instructions, choice.each.cycles);
            choice.each.instructions <= lmul_max_instruction_ratio * fewest &&
            (!best || product < lmul_min_gain * least)) {
            least = product;
            best = &choice;
        }
    unsigned count = best->lanes;
    if (row_length && vlen)
        while (count > 2 && count / 2 * vlen / 64 >= row_length)
            count /= 2;
    const bool widest = count < best->lanes || count == most;
    const Cost cost = count < best->lanes ? pressure.cost(count) : best->whole;
    const double carried = pressure.carried_cost_of(count);
    double lanes = count;
    if (vlen)
        lanes = count * vlen / 64;
    if (vlen && row_length)
        lanes = std::min(lanes, double(row_length));
    const double instructions = (cost.instructions + carried + scalar) / lanes;
    const double cycles = (cost.cycles + carried * count / 2 + scalar) / lanes;
    return {count, instructions, weighed(instructions, cycles),
            widest && !cost.spills && carried == 0};
}

} // namespace rivulet::compiler
