// SPDX-License-Identifier: Apache-2.0
//
// Scalars as linear expressions: sums of products of values, each times a constant, plus a
// constant.
#ifndef RIVULET_COMPILER_ANALYSIS_LINEAR_EXPRESSION_H
#define RIVULET_COMPILER_ANALYSIS_LINEAR_EXPRESSION_H

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

// Pointers, and integers of at most 64 bits.
bool is_scalar(const llvm::Type *type);

class LinearExpressions {
public:
    // The product of up to so many values, by their numbers, sorted; 0: none.
    using Term = std::array<unsigned, 3>;

    // Modulo 2^64, which is enough for all widths.
    struct Sum {
        llvm::SmallVector<std::pair<Term, uint64_t>, 4> terms; // and how many times; sorted
        uint64_t constant = 0;
        bool lost = false; // something that is part of it is no term: poison, maybe

        void add(Term term, uint64_t times);
        void add(const Sum &other, uint64_t times);
    };

    explicit LinearExpressions(const llvm::DataLayout &layout) : layout_(layout) {}

    const Sum &of(llvm::Value *value);

    // The value with a number. A leaf's sum is itself.
    llvm::Value *leaf(unsigned number) const { return numbered_[number - 1]; }
    bool is_leaf(llvm::Value *value) const { return leaves_.contains(value); }

    // `by` has the value's sum from now on. Whether it had none.
    bool replace(llvm::Value *value, llvm::Value *by);

    // Drops the flags of the sum: from now on its expression stands for all uses of the value, also
    // those where the flags don't hold.
    void forget_flags(llvm::Value *value);

private:
    unsigned number(llvm::Value *value);
    std::optional<Sum> made_of(llvm::Value *value);
    // x + 32, from where x is not 0, and 32 from where it is.
    std::optional<Sum> same_on_all_ways(llvm::PHINode &phi);

    const llvm::DataLayout &layout_;
    std::unordered_map<llvm::Value *, Sum> sums_;
    llvm::DenseMap<llvm::Value *, unsigned> numbers_;
    std::vector<llvm::Value *> numbered_;
    llvm::SmallPtrSet<llvm::Value *, 32> leaves_, plain_;
};

} // namespace rivulet::compiler

#endif
