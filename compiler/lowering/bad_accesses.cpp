// SPDX-License-Identifier: Apache-2.0
//
// Lowers the calls that rvl-address-sanitizer left (-rv-sanitize=address). Reports become ecalls
// that end the launch; queries of bounds (sanitizer_queries.h) become loads from the launch record
// and arithmetic.
//
// They stay calls until the work-group pass is done. A query is uniform, so a vectorised check is
// one comparison of an index with a scalar; its 64-bit arithmetic, if it were visible, would be
// combined with that of the index and take the lanes apart. Runs on lowered kernels, whose first
// parameter is the launch record. Without this pass the calls are undefined functions.
#include "compiler/lowering/sanitizer_queries.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/lowering/delayed_inlining.h"
#include "compiler/support/program_pass.h"
#include "compiler/work_items/launch_end.h"
#include "compiler/work_items/small_buffers.h"
#include "hal/protocol/sanitizer.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(BadAccessesPass);

namespace {

// The registers are listed in hal/protocol/sanitizer.h. The ecall does not return.
void lower_report(CallInst &call, Type *index_type) {
    IRBuilder<> builder(&call);
    SmallVector<Value *> operands;
    for (unsigned i : {1, 0, 2, 3, 4})
        operands.push_back(i == 0 ? builder.CreatePtrToInt(call.getArgOperand(i), index_type)
                                  : builder.CreateZExtOrTrunc(call.getArgOperand(i), index_type));
    operands.push_back(ConstantInt::get(index_type, RVL_ECALL_BAD_ACCESS));
    SmallVector<Type *> types(operands.size(), index_type);
    // The call is convergent, so that no pass duplicates a loop for the rare branch to it.
    builder
        .CreateCall(InlineAsm::get(FunctionType::get(builder.getVoidTy(), types, false), "ecall",
                                   "{x10},{x11},{x12},{x13},{x14},{x17},~{memory}", true),
                    operands)
        ->setConvergent();
    changeToUnreachable(&call);
}

// Exchanges the number of a barrier with that of the work-item before. A kernel without regions
// runs one work-item at a time, so none has arrived elsewhere.
void lower_arrival(CallInst &call) {
    IRBuilder<> builder(&call);
    Value *before = builder.getInt32(nowhere);
    if (call.arg_size() == 2) {
        before = builder.CreateLoad(builder.getInt32Ty(), call.getArgOperand(1));
        builder.CreateStore(call.getArgOperand(0), call.getArgOperand(1));
    }
    call.replaceAllUsesWith(before);
    call.eraseFromParent();
}

// The values of a query, at its call in a kernel(record, words, frame).
class QueryLowering {
public:
    explicit QueryLowering(CallInst &call)
        : call_(call), builder_(&call), name_(call.getCalledFunction()->getName()) {}

    void run() {
        Value *value = nullptr;
        if (name_.starts_with(record_word))
            value = load(call_.getType(), operand(0), false);
        else if (name_.starts_with(index_limit))
            value = limit();
        else
            value = outside(name_.starts_with(index_least));
        call_.replaceAllUsesWith(builder_.CreateZExtOrTrunc(value, call_.getType()));
        call_.eraseFromParent();
    }

private:
    uint64_t operand(unsigned i) {
        return cast<ConstantInt>(call_.getArgOperand(i))->getZExtValue();
    }
    Value *number(int64_t value) { return builder_.getInt64(static_cast<uint64_t>(value)); }

    // Loads a rarely used value where it is needed.
    Value *load(Type *type, uint64_t offset, bool is_rare) {
        LoadInst *value =
            builder_.CreateLoad(type,
                                builder_.CreateConstInBoundsGEP1_64(
                                    builder_.getInt8Ty(), call_.getFunction()->getArg(0), offset),
                                is_rare);
        if (!is_rare)
            value->setMetadata(LLVMContext::MD_invariant_load,
                               MDNode::get(builder_.getContext(), {}));
        return value;
    }
    Value *bound(BoundsField field, bool is_rare) {
        const BoundsWord word =
            bounds_word(*call_.getFunction(), static_cast<unsigned>(operand(0)), field);
        return builder_.CreateZExt(
            load(builder_.getIntNTy(word.bits), RVL_SANITIZER_OFFSET + word.offset, is_rare),
            builder_.getInt64Ty());
    }

    // The number of indices, from 0 on, that are in bounds; 0 for an argument that points into the
    // middle of a buffer, where negative indices may be in bounds, too: outside() is exact.
    Value *limit() {
        Value *left =
            builder_.CreateSub(bound(BoundsField::bytes, false), builder_.getInt64(operand(1)));
        Value *count =
            builder_.CreateAdd(builder_.CreateUDiv(left, builder_.getInt64(operand(2))), number(1));
        count =
            builder_.CreateBinaryIntrinsic(Intrinsic::umin, count, builder_.getInt64(operand(3)));
        Value *is_none =
            builder_.CreateOr(builder_.CreateICmpSLT(left, number(0)),
                              builder_.CreateIsNotNull(bound(BoundsField::before, false)));
        return builder_.CreateSelect(is_none, number(0), count);
    }

    // The least index that is in bounds, or the number of those that are.
    Value *outside(bool wants_least) {
        const auto scale = static_cast<int64_t>(operand(2));
        const auto by_scale = [&](Value *value) -> Value * {
            if (isPowerOf2_64(operand(2)))
                return builder_.CreateAShr(value, Log2_64(operand(2)));
            Value *quotient = builder_.CreateSDiv(value, number(scale));
            Value *rest = builder_.CreateSub(value, builder_.CreateMul(quotient, number(scale)));
            return builder_.CreateAdd(quotient, builder_.CreateAShr(rest, 63));
        };
        Value *front =
            builder_.CreateAdd(bound(BoundsField::before, true), builder_.getInt64(operand(3)));
        Value *least = builder_.CreateNeg(by_scale(front));
        Value *most = by_scale(builder_.CreateSub(
            builder_.CreateSub(bound(BoundsField::bytes, true), builder_.getInt64(operand(1))),
            front));
        if (call_.getType()->isIntegerTy(32)) {
            const int64_t lowest = operand(4) ? INT32_MIN : 0;
            const int64_t highest = operand(4) ? INT32_MAX : UINT32_MAX;
            least = builder_.CreateBinaryIntrinsic(Intrinsic::smax, least, number(lowest));
            most = builder_.CreateBinaryIntrinsic(Intrinsic::smin, most, number(highest));
        }
        if (wants_least)
            return least;
        return builder_.CreateBinaryIntrinsic(
            Intrinsic::smax, number(0),
            builder_.CreateAdd(builder_.CreateSub(most, least), number(1)));
    }

    CallInst &call_;
    IRBuilder<> builder_;
    const StringRef name_;
};

bool is_query(StringRef name) {
    return name.starts_with(record_word) || name.starts_with(index_limit) ||
           name.starts_with(index_least) || name.starts_with(index_count);
}

} // namespace

unsigned bounds_limit(const Function &kernel) {
    return promises_small_buffers(kernel) ? RVL_MAX_BOUNDS : RVL_MAX_LARGE_BOUNDS;
}

BoundsWord bounds_word(const Function &kernel, unsigned number, BoundsField field) {
    const size_t place = 2 * size_t{number} + (field == BoundsField::bytes);
    if (promises_small_buffers(kernel))
        return {offsetof(rvl_sanitizer, argument) + place * sizeof(uint32_t), 32};
    return {offsetof(rvl_sanitizer, large_argument) + place * sizeof(uint64_t), 64};
}

void BadAccessesPass::lower(Program &program, const Target &, ModuleAnalysisManager &) {
    Module &module = *program.module;
    Type *index =
        module.getDataLayout().getIndexType(PointerType::get(module.getContext(), global_space));
    for (Function &function : make_early_inc_range(module)) {
        const bool is_report = function.getName().starts_with(bad_access);
        const bool is_arrival = function.getName().starts_with(arrival);
        if (!is_report && !is_arrival && !is_query(function.getName()))
            continue;
        while (!function.use_empty()) {
            auto &call = *cast<CallInst>(*function.user_begin());
            if (is_report)
                lower_report(call, index);
            else if (is_arrival)
                lower_arrival(call);
            else
                QueryLowering(call).run();
        }
        function.eraseFromParent();
    }
    if (Function *look_up = module.getFunction(is_allocated))
        inline_delayed(*look_up);
}

} // namespace rivulet::compiler
