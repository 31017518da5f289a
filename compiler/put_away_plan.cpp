// SPDX-License-Identifier: Apache-2.0
#include "compiler/put_away.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

#include "compiler/vector_order.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr size_t far = 1 << 20;      // instructions to where the next block wants it
constexpr unsigned access_cost = 2;  // with its address
constexpr unsigned most_tries = 100; // of orders

bool is_mask(const Value *value) { return value->getType()->getScalarType()->isIntegerTy(1); }

// Fences that only keep instructions apart.
bool is_of_this_thread(const Instruction &instruction) {
    auto *fence = dyn_cast<FenceInst>(&instruction);
    return fence && fence->getSyncScopeID() == SyncScope::SingleThread;
}

// Goes through a block with as many registers as there are.
class Simulation {
public:
    Simulation(BasicBlock &block, std::vector<Instruction *> order, const VectorLiveness &liveness,
               Copies &copies, double copy_cost)
        : block_(block), liveness_(liveness), copies_(copies), copy_cost_(copy_cost) {
        plan_.order = std::move(order);
        for (size_t i = 0; i < plan_.order.size(); ++i)
            places_[plan_.order[i]] = i;
        for (Value *value : liveness.live_out(block)) {
            live_out_.insert(value);
            uses_[value].push_back(plan_.order.size() + far);
        }
        for (size_t i = plan_.order.size() + 1; i-- > 0;)
            for (Value *operand : operands_at(i))
                uses_[operand].push_back(i);
        for (auto &[value, places] : uses_)
            if (!places_.contains(value))
                hold(value);
    }

    PutAway run() {
        make_room({}, 0);
        for (; now_ <= plan_.order.size(); ++now_) {
            const ArrayRef<Value *> operands = operands_at(now_);
            for (Value *operand : operands)
                bring(operand, operands);
            if (now_ == plan_.order.size())
                break;
            const Instruction &instruction = *plan_.order[now_];
            // A wider result lies beside what it is made of: RISC-V V 1.0, 5.2.
            unsigned beside = 0;
            const unsigned bits = instruction.getType()->getScalarSizeInBits();
            for (Value *operand : operands) {
                auto &uses = uses_[operand];
                uses.pop_back();
                if (!uses.empty())
                    continue;
                drop(operand);
                if (operand->getType()->getScalarSizeInBits() < bits)
                    beside += liveness_.size(operand);
            }
            if (!liveness_.contains(&instruction))
                continue;
            Value *result = plan_.order[now_];
            hold(result);
            make_room(result, beside);
            if (!uses_.contains(result))
                drop(result);
        }
        now_ = plan_.order.size();
        for (Value *value : live_out_)
            if (is_there_.contains(value))
                bring(value, {});
        return std::move(plan_);
    }

private:
    // The last ones are the terminator's.
    ArrayRef<Value *> operands_at(size_t place) const {
        const Instruction &instruction =
            place < plan_.order.size() ? *plan_.order[place] : *block_.getTerminator();
        // What is part of another instruction is wanted by that.
        if (instruction.getType()->isVectorTy() && !liveness_.contains(&instruction))
            return {};
        return liveness_.operands(instruction);
    }

    void hold(Value *value) {
        is_there_.insert(value);
        if (!held_.insert(value))
            return;
        used_ += liveness_.size(value);
        masks_ += is_mask(value);
    }

    void drop(Value *value) {
        if (!held_.remove(value))
            return;
        used_ -= liveness_.size(value);
        masks_ -= is_mask(value);
    }

    // A mask is in v0, and groups begin at multiples of their size.
    unsigned mask_size() const {
        unsigned size = 1;
        for (const Value *value : held_)
            size = std::max(size, liveness_.size(value));
        return size;
    }

    bool has_room(unsigned more) const {
        const unsigned used = used_ + more;
        return used <= vector_registers && (masks_ == 0 || used + mask_size() <= vector_registers);
    }

    void bring(Value *value, ArrayRef<Value *> wanted) {
        if (held_.contains(value))
            return;
        const bool copied = is_copied(value);
        if (copied) {
            if (is_mask(value))
                for (Value *operand : liveness_.operands(*cast<Instruction>(value)))
                    bring(operand, wanted);
            plan_.cost += 1;
        } else {
            plan_.cost += access_cost * (stored_.insert(value).second ? 2 : 1);
        }
        plan_.steps.push_back({now_, value, copied ? PutAway::How::copied : PutAway::How::fetched});
        hold(value);
        make_room(wanted, 0);
    }

    bool may_be_copied(const Value *value) const {
        auto found = places_.find(value);
        return found != places_.end() && copies_.may_be_made(*plan_.order[found->second]) &&
               (!cast<Instruction>(value)->mayReadFromMemory() ||
                none_of(ArrayRef(plan_.order).slice(found->second, now_ - found->second),
                        [](const Instruction *other) {
                            return other->mayWriteToMemory() && !is_of_this_thread(*other);
                        }));
    }

    // Or of what has none, where nothing is anymore.
    size_t next_use(Value *value) const {
        auto found = uses_.find(value);
        return found == uses_.end() || found->second.empty() ? plan_.order.size() + 2 * far
                                                             : found->second.back();
    }

    // What it is made of lives there anyway.
    bool lasts_for(Value *value) const {
        return all_of(liveness_.operands(*cast<Instruction>(value)), [&](Value *operand) {
            auto found = uses_.find(operand);
            return found != uses_.end() && !found->second.empty() &&
                   found->second.front() >= next_use(value);
        });
    }

    bool is_copied(Value *value) const {
        return may_be_copied(value) &&
               (is_mask(value) || all_of(liveness_.operands(*cast<Instruction>(value)),
                                         [&](Value *operand) { return held_.contains(operand); }));
    }

    // Whole registers are put away, of what only this block wants from here on.
    bool may_be_put_away(const Value *value) const {
        auto *type = dyn_cast<ScalableVectorType>(value->getType());
        return type && !is_mask(value) && registers_of(*type) <= 8 &&
               type->getScalarSizeInBits() * type->getElementCount().getKnownMinValue() >= 64;
    }

    void make_room(ArrayRef<Value *> wanted, unsigned beside) {
        while (!has_room(beside)) {
            Value *best = nullptr;
            double most = 0;
            for (Value *value : held_) {
                if (is_contained(wanted, value) ||
                    (!places_.contains(value) && live_out_.contains(value)))
                    continue;
                const bool copied = may_be_copied(value) && lasts_for(value);
                if (!copied && !may_be_put_away(value))
                    continue;
                const double cost =
                    copied ? copy_cost_ : access_cost * (stored_.contains(value) ? 1.0 : 2.0);
                const unsigned size = is_mask(value) ? mask_size() : liveness_.size(value);
                const double gain = double(next_use(value) - now_) * size / cost;
                if (gain > most) {
                    most = gain;
                    best = value;
                }
            }
            if (!best) {
                plan_.fits = false;
                return;
            }
            drop(best);
        }
    }

    BasicBlock &block_;
    const VectorLiveness &liveness_;
    Copies &copies_;
    const double copy_cost_;
    PutAway plan_;
    size_t now_ = 0;
    DenseMap<const Value *, size_t> places_;
    MapVector<Value *, SmallVector<size_t, 4>> uses_; // the next one last
    SmallSetVector<Value *, 16> held_, live_out_;
    SmallPtrSet<Value *, 32> stored_, is_there_;
    unsigned used_ = 0;
    unsigned masks_ = 0;
};

// What the instruction at that place is made of comes right behind the one at `from`, and then it.
std::vector<Instruction *> hastened(const Dependences &dependences, ArrayRef<Instruction *> order,
                                    size_t from, size_t place) {
    SmallPtrSet<Instruction *, 32> wanted{order[place]};
    for (size_t i = place + 1; i-- > from;)
        if (wanted.contains(order[i]))
            if (auto found = dependences.before.find(order[i]); found != dependences.before.end())
                wanted.insert_range(found->second);
    std::vector<Instruction *> result(order.begin(), order.begin() + ptrdiff_t(from));
    for (bool first : {true, false})
        for (size_t i = from; i <= place; ++i)
            if (wanted.contains(order[i]) == first)
                result.push_back(order[i]);
    result.insert(result.end(), order.begin() + ptrdiff_t(place) + 1, order.end());
    return result;
}

Instruction *only_user(const Instruction &instruction) {
    auto *user =
        instruction.hasOneUse() ? const_cast<Instruction *>(instruction.user_back()) : nullptr;
    return user && user->getParent() == instruction.getParent() && !isa<PHINode>(user) &&
                   !user->isTerminator()
               ? user
               : nullptr;
}

} // namespace

// As it is, or as few as possible live, whichever is cheaper; then what a value is fetched for
// comes as early as it can, with all that it is made of, where that is cheaper still.
PutAway plan_putting_away(BasicBlock &block, const VectorLiveness &liveness, Aliases &aliases,
                          Copies &copies) {
    const Dependences dependences(block, aliases);
    auto planned = [&](std::vector<Instruction *> order) {
        // With copies wherever there can be some, and where they are cheaper.
        PutAway rather_copied = Simulation(block, order, liveness, copies, 0.01).run();
        PutAway plan = Simulation(block, std::move(order), liveness, copies, 1).run();
        return plan.cost < rather_copied.cost ? plan : rather_copied;
    };
    PutAway best = planned(dependences.order);
    auto consider = [&](std::vector<Instruction *> order) {
        PutAway plan = planned(std::move(order));
        if (std::pair(!plan.fits, plan.cost) >= std::pair(!best.fits, best.cost))
            return false;
        best = std::move(plan);
        return true;
    };
    for (unsigned enough : {vector_registers, 0u, depth_first})
        consider(in_order(block, liveness, dependences, enough));
    // First what wants the value itself, then what is made of that.
    unsigned tries = 0;
    for (unsigned longest : {1, 12})
        for (size_t i = 0; i < best.steps.size(); ++i) {
            auto [user, value, how] = best.steps[i];
            if (how == PutAway::How::copied || user == best.order.size())
                continue;
            auto maker = find(best.order, value);
            const size_t from =
                maker == best.order.end() ? 0 : size_t(maker - best.order.begin()) + 1;
            Instruction *last = best.order[user];
            for (unsigned length = 0; last && length < longest; ++length) {
                if (++tries > most_tries)
                    return best;
                const auto place = size_t(find(best.order, last) - best.order.begin());
                if (consider(hastened(dependences, best.order, from, place))) {
                    i = size_t(-1);
                    break;
                }
                last = only_user(*last);
            }
        }
    return best;
}

} // namespace rivulet::compiler
