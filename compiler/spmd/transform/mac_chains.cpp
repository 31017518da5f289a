// SPDX-License-Identifier: Apache-2.0
//
// Reorders sums of products of narrow integers into chains that add one product after the other,
// for example a filter's weighted sum of bytes. vwmacc adds a product of two narrow values to a
// wide sum in one instruction. In the balanced tree of products and additions that Reassociate and
// InstCombine leave, each product takes a multiplication and an addition, and more values are live
// at a time. spmd/codegen/widen_mac.cpp makes the instructions.
//
// Integer sums may be reordered modulo 2^n, so the new operations have no flags. Only operations
// with a single use, in one block, are taken apart: others would be computed twice.
#include "compiler/spmd/transform/mac_chains.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/analysis/operations.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(MacChainsPass);

// A sum of at least so many products of narrow integers becomes a chain of widening multiply-adds.
constexpr unsigned mac_chain_min_products = 3; // products

namespace {

// The value as another one times a constant.
std::pair<Value *, int64_t> split_factor(Value *value) {
    const auto step = affine_step(*value, Meaning::ring);
    if (step && step->is_product) {
        auto *by = dyn_cast<ConstantInt>(step->right);
        if (by && by->getValue().isSignedIntN(16))
            return {step->left, by->getSExtValue()};
    } else if (step && !step->right && isUInt<16>(step->left_factor)) {
        return {step->left, step->left_factor};
    }
    return {value, 1};
}

// A product that vwmacc can add: an extension from half the width times a constant that fits into
// half the width as well, without sign if the value has none and the product is added, with sign
// otherwise.
std::optional<WideProduct> of_half(Value *value, int64_t factor) {
    auto *extension = dyn_cast<CastInst>(value);
    if (!extension || !isa<ZExtInst, SExtInst>(extension))
        return std::nullopt;
    unsigned bits = extension->getSrcTy()->getScalarSizeInBits();
    bool is_signed = isa<SExtInst>(extension);
    auto size = uint64_t(std::abs(factor));
    if (bits < 8 || bits * 2 != value->getType()->getScalarSizeInBits() ||
        !(is_signed || factor < 0 ? isUIntN(bits - 1, size) : isUIntN(bits, size)))
        return std::nullopt;
    return WideProduct{extension->getOperand(0), is_signed, factor};
}

class Sum {
public:
    explicit Sum(Instruction &root) : root_(root) { add(&root, 1); }

    // Replaces the root by a chain of products. At most one term may be no product: the chain
    // starts with it, and of several it would be a tree again.
    void make_chain() {
        auto products = count_if(terms_, [](const Term &term) { return bool(term.product); });
        auto others = long(terms_.size()) - products;
        if (products < mac_chain_min_products || others > 1)
            return;
        IRBuilder<> builder(&root_);
        Value *chain = nullptr;
        for (const Term &term : ordered()) {
            Value *value = term.value;
            int64_t factor = term.factor;
            if (chain && factor != 1 && factor != -1)
                value = builder.CreateMul(
                    value, ConstantInt::get(value->getType(), uint64_t(std::abs(factor))));
            else if (!chain && factor != 1)
                value = builder.CreateMul(value, ConstantInt::getSigned(value->getType(), factor));
            chain = !chain       ? value
                    : factor < 0 ? builder.CreateSub(chain, value)
                                 : builder.CreateAdd(chain, value);
        }
        chain->takeName(&root_);
        root_.replaceAllUsesWith(chain);
        RecursivelyDeleteTriviallyDeadInstructions(&root_);
    }

private:
    struct Term {
        Value *value;
        int64_t factor;
        bool product;

        // The term that isn't a product comes first, then terms without a factor, positive ones
        // before negative ones so that the chain starts without a negation. Products of values that
        // have other uses, and stay live anyway, precede those that end here.
        static constexpr int last_rank = 4;
        int rank() const {
            bool single = value->hasOneUse() || (isa<CastInst>(value) &&
                                                 cast<CastInst>(value)->getOperand(0)->hasOneUse());
            return !product ? 0 : factor == 1 ? 1 : factor == -1 ? 2 : single ? 4 : 3;
        }
    };

    SmallVector<Term, 8> ordered() const {
        SmallVector<Term, 8> terms;
        for (int rank = 0; rank <= Term::last_rank; ++rank)
            copy_if(terms_, std::back_inserter(terms),
                    [&](const Term &term) { return term.rank() == rank; });
        return terms;
    }

    void add(Value *value, int64_t factor) {
        auto *operation = dyn_cast<Instruction>(value);
        bool inside =
            operation && (operation == &root_ ||
                          (operation->hasOneUse() && operation->getParent() == root_.getParent()));
        if (inside && is_sum(operation)) {
            add(operation->getOperand(0), factor);
            add(operation->getOperand(1),
                operation->getOpcode() == Instruction::Sub ? -factor : factor);
            return;
        }
        if (auto [inner, by] = split_factor(value); inside && by != 1 && std::abs(factor) < 4096) {
            add(inner, factor * by);
            return;
        }
        terms_.push_back({value, factor, bool(of_half(value, factor))});
    }

    Instruction &root_;
    SmallVector<Term, 8> terms_;
};

} // namespace

std::optional<WideProduct> wide_product(Value *value) {
    auto [inner, factor] = split_factor(value);
    return of_half(inner, factor);
}

// c + 2f + i - (a + 2d + g), a column of Sobel's operator, becomes c + i - a - g + 2f - 2d.
PreservedAnalyses MacChainsPass::run(Function &function, FunctionAnalysisManager &) {
    SmallVector<WeakTrackingVH> roots;
    for (Instruction &instruction : instructions(function)) {
        if (!is_sum(&instruction) || !instruction.getType()->isIntegerTy())
            continue;
        auto *user =
            instruction.hasOneUse() ? dyn_cast<Instruction>(*instruction.user_begin()) : nullptr;
        if (!user || !(is_sum(user) || split_factor(user).second != 1) ||
            user->getParent() != instruction.getParent())
            roots.push_back(&instruction);
    }
    for (WeakTrackingVH &root : roots)
        if (root)
            Sum(*cast<Instruction>(root)).make_chain();
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
