// SPDX-License-Identifier: Apache-2.0
//
// The numbers that an integer may be. A range holds where the value isn't poison: it relies on
// flags and range attributes. It doesn't depend on the place in the control flow.
//
// range_of_result() has the rules. ValueRanges applies them to the values that a pass asks for;
// IntegerRanges follows those of a whole function through phis and loops. LLVM's
// computeConstantRange() looks at a single instruction, and its lazy value info knows no
// loop-carried minimum or maximum.
#ifndef RIVULET_COMPILER_ANALYSIS_INTEGER_RANGES_H
#define RIVULET_COMPILER_ANALYSIS_INTEGER_RANGES_H

#include <functional>
#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

// The range of an integer that an instruction computes from others: the full range if nothing is
// known, and an empty one if an operand's range is empty.
llvm::ConstantRange
range_of_result(const llvm::Instruction &instruction,
                llvm::function_ref<llvm::ConstantRange(const llvm::Value &)> range_of);

class ValueRanges {
public:
    // A fact about a value that the IR doesn't tell; it has to hold wherever the value isn't
    // poison.
    using Fact = std::function<std::optional<llvm::ConstantRange>(const llvm::Value &)>;

    explicit ValueRanges(const llvm::DataLayout &layout, Fact fact = {})
        : layout_(layout), fact_(std::move(fact)) {}

    // The range of an integer. Never empty: a value that is always poison has the range {0}.
    llvm::ConstantRange of(const llvm::Value &value);

private:
    llvm::ConstantRange made_of(const llvm::Value &value);

    const llvm::DataLayout &layout_;
    Fact fact_;
    unsigned depth_ = 0;
    llvm::DenseMap<const llvm::Value *, llvm::ConstantRange> ranges_;
};

class IntegerRanges {
public:
    explicit IntegerRanges(llvm::Function &function);

    // The range of an integer; the full range if nothing is known.
    llvm::ConstantRange of(const llvm::Value *value) const;

private:
    llvm::ConstantRange known(const llvm::Value &value) const;
    llvm::ConstantRange computed(const llvm::Instruction &instruction) const;

    struct State {
        llvm::ConstantRange range;
        unsigned changes = 0;
    };
    llvm::DenseMap<const llvm::Value *, State> states_;
};

} // namespace rivulet::compiler

#endif
