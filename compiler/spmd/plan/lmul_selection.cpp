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
#include "compiler/analysis/vector_registers.h"
#include "compiler/rvv/ir/rematerialisation.h"
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

// Another LMUL must be cheaper by so much: estimates differ by rounding. A guard against rounding,
// not measured.
constexpr double lmul_min_gain = 0.9995; // times the cost of fewer lanes

// What a value costs that lives all through a loop and doesn't fit into registers. Counted: a
// store, a load and an address for each.
constexpr double carried_spill_cost = 4; // instructions in each iteration

// Where lanes leave a loop early, or accesses are indexed, more lanes are taken only without
// spills: what is spilled while lanes wait costs more than fewer lanes do. 85 kernels that nobody
// tuned for: 10.5 % (VLEN 128) and 9.7 % (512) fewer instructions in the geometric mean, with
// indices of 32 bits; two kernels +5 % and +24 %.
constexpr unsigned divergent_max_spilling_lanes = 8; // lanes per 64 bits of VLEN

namespace {

double weighed(double instructions, double cycles) {
    return std::pow(std::pow(instructions, lmul_instruction_exponent) * cycles,
                    1 / (1 + lmul_instruction_exponent));
}

// The cost of code that runs for a whole strip: instructions, and cycles if each instruction takes
// as many as it has registers.
struct Cost {
    double instructions = 0;
    double cycles = 0;
    bool spills = false;
    void add(double count, double each, double weight) {
        instructions += weight * count;
        cycles += weight * count * each;
    }
};

// Extended to a pointer's bits only as indices of one small buffer, where their 32 bits are enough.
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

// Ordered, so that the choice between values with equally distant next uses is deterministic.
using LiveSet = SmallSetVector<Value *, 32>;
using LiveSets = DenseMap<const BasicBlock *, LiveSet>;

// Unreachable blocks cost nothing.
ArrayRef<Value *> values_of(const LiveSets &sets, const BasicBlock &block) {
    auto found = sets.find(&block);
    return found == sets.end() ? ArrayRef<Value *>() : found->second.getArrayRef();
}

// Neighbours in memory that belong to one work-item are accessed as segments of up to eight
// registers in all; bytes of eight registers each would be accessed one by one.
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

class PressureModel {
public:
    PressureModel(Function &function, const LoopInfo &loops, const StrideAnalysis &strides)
        : function_(function), loops_(loops), strides_(strides),
          indices_(narrow_indices(function, strides)), rare_(rare_blocks(function)) {
        find_live();
        find_wanted();
    }

    // Vector instructions and spills, weighed by loop depth, of so many lanes. There may always be
    // a mask.
    Cost cost(unsigned count, bool masked = false) const {
        Cost total;
        DenseMap<BasicBlock *, RegisterFile> entering;
        for (BasicBlock &block : function_)
            entering.try_emplace(&block, enter(block, RegisterFile(count, masked)));
        for (BasicBlock &block : function_)
            add_cost(total, block, count, entering);
        return total;
    }

    // Spills that no order of instructions avoids: of what is live throughout an iteration.
    double carried_cost_of(unsigned count) const {
        double total = 0;
        for (Loop *loop : loops_) {
            double used = 0;
            double largest = 1;
            for (Value *value : values_of(live_out_, *loop->getLoopLatch())) {
                used += size(value, count);
                largest = std::max(largest, size(value, count));
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
                if (!wide(&instruction) && !instruction.isDebugOrPseudoInst() &&
                    (isa<LoadInst, CallInst>(instruction) ||
                     instruction.getType()->isFloatingPointTy()))
                    total += weight;
        }
        return total;
    }

    // At the ends of loops' iterations.
    double branches() const {
        double total = 0;
        for (BasicBlock &block : function_)
            if (loops_.getLoopDepth(&block) > 0 && block.getTerminator()->getNumSuccessors() > 1)
                total += weight_of(block);
        return total;
    }

    bool has_indices() const { return !indices_.empty(); }

private:
    double weight_of(const BasicBlock &block) const {
        return std::pow(assumed_trip_count, loops_.getLoopDepth(&block)) *
               (rare_.contains(&block) ? rare_block_weight : 1);
    }

    // Numbers of the instructions of a block that use a vector, the next one last. A use behind it
    // in the same loop has the block's size as its number, one that comes later far more.
    using Uses = DenseMap<Value *, SmallVector<unsigned, 4>>;
    Uses uses_in(BasicBlock &block) const {
        Uses uses;
        auto index = unsigned(block.size());
        Loop *loop = loops_.getLoopFor(&block);
        for (Value *value : values_of(live_out_, block))
            uses[value].push_back(
                index + (wanted_in_.contains({loop, value}) ? 0 : distance_to_other_block));
        for (Instruction &instruction : reverse(block)) {
            --index;
            if (isa<PHINode>(instruction))
                continue;
            for (Value *operand : vectors_of(instruction))
                if (auto &indices = uses[operand]; indices.empty() || indices.back() != index)
                    indices.push_back(index);
        }
        return uses;
    }

    // The operands that an instruction needs in vector registers. The addend of a product counts
    // even if it is uniform: there is no such form with a scalar.
    SmallVector<Value *, 4> vectors_of(Instruction &instruction) const {
        SmallVector<Value *, 4> vectors;
        if (is_part(&instruction))
            return vectors;
        for (Value *operand : instruction.operands())
            if (operand = whole(operand); wide(operand))
                vectors.push_back(operand);
        if (wide(&instruction) && is_fma(instruction))
            if (Value *added = instruction.getOperand(2); !wide(added))
                vectors.push_back(added);
        return vectors;
    }

    // The register file: values of so many lanes that are in registers.
    class RegisterFile {
    public:
        RegisterFile(unsigned count, bool masked) : count_(count), masks_(masked) {}
        void add(Value *value) {
            if (values_.insert(value))
                change(value, 1);
        }
        void remove(Value *value) {
            if (values_.remove(value))
                change(value, -1);
        }
        bool contains(Value *value) const { return values_.contains(value); }
        bool has_room(double more) const {
            // Masks take v0, and a register group begins at a multiple of its size.
            return used_ + more + (masks_ > 0 ? std::max(1.0, count_ / 2.0) : 0) <=
                   vector_registers;
        }
        ArrayRef<Value *> values() const { return values_.getArrayRef(); }

    private:
        void change(Value *value, int by) {
            if (is_mask(*value))
                masks_ += by;
            else
                used_ += by * size(value, count_);
        }

        unsigned count_;
        int masks_;
        double used_ = 0;
        SetVector<Value *> values_;
    };

    // Keeps the live-in values with the nearest uses. The rest was spilled before.
    RegisterFile enter(BasicBlock &block, RegisterFile held) const {
        Uses uses = uses_in(block);
        for (Value *value : values_of(live_in_, block))
            held.add(value);
        for (PHINode &phi : block.phis())
            if (wide(&phi) && !uses[&phi].empty())
                held.add(&phi);
        while (!held.has_room(0)) {
            auto last = max_element(held.values(), [&](Value *a, Value *b) {
                return std::pair(!is_mask(*a), uses[a].back()) <
                       std::pair(!is_mask(*b), uses[b].back());
            });
            held.remove(*last);
        }
        return held;
    }

    // Instructions and spills, where the value with the farthest next use is spilled and reloaded,
    // unless it is rematerialised.
    void add_cost(Cost &total, BasicBlock &block, unsigned count,
                  const DenseMap<BasicBlock *, RegisterFile> &entering) const {
        const double weight = weight_of(block);
        unsigned index = 0;
        Uses uses = uses_in(block);
        RegisterFile held = entering.at(&block);
        SmallPtrSet<Value *, 16> stored;
        for (Value *value : values_of(live_in_, block))
            if (!held.contains(value))
                stored.insert(value);
        for (PHINode &phi : block.phis())
            if (!held.contains(&phi))
                stored.insert(&phi);
        auto spill = [&](Value *value, double often) {
            total.spills |= often >= 1;
            total.add(1, std::max(1.0, size(value, count)), often);
            total.add(1, 1, often); // its address
        };
        auto can_rematerialise = [&](Value *value) {
            return !wide(value) || (is_trivially_rematerialisable(value) &&
                                    all_of(vectors_of(*cast<Instruction>(value)),
                                           [&](Value *part) { return held.contains(part); }));
        };
        auto evict_for = [&](double own) {
            while (!held.has_room(own)) {
                Value *last = nullptr;
                std::tuple<bool, bool, unsigned> best;
                for (Value *value : held.values())
                    if (unsigned next = uses[value].back(); next > index && !is_mask(*value))
                        if (std::tuple order(next >= distance_to_other_block,
                                             can_rematerialise(value), next);
                            !last || order > best) {
                            best = order;
                            last = value;
                        }
                if (!last)
                    return;
                held.remove(last);
                if (!std::get<1>(best) && stored.insert(last).second)
                    spill(last, weight);
            }
        };
        auto reload = [&](Value *value, double often) {
            if (can_rematerialise(value)) {
                total.spills |= wide(value) && often >= 1;
                total.add(1, std::max(1.0, size(value, count)), often);
                return;
            }
            spill(value, often);
            if (stored.insert(value).second)
                spill(value, weight);
        };
        for (Instruction &instruction : block) {
            if (isa<PHINode>(instruction)) {
                ++index;
                continue;
            }
            auto operands = vectors_of(instruction);
            for (Value *operand : operands)
                if (!held.contains(operand)) {
                    reload(operand, weight);
                    evict_for(size(operand, count));
                    held.add(operand);
                }
            for (Value *operand : operands) {
                auto &indices = uses[operand];
                if (!indices.empty() && indices.back() == index)
                    indices.pop_back();
                if (indices.empty())
                    held.remove(operand);
            }
            if (!is_part(&instruction) && (wide(&instruction) || instruction.mayWriteToMemory())) {
                total.add(splits(instruction, count),
                          std::clamp(widest(instruction, count), 1.0, 8.0), weight);
                if (wide(&instruction)) {
                    evict_for(is_mask(instruction) ? 0 : size(&instruction, count));
                    if (!uses[&instruction].empty())
                        held.add(&instruction);
                }
            }
            ++index;
        }
        for (BasicBlock *next : successors(&block))
            for (Value *value : entering.at(next).values()) {
                if (!wanted_in_.contains({loops_.getLoopFor(next), value}))
                    continue;
                auto *phi = dyn_cast<PHINode>(value);
                if (phi && phi->getParent() == next)
                    value = whole(phi->getIncomingValueForBlock(&block));
                if (wide(value) && !held.contains(value))
                    reload(value, std::min(weight, weight_of(*next)));
            }
    }

    bool wide(const Value *value) const {
        return isa<Instruction>(value) && !isa<AllocaInst>(value) &&
               !value->getType()->isVoidTy() && strides_.of(value).kind == Stride::varying;
    }

    // Extensions and products that are part of the instruction that wants them: those have forms
    // with operands of half as many bits, and accesses with offsets of 32.
    bool is_part(const Value *value) const {
        if (indices_.contains(value))
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

    // The value in registers that an operand is folded from.
    Value *whole(Value *operand) const {
        while (is_part(operand))
            operand = cast<Instruction>(operand)->getOperand(0);
        return operand;
    }

    static double bits(const Type *type) {
        // Pointers are offsets of 32 bits, mostly.
        return type->isPointerTy() ? 32 : std::max(1.0, double(type->getScalarSizeInBits()));
    }

    // In registers.
    static double size(const Value *value, unsigned count) {
        return std::max(1.0, bits(value->getType()) * count / 64);
    }

    // A value wider than eight registers takes several instructions.
    double splits(const Instruction &instruction, unsigned count) const {
        return std::max(1.0, widest(instruction, count) / 8);
    }

    double widest(const Instruction &instruction, unsigned count) const {
        double most = size(&instruction, count);
        for (const Value *operand : instruction.operands())
            if (!indices_.contains(operand))
                most = std::max(most, size(operand, count));
        return most;
    }

    void want(Value *value, Loop *loop) {
        for (; loop && wanted_in_.insert({loop, value}).second; loop = loop->getParentLoop()) {
        }
        wanted_in_.insert({nullptr, value});
    }

    void find_wanted() {
        for (BasicBlock &block : function_)
            for (Instruction &instruction : block)
                if (auto *phi = dyn_cast<PHINode>(&instruction)) {
                    for (Use &use : phi->incoming_values())
                        want(whole(use.get()), loops_.getLoopFor(phi->getIncomingBlock(use)));
                } else {
                    for (Value *operand : vectors_of(instruction))
                        want(operand, loops_.getLoopFor(&block));
                }
    }

    void find_live() {
        for (bool changed = true; changed;) {
            changed = false;
            for (BasicBlock *block : post_order(&function_)) {
                LiveSet live;
                for (BasicBlock *next : successors(block)) {
                    live.insert_range(live_in_[next]);
                    for (PHINode &phi : next->phis())
                        if (Value *value = whole(phi.getIncomingValueForBlock(block)); wide(value))
                            live.insert(value);
                }
                live_out_[block] = live;
                for (Instruction &instruction : reverse(*block)) {
                    live.remove(&instruction);
                    if (isa<PHINode>(instruction) || is_part(&instruction))
                        continue;
                    for (Value *operand : instruction.operands())
                        if (operand = whole(operand); wide(operand))
                            live.insert(operand);
                }
                if (live.size() != live_in_[block].size()) {
                    live_in_[block] = live;
                    changed = true;
                }
            }
        }
    }

    Function &function_;
    const LoopInfo &loops_;
    const StrideAnalysis &strides_;
    const Indices indices_;
    const RareBlocks rare_;
    LiveSets live_in_, live_out_;
    DenseSet<std::pair<Loop *, Value *>> wanted_in_;
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
        // The addresses of lanes in a large buffer are accessed with offsets of 64 bits.
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
    PressureModel pressure(function, loops, strides);
    const unsigned least_bits = has_fields(function, strides) ? 16 : 8;
    unsigned most = 512 / std::max(least_bits, widest_element(function, strides));
    // Long vectors save instructions, spills cost cycles: the best product, in which instructions
    // weigh a little more, among those that need not many more of them than the fewest. Where
    // nothing is spilled, fewer lanes are no better.
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
        if (!cost.spills)
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
