// SPDX-License-Identifier: Apache-2.0
//
// Integers and pointers as affine sums: a constant plus terms, each of which is a constant factor
// times a leaf, or times a product of leaves. affine_step() is the only place that knows which
// operations may be taken apart, and which flags prove that nothing wraps.
//
// The caller chooses what a sum means. For a value of n bits:
//
//   as_signed    Where the value isn't poison, the sum equals it as a signed number. Each leaf is
//   as_unsigned  read as a signed or an unsigned number (Leaf::meaning), and the sum is over the
//                integers: nothing in it wraps, so it can be computed in any type that is wide
//                enough. nsw, nuw, nneg and disjoint prove this, each for its own operation.
//   modulo       Where the value isn't poison, the sum equals it modulo 2^n. Leaves narrower than
//                the value are read as signed or unsigned numbers; the upper bits of wider ones
//                don't matter.
//   ring         Modulo 2^n, the sum equals what the value's operations compute without their
//                flags. It relies on no flag, so code may be rewritten by such sums if its flags
//                are dropped. All leaves have the value's width, and none cancels out: the sum is
//                poison only where a leaf is.
//
// A leaf isn't poison where the value isn't. Where the value is poison, the first three promise
// nothing: code that computes a sum where the value might be poison must not have flags.
//
// Factors and constants have 64 bits. They wrap in the last two meanings and are checked in the
// first two. A value is a leaf if its operation is unknown, if a factor overflows, or if its sum
// would be too long or too deep. A value is taken apart once for each meaning, so the cost is
// linear in the size of the function.
#ifndef RIVULET_COMPILER_ANALYSIS_AFFINE_EXPRESSION_H
#define RIVULET_COMPILER_ANALYSIS_AFFINE_EXPRESSION_H

#include <array>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "compiler/analysis/limits.h"

namespace rivulet::compiler {

// Pointers, and integers of at most 64 bits.
bool is_scalar(const llvm::Type *type);

enum class Meaning : unsigned { as_signed, as_unsigned, modulo, ring };

constexpr Meaning as_number(bool is_signed) {
    return is_signed ? Meaning::as_signed : Meaning::as_unsigned;
}

// One operation: left · right, or left · left_factor + right · right_factor, whose operands are
// read as `operands` says. `right` may be null.
struct AffineStep {
    llvm::Value *left = nullptr;
    llvm::Value *right = nullptr;
    Meaning operands;
    bool is_product = false;
    int64_t left_factor = 1;
    int64_t right_factor = 1;

    // left + right
    bool is_sum() const { return right && !is_product && right_factor == 1; }
};
// Returns nothing for other operations, or if the flags don't prove what the meaning says.
std::optional<AffineStep> affine_step(const llvm::Value &value, Meaning meaning);

struct AffineSum {
    // A product of up to three leaves: their numbers in ascending order, 0 for none.
    using Term = std::array<unsigned, 3>;

    llvm::SmallVector<std::pair<Term, int64_t>, 4> terms = {}; // and their factors; sorted
    int64_t constant = 0;
    bool is_exact = false;  // over the integers; otherwise modulo 2^64
    bool cancelled = false; // a leaf has dropped out

    // a + b · factor, or nothing if an exact sum overflows.
    static std::optional<AffineSum> combine(AffineSum a, const AffineSum &b, int64_t factor);
    // False if an exact sum overflows.
    [[nodiscard]] bool add(Term term, int64_t factor);
};

class AffineExpressions {
public:
    struct Limits {
        size_t terms = affine_max_terms; // longer sums become leaves
        unsigned leaves = 3;             // of a product; 1: factors are constants only
        std::function<bool(llvm::Value *)> is_leaf = {}; // not to be taken apart
    };
    struct Leaf {
        llvm::Value *value;
        Meaning meaning; // as_signed or as_unsigned; otherwise its low bits count
    };

    explicit AffineExpressions(const llvm::DataLayout &layout)
        : AffineExpressions(layout, Limits()) {}
    AffineExpressions(const llvm::DataLayout &layout, Limits limits)
        : layout_(layout), limits_(std::move(limits)) {}

    // Pointers have sums in `modulo` and `ring` only.
    const AffineSum &of(llvm::Value *value, Meaning meaning);

    const Leaf &leaf(unsigned number) const { return leaves_[number - 1]; }

    // How far an exact sum, and any part of it, may be from zero; saturates.
    uint64_t magnitude(const AffineSum &sum) const;

    // The rest is for sums in `ring`. The sum of a leaf is the leaf itself.
    bool is_leaf(llvm::Value *value) const { return ring_leaves_.contains(value); }

    // Gives the value's sum to `by`. False if that had one already.
    bool replace(llvm::Value *value, llvm::Value *by);

    // Drops the flags of all operations of the sum, so that the value may be used where they don't
    // hold.
    void forget_flags(llvm::Value *value);

private:
    using Key = llvm::PointerIntPair<llvm::Value *, 2, Meaning>;
    struct Hash {
        size_t operator()(Key key) const { return std::hash<void *>()(key.getOpaqueValue()); }
    };

    unsigned number(llvm::Value *value, Meaning meaning);
    std::optional<AffineSum> made_of(llvm::Value *value, Meaning meaning);
    std::optional<AffineSum> product(const AffineSum &left, const AffineSum &right) const;
    std::optional<AffineSum> address(llvm::GEPOperator &address, Meaning meaning);
    // The sum of a phi that merges x + 32 with the constant 32 on an edge that is taken only if x
    // is 0: it is x + 32 on both edges.
    std::optional<AffineSum> same_on_all_ways(llvm::PHINode &phi) const;

    const llvm::DataLayout &layout_;
    Limits limits_;
    unsigned depth_ = 0;
    std::unordered_map<Key, AffineSum, Hash> sums_;
    llvm::DenseMap<Key, unsigned> numbers_;
    std::vector<Leaf> leaves_;
    llvm::SmallPtrSet<llvm::Value *, 32> ring_leaves_, plain_;
};

} // namespace rivulet::compiler

#endif
