// SPDX-License-Identifier: Apache-2.0
//
// Compares the ranges of random expressions with what they compute, for all values of two 8-bit
// arguments.
#include "compiler/analysis/integer_ranges.h"

#include <gtest/gtest.h>

#include "compiler/analysis/test/random_expressions.h"

namespace {

using namespace llvm;
using namespace rivulet::compiler;
using namespace rivulet::compiler::random_expressions;

// The first argument is known to be at most this.
constexpr unsigned largest_argument = 20;

::testing::AssertionResult holds(const ConstantRange &range, Value &value, Interpreter &run,
                                 unsigned largest) {
    if (range.isEmptySet())
        return ::testing::AssertionFailure() << text(value) << ": no number at all";
    const Column &column = run.of(&value);
    const unsigned bits = width_of(value);
    for (size_t i = 0; i < inputs; ++i)
        if ((i & 255) <= largest && !column.poison[i] && !run.is_undefined(i) &&
            !range.contains(APInt(bits, column.bits[i]))) {
            auto failure = ::testing::AssertionFailure();
            failure << text(value) << " is " << column.bits[i] << " for a = " << (i & 255)
                    << ", b = " << (i >> 8) << ", not in [" << range.getLower().getZExtValue()
                    << ", " << range.getUpper().getZExtValue() << ")";
            return failure;
        }
    return ::testing::AssertionSuccess();
}

TEST(IntegerRanges, RangesHoldAllNumbersThatOperationsCompute) {
    size_t narrow = 0;
    size_t values = 0;
    for (unsigned seed = 1; seed <= 400 && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Generator generator(seed, Operations::all);
        Program &program = generator.program(12);
        Interpreter run(*program.function, true);
        const Value *first = program.function->getArg(0);
        ValueRanges any(program.layout());
        const IntegerRanges all(*program.function);
        ValueRanges with_fact(program.layout(), [&](const Value &value) {
            return &value == first
                       ? std::optional(ConstantRange(APInt(8, 0), APInt(8, largest_argument + 1)))
                       : std::nullopt;
        });
        for (Instruction &value : instructions(program.function)) {
            if (!value.getType()->isIntegerTy(8) && !value.getType()->isIntegerTy(16))
                continue;
            EXPECT_TRUE(holds(any.of(value), value, run, 255));
            EXPECT_TRUE(holds(all.of(&value), value, run, 255));
            EXPECT_TRUE(holds(with_fact.of(value), value, run, largest_argument));
            ++values;
            narrow += !any.of(value).isFullSet();
        }
    }
    EXPECT_GT(values, 3000u);
    EXPECT_GT(narrow, 1500u);
}

class Rules : public testing::Test {
protected:
    static ConstantRange numbers(int64_t least, int64_t most) {
        return {APInt(8, uint64_t(least), true), APInt(8, uint64_t(most + 1), true, true)};
    }
    ConstantRange range(const Value *value) { return ranges_.of(*value); }

    Program program_;
    IRBuilder<> builder_{program_.block};
    Value *a_ = program_.function->getArg(0);
    Value *b_ = program_.function->getArg(1);
    ValueRanges ranges_{program_.layout(), [this](const Value &value) {
                            return &value == a_ ? std::optional(numbers(0, 20)) : std::nullopt;
                        }};
};

TEST_F(Rules, FlagsBoundSums) {
    EXPECT_EQ(range(builder_.CreateAdd(a_, a_)), numbers(0, 40));
    EXPECT_TRUE(range(builder_.CreateAdd(a_, b_)).isFullSet());
    EXPECT_EQ(range(builder_.CreateAdd(a_, b_, "", true, false)).getUnsignedMin(), 0u);
    EXPECT_EQ(
        range(builder_.CreateOr(builder_.CreateShl(a_, 1), builder_.getInt8(1))).getUnsignedMax(),
        41u);
    EXPECT_TRUE(range(builder_.CreateMul(a_, a_, "", true, true)).isAllNonNegative());
    EXPECT_TRUE(range(builder_.CreateMul(a_, b_, "", true, true)).contains(APInt(8, 200)));
}

TEST_F(Rules, ExtensionsAndChoicesKeepNumbers) {
    Value *negative = builder_.CreateNeg(a_);
    EXPECT_EQ(range(negative), numbers(-20, 0));
    EXPECT_EQ(range(builder_.CreateSExt(negative, builder_.getInt16Ty())).getSignedMin(),
              APInt(16, uint64_t(-20), true));
    EXPECT_EQ(range(builder_.CreateSelect(builder_.CreateIsNull(b_), a_, builder_.getInt8(50))),
              numbers(0, 50));
    auto *extended = cast<Instruction>(builder_.CreateZExt(b_, builder_.getInt16Ty()));
    EXPECT_EQ(range(extended).getUnsignedMax(), 255u);
    extended = extended->clone();
    builder_.Insert(extended);
    extended->setNonNeg();
    EXPECT_EQ(range(extended).getUnsignedMax(), 127u);
}

// Without a bound on what the loop adds, its counter may be any number.
TEST_F(Rules, LoopsEnd) {
    auto *body = BasicBlock::Create(program_.context_, "", program_.function);
    builder_.CreateBr(body);
    builder_.SetInsertPoint(body);
    PHINode *counter = builder_.CreatePHI(builder_.getInt8Ty(), 2);
    Value *next = builder_.CreateXor(builder_.CreateAdd(counter, a_), b_);
    Value *masked = builder_.CreateAnd(next, 15);
    counter->addIncoming(a_, program_.block);
    counter->addIncoming(next, body);
    PHINode *low = builder_.Insert(PHINode::Create(builder_.getInt8Ty(), 2), "low");
    low->moveBefore(body->begin());
    low->addIncoming(a_, program_.block);
    low->addIncoming(masked, body);
    builder_.CreateBr(body);
    EXPECT_TRUE(range(counter).isFullSet());
    EXPECT_TRUE(range(next).isFullSet());
    EXPECT_EQ(range(low), numbers(0, 20));
}

TEST_F(Rules, LongChainsEnd) {
    Value *value = a_;
    for (unsigned i = 0; i < 10000; ++i)
        value = builder_.CreateAdd(builder_.CreateXor(value, b_), b_);
    EXPECT_TRUE(range(value).isFullSet());
}

} // namespace
