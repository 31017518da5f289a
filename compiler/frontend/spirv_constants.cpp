// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/spirv_constants.h"

#include <algorithm>
#include <vector>

namespace rivulet::compiler::spirv {
namespace {

uint64_t low_bits(uint64_t value, uint32_t bits) {
    return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

int64_t sign_extended(uint64_t value, uint32_t bits) {
    const uint32_t above = 64 - bits;
    return static_cast<int64_t>(value << above) >> above;
}

// An integer of a width.
struct Value {
    uint64_t value;
    uint32_t bits;
    int64_t as_signed() const { return sign_extended(value, bits); }
};

std::optional<uint64_t> unary(uint32_t operation, Value a) {
    switch (operation) {
    case op::UConvert:
        return a.value;
    case op::SConvert:
        return static_cast<uint64_t>(a.as_signed());
    case op::SNegate:
        return -a.value;
    case op::Not:
        return ~a.value;
    case op::LogicalNot:
        return !a.value;
    default:
        return std::nullopt;
    }
}

std::optional<uint64_t> division(uint32_t operation, Value a, Value b) {
    if (b.value == 0)
        return std::nullopt;
    if (operation == op::UDiv)
        return a.value / b.value;
    if (operation == op::UMod)
        return a.value % b.value;
    const int64_t dividend = a.as_signed(), divisor = b.as_signed();
    if (divisor == -1) // the smallest number has no quotient
        return operation == op::SDiv ? -a.value : 0;
    if (operation == op::SDiv)
        return static_cast<uint64_t>(dividend / divisor);
    int64_t rest = dividend % divisor; // has the sign of the dividend, as OpSRem's
    if (operation == op::SMod && rest != 0 && (rest < 0) != (divisor < 0))
        rest += divisor;
    return static_cast<uint64_t>(rest);
}

std::optional<uint64_t> shift(uint32_t operation, Value a, uint64_t by) {
    if (by >= a.bits)
        return std::nullopt; // undefined
    switch (operation) {
    case op::ShiftLeftLogical:
        return a.value << by;
    case op::ShiftRightLogical:
        return a.value >> by;
    default:
        return static_cast<uint64_t>(a.as_signed() >> by);
    }
}

std::optional<uint64_t> binary(uint32_t operation, Value a, Value b) {
    switch (operation) {
    case op::IAdd:
        return a.value + b.value;
    case op::ISub:
        return a.value - b.value;
    case op::IMul:
        return a.value * b.value;
    case op::UDiv:
    case op::UMod:
    case op::SDiv:
    case op::SRem:
    case op::SMod:
        return division(operation, a, b);
    case op::ShiftLeftLogical:
    case op::ShiftRightLogical:
    case op::ShiftRightArithmetic:
        return shift(operation, a, b.value);
    case op::BitwiseOr:
    case op::LogicalOr:
        return a.value | b.value;
    case op::BitwiseAnd:
    case op::LogicalAnd:
        return a.value & b.value;
    case op::BitwiseXor:
    case op::LogicalNotEqual:
    case op::INotEqual:
        return operation == op::BitwiseXor ? a.value ^ b.value : a.value != b.value;
    case op::LogicalEqual:
    case op::IEqual:
        return a.value == b.value;
    case op::ULessThan:
        return a.value < b.value;
    case op::ULessThanEqual:
        return a.value <= b.value;
    case op::UGreaterThan:
        return a.value > b.value;
    case op::UGreaterThanEqual:
        return a.value >= b.value;
    case op::SLessThan:
        return a.as_signed() < b.as_signed();
    case op::SLessThanEqual:
        return a.as_signed() <= b.as_signed();
    case op::SGreaterThan:
        return a.as_signed() > b.as_signed();
    case op::SGreaterThanEqual:
        return a.as_signed() >= b.as_signed();
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<uint64_t> computed_constant(const Module &module, const Instruction &instruction) {
    const uint32_t bits = module.constant_bits(instruction[1]);
    std::vector<Value> operands;
    for (const uint32_t id :
         instruction.words.subspan(4, std::min<size_t>(3, instruction.size() - 4))) {
        const auto value = module.value(id);
        if (!value)
            return std::nullopt;
        operands.push_back({*value, module.constant_bits(module.type_of(id))});
    }
    std::optional<uint64_t> result;
    if (operands.size() == 1)
        result = unary(instruction[3], operands[0]);
    else if (operands.size() == 2)
        result = binary(instruction[3], operands[0], operands[1]);
    else if (operands.size() == 3 && instruction[3] == op::Select)
        result = operands[0].value ? operands[1].value : operands[2].value;
    if (!bits || !result)
        return std::nullopt;
    return low_bits(*result, bits);
}

} // namespace rivulet::compiler::spirv
