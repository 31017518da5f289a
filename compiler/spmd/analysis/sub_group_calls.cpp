// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/sub_group_calls.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>

#include "compiler/work_items/work_group_builtin_table.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr StringLiteral local_id_name = "rivulet.sub_group.local_id";
constexpr StringLiteral id_name = "rivulet.sub_group.id";

constexpr std::pair<StringLiteral, SubGroupCall::Function> functions[] = {
    {"barrier", SubGroupCall::barrier},
    {"any", SubGroupCall::any},
    {"all", SubGroupCall::all},
    {"elect", SubGroupCall::elect},
    {"broadcast", SubGroupCall::broadcast},
    {"broadcast_first", SubGroupCall::broadcast_first},
    {"shuffle", SubGroupCall::shuffle},
    {"ballot_part", SubGroupCall::ballot},
};

constexpr std::pair<StringLiteral, SubGroupCall::Operation> operations[] = {
    {"add", SubGroupCall::add},     {"mul", SubGroupCall::mul},     {"min", SubGroupCall::min},
    {"max", SubGroupCall::max},     {"and", SubGroupCall::bit_and}, {"or", SubGroupCall::bit_or},
    {"xor", SubGroupCall::bit_xor},
};

template <class Row, size_t count> const Row *find_row(const Row (&rows)[count], StringRef name) {
    const Row *row = find_if(rows, [&](const Row &each) { return each.first == name; });
    return row == std::end(rows) ? nullptr : row;
}

// Parses the name behind "sub_group_"; variants differ only in who may call them.
std::optional<SubGroupCall> parse(StringRef name, StringRef parameters) {
    if (auto *row = find_row(functions, name))
        return SubGroupCall{row->second};
    SubGroupCall call{SubGroupCall::reduce};
    if (name.consume_front("clustered_reduce_"))
        call.function = SubGroupCall::clustered_reduce;
    else if (name.consume_front("scan_inclusive_"))
        call.function = SubGroupCall::scan_inclusive;
    else if (name.consume_front("scan_exclusive_"))
        call.function = SubGroupCall::scan_exclusive;
    else if (!name.consume_front("reduce_"))
        return std::nullopt;
    call.is_logical = name.consume_front("logical_");
    call.is_signed = !StringRef("htjm").contains(parameters.take_front());
    call.is_double = parameters.starts_with("d");
    auto *row = find_row(operations, name);
    if (!row)
        return std::nullopt;
    call.operation = row->second;
    return call;
}

} // namespace

std::optional<SubGroupCall> sub_group_call(const Value &value) {
    auto *call = dyn_cast<CallBase>(&value);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->isDeclaration() || callee->isIntrinsic())
        return std::nullopt;
    if (callee->getName() == local_id_name)
        return SubGroupCall{SubGroupCall::local_id};
    if (callee->getName() == id_name)
        return SubGroupCall{SubGroupCall::id};
    StringRef name = unmangled_name(callee->getName());
    name.consume_front("intel_");
    if (!name.consume_front("sub_group_") && !name.consume_front("__rivulet_sub_group_"))
        return std::nullopt;
    name.consume_front("non_uniform_");
    return parse(name, mangled_parameters(callee->getName()));
}

bool same_in_all_lanes(const SubGroupCall &call) {
    switch (call.function) {
    case SubGroupCall::id:
    case SubGroupCall::any:
    case SubGroupCall::all:
    case SubGroupCall::ballot:
    case SubGroupCall::broadcast:
    case SubGroupCall::broadcast_first:
    case SubGroupCall::reduce:
        return true;
    default:
        return false;
    }
}

void mark_as_id_query(Function &function) {
    function.setDoesNotAccessMemory();
    function.setDoesNotThrow();
    function.setWillReturn();
    function.setSpeculatable();
}

Value *id_call(IRBuilderBase &builder, SubGroupCall::Function function, Value *linear_id) {
    Module &module = *builder.GetInsertBlock()->getModule();
    auto callee = module.getOrInsertFunction(
        function == SubGroupCall::id ? id_name : local_id_name,
        FunctionType::get(builder.getInt32Ty(), {builder.getInt32Ty()}, false));
    mark_as_id_query(cast<Function>(*callee.getCallee()));
    return builder.CreateCall(callee, {linear_id});
}

Constant *identity(const SubGroupCall &call, Type *type) {
    if (type->isFloatingPointTy())
        switch (call.operation) {
        case SubGroupCall::add:
            return ConstantFP::getZero(type);
        case SubGroupCall::mul:
            return ConstantFP::get(type, 1);
        default:
            return ConstantFP::getInfinity(type, call.operation == SubGroupCall::max);
        }
    unsigned bits = type->getIntegerBitWidth();
    switch (call.operation) {
    case SubGroupCall::mul:
        return ConstantInt::get(type, 1);
    case SubGroupCall::min:
        return ConstantInt::get(type, call.is_signed ? APInt::getSignedMaxValue(bits)
                                                     : APInt::getMaxValue(bits));
    case SubGroupCall::max:
        return ConstantInt::get(type, call.is_signed ? APInt::getSignedMinValue(bits)
                                                     : APInt::getMinValue(bits));
    case SubGroupCall::bit_and:
        return call.is_logical ? ConstantInt::get(type, 1) : Constant::getAllOnesValue(type);
    default:
        return Constant::getNullValue(type);
    }
}

Value *combine(IRBuilderBase &builder, const SubGroupCall &call, Value *a, Value *b) {
    bool real = a->getType()->isFPOrFPVectorTy();
    auto either = [&](Intrinsic::ID is_real, Intrinsic::ID is_signed, Intrinsic::ID is_unsigned) {
        return builder.CreateBinaryIntrinsic(real             ? is_real
                                             : call.is_signed ? is_signed
                                                              : is_unsigned,
                                             a, b);
    };
    switch (call.operation) {
    case SubGroupCall::add:
        return real ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    case SubGroupCall::mul:
        return real ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    case SubGroupCall::min:
        return either(Intrinsic::minnum, Intrinsic::smin, Intrinsic::umin);
    case SubGroupCall::max:
        return either(Intrinsic::maxnum, Intrinsic::smax, Intrinsic::umax);
    case SubGroupCall::bit_and:
        return builder.CreateAnd(a, b);
    case SubGroupCall::bit_or:
        return builder.CreateOr(a, b);
    case SubGroupCall::bit_xor:
        return builder.CreateXor(a, b);
    }
    llvm_unreachable("all operations are handled");
}

} // namespace rivulet::compiler
