// SPDX-License-Identifier: Apache-2.0
//
// Gives functions that stay functions (analysis/kept_calls.h) parameters and results that lanes
// can have: OpenCL's vectors become their components, structures that are passed or returned by
// value their fields, where those leave no bytes out. A result of several values is a structure of
// scalars. Larger structures stay in memory: the caller makes the copy that `byval` asks for.
//
// What such a function asks of the work-item (its ids, and sizes of the NDRange) becomes a
// parameter, too, which the kernel answers.
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/analysis/kept_calls.h"
#include "compiler/support/program_pass.h"
#include "compiler/work_items/work_group_builtin_table.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(CallSignaturesPass);

// Structures of more fields stay in memory. Not measured.
constexpr size_t max_fields = 16; // fields

namespace {

struct Field {
    Type *type;
    uint64_t offset; // in bytes
};
using Fields = SmallVector<Field, 8>;

// Adds the scalars of a type, which have to follow each other without a gap, from `offset` on.
bool add_fields(Type *type, const DataLayout &layout, uint64_t &offset, Fields &fields) {
    const auto add_several = [&](Type *element, uint64_t count) {
        for (uint64_t i = 0; i < count; ++i)
            if (fields.size() > max_fields || !add_fields(element, layout, offset, fields))
                return false;
        return true;
    };
    if (auto *array = dyn_cast<ArrayType>(type))
        return add_several(array->getElementType(), array->getNumElements());
    if (auto *vector = dyn_cast<FixedVectorType>(type)) // three components take the room of four
        return add_several(vector->getElementType(),
                           layout.getTypeAllocSize(type) /
                               layout.getTypeAllocSize(vector->getElementType()));
    if (auto *structure = dyn_cast<StructType>(type)) {
        const uint64_t start = offset;
        const StructLayout &places = *layout.getStructLayout(structure);
        for (auto [i, part] : enumerate(structure->elements()))
            if (start + places.getElementOffset(unsigned(i)) != offset ||
                !add_fields(part, layout, offset, fields))
                return false;
        return start + places.getSizeInBytes() == offset;
    }
    if (layout.getTypeStoreSizeInBits(type) != layout.getTypeSizeInBits(type) ||
        type->getScalarSizeInBits() > 64)
        return false;
    fields.push_back({type, offset});
    offset += layout.getTypeAllocSize(type);
    return true;
}

// Empty: the type has none, too many, or gaps between them.
Fields fields_of(Type *type, const DataLayout &layout) {
    Fields fields;
    uint64_t offset = 0;
    if (!type || !add_fields(type, layout, offset, fields) || fields.size() > max_fields)
        return {};
    return fields;
}

Value *field_address(IRBuilderBase &builder, Value *structure, const Field &field) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), structure, field.offset);
}

// Halves are passed as their bits, which all vector units have.
Type *passed_type(Type *type) {
    return type->isHalfTy() || type->isBFloatTy() ? Type::getInt16Ty(type->getContext()) : type;
}
Value *passed(IRBuilderBase &builder, Value *value) {
    return builder.CreateBitCast(value, passed_type(value->getType()));
}

AllocaInst *new_variable(Function &function, Type *type, MaybeAlign align) {
    IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *variable = entry.CreateAlloca(type);
    variable->setAlignment(std::max(variable->getAlign(), align.valueOrOne()));
    return variable;
}

// One function and its calls.
class SignatureChange {
public:
    explicit SignatureChange(Function &old)
        : old_(old), layout_(old.getDataLayout()), context_(old.getContext()) {
        for (llvm::Argument &argument : old.args())
            describe(argument);
        if (auto *vector = dyn_cast<FixedVectorType>(old.getReturnType()))
            results_.append(vector->getNumElements(), passed_type(vector->getElementType()));
        else if (!old.getReturnType()->isVoidTy())
            results_.push_back(passed_type(old.getReturnType()));
        for (Instruction &instruction : instructions(old))
            if (auto *call = dyn_cast<CallInst>(&instruction))
                if (auto builtin = builtin_of(*call); builtin && is_work_item_query(*builtin))
                    queries_[{call->getCalledFunction(),
                              call->arg_empty() ? nullptr : call->getArgOperand(0)}]
                        .push_back(call);
    }

    void run() {
        Function &changed = create();
        SmallVector<CallInst *> calls;
        for (User *user : old_.users())
            calls.push_back(cast<CallInst>(user));
        for (CallInst *call : calls)
            replace(*call, changed);
        move_body(changed);
        changed.takeName(&old_);
        old_.eraseFromParent();
    }

private:
    struct Parameter {
        enum Kind { same, components, fields, copy, result } kind = same;
        Type *pointee = nullptr;
        MaybeAlign align;
        Fields parts = {};
    };

    void describe(const llvm::Argument &argument) {
        Parameter parameter;
        parameter.align = argument.getParamAlign();
        if (Type *type = argument.getParamByValType()) {
            parameter.pointee = type;
            parameter.parts = fields_of(type, layout_);
            parameter.kind = parameter.parts.empty() ? Parameter::copy : Parameter::fields;
        } else if (Type *type = argument.getParamStructRetType()) {
            parameter.parts = fields_of(type, layout_);
            if (!parameter.parts.empty()) {
                parameter.kind = Parameter::result;
                parameter.pointee = type;
                for (const Field &field : parameter.parts)
                    results_.push_back(passed_type(field.type));
            }
        } else if (auto *vector = dyn_cast<FixedVectorType>(argument.getType())) {
            parameter.kind = Parameter::components;
            for (unsigned i = 0; i < vector->getNumElements(); ++i)
                parameter.parts.push_back({vector->getElementType(), 0});
        }
        parameters_.push_back(std::move(parameter));
    }

    Function &create() {
        SmallVector<Type *> types;
        SmallVector<AttributeSet> attributes;
        for (auto [parameter, argument] : zip(parameters_, old_.args())) {
            if (parameter.kind == Parameter::result)
                continue;
            if (parameter.kind == Parameter::same || parameter.kind == Parameter::copy) {
                types.push_back(passed_type(argument.getType()));
                AttributeMask none;
                none.addAttribute(Attribute::ByVal)
                    .addAttribute(Attribute::StructRet)
                    .addAttribute(Attribute::Returned);
                attributes.push_back(
                    old_.getAttributes()
                        .getParamAttrs(argument.getArgNo())
                        .removeAttributes(context_, none)
                        .removeAttributes(context_, AttributeFuncs::typeIncompatible(
                                                        types.back(), AttributeSet())));
                continue;
            }
            for (const Field &field : parameter.parts) {
                types.push_back(passed_type(field.type));
                attributes.emplace_back();
            }
        }
        for (auto &[query, calls] : queries_) {
            types.push_back(calls.front()->getType());
            attributes.emplace_back();
        }
        result_ = results_.empty()       ? Type::getVoidTy(context_)
                  : results_.size() == 1 ? results_[0]
                                         : StructType::get(context_, results_);
        auto *function =
            Function::Create(FunctionType::get(result_, types, false), old_.getLinkage(),
                             old_.getAddressSpace(), "", old_.getParent());
        function->setAttributes(AttributeList::get(
            context_, old_.getAttributes().getFnAttrs(),
            result_ == old_.getReturnType() ? old_.getAttributes().getRetAttrs() : AttributeSet(),
            attributes));
        function->setCallingConv(old_.getCallingConv());
        return *function;
    }

    Value *rejoined(IRBuilderBase &builder, Type *whole, ArrayRef<Value *> parts) {
        Value *value = PoisonValue::get(whole);
        Type *element = whole->getScalarType();
        for (auto [i, part] : enumerate(parts))
            value = builder.CreateInsertElement(value, builder.CreateBitCast(part, element),
                                                uint64_t(i));
        return value;
    }

    void replace(CallInst &call, Function &changed) {
        IRBuilder<> builder(&call);
        SmallVector<Value *> operands;
        Value *destination = nullptr;
        const Parameter *returned = nullptr;
        for (auto [parameter, operand] : zip(parameters_, call.args())) {
            switch (parameter.kind) {
            case Parameter::same:
                operands.push_back(passed(builder, operand));
                break;
            case Parameter::components:
                for (unsigned i = 0; i < parameter.parts.size(); ++i)
                    operands.push_back(passed(builder, builder.CreateExtractElement(operand, i)));
                break;
            case Parameter::fields:
                for (const Field &field : parameter.parts)
                    operands.push_back(builder.CreateAlignedLoad(
                        passed_type(field.type), field_address(builder, operand, field),
                        commonAlignment(parameter.align.valueOrOne(), field.offset)));
                break;
            case Parameter::copy: {
                AllocaInst *copy =
                    new_variable(*call.getFunction(), parameter.pointee, parameter.align);
                builder.CreateMemCpy(copy, copy->getAlign(), operand, parameter.align,
                                     layout_.getTypeAllocSize(parameter.pointee));
                operands.push_back(copy);
                break;
            }
            case Parameter::result:
                destination = operand;
                returned = &parameter;
                break;
            }
        }
        for (auto &[query, calls] : queries_) {
            Instruction *question = calls.front()->clone();
            question->setDebugLoc(call.getDebugLoc());
            operands.push_back(builder.Insert(question));
        }
        CallInst *now = builder.CreateCall(&changed, operands);
        now->setCallingConv(changed.getCallingConv());
        now->setAttributes(
            AttributeList::get(context_, call.getAttributes().getFnAttrs(), AttributeSet(), {}));
        now->setDebugLoc(call.getDebugLoc());
        SmallVector<Value *> parts;
        for (unsigned i = 0; i < results_.size(); ++i)
            parts.push_back(results_.size() == 1 ? now : builder.CreateExtractValue(now, i));
        if (destination)
            for (auto [field, part] : zip(returned->parts, parts))
                builder.CreateAlignedStore(
                    part, field_address(builder, destination, field),
                    commonAlignment(returned->align.valueOrOne(), field.offset));
        else if (!call.use_empty())
            call.replaceAllUsesWith(call.getType()->isVectorTy()
                                        ? rejoined(builder, call.getType(), parts)
                                        : builder.CreateBitCast(parts[0], call.getType()));
        call.eraseFromParent();
    }

    void move_body(Function &changed) {
        changed.splice(changed.begin(), &old_);
        changed.setSubprogram(old_.getSubprogram());
        old_.setSubprogram(nullptr);
        IRBuilder<> builder(&*changed.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        SmallVector<Value *> values(make_pointer_range(changed.args()));
        ArrayRef<Value *> left = values;
        AllocaInst *destination = nullptr;
        const Parameter *returned = nullptr;
        for (auto [parameter, argument] : zip(parameters_, old_.args())) {
            switch (parameter.kind) {
            case Parameter::same:
            case Parameter::copy:
                left.front()->takeName(&argument);
                argument.replaceAllUsesWith(
                    builder.CreateBitCast(left.consume_front(), argument.getType()));
                break;
            case Parameter::components:
                argument.replaceAllUsesWith(
                    rejoined(builder, argument.getType(), left.take_front(parameter.parts.size())));
                left = left.drop_front(parameter.parts.size());
                break;
            case Parameter::fields: {
                AllocaInst *copy = new_variable(changed, parameter.pointee, parameter.align);
                for (const Field &field : parameter.parts)
                    builder.CreateAlignedStore(left.consume_front(),
                                               field_address(builder, copy, field),
                                               commonAlignment(copy->getAlign(), field.offset));
                argument.replaceAllUsesWith(copy);
                break;
            }
            case Parameter::result:
                destination = new_variable(changed, parameter.pointee, parameter.align);
                returned = &parameter;
                argument.replaceAllUsesWith(destination);
                break;
            }
        }
        for (auto &[query, calls] : queries_) {
            for (CallInst *call : calls) {
                call->replaceAllUsesWith(left.front());
                call->eraseFromParent();
            }
            left = left.drop_front();
        }
        if (result_ == old_.getReturnType())
            return;
        for (BasicBlock &block : changed)
            if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
                replace(*end, destination, returned);
    }

    void replace(ReturnInst &end, AllocaInst *destination, const Parameter *returned) {
        IRBuilder<> builder(&end);
        SmallVector<Value *> parts;
        if (destination)
            for (const Field &field : returned->parts)
                parts.push_back(builder.CreateAlignedLoad(
                    passed_type(field.type), field_address(builder, destination, field),
                    commonAlignment(destination->getAlign(), field.offset)));
        else if (!end.getReturnValue()->getType()->isVectorTy())
            parts.push_back(passed(builder, end.getReturnValue()));
        else
            for (unsigned i = 0; i < results_.size(); ++i)
                parts.push_back(
                    passed(builder, builder.CreateExtractElement(end.getReturnValue(), i)));
        if (parts.size() == 1)
            builder.CreateRet(parts[0]);
        else
            builder.CreateAggregateRet(parts.data(), unsigned(parts.size()));
        end.eraseFromParent();
    }

    Function &old_;
    const DataLayout &layout_;
    LLVMContext &context_;
    SmallVector<Parameter> parameters_;
    SmallVector<Type *> results_;
    Type *result_ = nullptr;
    // By function and operand.
    MapVector<std::pair<Function *, Value *>, SmallVector<CallInst *>> queries_;
};

// Callees first: what they ask, their callers ask for them.
void add_in_order(Function &function, SmallPtrSetImpl<Function *> &seen,
                  SmallVectorImpl<Function *> &order) {
    if (!seen.insert(&function).second)
        return;
    for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&instruction))
            if (Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
                add_in_order(*callee, seen, order);
    if (is_kept_call(function))
        order.push_back(&function);
}

} // namespace

void CallSignaturesPass::lower(Program &program, const Target &, ModuleAnalysisManager &) {
    SmallPtrSet<Function *, 16> seen;
    SmallVector<Function *> order;
    for (Function &function : *program.module)
        add_in_order(function, seen, order);
    for (Function *function : order)
        SignatureChange(*function).run();
}

} // namespace rivulet::compiler
