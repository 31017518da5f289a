// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/work_item.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/debug_mark.h"
#include "compiler/work_items/small_buffers.h"
#include "compiler/work_items/work_group_builtin_table.h"
#include "compiler/workgroup/async_copy.h"
#include "compiler/workgroup/debugger_variables.h"
#include "compiler/workgroup/engine_copy.h"
#include "compiler/workgroup/linear_ids.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Arithmetic on the parameters of a work-item function, at the builder's insert point.
class ParameterArithmetic {
public:
    ParameterArithmetic(Function &function, IRBuilder<> &builder, bool linear)
        : function_(function), builder_(builder), linear_(linear) {}

    Value *query(Builtin builtin, Value *dimension, Type *type) {
        switch (builtin) {
        case Builtin::work_dim:
            return function_.getArg(parameter::work_dim);
        case Builtin::global_linear_id:
            return linear_id(type, parameter::global_size, [&](unsigned d) {
                return d_sub(wide(global_id(d)), wide(parameter::global_offset + d));
            });
        case Builtin::local_linear_id:
            return linear_id(type, parameter::local_size,
                             [&](unsigned d) { return wide(parameter::id + d); });
        default:
            return by_dimension(builtin, dimension, type);
        }
    }

private:
    Value *wide(Value *value) {
        return builder_.CreateZExt(value, builder_.getInt64Ty(), "", /*IsNonNeg=*/true);
    }
    Value *wide(unsigned parameter) { return wide(function_.getArg(parameter)); }
    Value *d_sub(Value *a, Value *b) { return builder_.CreateNUWSub(a, b); }

    Value *local_id(unsigned d) {
        return linear_ ? linear_local_id(builder_, function_, d)
                       : function_.getArg(parameter::id + d);
    }

    Value *global_id(unsigned d) {
        return builder_.CreateAdd(function_.getArg(parameter::first_id + d), local_id(d), "", true,
                                  true);
    }

    // 6.15.1: (id2 * size1 + id1) * size0 + id0
    template <class Id> Value *linear_id(Type *type, unsigned sizes, Id id) {
        Value *sum = id(2);
        for (unsigned d : {1u, 0u})
            sum = builder_.CreateNUWAdd(builder_.CreateNUWMul(sum, wide(sizes + d)), id(d));
        return builder_.CreateTrunc(sum, type); // size_t of 32 bits
    }

    Value *in_dimension(Builtin builtin, unsigned d) {
        switch (builtin) {
        case Builtin::global_id:
            return global_id(d);
        case Builtin::local_id:
            return local_id(d);
        case Builtin::local_size:
            return function_.getArg(parameter::local_size + d);
        case Builtin::enqueued_local_size:
            return function_.getArg(parameter::enqueued_local_size + d);
        case Builtin::group_id:
            return function_.getArg(parameter::group_id + d);
        case Builtin::num_groups:
            return function_.getArg(parameter::num_groups + d);
        case Builtin::global_size:
            return function_.getArg(parameter::global_size + d);
        default:
            return function_.getArg(parameter::global_offset + d);
        }
    }

    // 6.15.1: outside of the NDRange's dimensions an id is 0 and a size 1.
    Value *by_dimension(Builtin builtin, Value *dimension, Type *type) {
        bool is_size = builtin == Builtin::local_size || builtin == Builtin::global_size ||
                       builtin == Builtin::enqueued_local_size || builtin == Builtin::num_groups;
        auto extended = [&](Value *value) {
            return value->getType() == type ? value : builder_.CreateZExt(value, type, "", true);
        };
        Value *beyond = ConstantInt::get(type, is_size);
        if (auto *constant = dyn_cast<ConstantInt>(dimension))
            return constant->uge(3)
                       ? beyond
                       : extended(in_dimension(builtin, unsigned(constant->getZExtValue())));
        for (unsigned d : {2u, 1u, 0u})
            beyond = builder_.CreateSelect(
                builder_.CreateICmpEQ(dimension, ConstantInt::get(dimension->getType(), d)),
                extended(in_dimension(builtin, d)), beyond);
        return beyond;
    }

    Function &function_;
    IRBuilder<> &builder_;
    bool linear_;
};

bool depends_on_group(Builtin builtin) {
    switch (builtin) {
    case Builtin::local_size:
    case Builtin::local_id:
    case Builtin::group_id:
    case Builtin::local_linear_id:
        return true;
    default:
        return !is_work_item_query(builtin) && builtin != Builtin::prefetch;
    }
}

bool only_read(const Value &pointer) {
    return all_of(pointer.users(), [](const User *user) {
        if (auto *load = dyn_cast<LoadInst>(user))
            return !load->isVolatile();
        return isa<GetElementPtrInst>(user) && only_read(*user);
    });
}

// 6.11: an argument is a private variable of the work-item, that may be changed.
void copy_changed_values(Function &function) {
    for (llvm::Argument &argument : drop_begin(function.args(), parameter::count)) {
        Type *type = argument.getParamByValType();
        if (!type)
            continue;
        Align align = argument.getParamAlign().valueOrOne();
        function.removeParamAttr(argument.getArgNo(), Attribute::ByVal);
        if (only_read(argument) && !is_debuggable(function))
            continue;
        IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
        AllocaInst *copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
        copy->setAlignment(std::max(copy->getAlign(), align));
        argument.replaceAllUsesWith(copy);
        builder.CreateMemCpy(copy, copy->getAlign(), &argument, align,
                             function.getDataLayout().getTypeAllocSize(type));
    }
}

// Gives each variable in local memory its offset; returns their size.
uint32_t lay_out_local_variables(Function &function) {
    Module &module = *function.getParent();
    const DataLayout &layout = module.getDataLayout();
    uint64_t bytes = 0;
    for (GlobalVariable &variable : module.globals()) {
        if (variable.getAddressSpace() != local_space)
            continue;
        convertUsersOfConstantsToInstructions({&variable}, &function);
        auto inside = [&](const Use &use) {
            auto *user = dyn_cast<Instruction>(use.getUser());
            return user && user->getFunction() == &function;
        };
        if (none_of(variable.uses(), inside))
            continue;
        bytes = alignTo(
            bytes, variable.getAlign().value_or(layout.getPrefTypeAlign(variable.getValueType())));
        IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
        Value *address = builder.CreateConstInBoundsGEP1_64(
            builder.getInt8Ty(), function.getArg(parameter::local), bytes, variable.getName());
        variable.replaceUsesWithIf(address, inside);
        if (is_debuggable(function))
            note_local_variable(function, variable, bytes);
        bytes += layout.getTypeAllocSize(variable.getValueType());
    }
    return memory_bytes(alignTo(bytes, 64));
}

Function *with_parameters(const Kernel &kernel) {
    Function &old = *kernel.function;
    LLVMContext &context = old.getContext();
    SmallVector<Type *, 48> types(parameter::saved, Type::getInt32Ty(context));
    types.push_back(PointerType::get(context, private_space));
    types.push_back(PointerType::get(context, local_space));
    append_range(types, old.getFunctionType()->params());
    auto *function = Function::Create(FunctionType::get(Type::getVoidTy(context), types, false),
                                      GlobalValue::InternalLinkage, old.getAddressSpace(),
                                      kernel.name + ".work_item", old.getParent());
    function->splice(function->begin(), &old);
    function->setSubprogram(old.getSubprogram());
    old.setSubprogram(nullptr);
    AttributeList attributes = old.getAttributes();
    const auto attribute = [&](auto kind) {
        return AttributeSet::get(context, Attribute::get(context, kind));
    };
    const AttributeSet buffer = attribute(buffer_mark);
    SmallVector<AttributeSet, 48> known(parameter::saved, attribute(Attribute::NoUndef));
    known.resize(parameter::count, buffer);
    for (llvm::Argument &argument : old.args()) {
        llvm::Argument *moved = function->getArg(parameter::count + argument.getArgNo());
        moved->takeName(&argument);
        AttributeSet set = attributes.getParamAttrs(argument.getArgNo());
        const bool is_buffer = moved->getType()->isPointerTy() && is_in_small_buffer(*moved, old);
        known.push_back(is_buffer ? set.addAttributes(context, buffer) : set);
        argument.replaceAllUsesWith(moved);
    }
    function->setAttributes(
        AttributeList::get(context, attributes.getFnAttrs(), AttributeSet(), known));
    static constexpr const char *names[] = {"id",       "first_id",   "local_size",  "full_size",
                                            "group_id", "num_groups", "global_size", "offset"};
    for (unsigned i = 0; i < parameter::work_dim; ++i)
        function->getArg(i)->setName(Twine(names[i / 3]) + Twine(i % 3));
    function->getArg(parameter::work_dim)->setName("work_dim");
    function->getArg(parameter::work_items)->setName("work_items");
    function->getArg(parameter::saved)->setName("saved");
    function->getArg(parameter::local)->setName("local");
    return function;
}

} // namespace

WorkItem make_work_item(const Kernel &kernel, bool has_copy_engine) {
    WorkItem work_item;
    work_item.function = with_parameters(kernel);
    copy_changed_values(*work_item.function);

    work_item.sub_groups = uses_sub_groups(*work_item.function);
    // Debuggers show the ids of all work-items.
    work_item.asks_for_group = work_item.sub_groups || is_debuggable(*work_item.function);
    if (work_item.sub_groups)
        lower_sub_group_queries(*work_item.function, kernel.sub_group_size);

    const bool uses_engine = has_copy_engine && has_copies(*work_item.function);
    if (uses_engine)
        add_copy_waits(*work_item.function, work_item.sub_groups);
    work_item.copies_by_engine = uses_engine;

    SmallVector<std::pair<CallInst *, Builtin>> calls;
    for (Instruction &instruction : instructions(work_item.function))
        if (auto *call = dyn_cast<CallInst>(&instruction))
            if (auto builtin = builtin_of(*call))
                calls.emplace_back(call, *builtin);
    for (auto [call, builtin] : calls) {
        work_item.asks_for_group |= depends_on_group(builtin);
        IRBuilder<> builder(call);
        if (is_work_item_query(builtin)) {
            // At the entry, for which every use is dominated, unless the dimension is computed.
            Value *dimension = call->arg_empty() ? nullptr : call->getArgOperand(0);
            if (!dimension || isa<Constant>(dimension))
                builder.SetInsertPoint(
                    work_item.function->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
            Value *value = ParameterArithmetic(*work_item.function, builder, work_item.sub_groups)
                               .query(builtin, dimension, call->getType());
            call->replaceAllUsesWith(value);
            call->eraseFromParent();
        } else if (builtin == Builtin::prefetch) {
            call->eraseFromParent();
        } else if (builtin == Builtin::async_copy || builtin == Builtin::async_strided_copy) {
            if (uses_engine)
                lower_engine_copy(*call, *work_item.function, work_item.sub_groups);
            else
                lower_async_copy(*call, *work_item.function);
        }
    }
    work_item.local_bytes = lay_out_local_variables(*work_item.function);
    return work_item;
}

} // namespace rivulet::compiler
