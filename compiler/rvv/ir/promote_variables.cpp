// SPDX-License-Identifier: Apache-2.0
//
// Keeps variables in vector registers from block to block, as long as registers suffice. Values
// that live over a barrier are stored to variables (workgroup/context_values.cpp). If a whole
// work-group is one strip, all accesses to such a variable are accesses to one vector, and a loop
// with a barrier needs no store and no load for the values that it carries. LLVM's SROA promotes no
// vectors of scalable length out of variables of a fixed size, and takes vp.load and vp.store for
// calls that the address escapes to.
//
// A variable is promoted if nothing but unmasked loads and stores of its first bytes uses it, each
// load reads lanes that all stores write, and the blocks in which it is live have registers left.
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/analysis/limits.h"
#include "compiler/rvv/ir/vector_liveness.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(PromoteVariablesPass);

namespace {

struct Access {
    Instruction *instruction;
    Type *type;
    bool stores;
    uint64_t lanes; // that are read or written

    // Not kept here: it may be the load of another variable, which was replaced meanwhile.
    Value *stored() const { return instruction->getOperand(0); }
};

using Blocks = SmallPtrSet<BasicBlock *, 16>;

class Variable {
public:
    Variable(AllocaInst &variable, std::optional<unsigned> vscale)
        : variable_(variable), vscale_(vscale) {}

    // Whether all uses are accesses to one vector.
    bool is_vector() {
        if (variable_.isUsedByMetadata())
            return false; // debuggers read it
        for (Use &use : variable_.uses())
            if (!add(use))
                return false;
        uint64_t read = 0, written = ~uint64_t(0);
        for (const Access &access : accesses_) {
            if (access.type != accesses_.front().type)
                return false;
            if (access.stores)
                written = std::min(written, access.lanes);
            else
                read = std::max(read, access.lanes);
        }
        return read > 0 && read <= written;
    }

    VectorType &type() const { return cast<VectorType>(*accesses_.front().type); }

    // The blocks that a value of the variable lives through, or from or to which it does.
    Blocks live_blocks() const {
        Blocks storing, live;
        SmallVector<BasicBlock *> pending;
        for (const Access &access : accesses_) {
            BasicBlock *block = access.instruction->getParent();
            live.insert(block);
            if (access.stores)
                storing.insert(block);
        }
        for (const Access &access : accesses_)
            if (!access.stores && is_live_in(access))
                pending.push_back(access.instruction->getParent());
        Blocks live_in(pending.begin(), pending.end());
        while (!pending.empty())
            for (BasicBlock *before : predecessors(pending.pop_back_val())) {
                live.insert(before);
                if (!storing.contains(before) && live_in.insert(before).second)
                    pending.push_back(before);
            }
        return live;
    }

    // Makes plain accesses of all, which LLVM promotes.
    AllocaInst *as_vector() {
        IRBuilder<> builder(&variable_);
        AllocaInst *vector = builder.CreateAlloca(&type());
        for (const Access &access : accesses_) {
            builder.SetInsertPoint(access.instruction);
            if (access.stores)
                builder.CreateStore(access.stored(), vector);
            else
                access.instruction->replaceAllUsesWith(builder.CreateLoad(&type(), vector));
            access.instruction->eraseFromParent();
        }
        for (User *user : make_early_inc_range(variable_.users()))
            cast<LifetimeIntrinsic>(user)->eraseFromParent();
        variable_.eraseFromParent();
        return vector;
    }

private:
    bool add(Use &use) {
        auto *user = cast<Instruction>(use.getUser());
        if (isa<LifetimeIntrinsic>(user))
            return true;
        Value *stored = nullptr, *length = nullptr;
        Type *type = user->getType();
        if (auto *load = dyn_cast<LoadInst>(user)) {
            if (!load->isSimple())
                return false;
        } else if (auto *store = dyn_cast<StoreInst>(user)) {
            if (!store->isSimple() || use.getOperandNo() != StoreInst::getPointerOperandIndex())
                return false;
            stored = store->getValueOperand();
        } else if (match(user, m_Intrinsic<Intrinsic::vp_load>(m_Value(), m_AllOnes(),
                                                               m_Value(length)))) {
        } else if (match(user, m_Intrinsic<Intrinsic::vp_store>(m_Value(stored), m_Value(),
                                                                m_AllOnes(), m_Value(length)))) {
            if (use.getOperandNo() != 1)
                return false;
        } else {
            return false;
        }
        if (stored)
            type = stored->getType();
        auto *vector = dyn_cast<ScalableVectorType>(type);
        if (!vector || !is_plain(*vector))
            return false;
        const std::optional<uint64_t> lanes = lanes_of(*vector, length);
        if (!lanes)
            return false;
        accesses_.push_back({user, type, stored != nullptr, *lanes});
        return true;
    }

    std::optional<uint64_t> lanes_of(ScalableVectorType &type, Value *length) const {
        if (length) {
            if (auto *constant = dyn_cast<ConstantInt>(length))
                return constant->getZExtValue();
            return std::nullopt;
        }
        if (vscale_)
            return uint64_t(*vscale_) * type.getMinNumElements();
        return std::nullopt;
    }

    // Whether the variable was not stored to in the load's block before the load.
    bool is_live_in(const Access &load) const {
        return none_of(accesses_, [&](const Access &access) {
            return access.stores &&
                   access.instruction->getParent() == load.instruction->getParent() &&
                   access.instruction->comesBefore(load.instruction);
        });
    }

    AllocaInst &variable_;
    std::optional<unsigned> vscale_;
    SmallVector<Access> accesses_;
};

// The exact number, if the function states it.
std::optional<unsigned> exact_vscale(const Function &function) {
    const Attribute range = function.getFnAttribute(Attribute::VScaleRange);
    if (!range.isValid() || range.getVScaleRangeMax() != range.getVScaleRangeMin())
        return std::nullopt;
    return range.getVScaleRangeMax();
}

} // namespace

PreservedAnalyses PromoteVariablesPass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<Variable> variables;
    for (Instruction &instruction : function.getEntryBlock())
        if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
            if (Variable variable(*alloca, exact_vscale(function)); variable.is_vector())
                variables.push_back(std::move(variable));
    if (variables.empty())
        return PreservedAnalyses::all();

    const VectorLiveness liveness(function);
    DenseMap<BasicBlock *, unsigned> used;
    SmallVector<AllocaInst *> promotable;
    for (Variable &variable : variables) {
        const Blocks live = variable.live_blocks();
        const unsigned size = registers_of(variable.type());
        auto has_room = [&](BasicBlock *block) {
            auto [entry, inserted] = used.try_emplace(block);
            if (inserted)
                entry->second = liveness.most_used(*block);
            return entry->second + size <= comfortable_vector_registers;
        };
        if (!all_of(live, has_room))
            continue;
        for (BasicBlock *block : live)
            used[block] += size;
        promotable.push_back(variable.as_vector());
    }
    if (promotable.empty())
        return PreservedAnalyses::all();
    DominatorTree dominators(function);
    PromoteMemToReg(promotable, dominators);
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
