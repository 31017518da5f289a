// SPDX-License-Identifier: Apache-2.0
//
// Narrows random functions of 8 and 16 bits to 4, and compares what they store before and after
// with an interpreter that tracks poison, for all values of two 8-bit inputs. The same for sums of
// 8 bits that saturate in 4.
#include "compiler/spmd/transform/integer_demotion.h"
#include "compiler/spmd/transform/saturating_sums.h"

#include <optional>
#include <random>

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MathExtras.h>

namespace {

using namespace llvm;
using namespace rivulet::compiler;

constexpr unsigned narrow_bits = 4;

// void f(i32 x, i8 uniform, ptr): x is the lane. A load gives what differs between lanes.
class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed), builder_(context_) {
        auto *type = FunctionType::get(
            Type::getVoidTy(context_),
            {builder_.getInt32Ty(), builder_.getInt8Ty(), builder_.getPtrTy()}, false);
        function_ = Function::Create(type, Function::ExternalLinkage, "f", module_);
        builder_.SetInsertPoint(BasicBlock::Create(context_, "", function_));
    }

    Function &function(unsigned length) {
        Value *lane = function_->getArg(0);
        Value *loaded = builder_.CreateLoad(
            builder_.getInt8Ty(),
            builder_.CreateGEP(builder_.getInt8Ty(), function_->getArg(2), lane), "loaded");
        Value *low = builder_.CreateTrunc(loaded, type(4));
        Value *high = builder_.CreateTrunc(builder_.CreateLShr(loaded, 4), type(4));
        values_[2] = {builder_.CreateTrunc(function_->getArg(1), type(4)), low, high};
        values_[3] = {loaded,
                      function_->getArg(1),
                      builder_.CreateTrunc(lane, type(8)),
                      builder_.CreateZExt(low, type(8)),
                      builder_.CreateSExt(high, type(8)),
                      builder_.CreateZExt(high, type(8))};
        values_[4] = {builder_.CreateZExt(loaded, type(16))};
        values_[0] = {builder_.CreateICmpULT(loaded, function_->getArg(1))};
        statements(length);
        switch (below(3)) {
        case 0:
            diamond(length);
            break;
        case 1:
            loop(length);
            break;
        default:
            break;
        }
        statements(length / 2);
        for (unsigned log : {2u, 3u, 3u, 4u})
            store(one_of(log));
        builder_.CreateRetVoid();
        return *function_;
    }

    // Sums, minima, maxima and choices of 4-bit numbers in 8 bits, and how they compare with
    // numbers.
    Function &counts(unsigned length) {
        Value *loaded = builder_.CreateLoad(
            builder_.getInt8Ty(),
            builder_.CreateGEP(builder_.getInt8Ty(), function_->getArg(2), function_->getArg(0)),
            "loaded");
        for (unsigned shift : {0u, 4u})
            values_[2].push_back(builder_.CreateTrunc(builder_.CreateLShr(loaded, shift), type(4)));
        values_[0] = {builder_.CreateICmpULT(loaded, function_->getArg(1))};
        values_[3] = {builder_.CreateZExt(values_[2][0], type(8)),
                      builder_.CreateZExt(values_[2][1], type(8)),
                      builder_.CreateZExt(values_[0][0], type(8))};
        for (unsigned i = 0; i < length; ++i)
            count();
        if (maybe()) { // three turns
            BasicBlock *before = builder_.GetInsertBlock();
            BasicBlock *body = BasicBlock::Create(context_, "body", function_);
            BasicBlock *after = BasicBlock::Create(context_, "after", function_);
            Value *start = one_of(3);
            builder_.CreateBr(body);
            builder_.SetInsertPoint(body);
            PHINode *counter = builder_.CreatePHI(type(8), 2);
            PHINode *carried = builder_.CreatePHI(type(8), 2);
            counter->addIncoming(builder_.getInt8(0), before);
            carried->addIncoming(start, before);
            values_[3].push_back(carried);
            for (unsigned i = 0; i < length / 2; ++i)
                count();
            carried->addIncoming(one_of(3), body);
            Value *next = builder_.CreateAdd(counter, builder_.getInt8(1));
            counter->addIncoming(next, body);
            builder_.CreateCondBr(builder_.CreateICmpULT(next, builder_.getInt8(3)), body, after);
            builder_.SetInsertPoint(after);
        }
        for (unsigned i = 0; i < 4; ++i)
            store(builder_.CreateICmp(predicate(), one_of(3), small_number()));
        builder_.CreateRetVoid();
        return *function_;
    }

private:
    CmpInst::Predicate predicate() {
        return CmpInst::Predicate(
            CmpInst::FIRST_ICMP_PREDICATE +
            below(CmpInst::LAST_ICMP_PREDICATE - CmpInst::FIRST_ICMP_PREDICATE + 1));
    }
    // 15 is what 4 bits saturate at.
    Value *small_number() { return builder_.getInt8(uint8_t(int(below(24)) - 3)); }

    void count() {
        const unsigned kind = below(16);
        Value *left = one_of(3);
        Value *right = below(6) == 0 ? small_number() : one_of(3);
        if (kind < 8)
            add(3, builder_.CreateAdd(left, right, "", below(6) == 0, below(6) == 0));
        else if (kind < 10)
            add(3, builder_.CreateZExt(values_[2][below(2)], type(8)));
        else if (kind < 12)
            add(3, builder_.CreateBinaryIntrinsic(maybe() ? Intrinsic::umin : Intrinsic::umax, left,
                                                  right));
        else if (kind < 14)
            add(3, builder_.CreateSelect(one_of(0), left, right));
        else if (kind < 15)
            add(0, builder_.CreateICmp(predicate(), left, small_number()));
        else if (below(4) == 0)
            store(left);
    }

    unsigned below(unsigned limit) { return unsigned(random_() % limit); }
    bool maybe() { return below(2) != 0; }
    Type *type(unsigned bits) { return builder_.getIntNTy(bits); }

    // Of 2^log bits. Prefers recent values, so that expressions get deep.
    Value *one_of(unsigned log) {
        auto &values = values_[log];
        const size_t last = std::min<size_t>(values.size(), below(4) ? 3 : values.size());
        return values[values.size() - 1 - below(unsigned(last))];
    }
    Value *number(unsigned bits) {
        static constexpr int favourites[] = {0, 1, -1, 2, 3, 4, 7, 8, 15, 16, -8};
        const int value =
            below(4) ? favourites[below(std::size(favourites))] : int(below(1u << bits));
        return builder_.getIntN(bits, uint64_t(value) & maskTrailingOnes<uint64_t>(bits));
    }
    Value *operand(unsigned log) { return below(5) == 0 ? number(1u << log) : one_of(log); }

    void store(Value *value) { builder_.CreateStore(value, function_->getArg(2)); }

    void statements(unsigned count) {
        for (unsigned i = 0; i < count; ++i)
            statement();
    }

    void statement() {
        const unsigned kind = below(20);
        const unsigned log = below(4) ? 3 : 4;
        const unsigned bits = 1u << log;
        if (kind < 5) { // of few bits
            const unsigned from = below(6) == 0 ? 0 : log == 4 && maybe() ? 3 : 2;
            Value *source = one_of(from);
            add(log, maybe() ? builder_.CreateZExt(source, type(bits))
                             : builder_.CreateSExt(source, type(bits)));
        } else if (kind == 5) {
            const unsigned to = log == 4 && maybe() ? 3 : 2;
            add(to, builder_.CreateTrunc(one_of(log), type(1u << to)));
        } else if (kind == 6) {
            add(log, builder_.CreateSelect(one_of(0), operand(log), operand(log)));
        } else if (kind == 7 || kind == 8) {
            const auto predicate = this->predicate();
            Value *limit = log == 3 && maybe() ? function_->getArg(1) : operand(log);
            Value *value = one_of(log);
            add(0, maybe() ? builder_.CreateICmp(predicate, value, limit)
                           : builder_.CreateICmp(predicate, limit, value));
        } else if (kind == 9) {
            add(log, builder_.CreateBinaryIntrinsic(Intrinsic::abs, one_of(log),
                                                    builder_.getInt1(maybe())));
        } else if (kind == 10 || kind == 11) {
            static constexpr Intrinsic::ID ids[] = {Intrinsic::smin, Intrinsic::smax,
                                                    Intrinsic::umin, Intrinsic::umax,
                                                    Intrinsic::usub_sat};
            add(log, builder_.CreateBinaryIntrinsic(ids[below(std::size(ids))], one_of(log),
                                                    operand(log)));
        } else if (kind == 12) { // a weighted mean
            Value *weight = builder_.CreateZExt(one_of(2), type(bits));
            Value *most = builder_.getIntN(bits, 15 + below(2));
            Value *rest = most == builder_.getIntN(bits, 15) && maybe()
                              ? builder_.CreateXor(weight, most)
                              : builder_.CreateSub(most, weight);
            add(log, builder_.CreateAdd(builder_.CreateMul(one_of(log), weight),
                                        builder_.CreateMul(rest, one_of(log))));
        } else if (kind == 13) {
            store(one_of(2 + below(3)));
        } else {
            operation(log);
        }
    }

    void operation(unsigned log) {
        static constexpr Instruction::BinaryOps opcodes[] = {
            Instruction::Add,  Instruction::Add,  Instruction::Sub,  Instruction::Mul,
            Instruction::Mul,  Instruction::And,  Instruction::Or,   Instruction::Xor,
            Instruction::Shl,  Instruction::LShr, Instruction::LShr, Instruction::AShr,
            Instruction::UDiv, Instruction::URem, Instruction::SDiv, Instruction::SRem};
        const unsigned bits = 1u << log;
        const auto opcode = opcodes[below(std::size(opcodes))];
        Value *left = one_of(log);
        Value *right = operand(log);
        if (Instruction::isShift(opcode))
            right = below(4) ? builder_.getIntN(bits, below(bits))
                             : builder_.CreateAnd(right, builder_.getIntN(bits, maybe() ? 3 : 7));
        if (Instruction::isIntDivRem(opcode))
            right = maybe() ? builder_.getIntN(bits, 1 + below((1u << bits) - 1))
                            : builder_.CreateOr(right, builder_.getIntN(bits, 1));
        if (opcode == Instruction::And && maybe())
            right = builder_.getIntN(bits, (1u << (1 + below(bits))) - 1);
        auto *made = BinaryOperator::Create(opcode, left, right);
        if (isa<OverflowingBinaryOperator>(made)) {
            made->setHasNoSignedWrap(below(3) == 0);
            made->setHasNoUnsignedWrap(below(3) == 0);
        }
        if (isa<PossiblyExactOperator>(made))
            made->setIsExact(below(6) == 0);
        if (auto *either = dyn_cast<PossiblyDisjointInst>(made))
            either->setIsDisjoint(below(4) == 0);
        add(log, builder_.Insert(made));
    }

    void add(unsigned log, Value *value) {
        if (isa<Instruction>(value) || maybe())
            values_[log].push_back(value);
    }

    void diamond(unsigned length) {
        BasicBlock *ways[] = {BasicBlock::Create(context_, "yes", function_),
                              BasicBlock::Create(context_, "no", function_)};
        BasicBlock *after = BasicBlock::Create(context_, "after", function_);
        builder_.CreateCondBr(one_of(0), ways[0], ways[1]);
        const auto before = values_;
        Value *merged[2][5];
        for (unsigned way : {0u, 1u}) {
            values_ = before;
            builder_.SetInsertPoint(ways[way]);
            statements(length / 2);
            for (unsigned log : {2u, 3u, 4u})
                merged[way][log] = operand(log);
            builder_.CreateBr(after);
        }
        values_ = before;
        builder_.SetInsertPoint(after);
        for (unsigned log : {2u, 3u, 4u}) {
            PHINode *phi = builder_.CreatePHI(type(1u << log), 2);
            for (unsigned way : {0u, 1u})
                phi->addIncoming(merged[way][log], ways[way]);
            values_[log].push_back(phi);
        }
    }

    // Three turns; what is carried from one to the next.
    void loop(unsigned length) {
        BasicBlock *before = builder_.GetInsertBlock();
        BasicBlock *body = BasicBlock::Create(context_, "body", function_);
        BasicBlock *after = BasicBlock::Create(context_, "after", function_);
        Value *starts[5] = {};
        for (unsigned log : {3u, 4u})
            starts[log] = operand(log);
        builder_.CreateBr(body);
        builder_.SetInsertPoint(body);
        PHINode *counter = builder_.CreatePHI(type(8), 2);
        counter->addIncoming(builder_.getInt8(0), before);
        PHINode *carried[5] = {};
        for (unsigned log : {3u, 4u}) {
            carried[log] = builder_.CreatePHI(type(1u << log), 2);
            carried[log]->addIncoming(starts[log], before);
            values_[log].push_back(carried[log]);
        }
        values_[3].push_back(counter);
        statements(length);
        for (unsigned log : {3u, 4u})
            carried[log]->addIncoming(operand(log), body);
        Value *next = builder_.CreateAdd(counter, builder_.getInt8(1));
        counter->addIncoming(next, body);
        builder_.CreateCondBr(builder_.CreateICmpULT(next, builder_.getInt8(3)), body, after);
        builder_.SetInsertPoint(after);
    }

    std::mt19937 random_;
    LLVMContext context_;
    Module module_{"random", context_};
    IRBuilder<> builder_;
    Function *function_;
    std::array<std::vector<Value *>, 5> values_; // of 2^index bits
};

struct Cell {
    uint64_t bits = 0;
    bool poison = false;
};

int64_t as_signed(uint64_t bits, unsigned width) { return SignExtend64(bits, width); }

// A function with its values numbered, so that running it takes no look-ups.
class Interpreter {
public:
    explicit Interpreter(Function &function) : function_(function) {
        for (Argument &argument : function.args())
            number(&argument);
        for (Instruction &instruction : instructions(function))
            number(&instruction);
        for (BasicBlock &block : function)
            for (Instruction &instruction : block) {
                Step step{&instruction, numbers_.lookup(&instruction), {}};
                for (Value *operand : instruction.operands())
                    if (!isa<BasicBlock>(operand))
                        step.operands.push_back(number(operand));
                steps_[&block].push_back(std::move(step));
            }
    }

    // The values that are stored, one after the other; nothing if the behaviour is undefined.
    std::optional<std::vector<Cell>> run(uint8_t loaded, uint8_t uniform) {
        loaded_ = loaded;
        std::vector<Cell> stored;
        cells_[0] = {uint64_t(loaded) * 7 + uniform};
        cells_[1] = {uniform};
        BasicBlock *before = nullptr;
        for (BasicBlock *block = &function_.getEntryBlock(); block;) {
            std::vector<std::pair<unsigned, Cell>> phis;
            BasicBlock *next = nullptr;
            for (const Step &step : steps_.at(block)) {
                if (auto *phi = dyn_cast<PHINode>(step.instruction)) {
                    phis.emplace_back(
                        step.result,
                        cells_[step.operands[unsigned(phi->getBasicBlockIndex(before))]]);
                    continue;
                }
                for (auto [result, cell] : phis)
                    cells_[result] = cell;
                phis.clear();
                if (isa<StoreInst>(step.instruction)) {
                    stored.push_back(cells_[step.operands[0]]);
                } else if (auto *branch = dyn_cast<BranchInst>(step.instruction)) {
                    const bool conditional = branch->isConditional();
                    if (conditional && cells_[step.operands[0]].poison)
                        return std::nullopt;
                    next = branch->getSuccessor(conditional && !cells_[step.operands[0]].bits);
                } else if (!isa<ReturnInst>(step.instruction)) {
                    auto cell = compute(step);
                    if (!cell)
                        return std::nullopt;
                    cells_[step.result] = *cell;
                }
            }
            before = block;
            block = next;
        }
        return stored;
    }

private:
    struct Step {
        Instruction *instruction;
        unsigned result;
        std::vector<unsigned> operands;
    };

    unsigned number(Value *value) {
        auto [found, is_new] = numbers_.try_emplace(value, unsigned(cells_.size()));
        if (is_new) {
            auto *constant = dyn_cast<ConstantInt>(value);
            cells_.push_back({constant ? constant->getZExtValue() : 0, isa<PoisonValue>(value)});
        }
        return found->second;
    }

    static bool compare(CmpInst::Predicate predicate, Cell a, Cell b, unsigned width) {
        return ICmpInst::compare(APInt(width, a.bits), APInt(width, b.bits), predicate);
    }

    std::optional<Cell> compute(const Step &step) {
        const Instruction &instruction = *step.instruction;
        if (isa<LoadInst>(instruction))
            return Cell{loaded_};
        if (isa<GetElementPtrInst>(instruction))
            return Cell{};
        const Cell a = cells_[step.operands[0]];
        const unsigned to = instruction.getType()->getIntegerBitWidth();
        const unsigned from = instruction.getOperand(0)->getType()->getIntegerBitWidth();
        const uint64_t mask = maskTrailingOnes<uint64_t>(to);
        if (isa<SelectInst>(instruction)) {
            if (a.poison)
                return Cell{0, true};
            return cells_[step.operands[a.bits ? 1 : 2]];
        }
        if (isa<TruncInst>(instruction)) {
            const bool nuw = cast<TruncInst>(instruction).hasNoUnsignedWrap();
            const bool nsw = cast<TruncInst>(instruction).hasNoSignedWrap();
            return Cell{a.bits & mask,
                        a.poison || (nuw && (a.bits & mask) != a.bits) ||
                            (nsw && as_signed(a.bits & mask, to) != as_signed(a.bits, from))};
        }
        if (isa<ZExtInst>(instruction))
            return Cell{a.bits,
                        a.poison || (instruction.hasNonNeg() && as_signed(a.bits, from) < 0)};
        if (isa<SExtInst>(instruction))
            return Cell{uint64_t(as_signed(a.bits, from)) & mask, a.poison};
        const Cell b = cells_[step.operands[1]];
        Cell result{0, a.poison || b.poison};
        const int64_t left = as_signed(a.bits, from);
        const int64_t right = as_signed(b.bits, from);
        if (auto *compared = dyn_cast<ICmpInst>(&instruction)) {
            result.bits = compare(compared->getPredicate(), a, b, from);
            result.poison |= compared->hasSameSign() && (left < 0) != (right < 0);
            return result;
        }
        if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
            switch (call->getIntrinsicID()) {
            case Intrinsic::smin:
                result.bits = uint64_t(std::min(left, right)) & mask;
                break;
            case Intrinsic::smax:
                result.bits = uint64_t(std::max(left, right)) & mask;
                break;
            case Intrinsic::umin:
                result.bits = std::min(a.bits, b.bits);
                break;
            case Intrinsic::umax:
                result.bits = std::max(a.bits, b.bits);
                break;
            case Intrinsic::usub_sat:
                result.bits = a.bits - std::min(a.bits, b.bits);
                break;
            case Intrinsic::uadd_sat:
                result.bits = std::min(a.bits + b.bits, mask);
                break;
            default: // abs
                result.bits = uint64_t(std::abs(left)) & mask;
                result.poison |= b.bits && left == -(int64_t(1) << (to - 1));
                break;
            }
            return result;
        }
        int64_t exact = 0;  // of operands with a sign
        uint64_t plain = 0; // and of those without
        bool may_wrap = true;
        bool inexact = false;
        switch (instruction.getOpcode()) {
        case Instruction::Add:
            exact = left + right;
            plain = a.bits + b.bits;
            break;
        case Instruction::Sub:
            exact = left - right;
            plain = a.bits - b.bits;
            break;
        case Instruction::Mul:
            exact = left * right;
            plain = a.bits * b.bits;
            break;
        case Instruction::Shl:
            if (b.bits >= to)
                return Cell{0, true};
            exact = left * (int64_t(1) << b.bits);
            plain = a.bits << b.bits;
            break;
        case Instruction::LShr:
        case Instruction::AShr:
            if (b.bits >= to)
                return Cell{0, true};
            may_wrap = false;
            plain = instruction.getOpcode() == Instruction::LShr ? a.bits >> b.bits
                                                                 : uint64_t(left >> b.bits);
            inexact = (a.bits & maskTrailingOnes<uint64_t>(unsigned(b.bits))) != 0;
            break;
        case Instruction::UDiv:
        case Instruction::URem:
            if (b.poison || b.bits == 0)
                return std::nullopt;
            may_wrap = false;
            plain =
                instruction.getOpcode() == Instruction::UDiv ? a.bits / b.bits : a.bits % b.bits;
            inexact = a.bits % b.bits != 0;
            break;
        case Instruction::SDiv:
        case Instruction::SRem:
            if (b.poison || b.bits == 0 ||
                (right == -1 && (a.poison || left == -(int64_t(1) << (to - 1)))))
                return std::nullopt;
            may_wrap = false;
            plain = uint64_t(instruction.getOpcode() == Instruction::SDiv ? left / right
                                                                          : left % right);
            inexact = left % right != 0;
            break;
        case Instruction::And:
            may_wrap = false;
            plain = a.bits & b.bits;
            break;
        case Instruction::Or:
            may_wrap = false;
            plain = a.bits | b.bits;
            result.poison |=
                cast<PossiblyDisjointInst>(instruction).isDisjoint() && (a.bits & b.bits) != 0;
            break;
        case Instruction::Xor:
            may_wrap = false;
            plain = a.bits ^ b.bits;
            break;
        default:
            ADD_FAILURE() << "unknown operation";
            break;
        }
        result.bits = plain & mask;
        if (may_wrap) {
            result.poison |= instruction.hasNoSignedWrap() && as_signed(result.bits, to) != exact;
            result.poison |= instruction.hasNoUnsignedWrap() && result.bits != plain;
        } else if (isa<PossiblyExactOperator>(instruction)) {
            result.poison |= instruction.isExact() && inexact;
        }
        return result;
    }

    Function &function_;
    uint8_t loaded_ = 0;
    DenseMap<Value *, unsigned> numbers_;
    std::vector<Cell> cells_;
    std::unordered_map<BasicBlock *, std::vector<Step>> steps_;
};

std::string text(const Function &function) {
    std::string text;
    raw_string_ostream stream(text);
    function.print(stream);
    return text;
}

// What 4 bits compute other than casts.
size_t narrow_operations(Function &function) {
    return size_t(count_if(instructions(function), [](const Instruction &instruction) {
        return !isa<CastInst>(instruction) && !instruction.getType()->isVoidTy() &&
               (instruction.getType()->isIntegerTy(narrow_bits) ||
                (isa<ICmpInst>(instruction) &&
                 instruction.getOperand(0)->getType()->isIntegerTy(narrow_bits)));
    }));
}

using Narrowing = bool (*)(Function &, unsigned bits);

// Compares what functions store before and after they are narrowed. Returns how many operations got
// narrow and how many values were compared.
std::pair<size_t, size_t> compare_all(function_ref<Function &(Generator &)> generate,
                                      Narrowing narrow) {
    size_t narrowed = 0, compared = 0;
    for (unsigned seed = 1; seed <= 300 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Generator once(seed), again(seed);
        Function &original = generate(once);
        Function &narrower = generate(again);
        EXPECT_FALSE(verifyFunction(original, &errs())) << text(original);
        narrow(narrower, narrow_bits);
        const std::string both = text(original) + text(narrower);
        EXPECT_FALSE(verifyFunction(narrower, &errs())) << both;
        const size_t operations = narrow_operations(narrower) - narrow_operations(original);
        if (operations == 0 || testing::Test::HasFailure())
            continue;
        narrowed += operations;
        Interpreter before(original), after(narrower);
        for (unsigned input = 0; input < 65536 && !testing::Test::HasFailure(); ++input) {
            auto expected = before.run(uint8_t(input), uint8_t(input >> 8));
            if (!expected)
                continue;
            auto stored = after.run(uint8_t(input), uint8_t(input >> 8));
            EXPECT_TRUE(stored && stored->size() == expected->size())
                << "undefined for " << input << both;
            if (!stored)
                break;
            for (auto [was, is] : zip(*expected, *stored)) {
                compared += !was.poison;
                EXPECT_TRUE(was.poison || (!is.poison && is.bits == was.bits))
                    << "another number for " << input << ": " << is.bits << " for " << was.bits
                    << both;
            }
        }
    }
    return {narrowed, compared};
}

TEST(IntegerDemotion, StoresTheSameValues) {
    const auto [narrowed, compared] = compare_all(
        [](Generator &generator) -> Function & { return generator.function(12); }, demote_integers);
    EXPECT_GT(narrowed, 300u);
    EXPECT_GT(compared, 10'000'000u);
}

TEST(SaturatingSums, StoresTheSameValues) {
    const auto [narrowed, compared] = compare_all(
        [](Generator &generator) -> Function & { return generator.counts(10); }, saturate_sums);
    EXPECT_GT(narrowed, 300u);
    EXPECT_GT(compared, 10'000'000u);
}

} // namespace
