// SPDX-License-Identifier: Apache-2.0
#include "compiler/rvv/ir/spill_rewriter.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/CommandLine.h>

#include "compiler/rvv/ir/pressure_scheduling.h"
#include "compiler/rvv/ir/register_walk.h"

namespace rivulet::compiler {

using namespace llvm;

// Orders of instructions that the spill planner tries.
static cl::opt<unsigned> spill_max_orders("rvl-spill-max-orders", cl::Hidden, cl::init(100),
                                          cl::desc("Orders of a block"));

// How many users of a reloaded value, each of the one before, are hoisted to it.
constexpr unsigned spill_hoist_max_chain = 12; // instructions

// The longest rematerialisation where nothing may be on the stack. Exponentials in blackscholes
// take six; all of its 4 vector spills go.
constexpr unsigned remat_max_instructions = 6; // instructions

// A vector store or load, with its address. Counted: an address and an access.
constexpr unsigned spill_access_cost = 2; // instructions

// How much dearer stack accesses are where the plan should do without. Any value that outweighs
// remat_max_instructions does.
constexpr unsigned remat_only_access_factor = 100; // times

// How much cheaper rematerialisation is under the policy that prefers it. Any value that outweighs
// the cost of an access does.
constexpr double prefer_remat_factor = 0.01; // times

namespace {

bool is_free(const Value *value) { return isa<BitCastInst>(value); }

// Fences that only keep instructions apart.
bool is_of_this_thread(const Instruction &instruction) {
    auto *fence = dyn_cast<FenceInst>(&instruction);
    return fence && fence->getSyncScopeID() == SyncScope::SingleThread;
}

// How to free registers: the cheapest way, rather by rematerialising with one instruction, or
// wherever possible by rematerialising, with several instructions if need be.
enum class SpillPolicy { cheapest, prefer_remat, remat_only };

// Plans what is spilled, reloaded and rematerialised if a block runs in the given order.
class RegisterSimulation : RegisterWalk {
public:
    RegisterSimulation(BasicBlock &block, std::vector<Instruction *> order,
                       const VectorLiveness &liveness, RematCallbacks &callbacks,
                       SpillPolicy policy)
        : RegisterWalk(liveness.values(), RegisterFile(liveness.values())), block_(block),
          liveness_(liveness), callbacks_(callbacks), policy_(policy) {
        plan_.order = std::move(order);
        for (size_t i = 0; i < plan_.order.size(); ++i) {
            const Instruction &instruction = *plan_.order[i];
            index_of_[&instruction] = i;
            const bool writes = instruction.mayWriteToMemory() && !is_of_this_thread(instruction);
            written_.push_back(writes ? i + 1 : written_.back());
        }
        for (Value *value : liveness.live_out(block)) {
            live_out_.insert(value);
            add_use(value, plan_.order.size() + distance_to_other_block);
        }
        for (size_t i = plan_.order.size() + 1; i-- > 0;)
            for (Value *operand : operands_at(i))
                add_use(operand, i);
        for (auto &[value, indices] : uses_)
            if (!index_of_.contains(value))
                file_.insert(value);
    }

    SpillPlan run() {
        evict_for({}, 0);
        walk(plan_.order.size());
        const ArrayRef<Value *> operands = operands_at(now_); // of the terminator
        for (Value *operand : operands)
            bring_in(operand, operands);
        for (Value *value : live_out_)
            bring_in(value, {});
        return std::move(plan_);
    }

private:
    // The terminator comes behind the order's last instruction.
    const Instruction &instruction_at(size_t index) const override {
        return index < plan_.order.size() ? *plan_.order[index] : *block_.getTerminator();
    }

    ArrayRef<Value *> operands_at(size_t index) const override {
        const Instruction &instruction = instruction_at(index);
        // The user of an instruction that is folded into it needs the operands.
        if (instruction.getType()->isVectorTy() && !liveness_.contains(&instruction))
            return {};
        return liveness_.operands(instruction);
    }

    Value *result_at(size_t index) const override {
        return liveness_.contains(plan_.order[index]) ? plan_.order[index] : nullptr;
    }

    // A wider result lies beside what it is made of: RISC-V V 1.0, 5.2. So does a mask, with LLVM.
    bool is_kept_beside(const Value &operand, const Instruction &user) const override {
        const unsigned bits = user.getType()->getScalarSizeInBits();
        return operand.getType()->getScalarSizeInBits() < bits ||
               (bits == 1 && policy_ == SpillPolicy::remat_only);
    }

    void get_back(Value *value, ArrayRef<Value *> needed) override {
        if (is_cheap_to_rematerialise(value))
            return rematerialise(value, needed);
        plan_.cost += access_cost() * (stored_.insert(value).second ? 2 : 1);
        plan_.steps.push_back({now_, value, SpillPlan::How::reload});
    }

    void does_not_fit() override { plan_.fits = false; }

    // Rematerialises the operands first; they may have no other use.
    void rematerialise(Value *value, ArrayRef<Value *> needed) {
        const ArrayRef<Value *> operands = liveness_.operands(*cast<Instruction>(value));
        SmallVector<Value *, 8> needed_now(needed);
        append_range(needed_now, operands);
        for (Value *operand : operands)
            bring_in(operand, needed_now);
        plan_.cost += !is_free(value);
        plan_.steps.push_back({now_, value, SpillPlan::How::rematerialise});
        for (Value *operand : operands)
            if (!has_later_use(operand) && !is_contained(needed, operand))
                file_.remove(operand);
    }

    bool can_rematerialise_at(const Value *value, size_t index) const {
        auto found = index_of_.find(value);
        return found != index_of_.end() &&
               callbacks_.is_rematerialisable(*plan_.order[found->second]) &&
               (!cast<Instruction>(value)->mayReadFromMemory() || written_[index] <= found->second);
    }

    // The number of instructions that rematerialise the value at that index from values that are
    // there; none if more than `most`.
    std::optional<unsigned> remat_cost(Value *value, size_t index, unsigned most,
                                       function_ref<bool(Value *)> is_there) const {
        unsigned cost = is_free(value) ? 0 : 1;
        if (cost > most || !can_rematerialise_at(value, index))
            return std::nullopt;
        for (Value *operand : liveness_.operands(*cast<Instruction>(value))) {
            if (is_there(operand))
                continue;
            const std::optional<unsigned> more = remat_cost(operand, index, most - cost, is_there);
            if (!more)
                return std::nullopt;
            cost += *more;
        }
        return cost;
    }

    // The cost of a rematerialisation at the next use, from operands that are live there anyway.
    std::optional<unsigned> remat_cost_at_next_use(Value *value) const {
        const size_t index = next_use(value);
        return remat_cost(
            value, std::min(index, plan_.order.size()), longest_, [&](Value *operand) {
                return has_later_use(operand) && uses_.find(operand)->second.front() >= index;
            });
    }

    bool is_cheap_to_rematerialise(Value *value) const {
        if (is_mask(*value))
            return can_rematerialise_at(value, now_);
        auto is_held = [&](Value *operand) { return file_.contains(operand); };
        return remat_cost(value, now_, longest_, is_held).has_value();
    }

    // Spills whole registers, of values that only this block uses from here on.
    bool may_be_spilled(const Value *value) const {
        auto *type = dyn_cast<ScalableVectorType>(value->getType());
        return type && !is_mask(*value) && registers_of(*type) <= largest_lmul &&
               type->getScalarSizeInBits() * type->getElementCount().getKnownMinValue() >= 64;
    }

    unsigned access_cost() const {
        return policy_ == SpillPolicy::remat_only ? remat_only_access_factor * spill_access_cost
                                                  : spill_access_cost;
    }

    Value *victim(ArrayRef<Value *> needed) override {
        Value *best = nullptr;
        double most = 0;
        for (Value *value : file_.values()) {
            if (is_contained(needed, value) ||
                (!index_of_.contains(value) && live_out_.contains(value)))
                continue;
            const std::optional<unsigned> remat = remat_cost_at_next_use(value);
            if (!remat && !may_be_spilled(value))
                continue;
            const double cost =
                remat ? std::max(*remat, 1u) *
                            (policy_ == SpillPolicy::prefer_remat ? prefer_remat_factor : 1)
                      : access_cost() * (stored_.contains(value) ? 1.0 : 2.0);
            const unsigned size = is_mask(*value) ? file_.mask_size() : liveness_.size(value);
            // What isn't used again is farther away than what other blocks use.
            const size_t next =
                std::min(next_use(value), plan_.order.size() + 2 * distance_to_other_block);
            const double gain = double(next - now_) * size / cost;
            if (gain > most) {
                most = gain;
                best = value;
            }
        }
        return best;
    }

    BasicBlock &block_;
    const VectorLiveness &liveness_;
    RematCallbacks &callbacks_;
    const SpillPolicy policy_;
    const unsigned longest_ = policy_ == SpillPolicy::remat_only ? remat_max_instructions : 1;
    SpillPlan plan_;
    DenseMap<const Value *, size_t> index_of_;
    std::vector<size_t> written_{0}; // the index behind the last write before each
    SmallSetVector<Value *, 16> live_out_;
    SmallPtrSet<Value *, 32> stored_;
};

// Moves the instruction at `index`, with its operands before it, right behind the one at `from`.
std::vector<Instruction *> with_hoisted_use(const Dependences &dependences,
                                            ArrayRef<Instruction *> order, size_t from,
                                            size_t index) {
    SmallPtrSet<Instruction *, 32> needed{order[index]};
    for (size_t i = index + 1; i-- > from;)
        if (needed.contains(order[i]))
            if (auto found = dependences.before.find(order[i]); found != dependences.before.end())
                needed.insert_range(found->second);
    std::vector<Instruction *> result(order.begin(), order.begin() + ptrdiff_t(from));
    for (bool first : {true, false})
        for (size_t i = from; i <= index; ++i)
            if (needed.contains(order[i]) == first)
                result.push_back(order[i]);
    result.insert(result.end(), order.begin() + ptrdiff_t(index) + 1, order.end());
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

// Takes the given order or the one with the fewest live vectors, whichever is cheaper. Then hoists
// the users of reloaded values, with all their operands, where that is cheaper still.
SpillPlan cheapest_of_orders(const BasicBlock &block, const VectorLiveness &liveness,
                             const Dependences &dependences,
                             function_ref<SpillPlan(std::vector<Instruction *>)> planned) {
    SpillPlan best = planned(dependences.order);
    auto consider = [&](std::vector<Instruction *> order) {
        SpillPlan plan = planned(std::move(order));
        if (std::pair(!plan.fits, plan.cost) >= std::pair(!best.fits, best.cost))
            return false;
        best = std::move(plan);
        return true;
    };
    for (unsigned enough : {vector_registers, 0u, depth_first})
        consider(in_order(block, liveness, dependences, enough));
    // First hoists the user of the value itself, then the users of its result.
    unsigned tries = 0;
    for (unsigned longest : {1u, spill_hoist_max_chain})
        for (size_t i = 0; i < best.steps.size(); ++i) {
            auto [user, value, how] = best.steps[i];
            if (how == SpillPlan::How::rematerialise || user == best.order.size())
                continue;
            auto maker = find(best.order, value);
            const size_t from =
                maker == best.order.end() ? 0 : size_t(maker - best.order.begin()) + 1;
            Instruction *last = best.order[user];
            for (unsigned length = 0; last && length < longest; ++length) {
                if (++tries > spill_max_orders)
                    return best;
                const auto index = size_t(find(best.order, last) - best.order.begin());
                if (consider(with_hoisted_use(dependences, best.order, from, index))) {
                    i = size_t(-1);
                    break;
                }
                last = only_user(*last);
            }
        }
    return best;
}

} // namespace

size_t SpillPlan::reloads() const {
    return size_t(count_if(steps, [](const Step &step) { return step.how == How::reload; }));
}

SpillPlan plan_spills(BasicBlock &block, const VectorLiveness &liveness, AliasQueries &aliases,
                      RematCallbacks &callbacks) {
    const Dependences dependences(block, aliases);
    return cheapest_of_orders(block, liveness, dependences, [&](std::vector<Instruction *> order) {
        // Both policies: rematerialise wherever possible, and where it is cheaper.
        SpillPlan prefer_remat =
            RegisterSimulation(block, order, liveness, callbacks, SpillPolicy::prefer_remat).run();
        SpillPlan plan =
            RegisterSimulation(block, std::move(order), liveness, callbacks, SpillPolicy::cheapest)
                .run();
        return plan.cost < prefer_remat.cost ? plan : prefer_remat;
    });
}

SpillPlan plan_rematerialisation(BasicBlock &block, const VectorLiveness &liveness,
                                 AliasQueries &aliases, RematCallbacks &callbacks) {
    const Dependences dependences(block, aliases);
    return cheapest_of_orders(block, liveness, dependences, [&](std::vector<Instruction *> order) {
        return RegisterSimulation(block, std::move(order), liveness, callbacks,
                                  SpillPolicy::remat_only)
            .run();
    });
}

} // namespace rivulet::compiler
