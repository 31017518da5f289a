// SPDX-License-Identifier: Apache-2.0
//
// Lets pointers that lanes move through a buffer be offsets of 32 bits from its beginning:
//
//     %p = phi ptr [ %start, … ], [ %next, … ]         %p.at = phi i32 [ %first, … ], [ %sum, … ]
//     %next = getelementptr inbounds i8, ptr %p, 1  →  %p = getelementptr i8, ptr %low, zext %p.at
//                                                      %sum = add i32 %p.at, 1
//
// as in `while (*p) ++p`. A vector of pointers takes twice the registers, and an access by it uses
// 64-bit addresses. Pointers that are the same for all lanes, or that lanes start at even distances
// and move together, stay as they are: their vectors aren't needed.
//
// All pointers must come from one argument by steps that are inbounds. So they are into the
// object that it points into or one past its end, unless they are poison. No object has more than
// 2 GiB (small_buffers.h), so the distance from the argument is between -2^31 and 2^31, and the
// offset is right modulo 2^32. It counts from 2 GiB before the argument, so it has no sign, as the
// offsets of RVV's accesses (with pointers of 32 bits, from the argument). Only one value does not
// fit: that of a pointer one past the end of an object of 2 GiB whose first byte the argument
// points to. Such a pointer can't be accessed, nor be moved upwards. So all other uses, such as the
// difference of pointers, must come after an access by the same pointer. Two offsets are equal
// modulo 2^32 if and only if the pointers are, because they are at most 2^31 apart.
//
// A pointer that is merged with others, such as null, would have to be computed in each iteration.
// It stays, too.
//
// Offsets have no flags, and what is computed of poison is computed of poison now.
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/support/function_pass.h"
#include "compiler/work_items/parameters.h"
#include "compiler/work_items/small_buffers.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(IndexPhisPass);

// How many merges of pointers may come between accesses by them and other uses. Loops have exits
// with a merge or two; not measured.
constexpr unsigned max_merges = 3;

namespace {

bool is_access(const Use &pointer) {
    const User *user = pointer.getUser();
    const unsigned operand = pointer.getOperandNo();
    return isa<LoadInst>(user) ||
           (isa<StoreInst>(user) && operand == StoreInst::getPointerOperandIndex()) ||
           (isa<AtomicRMWInst>(user) && operand == AtomicRMWInst::getPointerOperandIndex()) ||
           (isa<AtomicCmpXchgInst>(user) && operand == AtomicCmpXchgInst::getPointerOperandIndex());
}

bool is_buffer(const Value *value) {
    auto *argument = dyn_cast<Argument>(value);
    return argument && argument->hasAttribute(buffer_mark);
}

class IndexPhis {
public:
    explicit IndexPhis(Function &function)
        : function_(function), layout_(function.getDataLayout()), dominators_(function),
          loops_(dominators_), uniformity_(function, 1), sums_(layout_) {}

    bool run() {
        find_buffers();
        while (remove_unsafe()) {
        }
        choose();
        if (chosen_.empty())
            return false;
        make_offsets();
        replace();
        return true;
    }

private:
    // --- Which pointers are into one buffer -----------------------------------------------------

    // What the pointer was before steps that are inbounds.
    static Value *origin(Value *pointer) {
        while (auto *step = dyn_cast<GetElementPtrInst>(pointer)) {
            if (!step->isInBounds())
                break;
            pointer = step->getPointerOperand();
        }
        return pointer;
    }

    // The buffer that a pointer is into: null for none or several, nothing if it isn't known yet.
    std::optional<Argument *> buffer_of(Value *pointer) const {
        Value *from = origin(pointer);
        if (is_buffer(from))
            return cast<Argument>(from);
        auto *phi = dyn_cast<PHINode>(from);
        auto found = phi ? buffers_.find(phi) : buffers_.end();
        return found == buffers_.end() ? nullptr : found->second;
    }

    // A phi node's buffer starts as unknown and only becomes known, then none.
    void find_buffers() {
        for (Instruction &instruction : instructions(function_))
            if (auto *phi = dyn_cast<PHINode>(&instruction);
                phi && phi->getType()->isPointerTy() && is_in_small_buffer(*phi, function_))
                buffers_.insert({phi, std::nullopt});
        for (bool changed = true; changed;) {
            changed = false;
            for (auto &[phi, buffer] : buffers_) {
                std::optional<Argument *> common;
                for (Value *value : phi->incoming_values())
                    if (const auto one = buffer_of(value); one && common != one)
                        common = common ? nullptr : *one;
                changed |= std::exchange(buffer, common) != common;
            }
        }
        buffers_.remove_if([](const auto &entry) { return !entry.second.value_or(nullptr); });
    }

    // --- Where an offset may stand for a pointer ------------------------------------------------

    bool has_buffer(const Value *value) const {
        auto *phi = dyn_cast<PHINode>(value);
        return phi && buffers_.contains(const_cast<PHINode *>(phi));
    }

    // Whether an access by the pointer itself has come before: of a phi node, by each of its
    // values.
    bool is_accessed_before(const Use &use, unsigned depth = 0) const {
        const Value *pointer = use.get();
        if (is_buffer(pointer) || any_of(pointer->uses(), [&](const Use &other) {
                return is_access(other) &&
                       dominators_.dominates(cast<Instruction>(other.getUser()), use);
            }))
            return true;
        auto *phi = dyn_cast<PHINode>(pointer);
        return phi && depth < max_merges &&
               all_of(
                   phi->incoming_values(),
                   [&](const Use &one) { return is_accessed_before(one, depth + 1); });
    }

    // A comparison of pointers for equality, both with offsets from one buffer.
    bool compares_offsets(const User &user) const {
        auto *compare = dyn_cast<ICmpInst>(&user);
        if (!compare || !compare->isEquality())
            return false;
        const auto left = buffer_of(compare->getOperand(0));
        return left.value_or(nullptr) && left == buffer_of(compare->getOperand(1));
    }

    // Whether the use is undefined or gives poison for a pointer one past the end, or takes the
    // offset modulo 2^32.
    bool takes_any(const Use &use) const {
        const User *user = use.getUser();
        if (has_buffer(user) || is_access(use) || compares_offsets(*user))
            return true;
        auto *step = dyn_cast<GetElementPtrInst>(user);
        if (!step || !step->isInBounds() || use.getOperandNo() != 0)
            return false;
        APInt bytes(layout_.getIndexTypeSizeInBits(step->getType()), 0);
        return (step->accumulateConstantOffset(layout_, bytes) && bytes.isStrictlyPositive()) ||
               all_of(step->users(), [&](const User *next) { return has_buffer(next); });
    }

    bool is_merged_with_others(const User &user) const {
        return isa<PHINode>(user) && !has_buffer(&user);
    }

    bool remove_unsafe() {
        SmallPtrSet<PHINode *, 8> unsafe;
        for (auto &[phi, buffer] : buffers_)
            if (any_of(phi->incoming_values(),
                       [&](Value *value) { return !buffer_of(value).value_or(nullptr); }) ||
                any_of(phi->uses(), [&](const Use &use) {
                    return is_merged_with_others(*use.getUser()) ||
                           (!takes_any(use) && !is_accessed_before(use));
                }))
                unsafe.insert(phi);
        buffers_.remove_if([&](const auto &entry) { return unsafe.contains(entry.first); });
        return !unsafe.empty();
    }

    // --- Which are worth it ---------------------------------------------------------------------

    // The same for all lanes, or apart by the same from each to the next.
    bool is_even(Value *index) {
        const AffineSum &sum = sums_.of(index, Meaning::modulo);
        return all_of(sum.terms, [&](const auto &term) {
            return all_of(term.first, [&](unsigned number) {
                Value *leaf = number ? sums_.leaf(number).value : nullptr;
                return !leaf || isa<Argument>(leaf) || uniformity_.uniform(*leaf);
            });
        });
    }

    bool moves_evenly(PHINode &phi) {
        for (Value *pointer : phi.incoming_values())
            while (auto *step = dyn_cast<GetElementPtrInst>(pointer)) {
                if (!all_of(step->indices(), [&](Value *index) { return is_even(index); }))
                    return false;
                pointer = step->getPointerOperand();
            }
        return true;
    }

    // Phi nodes are chosen with all that they get values from, give values to or are compared with.
    void choose() {
        SmallVector<Value *> pending;
        for (auto &[phi, buffer] : buffers_)
            if (loops_.isLoopHeader(phi->getParent()) && !uniformity_.uniform(*phi) &&
                !moves_evenly(*phi))
                pending.push_back(phi);
        while (!pending.empty()) {
            Value *next = pending.pop_back_val();
            if (!has_buffer(next) || !chosen_.insert({cast<PHINode>(next), nullptr}).second)
                continue;
            for (Value *value : cast<PHINode>(next)->incoming_values())
                pending.push_back(origin(value));
            for (User *user : next->users()) {
                pending.push_back(user);
                if (isa<GetElementPtrInst>(user))
                    append_range(pending, user->users());
                else if (compares_offsets(*user))
                    for (Value *compared : user->operands())
                        pending.push_back(origin(compared));
            }
        }
    }

    // --- The rewrite ----------------------------------------------------------------------------

    // From where offsets are counted, in bytes from the buffer.
    int64_t lowest(const Value &pointer) const {
        return layout_.getIndexTypeSizeInBits(pointer.getType()) > 32 ? INT32_MIN : 0;
    }

    // The distance in bytes, modulo 2^32.
    Value *offset_of(Value *pointer, IRBuilder<> &builder) {
        Type *word = builder.getInt32Ty();
        if (isa<Argument>(pointer))
            return ConstantInt::get(word, uint64_t(-lowest(*pointer)));
        if (auto *phi = dyn_cast<PHINode>(pointer))
            return chosen_.lookup(phi);
        auto *step = cast<GetElementPtrInst>(pointer);
        Value *sum = offset_of(step->getPointerOperand(), builder);
        for (auto at = gep_type_begin(step), end = gep_type_end(step); at != end; ++at) {
            Value *part = nullptr;
            if (StructType *structure = at.getStructTypeOrNull()) {
                const auto field = unsigned(cast<ConstantInt>(at.getOperand())->getZExtValue());
                part = ConstantInt::get(word,
                                        layout_.getStructLayout(structure)->getElementOffset(field),
                                        /*IsSigned=*/false, /*ImplicitTrunc=*/true);
            } else {
                const uint64_t bytes = at.getSequentialElementStride(layout_).getFixedValue();
                part = builder.CreateSExtOrTrunc(at.getOperand(), word);
                if (bytes != 1)
                    part = builder.CreateMul(part, ConstantInt::get(word, bytes, /*IsSigned=*/false,
                                                                    /*ImplicitTrunc=*/true));
            }
            sum = builder.CreateAdd(sum, part);
        }
        return sum;
    }

    // Offsets are computed where the pointer is, so each once.
    Value *offset_once(Value *pointer) {
        auto *step = dyn_cast<GetElementPtrInst>(pointer);
        Value *&offset = offsets_[pointer];
        if (!offset) {
            IRBuilder<> builder(step ? step : &*function_.getEntryBlock().getFirstInsertionPt());
            offset = offset_of(pointer, builder);
        }
        return offset;
    }

    void make_offsets() {
        for (auto &[phi, offset] : chosen_) {
            offset = PHINode::Create(Type::getInt32Ty(function_.getContext()),
                                     phi->getNumIncomingValues(), phi->getName() + ".at",
                                     phi->getIterator());
            offset->setDebugLoc(phi->getDebugLoc());
        }
        for (auto &[phi, offset] : chosen_)
            for (auto [value, from] : zip(phi->incoming_values(), phi->blocks()))
                offset->addIncoming(offset_once(value), from);
        SmallSetVector<ICmpInst *, 8> compares;
        for (auto &[phi, offset] : chosen_)
            for (User *user : phi->users())
                if (compares_offsets(*user))
                    compares.insert(cast<ICmpInst>(user));
        for (ICmpInst *compare : compares) {
            IRBuilder<> builder(compare);
            compare->replaceAllUsesWith(builder.CreateICmp(compare->getPredicate(),
                                                           offset_once(compare->getOperand(0)),
                                                           offset_once(compare->getOperand(1))));
            compare->eraseFromParent();
        }
    }

    void replace() {
        SmallVector<WeakTrackingVH> replaced;
        for (auto &[phi, offset] : chosen_) {
            IRBuilder<> builder(&*phi->getParent()->getFirstInsertionPt());
            Type *index = layout_.getIndexType(phi->getType());
            Value *low = builder.CreatePtrAdd(*buffers_.lookup(phi),
                                              ConstantInt::getSigned(index, lowest(*phi)));
            phi->replaceAllUsesWith(
                builder.CreatePtrAdd(low, builder.CreateZExt(offset, index), phi->getName()));
            replaced.emplace_back(phi);
        }
        RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    }

    Function &function_;
    const DataLayout &layout_;
    DominatorTree dominators_;
    LoopInfo loops_;
    Uniformity uniformity_;
    AffineExpressions sums_;
    MapVector<PHINode *, std::optional<Argument *>> buffers_;
    MapVector<PHINode *, PHINode *> chosen_; // and their offsets
    DenseMap<Value *, Value *> offsets_;
};

} // namespace

PreservedAnalyses IndexPhisPass::run(Function &function, FunctionAnalysisManager &) {
    return preserved_unless(IndexPhis(function).run());
}

} // namespace rivulet::compiler
