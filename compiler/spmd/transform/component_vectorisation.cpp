// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/component_vectorisation.h"

#include <algorithm>
#include <map>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/spmd/analysis/adjacent_accesses.h"
#include "compiler/spmd/analysis/stride_analysis.h"
#include "compiler/spmd/transform/simplify_work_item.h"
#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

using namespace llvm;

// The longest vector of OpenCL C whose components become lanes. uchar16 add_sat: 2.98 -> 1.03
// instructions per work-item at VLEN 128, 0.78 -> 0.31 at 512; the limit is the language's.
constexpr unsigned component_max_count = 16; // components

namespace {

using Tuple = std::vector<Value *>; // one of each component

// Merges what is done with the components.
class ComponentMerger {
public:
    ComponentMerger(Function &function, Argument &first, const Uniformity &uniformity,
                    const StrideAnalysis &strides)
        : function_(function), first_(first), layout_(function.getDataLayout()),
          uniformity_(uniformity), strides_(strides) {
        for (auto [i, instruction] : enumerate(instructions(function))) {
            numbers_[&instruction] = unsigned(i);
            before_.push_back(&instruction);
        }
    }

    // How many components there are; 0: they can't be merged, and the function is of no use.
    unsigned run() {
        Argument &x = *function_.getArg(0);
        SmallVector<Use *> uses(make_pointer_range(x.uses()));
        if (!find_stores())
            return 0;
        for (const Tuple &tuple : stores_)
            if (!merge_stores(tuple))
                return 0;
        for (Use *use : uses)
            use->set(&first_);
        for (const Tuple &tuple : stores_)
            for (Value *store : tuple)
                cast<Instruction>(store)->eraseFromParent();
        return count_;
    }

private:
    // All that the function does are stores of neighbours, and what is the same for all.
    bool find_stores() {
        MapVector<std::pair<BasicBlock *, const Value *>, std::map<int64_t, StoreInst *>> found;
        for (Instruction *instruction : before_) {
            if (instruction->isTerminator()) {
                if (!uniformity_.uniform_branch(*instruction->getParent()))
                    return false;
                continue;
            }
            if (isa<AllocaInst>(instruction))
                return false;
            if (!instruction->mayHaveSideEffects() || isa<AssumeInst>(instruction))
                continue;
            auto *store = dyn_cast<StoreInst>(instruction);
            if (!store || !store->isSimple())
                return false;
            if (strides_.uniform(store->getPointerOperand()) &&
                strides_.uniform(store->getValueOperand()))
                continue; // as often as there are strips
            auto [base, offset] = base_and_offset(store->getPointerOperand(), layout_);
            if (!found[{store->getParent(), base}].emplace(offset, store).second)
                return false;
        }
        for (const auto &[_, stores] : found)
            for (auto at = stores.begin(); at != stores.end();) {
                Tuple tuple;
                if (count_ == 0)
                    count_ = count(*at->second);
                if (count_ == 0)
                    return false;
                for (; at != stores.end() && tuple.size() < count_; ++at)
                    tuple.push_back(at->second);
                stores_.push_back(std::move(tuple));
            }
        return count_ != 0;
    }

    unsigned count(StoreInst &store) const {
        const Stride shape = strides_.of(store.getPointerOperand());
        const int64_t bytes = size(store);
        return shape.kind == Stride::affine && !shape.scale && shape.step > bytes &&
                       shape.step % bytes == 0 && shape.step / bytes <= component_max_count
                   ? unsigned(shape.step / bytes)
                   : 0;
    }

    int64_t size(const Instruction &access) const {
        return int64_t(layout_.getTypeStoreSize(getLoadStoreType(&access)).getFixedValue());
    }

    // Whether the accesses are as many neighbours as there are elements between the addresses of
    // two adjacent work-items.
    bool are_neighbours(const Tuple &accesses) const {
        if (accesses.size() != count_)
            return false;
        auto &first = *cast<Instruction>(accesses.front());
        Type *type = getLoadStoreType(&first);
        const int64_t bytes = size(first);
        const Stride shape = strides_.of(getLoadStorePointerOperand(&first));
        if (shape.kind != Stride::affine || shape.scale || shape.step != bytes * count_ ||
            type->isPointerTy() || int64_t(layout_.getTypeAllocSize(type)) != bytes)
            return false;
        auto [base, start] = base_and_offset(getLoadStorePointerOperand(&first), layout_);
        for (auto [i, access] : enumerate(accesses)) {
            auto *other = cast<Instruction>(access);
            const auto expected = std::pair(base, start + int64_t(i) * bytes);
            if (getLoadStoreType(other) != type || other->getParent() != first.getParent() ||
                base_and_offset(getLoadStorePointerOperand(other), layout_) != expected)
                return false;
        }
        return true;
    }

    // Null if an instruction between them forbids moving them together.
    template <class Predicate> Instruction *last(const Tuple &tuple, Predicate passes) const {
        auto [begin,
              end] = std::minmax_element(tuple.begin(), tuple.end(), [&](Value *a, Value *b) {
            return numbers_.lookup(cast<Instruction>(a)) < numbers_.lookup(cast<Instruction>(b));
        });
        for (unsigned i = numbers_.lookup(cast<Instruction>(*begin));
             i < numbers_.lookup(cast<Instruction>(*end)); ++i)
            if (!is_contained(tuple, before_[i]) && !passes(*before_[i]))
                return nullptr;
        return cast<Instruction>(*end);
    }

    // The address of the component's access by the first work-item.
    Value *address(IRBuilder<> &builder, const Tuple &accesses) {
        auto *access = cast<Instruction>(accesses.front());
        return builder.CreateGEP(getLoadStoreType(access), getLoadStorePointerOperand(access),
                                 function_.getArg(0));
    }

    Align alignment(const Tuple &accesses) const {
        Align least(uint64_t(size(*cast<Instruction>(accesses.front()))));
        for (Value *access : accesses)
            least = std::min(least, getLoadStoreAlignment(access));
        return least;
    }

    bool merge_stores(const Tuple &tuple) {
        if (!are_neighbours(tuple))
            return false;
        Instruction *latest =
            last(tuple, [](const Instruction &between) { return !between.mayReadOrWriteMemory(); });
        Tuple values;
        for (Value *store : tuple)
            values.push_back(cast<StoreInst>(store)->getValueOperand());
        Value *value = latest ? joined(values) : nullptr;
        if (!value)
            return false;
        IRBuilder<> builder(latest);
        auto *store = builder.CreateAlignedStore(value, address(builder, tuple), alignment(tuple));
        propagateMetadata(store, tuple);
        return true;
    }

    // Null: they differ in more than their components.
    Value *joined(const Tuple &tuple) {
        if (all_equal(tuple) && strides_.uniform(tuple.front()))
            return tuple.front();
        auto *first = dyn_cast<Instruction>(tuple.front());
        if (!first || !all_of(drop_begin(tuple), [&](Value *value) {
                auto *other = dyn_cast<Instruction>(value);
                return other && other->getParent() == first->getParent() &&
                       other->isSameOperationAs(first, Instruction::CompareIgnoringAlignment);
            }))
            return nullptr;
        if (auto found = known_.find(tuple); found != known_.end())
            return found->second;
        if (auto *phi = dyn_cast<PHINode>(first))
            return merged_phis(*phi, tuple);
        Value *result = isa<LoadInst>(first) ? merged_loads(tuple) : merged_operations(tuple);
        known_[tuple] = result;
        return result;
    }

    Value *merged_phis(PHINode &first, const Tuple &tuple) {
        auto *phi = IRBuilder<>(&first).CreatePHI(first.getType(), first.getNumIncomingValues());
        known_[tuple] = phi;
        for (BasicBlock *block : first.blocks()) {
            Tuple values;
            for (Value *value : tuple)
                values.push_back(cast<PHINode>(value)->getIncomingValueForBlock(block));
            Value *value = joined(values);
            if (!value)
                return nullptr;
            phi->addIncoming(value, block);
        }
        return phi;
    }

    Value *merged_loads(const Tuple &tuple) {
        if (!all_of(tuple, [](Value *load) { return cast<LoadInst>(load)->isSimple(); }) ||
            !are_neighbours(tuple))
            return nullptr;
        Instruction *latest =
            last(tuple, [](const Instruction &between) { return !between.mayWriteToMemory(); });
        if (!latest)
            return nullptr;
        IRBuilder<> builder(latest);
        auto *load =
            builder.CreateAlignedLoad(latest->getType(), address(builder, tuple), alignment(tuple));
        propagateMetadata(load, tuple);
        return load;
    }

    static bool may_be_joined(const Instruction &instruction) {
        auto *call = dyn_cast<CallInst>(&instruction);
        return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, FreezeInst>(
                   instruction) ||
               (call && call->doesNotAccessMemory() && !call->isConvergent());
    }

    Value *merged_operations(const Tuple &tuple) {
        if (!may_be_joined(*cast<Instruction>(tuple.front())))
            return nullptr;
        Instruction *latest = last(tuple, [](const Instruction &) { return true; });
        SmallVector<Value *, 4> operands;
        for (unsigned i = 0; i < latest->getNumOperands(); ++i) {
            Tuple values;
            for (Value *value : tuple)
                values.push_back(cast<Instruction>(value)->getOperand(i));
            operands.push_back(joined(values));
            if (!operands.back())
                return nullptr;
        }
        Instruction *result = latest->clone();
        for (auto [i, operand] : enumerate(operands))
            result->setOperand(unsigned(i), operand);
        for (Value *value : tuple)
            result->andIRFlags(value);
        propagateMetadata(result, tuple);
        result->insertAfter(latest->getIterator());
        return result;
    }

    Function &function_;
    Argument &first_;
    const DataLayout &layout_;
    const Uniformity &uniformity_;
    const StrideAnalysis &strides_;
    DenseMap<const Instruction *, unsigned> numbers_;
    std::vector<Instruction *> before_; // all there were, in order
    unsigned count_ = 0;
    std::vector<Tuple> stores_;
    std::map<Tuple, Value *> known_;
};

// Two stores next to each other: not yet worth a look otherwise.
bool has_neighbours(Function &work_item) {
    const DataLayout &layout = work_item.getDataLayout();
    for (BasicBlock &block : work_item) {
        const Value *last = nullptr;
        for (Instruction &instruction : block)
            if (auto *store = dyn_cast<StoreInst>(&instruction)) {
                const Value *base = base_and_offset(store->getPointerOperand(), layout).first;
                if (base == last)
                    return true;
                last = base;
            }
    }
    return false;
}

} // namespace

std::optional<Components> components_of(Function &work_item, FunctionAnalysisManager &analyses) {
    if (!has_neighbours(work_item))
        return std::nullopt;
    ValueToValueMapTy map;
    Function *function = clone_with_parameter(work_item, Type::getInt32Ty(work_item.getContext()),
                                              ".components", map);
    Argument &first = *std::prev(function->arg_end());
    first.setName("first");
    unsigned count = 0;
    if (!canonicalise(*function, analyses)) {
        DominatorTree dominators(*function);
        LoopInfo loops(dominators);
        const Uniformity uniformity(*function, 1);
        const ControlFlow flow(*function, loops, uniformity);
        if (flow.obstacle().empty())
            count = ComponentMerger(*function, first, uniformity,
                                    StrideAnalysis(*function, uniformity, flow))
                        .run();
    }
    analyses.clear(*function, function->getName());
    if (count != 0) {
        simplify_work_item(*function, analyses);
        return Components{function, count};
    }
    function->eraseFromParent();
    return std::nullopt;
}

} // namespace rivulet::compiler
