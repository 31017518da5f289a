// SPDX-License-Identifier: Apache-2.0
//
// Makes multiply-adds whose factors are extended from half the width widening ones: vfwmacc
// extends by itself. LLVM's patterns do so only if the extension has no other use. Where rows are
// jammed, several sums take the same factor, and each factor would be converted into twice as many
// registers first. This pass takes an extension away if all of its users can do without it; if one
// can't, the wide value is there anyway.
//
// The result is the same: an extension is exact, and both round once, to the wide type. A
// multiplication and an addition that round twice stay as they are, since only llvm.fma, and
// llvm.fmuladd, which permits it, become one instruction.
//
// Runs after the passes that know llvm.fma, and before those that count registers.
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsRISCV.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/operations.h"
#include "compiler/analysis/target_features.h"
#include "compiler/analysis/vector_registers.h"
#include "compiler/rvv/ir/demanded_vl.h"
#include "compiler/rvv/ir/vector_liveness.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(WideningFmaPass);

namespace {

constexpr uint64_t dynamic_rounding = 7; // as frm says, like llvm.fma
constexpr uint64_t agnostic = 3;         // of elements beyond VL

struct Factor {
    Value *narrow = nullptr;       // a vector, or the scalar of a splat; null for a constant
    CastInst *extension = nullptr; // of a vector
    const APFloat *constant = nullptr;
    bool negated = false;
};

// The factor without its extension, and without a negation before or behind it.
Factor factor_of(Value *wide) {
    Factor factor;
    auto strip_negation = [&](Value *&value) {
        if (match(value, m_FNeg(m_Value(value))))
            factor.negated = !factor.negated;
    };
    strip_negation(wide);
    if (match(wide, m_APFloat(factor.constant)))
        return factor;
    if (Value *scalar = getSplatValue(wide)) {
        strip_negation(scalar);
        match(scalar, m_FPExt(m_Value(factor.narrow)));
    } else if (match(wide, m_FPExt(m_Value(factor.narrow)))) {
        factor.extension = cast<CastInst>(wide);
    }
    return factor;
}

class WideningFma {
public:
    WideningFma(Function &function, const DominatorTree &dominators)
        : function_(function), dominators_(dominators), lengths_(function, dominators) {}

    bool run() {
        for (Instruction &instruction : instructions(function_))
            if (is_fma(instruction))
                if (auto factors = factors_of(instruction))
                    candidates_.insert({&instruction, *factors});
        while (drop_some()) {
        }
        SmallVector<WeakTrackingVH> replaced;
        for (auto &[fma, factors] : candidates_) {
            Value *one = widening(*fma, factors);
            one->takeName(fma);
            fma->replaceAllUsesWith(one);
            replaced.emplace_back(fma);
        }
        RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
        return !candidates_.empty();
    }

private:
    using Factors = std::array<Factor, 2>;
    using Candidate = std::pair<Instruction *, Factors>;

    // The factors, if an instruction exists for them: a vector first, and then a vector or scalar.
    std::optional<Factors> factors_of(Instruction &fma) const {
        auto *type = dyn_cast<ScalableVectorType>(fma.getType());
        // Half a register is the least that a vector unit with elements of 32 bits has.
        if (!type || registers_of(*type) > largest_lmul || type->getMinNumElements() < 2)
            return std::nullopt;
        Factors factors{factor_of(fma.getOperand(0)), factor_of(fma.getOperand(1))};
        if (!factors[0].extension)
            std::swap(factors[0], factors[1]);
        auto &[vector, other] = factors;
        if (!vector.extension)
            return std::nullopt;
        Type *narrow = vector.narrow->getType()->getScalarType();
        if (!has_widening_fma(function_, *narrow, *type->getElementType()))
            return std::nullopt;
        if (other.constant) {
            APFloat value = *other.constant;
            bool inexact = true;
            value.convert(narrow->getFltSemantics(), APFloat::rmNearestTiesToEven, &inexact);
            if (inexact || value.isNaN())
                return std::nullopt;
            other.narrow = ConstantFP::get(narrow, value);
        }
        if (!other.narrow || other.narrow->getType()->getScalarType() != narrow ||
            (narrow->isBFloatTy() && vector.negated != other.negated))
            return std::nullopt;
        return factors;
    }

    // Drops candidates that share an extension with another user. Each keeps its own extensions, of
    // which other candidates may have been the only other users.
    bool drop_some() {
        const SmallVector<Candidate> all(candidates_.begin(), candidates_.end());
        const size_t before = candidates_.size();
        for (const auto &[fma, factors] : all)
            if (any_of(factors, [&](const Factor &factor) {
                    return factor.extension && !can_go(*factor.extension);
                }))
                candidates_.erase(fma);
        return candidates_.size() < before;
    }

    // Whether all users are multiply-adds that extend this factor themselves.
    bool can_go(const Value &extension) const {
        return all_of(extension.uses(), [&](const Use &use) {
            auto *user = cast<Instruction>(use.getUser());
            return is_fma(*user) ? use.getOperandNo() < 2 && candidates_.contains(user)
                                 : match(user, m_FNeg(m_Value())) && can_go(*user);
        });
    }

    Value *widening(Instruction &fma, const Factors &factors) {
        const auto &[vector, other] = factors;
        IRBuilder<> builder(&fma);
        Type *type = fma.getType();
        Type *xlen = function_.getDataLayout().getIntPtrType(function_.getContext());
        IntrinsicInst *known = lengths_.of(fma); // by what its users need, which may come later
        Value *length = Constant::getAllOnesValue(xlen); // VLMAX
        if (known && dominators_.dominates(known, &fma))
            length = known;
        const Intrinsic::ID id = vector.narrow->getType()->getScalarType()->isBFloatTy()
                                     ? Intrinsic::riscv_vfwmaccbf16
                                 : vector.negated != other.negated ? Intrinsic::riscv_vfwnmsac
                                                                   : Intrinsic::riscv_vfwmacc;
        return builder.CreateIntrinsic(
            id, {type, other.narrow->getType(), vector.narrow->getType(), xlen},
            {fma.getOperand(2), other.narrow, vector.narrow,
             ConstantInt::get(xlen, dynamic_rounding), length, ConstantInt::get(xlen, agnostic)});
    }

    Function &function_;
    const DominatorTree &dominators_;
    const DemandedVl lengths_;
    MapVector<Instruction *, Factors> candidates_;
};

} // namespace

PreservedAnalyses WideningFmaPass::run(Function &function, FunctionAnalysisManager &analyses) {
    return preserved_unless(
        WideningFma(function, analyses.getResult<DominatorTreeAnalysis>(function)).run());
}

} // namespace rivulet::compiler
