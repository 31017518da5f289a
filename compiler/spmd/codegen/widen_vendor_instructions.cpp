// SPDX-License-Identifier: Apache-2.0
//
// Calls of a board's built-in functions, as its instructions (lowering/vendor_instructions.h).
// These only compute, so that inactive lanes may compute anything, as in other vector instructions.
#include "compiler/spmd/codegen/instruction_widener.h"

#include <llvm/IR/InlineAsm.h>

#include "compiler/lowering/vendor_instructions.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

bool is_scalar(OperandKind kind) {
    return kind == OperandKind::integer || kind == OperandKind::real;
}

// LLVM writes an operand as $1, and the character as $$.
std::string in_llvm_syntax(StringRef text) {
    std::string result;
    for (const char letter : text)
        result += letter == '%' ? "$" : letter == '$' ? "$$" : std::string(1, letter);
    return result;
}

class VendorCall {
public:
    VendorCall(IRBuilder<> &builder, const InstructionForm &form)
        : builder_(builder), form_(form) {}

    // Vectors of more than eight registers are split, as instructions take no more.
    Value *emit(VectorType *result, ArrayRef<Value *> operands, Value *length) {
        unsigned widest = std::max(form_.element_bits, result->getScalarSizeInBits());
        for (const Value *operand : operands)
            if (operand->getType()->isVectorTy())
                widest = std::max(widest, operand->getType()->getScalarSizeInBits());
        const uint64_t lanes = result->getElementCount().getKnownMinValue();
        if (widest * lanes <= most_register_bits)
            return form_.is_intrinsic ? intrinsic(result, operands, length)
                                      : assembly(result, operands, length);
        auto *half = VectorType::getHalfElementsVectorType(result);
        Value *whole = PoisonValue::get(result);
        for (const uint64_t first : {uint64_t(0), lanes / 2}) {
            SmallVector<Value *, 4> parts;
            for (Value *operand : operands) {
                auto *vector = dyn_cast<VectorType>(operand->getType());
                parts.push_back(
                    vector ? builder_.CreateExtractVector(
                                 VectorType::getHalfElementsVectorType(vector), operand, first)
                           : operand);
            }
            // Inactive lanes may hold anything, so each half computes all of its lanes.
            Value *all = ConstantInt::getAllOnesValue(length->getType());
            whole = builder_.CreateInsertVector(result, whole, emit(half, parts, all), first);
        }
        return whole;
    }

private:
    // Inline assembly sets vl and vtype itself: LLVM takes both for unknown after it, and sets them
    // again for the next vector instruction.
    Value *assembly(VectorType *result, ArrayRef<Value *> operands, Value *length) {
        const unsigned bits =
            form_.element_bits ? form_.element_bits : result->getScalarSizeInBits();
        const uint64_t eighths = bits * result->getElementCount().getKnownMinValue() / 8;
        // A source of another width may share only some registers of the result: RISC-V V 1.0, 5.2.
        const bool is_early =
            form_.is_early || any_of(zip(form_.operands, operands), [&](const auto &each) {
                const auto &[kind, operand] = each;
                return kind != OperandKind::mask && operand->getType()->isVectorTy() &&
                       operand->getType()->getScalarSizeInBits() != result->getScalarSizeInBits();
            });
        // A masked instruction does not write v0, its mask: 5.3.
        std::string constraints =
            (is_early ? "=&^" : "=^") + std::string(form_.has(OperandKind::mask) ? "vd" : "vr");
        SmallVector<Type *, 6> types;
        for (auto [kind, operand] : zip(form_.operands, operands)) {
            constraints += kind == OperandKind::overwritten ? ",0"
                           : kind == OperandKind::integer   ? ",r"
                           : kind == OperandKind::real      ? ",f"
                           : kind == OperandKind::mask      ? ",^vm"
                                                            : ",^vr";
            types.push_back(operand->getType());
        }
        constraints += ",r,~{vl},~{vtype}";
        types.push_back(length->getType());
        SmallVector<Value *, 6> all(operands);
        all.push_back(length);
        const std::string text =
            "vsetvli zero, $" + utostr(all.size()) + ", e" + utostr(bits) + ", " +
            (eighths >= 8 ? "m" + utostr(eighths / 8) : "mf" + utostr(8 / eighths)) +
            (form_.merges() ? ", ta, mu\n\t" : ", ta, ma\n\t") + in_llvm_syntax(form_.text);
        auto *type = FunctionType::get(result, types, /*isVarArg=*/false);
        CallInst *made = builder_.CreateCall(
            type, InlineAsm::get(type, text, constraints, /*hasSideEffects=*/false), all);
        made->setDoesNotAccessMemory();
        made->setDoesNotThrow();
        return made;
    }

    Value *intrinsic(VectorType *result, ArrayRef<Value *> operands, Value *length) {
        SmallVector<Value *, 4> all;
        for (auto [kind, given] : zip(form_.operands, operands)) {
            Value *operand = given;
            auto *vector = dyn_cast<VectorType>(operand->getType());
            if (kind == OperandKind::integer)
                operand = builder_.CreateSExtOrTrunc(operand, length->getType());
            else if (kind == OperandKind::bytes)
                operand = builder_.CreateBitCast(
                    operand,
                    VectorType::get(builder_.getInt8Ty(), vector->getElementCount() *
                                                              (vector->getScalarSizeInBits() / 8)));
            all.push_back(operand);
        }
        return call_vector_intrinsic(builder_, Intrinsic::lookupIntrinsicID(form_.text), result,
                                     all, length, form_.merges());
    }

    IRBuilder<> &builder_;
    const InstructionForm &form_;
};

} // namespace

// Takes the form with the most scalar operands whose scalars are the same for all lanes.
Value *InstructionWidener::vendor_instruction(CallInst &call) {
    if (count_.isFixed())
        return nullptr;
    auto fits = [&](const InstructionForm &form) {
        return all_of(zip(form.operands, call.args()), [&](auto each) {
            const auto &[kind, value] = each;
            return !is_scalar(kind) ||
                   (strides_.uniform(value) &&
                    (kind == OperandKind::real ||
                     value->getType()->getIntegerBitWidth() <= index_type()->getIntegerBitWidth()));
        });
    };
    const auto forms = instruction_forms(call.getCalledFunction());
    const InstructionForm *best = nullptr;
    for (const InstructionForm &form : forms)
        if (fits(form) && (!best || form.scalars() > best->scalars()))
            best = &form;
    if (!best)
        return nullptr;
    SmallVector<Value *, 4> operands;
    for (auto [i, kind] : enumerate(best->operands)) {
        Value *value = call.getArgOperand(unsigned(i));
        Value *operand = is_scalar(kind) ? scalar(value) : vector(value);
        // The instruction reads the whole register, which holds what a function would be passed.
        if (kind == OperandKind::integer)
            operand = call.paramHasAttr(unsigned(i), Attribute::ZExt)
                          ? builder_.CreateZExt(operand, index_type())
                          : builder_.CreateSExt(operand, index_type());
        operands.push_back(operand);
    }
    return VendorCall(builder_, *best)
        .emit(cast<VectorType>(vector_of(call.getType())), operands,
              builder_.CreateZExtOrTrunc(active.length, index_type()));
}

} // namespace rivulet::compiler
