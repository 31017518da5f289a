// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/called_rows.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/analysis/kept_calls.h"
#include "compiler/spmd/plan/vectorise.h"
#include "compiler/support/passes.h"
#include "compiler/support/program.h"
#include "compiler/support/verification.h"
#include "compiler/work_items/called_rows.h"
#include "compiler/work_items/parameters.h"
#include "compiler/work_items/small_buffers.h"
#include "compiler/work_items/work_item_loop.h"
#include "compiler/workgroup/kernel_lowering.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// The function of one work-item that stands for a lane of the caller: it takes its arguments from
// memory and puts its results there. Its ids are nothing but numbers of lanes.
class LaneFunction {
public:
    LaneFunction(Function &callee, StringRef forms, const Function &row)
        : callee_(callee), forms_(forms), row_(row), builder_(row.getContext()) {}

    Function *make() {
        function_ = create();
        builder_.SetInsertPoint(BasicBlock::Create(builder_.getContext(), "entry", function_));
        ValueToValueMapTy map;
        for (auto [argument, form] : zip_equal(callee_.args(), forms_))
            map[&argument] = passed(argument, form);
        SmallVector<ReturnInst *> returns;
        const AttributeList attributes = function_->getAttributes();
        CloneFunctionInto(function_, &callee_, map, CloneFunctionChangeType::LocalChangesOnly,
                          returns);
        function_->setAttributes(attributes);
        auto *body = cast<BasicBlock>(map[&callee_.getEntryBlock()]);
        for (Instruction &instruction : make_early_inc_range(*body))
            if (isa<AllocaInst>(instruction))
                instruction.moveBefore(function_->getEntryBlock().begin());
        builder_.CreateBr(body);
        for (ReturnInst *end : returns)
            store_results(*end);
        return function_;
    }

private:
    Function *create() {
        LLVMContext &context = builder_.getContext();
        SmallVector<Type *, 48> types(parameter::saved, Type::getInt32Ty(context));
        types.push_back(PointerType::get(context, private_space));
        types.push_back(PointerType::get(context, local_space));
        append_range(types, drop_begin(row_.getFunctionType()->params()));
        auto *function = Function::Create(FunctionType::get(Type::getVoidTy(context), types, false),
                                          GlobalValue::InternalLinkage, callee_.getAddressSpace(),
                                          row_.getName() + ".work_item", callee_.getParent());
        AttrBuilder attributes(context, callee_.getAttributes().getFnAttrs());
        attributes.removeAttribute(kept_call_mark).removeAttribute(Attribute::Memory);
        function->addFnAttrs(attributes);
        if (row_.hasFnAttribute(large_buffers_mark))
            function->addFnAttr(large_buffers_mark);
        return function;
    }

    Value *next_parameter() { return function_->getArg(parameter::count + used_++); }

    // Memory of the caller that holds values of this call only.
    Value *place(Type *type) {
        auto *memory = cast<llvm::Argument>(next_parameter());
        memory->addAttr(Attribute::NoAlias);
        return builder_.CreateInBoundsGEP(type, memory, index(function_->getArg(parameter::id)));
    }

    Value *index(Value *number) {
        const DataLayout &layout = function_->getDataLayout();
        return builder_.CreateZExt(number, layout.getIntPtrType(builder_.getContext()));
    }

    Value *passed(const llvm::Argument &argument, char form) {
        if (form == called_form::same)
            return next_parameter();
        if (form == called_form::offsets) {
            Value *base = next_parameter();
            Value *offset =
                builder_.CreateLoad(builder_.getInt32Ty(), place(builder_.getInt32Ty()));
            return builder_.CreateGEP(builder_.getInt8Ty(), base, index(offset));
        }
        Type *stored = stored_type(argument.getType());
        Value *value = builder_.CreateLoad(stored, place(stored));
        return stored == argument.getType() ? value
                                            : builder_.CreateTrunc(value, argument.getType());
    }

    void store_results(ReturnInst &end) {
        builder_.SetInsertPoint(&end);
        const unsigned first = used_;
        if (Value *result = end.getReturnValue()) {
            auto *structure = dyn_cast<StructType>(result->getType());
            for (unsigned i = 0; i < (structure ? structure->getNumElements() : 1); ++i) {
                Value *part = structure ? builder_.CreateExtractValue(result, i) : result;
                Type *stored = stored_type(part->getType());
                builder_.CreateStore(builder_.CreateZExtOrBitCast(part, stored), place(stored));
            }
        }
        used_ = first;
        builder_.CreateRetVoid();
        end.eraseFromParent();
    }

    Function &callee_;
    const StringRef forms_;
    const Function &row_;
    IRBuilder<> builder_;
    Function *function_ = nullptr;
    unsigned used_ = 0; // parameters after those of every work-item function
};

// Moves the body of a row to the function that is called: without the parameters of kernels, which
// it doesn't use, from lane 0 on.
void define(Function &called, Function &row) {
    called.splice(called.begin(), &row);
    called.setLinkage(GlobalValue::InternalLinkage);
    called.copyAttributesFrom(&row);
    const AttributeList attributes = row.getAttributes();
    SmallVector<AttributeSet> parameters(1);
    for (unsigned i = 1; i < called.arg_size(); ++i)
        parameters.push_back(attributes.getParamAttrs(parameter::count + i));
    called.setAttributes(AttributeList::get(called.getContext(), attributes.getFnAttrs(),
                                            AttributeSet(), parameters));
    called.setSubprogram(row.getSubprogram());
    row.setSubprogram(nullptr);
    row.getArg(0)->replaceAllUsesWith(ConstantInt::get(row.getArg(0)->getType(), 0));
    row.getArg(1)->replaceAllUsesWith(called.getArg(0));
    for (llvm::Argument &argument : drop_begin(row.args(), 2)) {
        const unsigned first = parameter::count + 1;
        argument.replaceAllUsesWith(
            argument.getArgNo() < first
                ? PoisonValue::get(argument.getType())
                : static_cast<Value *>(called.getArg(argument.getArgNo() - first + 1)));
    }
    row.eraseFromParent();
}

void define(Function &called, const RowShape &shape, FunctionAnalysisManager &analyses) {
    auto [name, forms] = called.getFnAttribute(called_row_mark).getValueAsString().rsplit(' ');
    Function *work_item =
        LaneFunction(*called.getParent()->getFunction(name), forms, called).make();
    verify_after("called-rows", *work_item);
    run_stage(PassStage::work_item, *work_item, analyses);
    if (auto row = vectorise(*work_item, shape, analyses)) {
        work_item->eraseFromParent();
        define(called, *row->function);
        return;
    }
    Function *scalar = make_scalar_row(*work_item);
    inline_all(*work_item);
    define(called, *scalar);
}

} // namespace

void define_called_rows(Module &module, const RowShape &shape, FunctionAnalysisManager &analyses) {
    for (bool found = true; std::exchange(found, false);)
        for (Function &function : make_early_inc_range(module)) {
            if (!function.isDeclaration() || !function.hasFnAttribute(called_row_mark))
                continue;
            found = true;
            if (function.use_empty())
                function.eraseFromParent();
            else
                define(function, shape, analyses);
        }
}

} // namespace rivulet::compiler
