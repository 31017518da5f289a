// SPDX-License-Identifier: Apache-2.0
//
// Splits a row into its borders and an interior in which comparisons of x with limits are decided,
// such as those that keep a filter inside its image, and remainders of x don't wrap. Strips of the
// interior run a clone of the function with these conditions folded, without masks and gathers. In
// a filter of an image of 1,000 columns all but a few work-items are in the interior.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_BORDER_PEELING_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_BORDER_PEELING_H

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/analysis/block_hotness.h"

namespace rivulet::compiler {

class BorderPeeling {
public:
    // Nothing if no interior is worth a clone. May insert computations of loop limits into the
    // function's entry block.
    static std::optional<BorderPeeling> of(llvm::Function &work_item, bool long_rows,
                                           llvm::FunctionAnalysisManager &analyses);

    // Replaces the decided conditions in a clone of the function, which work-items inside run.
    void apply_assumptions(const llvm::ValueToValueMapTy &clone) const;

    // Source locations of the conditions that are decided inside, for remarks.
    llvm::ArrayRef<llvm::DebugLoc> locations() const { return locations_; }

    // Whether its range doesn't depend on the parameter.
    bool is_apart_from(const llvm::Argument &parameter) const;

    // [low, high) of the row [begin, end); low = high = end when nothing is inside.
    std::pair<llvm::Value *, llvm::Value *>
    range(llvm::IRBuilderBase &builder, llvm::Value *begin, llvm::Value *end,
          llvm::DenseMap<llvm::Value *, llvm::Value *> &parameters) const;

private:
    struct Term {
        unsigned value; // of values_
        bool is_signed;
        int64_t factor;
        auto operator<=>(const Term &) const = default;
    };
    struct Sum {
        int64_t constant = 0;
        std::vector<Term> terms; // sorted
        bool operator==(const Sum &) const = default;
    };
    // factor · x + something from least to most: what it is in different iterations of loops.
    struct Linear {
        int64_t factor = 0;
        Sum least, most;
        bool exact = true; // as signed numbers; else modulo 2^32
    };
    // factor · x ≥ Σ terms + a constant, or below it; whatever x is where the factor is zero.
    struct Edge {
        bool low;
        int64_t factor;
        std::vector<Term> terms;
        auto operator<=>(const Edge &) const = default;
    };
    enum class Outcome { unknown, yes, no };

    Sum sum(const Sum &a, const Sum &b, int64_t factor) const;
    Linear sum(const Linear &a, const Linear &b, int64_t factor) const;
    static Outcome likely_outcome(const llvm::ICmpInst &compare, const RareBlocks &rare);
    static bool sane(const Linear &value);

    std::optional<Linear> parse(llvm::Value *value, bool is_signed, unsigned depth = 0);
    Linear leaf(llvm::Value *value, bool is_signed);
    std::optional<Linear> iterations(llvm::PHINode &phi, unsigned depth);
    bool within(const Linear &value, int64_t low, int64_t high);
    bool is_exact_in_width(const Linear &value, bool is_signed);
    bool at_least(const Linear &value, int64_t low);
    bool below(const Linear &value, int64_t high);
    bool add(bool low, int64_t factor, Sum limit);
    void visit(llvm::ICmpInst &compare, const RareBlocks &rare);
    void visit(llvm::MinMaxIntrinsic &choice);
    void visit(llvm::BinaryOperator &division);

    llvm::ScalarEvolution *evolution_ = nullptr;
    bool is_sanitized_ = false;
    std::vector<llvm::Value *> values_; // of 32 bits, or of 64 and small
    std::map<Edge, int64_t> edges_;
    std::vector<std::pair<llvm::Instruction *, llvm::Value *>> settled_;
    llvm::SmallVector<llvm::DebugLoc, 4> locations_;
};

} // namespace rivulet::compiler

#endif
