// SPDX-License-Identifier: Apache-2.0
//
// Splits the row of a kernel that computes `y = i / w, x = i % w` from a one-dimensional id i at
// the multiples of w. Within a part the quotient is the same for all work-items, and remainders of
// neighbours are neighbours, so neither divisions nor gathers are left in the strips.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_ID_DELINEARISATION_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_ID_DELINEARISATION_H

#include <optional>

#include <llvm/IR/IRBuilder.h>

namespace rivulet::compiler {

class DelinearisedIds {
public:
    // The divisions of an id by one divisor, which is uniform for the row. Nothing if the divisor
    // is known to be below `least`: shorter parts don't pay.
    static std::optional<DelinearisedIds> of(llvm::Function &work_item, unsigned least);

    // True if rows may always be split.
    bool always_hold() const;

    // The work-item function for a part of a row between two multiples: it has one parameter more,
    // the quotient.
    llvm::Function *part_of_row(llvm::Function &work_item) const;

    using Parameters = llvm::DenseMap<llvm::Value *, llvm::Value *>;
    llvm::Value *divisor(llvm::IRBuilderBase &builder, const Parameters &parameters) const;
    // True if [begin, end) may be split so that most parts have `least` work-items.
    llvm::Value *holds(llvm::IRBuilderBase &builder, llvm::Value *begin, llvm::Value *end,
                       llvm::Value *divisor, const Parameters &parameters) const;
    struct Part {
        llvm::Value *quotient;
        llvm::Value *end;
    };
    Part part(llvm::IRBuilderBase &builder, llvm::Value *begin, llvm::Value *end,
              llvm::Value *divisor, const Parameters &parameters) const;

private:
    enum class Role { quotient, remainder, multiple };
    struct Use {
        llvm::Instruction *instruction;
        Role role;
    };
    // x + Σ parts modulo 2^bits, each of which is the same for the whole row.
    struct Dividend {
        struct Part {
            llvm::Value *value;
            bool is_signed; // if it has fewer bits
            int64_t factor;
        };
        llvm::Value *value = nullptr;
        llvm::SmallVector<Part, 2> parts = {};

        bool is_id() const;
        llvm::Value *at(llvm::IRBuilderBase &builder, llvm::Value *x, Parameters &known) const;
    };
    struct Division {
        llvm::Value *dividend;
        llvm::Value *divisor;
        Role role;
    };
    static std::optional<Division> division(llvm::Instruction &instruction);
    static std::optional<Dividend> dividend(llvm::Value &value, const llvm::DataLayout &layout);

    unsigned least_ = 0;
    Dividend dividend_;
    llvm::Value *divisor_ = nullptr;
    llvm::SmallVector<Use, 4> uses_;
};

} // namespace rivulet::compiler

#endif
