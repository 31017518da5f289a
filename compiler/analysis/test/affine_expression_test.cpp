// SPDX-License-Identifier: Apache-2.0
//
// Compares the affine sums of random expressions, of 8 and 16 bits and with random flags, with an
// interpreter that tracks poison, for all values of two 8-bit arguments.
#include "compiler/analysis/affine_expression.h"

#include <random>
#include <set>

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

namespace {

using namespace llvm;
using namespace rivulet::compiler;

constexpr size_t inputs = 256 * 256;

// One value per input, zero-extended.
struct Column {
    std::vector<uint64_t> bits = std::vector<uint64_t>(inputs);
    std::vector<char> poison = std::vector<char>(inputs);
};

unsigned width_of(const Value &value) {
    return value.getType()->isPointerTy() ? 16 : value.getType()->getIntegerBitWidth();
}

int64_t as_signed(uint64_t bits, unsigned width) { return SignExtend64(bits, width); }

// void f(i8 a, i8 b, ptr p), with pointers of 16 bits.
class Program {
public:
    Program() {
        module_.setDataLayout("e-p:16:16-i16:8-i32:8");
        auto *byte = Type::getInt8Ty(context_);
        auto *type = FunctionType::get(Type::getVoidTy(context_),
                                       {byte, byte, PointerType::get(context_, 0)}, false);
        function = Function::Create(type, Function::ExternalLinkage, "f", module_);
        block = BasicBlock::Create(context_, "", function);
    }
    const DataLayout &layout() const { return module_.getDataLayout(); }

    LLVMContext context_;
    Module module_{"random", context_};
    Function *function;
    BasicBlock *block;
};

class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed), builder_(program_.block) {
        bytes_ = {program_.function->getArg(0), program_.function->getArg(1)};
        words_ = {builder_.getInt16(uint16_t(below(65536)))};
        pointers_ = {program_.function->getArg(2)};
    }

    Program &program(unsigned length) {
        for (unsigned i = 0; i < length; ++i)
            add_one();
        builder_.CreateRetVoid();
        return program_;
    }

private:
    unsigned below(unsigned limit) { return unsigned(random_() % limit); }
    bool maybe() { return below(2) != 0; }

    // Prefers recent values, so that expressions get deep.
    Value *one_of(const std::vector<Value *> &values) {
        const size_t last = std::min<size_t>(values.size(), maybe() ? 3 : values.size());
        return values[values.size() - 1 - below(unsigned(last))];
    }

    Value *number(unsigned bits) {
        static constexpr int favourites[] = {0, 1, -1, 2, 3, 4, 7, 8, -128, 127, 16};
        const int value =
            maybe() ? favourites[below(std::size(favourites))] : int(below(1u << bits));
        return builder_.getIntN(bits, uint64_t(value) & maskTrailingOnes<uint64_t>(bits));
    }

    Value *operand(bool is_byte) {
        return below(5) == 0 ? number(is_byte ? 8 : 16) : one_of(is_byte ? bytes_ : words_);
    }

    void add_one() {
        const unsigned kind = below(16);
        Instruction *made = nullptr;
        if (kind < 2) {
            made = CastInst::Create(maybe() ? Instruction::SExt : Instruction::ZExt, one_of(bytes_),
                                    builder_.getInt16Ty());
            if (isa<ZExtInst>(made))
                made->setNonNeg(maybe());
        } else if (kind == 2) {
            made = CastInst::Create(Instruction::Trunc, one_of(words_), builder_.getInt8Ty());
            cast<TruncInst>(made)->setHasNoSignedWrap(maybe());
            cast<TruncInst>(made)->setHasNoUnsignedWrap(maybe());
        } else if (kind == 3) {
            made = address();
        } else {
            made = operation(maybe());
        }
        builder_.Insert(made);
        (made->getType()->isPointerTy()    ? pointers_
         : made->getType()->isIntegerTy(8) ? bytes_
                                           : words_)
            .push_back(made);
    }

    Instruction *address() {
        auto *structure = StructType::get(builder_.getInt8Ty(), builder_.getInt32Ty());
        Value *base = one_of(pointers_);
        Value *index = operand(maybe());
        switch (below(3)) {
        case 0:
            return GetElementPtrInst::Create(builder_.getInt8Ty(), base, {index});
        case 1:
            return GetElementPtrInst::Create(builder_.getInt32Ty(), base, {index});
        default:
            return GetElementPtrInst::Create(structure, base, {index, builder_.getInt32(1)});
        }
    }

    Instruction *operation(bool is_byte) {
        Value *left = operand(is_byte);
        Value *right = operand(is_byte);
        auto wraps = [&](Instruction::BinaryOps opcode) {
            auto *made = BinaryOperator::Create(opcode, left, right);
            made->setHasNoSignedWrap(below(3) != 0);
            made->setHasNoUnsignedWrap(maybe());
            return made;
        };
        switch (below(10)) {
        case 0:
        case 1:
            return wraps(Instruction::Add);
        case 2:
        case 3:
            return wraps(Instruction::Sub);
        case 4:
            right = number(is_byte ? 8 : 16);
            [[fallthrough]];
        case 5:
            return wraps(Instruction::Mul);
        case 6:
            right = builder_.getIntN(is_byte ? 8 : 16, below(is_byte ? 9 : 17));
            return wraps(Instruction::Shl);
        case 7: {
            auto *made = BinaryOperator::Create(Instruction::Or, left, right);
            cast<PossiblyDisjointInst>(made)->setIsDisjoint(below(4) != 0);
            return made;
        }
        case 8:
            return BinaryOperator::Create(maybe() ? Instruction::Xor : Instruction::And, left,
                                          right);
        default:
            return new FreezeInst(left);
        }
    }

    std::mt19937 random_;
    Program program_;
    IRBuilder<> builder_;
    std::vector<Value *> bytes_, words_, pointers_;
};

// Computes all instructions for all inputs, with or without their flags.
class Interpreter {
public:
    Interpreter(Function &function, bool believes_flags) : believes_flags_(believes_flags) {
        const DataLayout &layout = function.getDataLayout();
        for (size_t i = 0; i < inputs; ++i) {
            columns_[function.getArg(0)].bits.at(i) = i & 255;
            columns_[function.getArg(1)].bits.at(i) = i >> 8;
            columns_[function.getArg(2)].bits.at(i) = (i * 40503) & 65535;
        }
        for (Instruction &instruction : instructions(function))
            if (!instruction.isTerminator())
                columns_[&instruction] = run(instruction, layout);
    }

    const Column &of(Value *value) {
        if (auto *constant = dyn_cast<ConstantInt>(value); constant && !columns_.contains(value))
            columns_[value].bits.assign(inputs, constant->getZExtValue());
        return columns_.at(value);
    }

private:
    Column run(Instruction &instruction, const DataLayout &layout) {
        Column result;
        if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction)) {
            const Column &base = of(gep->getPointerOperand());
            const Column &index = of(gep->getOperand(1));
            const unsigned width = width_of(*gep->getOperand(1));
            const uint64_t bytes = layout.getTypeAllocSize(gep->getSourceElementType());
            for (size_t i = 0; i < inputs; ++i) {
                result.bits[i] =
                    (base.bits[i] + uint64_t(as_signed(index.bits[i], width)) * bytes +
                     (gep->getNumIndices() == 2
                          ? layout.getStructLayout(cast<StructType>(gep->getSourceElementType()))
                                ->getElementOffset(1)
                                .getFixedValue()
                          : 0)) &
                    65535;
                result.poison[i] = base.poison[i] || index.poison[i];
            }
            return result;
        }
        const Column &left = of(instruction.getOperand(0));
        const Column &right =
            of(instruction.getOperand(instruction.getNumOperands() - 1)); // or the same
        const unsigned from = width_of(*instruction.getOperand(0));
        const unsigned to = width_of(instruction);
        const unsigned opcode = instruction.getOpcode();
        const bool wraps = isa<OverflowingBinaryOperator, TruncInst>(instruction);
        const bool nsw = believes_flags_ && wraps && instruction.hasNoSignedWrap();
        const bool nuw = believes_flags_ && wraps && instruction.hasNoUnsignedWrap();
        auto *either = dyn_cast<PossiblyDisjointInst>(&instruction);
        const bool disjoint = believes_flags_ && either && either->isDisjoint();
        const bool nneg = believes_flags_ && isa<ZExtInst>(instruction) && instruction.hasNonNeg();
        for (size_t i = 0; i < inputs; ++i) {
            const int64_t a = int64_t(left.bits[i]);
            const int64_t b = int64_t(right.bits[i]);
            // The exact result for signed and for unsigned operands.
            int64_t sum = as_signed(left.bits[i], from);
            int64_t plain = a;
            const int64_t by = as_signed(right.bits[i], from);
            bool poison = left.poison[i] || right.poison[i];
            switch (opcode) {
            case Instruction::Add:
                sum += by;
                plain += b;
                break;
            case Instruction::Sub:
                sum -= by;
                plain -= b;
                break;
            case Instruction::Mul:
                sum *= by;
                plain *= b;
                break;
            case Instruction::Shl:
                poison |= b >= int64_t(to);
                sum = b < int64_t(to) ? sum * (int64_t(1) << b) : 0;
                plain = b < int64_t(to) ? plain << b : 0;
                break;
            case Instruction::Or:
                sum = plain = a | b;
                poison |= disjoint && (a & b) != 0;
                break;
            case Instruction::Xor:
                sum = plain = a ^ b;
                break;
            case Instruction::And:
                sum = plain = a & b;
                break;
            case Instruction::ZExt:
                poison |= nneg && sum < 0;
                sum = plain;
                break;
            case Instruction::Freeze:
                plain = poison ? 0 : plain;
                poison = false;
                break;
            default: // SExt, Trunc
                plain = opcode == Instruction::SExt ? sum : plain;
                break;
            }
            result.bits[i] = uint64_t(plain) & maskTrailingOnes<uint64_t>(to);
            poison |= nsw && as_signed(result.bits[i], to) != sum;
            poison |= nuw && int64_t(result.bits[i]) != plain;
            result.poison[i] = poison;
        }
        return result;
    }

    bool believes_flags_;
    std::map<Value *, Column> columns_;
};

__int128 read(uint64_t bits, const Value &value, Meaning meaning) {
    return meaning == Meaning::as_signed ? __int128(as_signed(bits, width_of(value)))
                                         : __int128(bits);
}

struct Checked {
    size_t sums = 0, numbers = 0; // that are more than one leaf
};

std::string text(const Value &value) {
    std::string text;
    raw_string_ostream stream(text);
    value.print(stream);
    return text;
}

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
        __int128 total = sum.constant;
        for (const auto &[leaves, factor] : terms) {
            __int128 product = factor;
            for (const Factor &leaf : leaves) {
                if (leaf.column->poison[i])
                    return failed(i, "a leaf is poison");
                product *= read(leaf.column->bits[i], *leaf.leaf.value, leaf.leaf.meaning);
            }
            total += product;
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
