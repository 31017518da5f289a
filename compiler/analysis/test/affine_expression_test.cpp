// SPDX-License-Identifier: Apache-2.0
//
// Compares the affine sums of random expressions with what their operations compute, for all values
// of two 8-bit arguments.
#include "compiler/analysis/affine_expression.h"

#include <set>

#include <gtest/gtest.h>

#include "compiler/analysis/test/random_expressions.h"

namespace {

using namespace llvm;
using namespace rivulet::compiler;
using namespace rivulet::compiler::random_expressions;

__int128 read(uint64_t bits, const Value &value, Meaning meaning) {
    return meaning == Meaning::as_signed ? __int128(as_signed(bits, width_of(value)))
                                         : __int128(bits);
}

struct Checked {
    size_t sums = 0, numbers = 0; // that are more than one leaf
};

// Whether the sum keeps the promise of its meaning for all inputs.
::testing::AssertionResult holds(Value &value, Meaning meaning, AffineExpressions &sums,
                                 Interpreter &run) {
    const AffineSum &sum = sums.of(&value, meaning);
    const Column &column = run.of(&value);
    const unsigned width = width_of(value);
    const bool is_number = meaning == Meaning::as_signed || meaning == Meaning::as_unsigned;
    struct Factor {
        const Column *column;
        AffineExpressions::Leaf leaf;
    };
    std::vector<std::pair<std::vector<Factor>, int64_t>> terms;
    for (const auto &[term, factor] : sum.terms) {
        auto &[leaves, times] = terms.emplace_back();
        times = factor;
        for (unsigned number : term)
            if (number)
                leaves.push_back({&run.of(sums.leaf(number).value), sums.leaf(number)});
    }
    auto failed = [&](size_t input, const char *what) {
        auto result = ::testing::AssertionFailure()
                      << text(value) << " for a = " << (input & 255) << ", b = " << (input >> 8)
                      << ", meaning " << unsigned(meaning) << ": " << what << "; sum "
                      << sum.constant;
        for (const auto &[leaves, factor] : terms) {
            result << " + " << factor;
            for (const Factor &leaf : leaves)
                result << " * (" << text(*leaf.leaf.value) << " as " << unsigned(leaf.leaf.meaning)
                       << ")";
        }
        return result;
    };
    if (sum.is_exact != is_number)
        return failed(0, "not as exact as it is meant to be");
    for (size_t i = 0; i < inputs; ++i) {
        if (column.poison[i])
            continue;
        const __int128 most = is_number ? sums.magnitude(sum) : 0;
        __int128 total = sum.constant;
        for (const auto &[leaves, factor] : terms) {
            __int128 product = factor;
            for (const Factor &leaf : leaves) {
                if (leaf.column->poison[i])
                    return failed(i, "a leaf is poison");
                product *= read(leaf.column->bits[i], *leaf.leaf.value, leaf.leaf.meaning);
            }
            total += product;
            if (is_number && (total > most || total < -most))
                return failed(i, "farther from zero than its magnitude");
        }
        const __int128 expected = read(column.bits[i], value, meaning);
        const bool same =
            is_number ? total == expected
                      : ((total - expected) & __int128(maskTrailingOnes<uint64_t>(width))) == 0;
        if (!same)
            return failed(i, "another number");
    }
    return ::testing::AssertionSuccess();
}

// The arguments that a value depends on.
void arguments_of(Value *value, std::set<Value *> &found) {
    if (isa<Argument>(value))
        found.insert(value);
    if (auto *instruction = dyn_cast<Instruction>(value))
        for (Value *operand : instruction->operands())
            arguments_of(operand, found);
}

Checked check(Program &program) {
    Checked checked;
    Interpreter with_flags(*program.function, true);
    Interpreter plain(*program.function, false);
    for (unsigned most_leaves : {1u, 3u}) {
        AffineExpressions sums(program.layout(), {.leaves = most_leaves});
        for (Instruction &value : instructions(program.function)) {
            if (value.isTerminator())
                continue;
            for (Meaning meaning :
                 {Meaning::as_signed, Meaning::as_unsigned, Meaning::modulo, Meaning::ring}) {
                if (value.getType()->isPointerTy() && meaning < Meaning::modulo)
                    continue;
                EXPECT_TRUE(
                    holds(value, meaning, sums, meaning == Meaning::ring ? plain : with_flags));
                const auto &terms = sums.of(&value, meaning).terms;
                if (terms.size() == 1 && terms[0].first[1] == 0 &&
                    sums.leaf(terms[0].first[2]).value == &value)
                    continue;
                ++(meaning < Meaning::modulo ? checked.numbers : checked.sums);
                for (const auto &[term, factor] : terms)
                    EXPECT_TRUE(most_leaves == 3 || term[1] == 0) << text(value);
            }
            std::set<Value *> made_of, in_sum;
            arguments_of(&value, made_of);
            for (const auto &[term, factor] : sums.of(&value, Meaning::ring).terms)
                for (unsigned number : term)
                    if (number) {
                        EXPECT_EQ(width_of(*sums.leaf(number).value), width_of(value));
                        arguments_of(sums.leaf(number).value, in_sum);
                    }
            EXPECT_EQ(made_of, in_sum) << text(value);
        }
    }
    return checked;
}

TEST(AffineExpression, SumsAreWhatOperationsCompute) {
    Checked all;
    for (unsigned seed = 1; seed <= 150 && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Generator generator(seed);
        const Checked checked = check(generator.program(12));
        all.sums += checked.sums;
        all.numbers += checked.numbers;
    }
    EXPECT_GT(all.sums, 2000u);
    EXPECT_GT(all.numbers, 1000u);
}

class Numbers : public testing::Test {
protected:
    Value *operation(Instruction::BinaryOps opcode, Value *left, Value *right) {
        auto *made = BinaryOperator::Create(opcode, left, right, "", block_);
        made->setHasNoSignedWrap();
        made->setHasNoUnsignedWrap();
        return made;
    }
    bool is_leaf(Value *value, Meaning meaning) {
        const AffineSum &sum = sums_.of(value, meaning);
        return sum.constant == 0 && sum.terms.size() == 1 && sum.terms[0].second == 1 &&
               sums_.leaf(sum.terms[0].first.back()).value == value;
    }

    LLVMContext context_;
    Module module_{"numbers", context_};
    IntegerType *type_ = Type::getInt64Ty(context_);
    Function *function_ = Function::Create(FunctionType::get(type_, {type_, type_}, false),
                                           Function::ExternalLinkage, "f", module_);
    BasicBlock *block_ = BasicBlock::Create(context_, "", function_);
    Value *x_ = function_->getArg(0);
    Value *y_ = function_->getArg(1);
    AffineExpressions sums_{module_.getDataLayout()};
};

TEST_F(Numbers, OverflowingFactorsEndAnExactSum) {
    auto *large = ConstantInt::get(type_, uint64_t(1) << 40);
    Value *once = operation(Instruction::Mul, x_, large);
    Value *twice = operation(Instruction::Mul, once, large);
    EXPECT_TRUE(is_leaf(twice, Meaning::as_signed));
    EXPECT_TRUE(is_leaf(twice, Meaning::as_unsigned));
    // 2^80 is 0 modulo 2^64, and x would cancel out.
    EXPECT_TRUE(is_leaf(twice, Meaning::ring));
    Value *shifted = operation(Instruction::Shl, x_, ConstantInt::get(type_, 63));
    EXPECT_TRUE(is_leaf(shifted, Meaning::as_signed));
    EXPECT_FALSE(is_leaf(shifted, Meaning::ring));
    Value *products = operation(Instruction::Mul, once, operation(Instruction::Mul, y_, large));
    EXPECT_TRUE(is_leaf(products, Meaning::as_signed));
}

TEST_F(Numbers, OverflowingConstantsEndAnExactSum) {
    auto *largest = ConstantInt::get(type_, uint64_t(INT64_MAX));
    Value *sum = operation(Instruction::Add, x_, largest);
    EXPECT_FALSE(is_leaf(sum, Meaning::as_signed));
    Value *larger = operation(Instruction::Add, sum, largest);
    EXPECT_TRUE(is_leaf(larger, Meaning::as_signed));
    EXPECT_TRUE(is_leaf(larger, Meaning::as_unsigned));
    auto *all = ConstantInt::getAllOnesValue(type_);
    EXPECT_EQ(sums_.of(all, Meaning::as_signed).constant, -1);
    EXPECT_TRUE(is_leaf(all, Meaning::as_unsigned));
}

// Each value is used twice by the next one: without a memory of sums this takes 2^n steps.
TEST_F(Numbers, DoublingsTakeLinearTime) {
    std::vector<Value *> values = {x_};
    for (unsigned i = 0; i < 2000; ++i)
        values.push_back(operation(Instruction::Add, values.back(), values.back()));
    EXPECT_EQ(sums_.of(values[62], Meaning::as_signed).terms[0].second, int64_t(1) << 62);
    EXPECT_TRUE(is_leaf(values[63], Meaning::as_signed));
    EXPECT_TRUE(sums_.of(values.back(), Meaning::modulo).terms.empty()); // 2^2000 is 0
}

TEST_F(Numbers, LongSumsAndManyLeavesEnd) {
    Value *value = x_;
    for (unsigned i = 0; i < 7; ++i)
        value = operation(Instruction::Add, value,
                          BinaryOperator::Create(Instruction::Xor, y_,
                                                 ConstantInt::get(type_, i + 2), "", block_));
    EXPECT_TRUE(sums_.of(value, Meaning::ring).terms.size() <= 6);
    Value *square = operation(Instruction::Mul, x_, y_);
    EXPECT_FALSE(is_leaf(operation(Instruction::Mul, square, y_), Meaning::as_signed));
    EXPECT_TRUE(is_leaf(operation(Instruction::Mul, square, square), Meaning::as_signed));
}

} // namespace
