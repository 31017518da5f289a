// SPDX-License-Identifier: Apache-2.0
//
// Random expressions of 8 and 16 bits with random flags, and an interpreter that tracks poison and
// computes them for all values of two 8-bit arguments.
#ifndef RIVULET_COMPILER_ANALYSIS_TEST_RANDOM_EXPRESSIONS_H
#define RIVULET_COMPILER_ANALYSIS_TEST_RANDOM_EXPRESSIONS_H

#include <map>
#include <random>
#include <string>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

namespace rivulet::compiler::random_expressions {

using namespace llvm;

inline constexpr size_t inputs = 256 * 256;

// One value per input, zero-extended.
struct Column {
    std::vector<uint64_t> bits = std::vector<uint64_t>(inputs);
    std::vector<char> poison = std::vector<char>(inputs);
};

inline unsigned width_of(const Value &value) {
    return value.getType()->isPointerTy() ? 16 : value.getType()->getIntegerBitWidth();
}

inline int64_t as_signed(uint64_t bits, unsigned width) { return SignExtend64(bits, width); }

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

enum class Operations { affine, all };

class Generator {
public:
    explicit Generator(unsigned seed, Operations operations = Operations::affine)
        : random_(seed), operations_(operations), builder_(program_.block) {
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
        } else if (operations_ == Operations::all && maybe()) {
            made = other_operation(maybe());
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

    // Operations that are never part of a sum.
    Instruction *other_operation(bool is_byte) {
        static constexpr Instruction::BinaryOps binary[] = {
            Instruction::UDiv, Instruction::SDiv, Instruction::URem, Instruction::SRem,
            Instruction::LShr, Instruction::AShr, Instruction::And};
        static constexpr Intrinsic::ID choices[] = {Intrinsic::smin, Intrinsic::smax,
                                                    Intrinsic::umin, Intrinsic::umax};
        Value *left = operand(is_byte);
        Value *right = operand(is_byte);
        auto call = [&](Intrinsic::ID id, ArrayRef<Value *> operands) {
            return CallInst::Create(
                Intrinsic::getOrInsertDeclaration(&program_.module_, id, left->getType()),
                operands);
        };
        switch (below(4)) {
        case 0:
            return call(choices[below(std::size(choices))], {left, right});
        case 1:
            return call(Intrinsic::abs, {left, builder_.getInt1(maybe())});
        case 2: {
            Value *condition = one_of(bytes_);
            if (condition->getType() != builder_.getInt1Ty())
                condition = builder_.Insert(
                    CastInst::Create(Instruction::Trunc, condition, builder_.getInt1Ty()));
            return SelectInst::Create(condition, left, right);
        }
        default:
            return BinaryOperator::Create(binary[below(std::size(binary))], left,
                                          maybe() ? right : number(is_byte ? 8 : 16));
        }
    }

    std::mt19937 random_;
    Operations operations_;
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

    // Such an input makes no promise, not even for values that were computed before.
    bool is_undefined(size_t input) const { return undefined_[input]; }

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
        if (auto *choice = dyn_cast<SelectInst>(&instruction)) {
            const Column &condition = of(choice->getCondition());
            const Column &yes = of(choice->getTrueValue());
            const Column &no = of(choice->getFalseValue());
            for (size_t i = 0; i < inputs; ++i) {
                const Column &chosen = condition.bits[i] ? yes : no;
                result.bits[i] = chosen.bits[i];
                result.poison[i] = condition.poison[i] || chosen.poison[i];
            }
            return result;
        }
        const Column &left = of(instruction.getOperand(0));
        const Column &right =
            of(instruction.getOperand(isa<BinaryOperator, CallInst>(instruction) ? 1 : 0));
        const unsigned from = width_of(*instruction.getOperand(0));
        const unsigned to = width_of(instruction);
        const unsigned opcode = instruction.getOpcode();
        const bool wraps = isa<OverflowingBinaryOperator, TruncInst>(instruction);
        const bool nsw = believes_flags_ && wraps && instruction.hasNoSignedWrap();
        const bool nuw = believes_flags_ && wraps && instruction.hasNoUnsignedWrap();
        auto *either = dyn_cast<PossiblyDisjointInst>(&instruction);
        const bool disjoint = believes_flags_ && either && either->isDisjoint();
        auto *call = dyn_cast<IntrinsicInst>(&instruction);
        const Intrinsic::ID id = call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
        const bool nneg = believes_flags_ && isa<ZExtInst>(instruction) && instruction.hasNonNeg();
        const int64_t least = as_signed(uint64_t(1) << (from - 1), from);
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
            case Instruction::UDiv:
            case Instruction::URem:
                undefined_[i] |= b == 0 || right.poison[i];
                sum = plain = b == 0 ? 0 : opcode == Instruction::UDiv ? a / b : a % b;
                break;
            case Instruction::SDiv:
            case Instruction::SRem:
                undefined_[i] |= by == 0 || (by == -1 && sum == least) || right.poison[i];
                sum = plain = by == 0 ? 0 : opcode == Instruction::SDiv ? sum / by : sum % by;
                break;
            case Instruction::LShr:
            case Instruction::AShr:
                poison |= b >= int64_t(to);
                sum = plain = b >= int64_t(to) ? 0 : (opcode == Instruction::LShr ? a : sum) >> b;
                break;
            case Instruction::Call:
                switch (id) {
                case Intrinsic::smin:
                    plain = std::min(sum, by);
                    break;
                case Intrinsic::smax:
                    plain = std::max(sum, by);
                    break;
                case Intrinsic::umin:
                    plain = std::min(a, b);
                    break;
                case Intrinsic::umax:
                    plain = std::max(a, b);
                    break;
                default: // abs
                    poison |= by != 0 && sum == least;
                    plain = std::abs(sum);
                    break;
                }
                sum = plain;
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
    // Inputs for which the program divides by zero.
    std::vector<char> undefined_ = std::vector<char>(inputs);
    std::map<Value *, Column> columns_;
};

inline std::string text(const Value &value) {
    std::string text;
    raw_string_ostream stream(text);
    value.print(stream);
    return text;
}

} // namespace rivulet::compiler::random_expressions

#endif
