// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/lane_count.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/spmd/sums.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr unsigned registers = 32;
constexpr double spill_cost = 4;   // instructions, for a value that doesn't fit
constexpr double carried_cost = 4; // in each iteration, for one that lives all through it
constexpr double loop_weight = 8;

class Pressure {
public:
    Pressure(Function &function, const LoopInfo &loops, const Shapes &shapes)
        : function_(function), loops_(loops), shapes_(shapes) {
        find_live();
        has_masks_ = any_of(instructions(function), [&](const Instruction &instruction) {
            return instruction.getType()->isIntegerTy(1) && wide(&instruction);
        });
    }

    // Vector instructions and spills, weighed by loop depth, of so many lanes.
    double cost(unsigned count) const {
        double total = 0;
        for (BasicBlock &block : function_) {
            double weight = 1;
            for (unsigned depth = loops_.getLoopDepth(&block); depth > 0; --depth)
                weight *= loop_weight;
            total += weight * cost_of(block, count);
        }
        return total;
    }

    // Spills that no order of instructions avoids: of what lives all through an iteration.
    double carried_cost_of(unsigned count) const {
        double total = 0;
        for (Loop *loop : loops_) {
            double used = 0;
            double largest = 1;
            for (Value *value : live_out_.lookup(loop->getLoopLatch())) {
                used += size(value, count);
                largest = std::max(largest, size(value, count));
            }
            total +=
                loop_weight * carried_cost * std::max(0.0, (used + largest - registers) / largest);
        }
        return total;
    }

    // Instructions in loops that don't depend on the number of lanes. Indices and addresses don't
    // count: unrolling takes most of them away.
    double scalar_cost() const {
        double total = 0;
        for (BasicBlock &block : function_) {
            double weight = loops_.getLoopDepth(&block) > 0 ? 1 : 0;
            for (unsigned depth = loops_.getLoopDepth(&block); depth > 0; --depth)
                weight *= loop_weight;
            for (Instruction &instruction : block)
                if (!wide(&instruction) && !instruction.isDebugOrPseudoInst() &&
                    (isa<LoadInst, CallInst>(instruction) ||
                     instruction.getType()->isFloatingPointTy()))
                    total += weight;
        }
        return total;
    }

private:
    // Where in a block vectors are wanted: numbers of instructions, the next one last.
    using Uses = DenseMap<Value *, SmallVector<unsigned, 4>>;
    Uses uses_in(BasicBlock &block) const {
        Uses uses;
        auto place = unsigned(block.size());
        for (Value *value : live_out_.lookup(&block))
            uses[value].push_back(place);
        for (Instruction &instruction : reverse(block)) {
            --place;
            if (isa<PHINode>(instruction))
                continue;
            for (Value *operand : vectors_of(instruction))
                if (auto &places = uses[operand]; places.empty() || places.back() != place)
                    places.push_back(place);
        }
        return uses;
    }

    // What an instruction wants in vector registers.
    SmallVector<Value *, 4> vectors_of(Instruction &instruction) const {
        SmallVector<Value *, 4> vectors;
        if (!is_part(&instruction))
            for (Value *operand : instruction.operands())
                if (operand = whole(operand); wide(operand))
                    vectors.push_back(operand);
        return vectors;
    }

    // Instructions and spills, where what is wanted last is put away and fetched again.
    double cost_of(BasicBlock &block, unsigned count) const {
        // Masks come in v0, and what lies in several registers begins at a multiple of their
        // number.
        double available = registers - has_masks_ * std::max(1.0, 32.0 * count / 64);
        double total = 0;
        double used = 0;
        unsigned place = 0;
        Uses uses = uses_in(block);
        SetVector<Value *> held;
        auto hold = [&](Value *value) {
            if (!uses[value].empty() && held.insert(value))
                used += size(value, count);
        };
        auto release = [&](Value *value) {
            if (held.remove(value))
                used -= size(value, count);
        };
        auto make_room = [&](double own) {
            while (used + own > available) {
                Value *last = nullptr;
                for (Value *value : held)
                    if (uses[value].back() > place &&
                        (!last || uses[value].back() > uses[last].back()))
                        last = value;
                if (!last)
                    return;
                release(last);
                total += spill_cost / 2;
            }
        };
        for (Value *value : live_in_.lookup(&block))
            hold(value);
        for (Instruction &instruction : block) {
            if (isa<PHINode>(instruction)) {
                if (wide(&instruction))
                    hold(&instruction);
                ++place;
                continue;
            }
            auto operands = vectors_of(instruction);
            for (Value *operand : operands)
                if (!held.contains(operand)) {
                    total += spill_cost / 2;
                    hold(operand);
                }
            for (Value *operand : operands) {
                auto &places = uses[operand];
                if (!places.empty() && places.back() == place)
                    places.pop_back();
                if (places.empty())
                    release(operand);
            }
            if (!is_part(&instruction) && (wide(&instruction) || instruction.mayWriteToMemory())) {
                bool splat = adds_splat(instruction);
                total += splits(instruction, count) + splat;
                if (wide(&instruction)) {
                    make_room(std::max(1.0, size(&instruction, count)) * (1 + splat));
                    hold(&instruction);
                }
            }
            ++place;
        }
        return total;
    }

    bool wide(const Value *value) const {
        return isa<Instruction>(value) && !isa<AllocaInst>(value) &&
               !value->getType()->isVoidTy() && shapes_.of(value).kind == Shape::varying;
    }

    // Extensions and products that are part of the instruction that wants them: those have forms
    // with operands of half as many bits.
    static bool is_part(const Value *value) {
        if (auto *extension = dyn_cast<CastInst>(value))
            return isa<ZExtInst, SExtInst>(extension) &&
                   2 * extension->getSrcTy()->getScalarSizeInBits() ==
                       extension->getType()->getScalarSizeInBits() &&
                   all_of(extension->users(), [](const User *user) {
                       auto opcode = cast<Instruction>(user)->getOpcode();
                       return opcode == Instruction::Add || opcode == Instruction::Sub ||
                              opcode == Instruction::Mul || is_part(user);
                   });
        auto *product = dyn_cast<BinaryOperator>(value);
        return product && product->hasOneUse() && product == product->user_back()->getOperand(1) &&
               is_sum(product->user_back()) && wide_product(const_cast<BinaryOperator *>(product));
    }

    // What is in registers for an operand.
    static Value *whole(Value *operand) {
        while (is_part(operand))
            operand = cast<Instruction>(operand)->getOperand(0);
        return operand;
    }

    // Multiplies and adds something that is the same for all lanes: there is no such form.
    bool adds_splat(const Instruction &instruction) const {
        auto *call = dyn_cast<IntrinsicInst>(&instruction);
        return call && wide(call) &&
               (call->getIntrinsicID() == Intrinsic::fma ||
                call->getIntrinsicID() == Intrinsic::fmuladd) &&
               !wide(call->getArgOperand(2));
    }

    static double bits(const Type *type) {
        // Pointers are offsets of 32 bits, mostly.
        return type->isPointerTy() ? 32 : std::max(1.0, double(type->getScalarSizeInBits()));
    }

    // In registers.
    static double size(const Value *value, unsigned count) {
        return std::max(1.0, bits(value->getType()) * count / 64);
    }

    // What is wider than eight registers takes several instructions.
    static double splits(const Instruction &instruction, unsigned count) {
        double most = size(&instruction, count);
        for (const Value *operand : instruction.operands())
            most = std::max(most, size(operand, count));
        return std::max(1.0, most / 8);
    }

    void find_live() {
        for (bool changed = true; changed;) {
            changed = false;
            for (BasicBlock *block : post_order(&function_)) {
                SmallPtrSet<Value *, 32> live;
                for (BasicBlock *next : successors(block)) {
                    for (Value *value : live_in_[next])
                        live.insert(value);
                    for (PHINode &phi : next->phis())
                        if (Value *value = whole(phi.getIncomingValueForBlock(block)); wide(value))
                            live.insert(value);
                }
                live_out_[block] = live;
                for (Instruction &instruction : reverse(*block)) {
                    live.erase(&instruction);
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
    const Shapes &shapes_;
    DenseMap<BasicBlock *, SmallPtrSet<Value *, 32>> live_in_;
    DenseMap<BasicBlock *, SmallPtrSet<Value *, 32>> live_out_;
    bool has_masks_ = false;
};

} // namespace

unsigned widest_element(Function &function, const Shapes &shapes) {
    unsigned bits = 8;
    for (Instruction &instruction : instructions(function)) {
        auto consider = [&](const Value *value) {
            Type *type = value->getType();
            if (shapes.of(value).kind == Shape::varying && !type->isPointerTy() &&
                !type->isStructTy())
                bits = std::max(bits, unsigned(type->getScalarSizeInBits()));
        };
        if (!instruction.use_empty())
            consider(&instruction);
        if (auto *store = dyn_cast<StoreInst>(&instruction);
            store && !store->getValueOperand()->getType()->isPointerTy() &&
            !(shapes.uniform(store->getValueOperand()) &&
              shapes.uniform(store->getPointerOperand())))
            bits = std::max(bits,
                            unsigned(store->getValueOperand()->getType()->getScalarSizeInBits()));
    }
    return bits;
}

LaneCount choose_lane_count(Function &function, const LoopInfo &loops, const ControlFlow &flow,
                            const Shapes &shapes, unsigned vlen, unsigned row_length) {
    // Lanes that leave a loop early wait for the others: not too many side by side then.
    bool waits = any_of(loops.getTopLevelLoops(), [&](Loop *top) {
        return any_of(top->getLoopsInPreorder(),
                      [&](Loop *loop) { return flow.level(loop).divergent; });
    });
    Pressure pressure(function, loops, shapes);
    unsigned most =
        std::min(waits ? 8u : 32u, 512 / std::max(16u, widest_element(function, shapes)));
    unsigned best = most;
    double least = pressure.cost(most) / most;
    for (unsigned count = most / 2; count >= 2; count /= 2)
        if (double cost = pressure.cost(count) / count; cost < least) {
            least = cost;
            best = count;
        }
    if (row_length && vlen)
        while (best > 2 && best / 2 * vlen / 64 >= row_length)
            best /= 2;
    double lanes = best;
    if (vlen)
        lanes = best * vlen / 64;
    if (vlen && row_length)
        lanes = std::min(lanes, double(row_length));
    return {best, (pressure.cost(best) + pressure.carried_cost_of(best) + pressure.scalar_cost()) /
                      lanes};
}

} // namespace rivulet::compiler
