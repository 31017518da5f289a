// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/linear_ids.h"

#include <array>

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/analysis/sub_group_functions.h"
#include "compiler/spmd/analysis/sub_group_calls.h"
#include "compiler/work_items/work_group_builtin_table.h"
#include "compiler/workgroup/work_item.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr StringLiteral local_id_name = "rivulet.local_id";

enum class Query { none, size, max_size, count, enqueued_count, id, local_id };

Query query_of(const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->isDeclaration())
        return Query::none;
    return StringSwitch<Query>(unmangled_name(callee->getName()))
        .Case("get_sub_group_size", Query::size)
        .Case("get_max_sub_group_size", Query::max_size)
        .Case("get_num_sub_groups", Query::count)
        .Case("get_enqueued_num_sub_groups", Query::enqueued_count)
        .Case("get_sub_group_id", Query::id)
        .Case("get_sub_group_local_id", Query::local_id)
        .Default(Query::none);
}

class Queries {
public:
    Queries(Function &function, uint32_t size)
        : function_(function), builder_(function.getContext()), size_(builder_.getInt32(size)) {
        builder_.SetInsertPoint(function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    }

    Value *value(Query query) {
        Value *&known = known_[size_t(query)];
        if (!known)
            known = make(query);
        return known;
    }

private:
    Value *make(Query query) {
        switch (query) {
        case Query::size: // the last sub-group has what is left
            return least(size_,
                         builder_.CreateSub(items(), builder_.CreateMul(value(Query::id), size_)));
        case Query::max_size:
            return least(size_, argument(parameter::work_items));
        case Query::count:
            return sub_groups(items());
        case Query::enqueued_count:
            return sub_groups(argument(parameter::work_items));
        case Query::id:
            return id_call(builder_, SubGroupCall::id, argument(parameter::id));
        default:
            return id_call(builder_, SubGroupCall::local_id, argument(parameter::id));
        }
    }

    Value *argument(unsigned index) { return function_.getArg(index); }
    Value *least(Value *a, Value *b) {
        return builder_.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
    }
    Value *items() {
        Value *product = argument(parameter::local_size);
        for (unsigned d : {1u, 2u})
            product =
                builder_.CreateMul(product, argument(parameter::local_size + d), "", true, true);
        return product;
    }
    Value *sub_groups(Value *work_items) {
        Value *last = builder_.CreateSub(work_items, builder_.getInt32(1));
        return builder_.CreateAdd(builder_.CreateUDiv(last, size_), builder_.getInt32(1));
    }

    Function &function_;
    IRBuilder<> builder_;
    Value *size_;
    std::array<Value *, size_t(Query::local_id) + 1> known_{};
};

} // namespace

bool uses_sub_groups(const Function &function) {
    return any_of(instructions(function), [](const Instruction &instruction) {
        return query_of(instruction) != Query::none || sub_group_call(instruction) ||
               calls_sub_group_function(instruction);
    });
}

void lower_sub_group_queries(Function &function, uint32_t size) {
    Queries queries(function, size); // inserts where the first of the answered calls may be
    SmallVector<Instruction *> answered;
    for (Instruction &instruction : instructions(function)) {
        if (Query query = query_of(instruction); query != Query::none) {
            instruction.replaceAllUsesWith(queries.value(query));
            answered.push_back(&instruction);
        } else if (auto sub_group = sub_group_call(instruction)) {
            auto &call = cast<CallInst>(instruction);
            call.setConvergent();
            call.setDoesNotThrow();
            call.addFnAttr(Attribute::WillReturn);
            if (sub_group->function != SubGroupCall::barrier)
                call.setDoesNotAccessMemory();
        }
    }
    for (Instruction *call : answered)
        call->eraseFromParent();
}

Value *linear_local_id(IRBuilderBase &builder, Function &function, unsigned dimension) {
    Type *word = builder.getInt32Ty();
    auto callee = function.getParent()->getOrInsertFunction(
        local_id_name, FunctionType::get(word, {word, word, word, word}, false));
    mark_as_id_query(cast<Function>(*callee.getCallee()));
    return builder.CreateCall(
        callee, {function.getArg(parameter::id), function.getArg(parameter::local_size),
                 function.getArg(parameter::local_size + 1), builder.getInt32(dimension)});
}

void expand_linear_local_ids(Function &function, const Kernel &kernel) {
    SmallVector<CallInst *> calls;
    for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallInst>(&instruction))
            if (Function *callee = call->getCalledFunction();
                callee && callee->getName() == local_id_name)
                calls.push_back(call);
    if (calls.empty())
        return;

    // x; or x, y, z of a group with more than one row.
    IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Value *linear = function.getArg(parameter::id);
    Value *width = function.getArg(parameter::local_size);
    Value *height = function.getArg(parameter::local_size + 1);
    std::array<Value *, 3> ids{linear, builder.getInt32(0), builder.getInt32(0)};
    const uint32_t *required = kernel.required_group_size;
    bool known = required[0] != 0;
    if (!known || required[1] * required[2] != 1) {
        BasicBlock *entry = builder.GetInsertBlock();
        BasicBlock *rest = SplitBlock(entry, builder.GetInsertPoint());
        auto *rows = BasicBlock::Create(function.getContext(), "rows", &function, rest);
        builder.SetInsertPoint(entry->getTerminator());
        Value *depth = function.getArg(parameter::local_size + 2);
        Value *one_row =
            known ? builder.getFalse()
                  : builder.CreateICmpEQ(builder.CreateMul(height, depth), builder.getInt32(1));
        builder.CreateCondBr(one_row, rest, rows);
        entry->getTerminator()->eraseFromParent();
        builder.SetInsertPoint(rows);
        Value *row = builder.CreateUDiv(linear, width);
        std::array<Value *, 3> in_rows{builder.CreateURem(linear, width),
                                       builder.CreateURem(row, height),
                                       builder.CreateUDiv(row, height)};
        builder.CreateBr(rest);
        builder.SetInsertPoint(&rest->front());
        for (size_t d = 0; d < 3; ++d) {
            PHINode *id = builder.CreatePHI(linear->getType(), 2);
            id->addIncoming(ids[d], entry);
            id->addIncoming(in_rows[d], rows);
            ids[d] = id;
        }
    }
    for (CallInst *call : calls) {
        auto dimension = cast<ConstantInt>(call->getArgOperand(3))->getZExtValue();
        call->replaceAllUsesWith(ids[size_t(dimension)]);
        call->eraseFromParent();
    }
}

} // namespace rivulet::compiler
