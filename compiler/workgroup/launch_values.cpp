// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/launch_values.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Functions without parameters that the library declares (address_space.cl).
struct MemoryQuery {
    StringRef name;
    unsigned parameter; // of the kernel: record or frame
    size_t offset;
    unsigned bits;
};
constexpr MemoryQuery memory_queries[] = {
    {"__rivulet_local_begin", 2, offsetof(rvl_hart_frame, local_memory), 64},
    {"__rivulet_local_bytes", 0, offsetof(rvl_launch_record, local_bytes), 32},
    {"__rivulet_saved_begin", 2, offsetof(rvl_hart_frame, saved), 64},
    {"__rivulet_saved_bytes", 0, offsetof(rvl_launch_record, saved_bytes), 32},
    {"__rivulet_stack_bytes", 0, offsetof(rvl_launch_record, stack_bytes), 32},
};
constexpr StringRef stack_end_query = "__rivulet_stack_end";
// AArch64 saves x19 to x30 and d8 to d15, 20 registers, at and above its frame pointer; variables
// may be in the gaps between them.
constexpr uint64_t saved_registers_bytes = 24 * 8;

// The record doesn't change while the kernel runs.
Value *load(IRBuilderBase &builder, Type *type, Value *structure, size_t offset) {
    LoadInst *value = builder.CreateLoad(type, field(builder, structure, offset));
    value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
    return value;
}

// The record is page aligned, which gives each offset in the argument block its alignment.
Value *argument(IRBuilderBase &builder, const compiler::Argument &argument,
                const llvm::Argument &parameter, Value *record, Value *words, Value *local) {
    size_t offset = offsetof(rvl_launch_record, arguments) + argument.offset;
    Type *type = parameter.getType();
    if (parameter.hasByValAttr())
        return field(builder, record, offset);
    if (argument.kind == RVL_ARGUMENT_LOCAL)
        return builder.CreateInBoundsGEP(builder.getInt8Ty(), local,
                                         load(builder, builder.getInt64Ty(), record, offset));
    if (argument.kind == RVL_ARGUMENT_COUNTER) {
        Value *index = load(builder, builder.getInt32Ty(), record, offset);
        Value *counters = field(builder, words, offsetof(rvl_launch_words, counter));
        return builder.CreateAddrSpaceCast(
            builder.CreateInBoundsGEP(builder.getInt64Ty(), counters, index), type);
    }
    auto *value = cast<LoadInst>(load(builder, type, record, offset));
    value->setAlignment(commonAlignment(Align(RVL_PAGE_BYTES), offset));
    return value;
}

Value *answer(IRBuilderBase &builder, Function &function, StringRef query) {
    if (query == stack_end_query) { // private variables lie below, in this function's frame
        Value *end = builder.CreatePtrToInt(
            builder.CreateIntrinsic(Intrinsic::frameaddress, {builder.getPtrTy(private_space)},
                                    {builder.getInt32(0)}),
            builder.getInt64Ty());
        // On AArch64 saved registers, and variables in gaps between them, lie above that address.
        if (function.getParent()->getTargetTriple().isAArch64())
            end = builder.CreateAdd(end, builder.getInt64(saved_registers_bytes));
        return end;
    }
    for (const MemoryQuery &known : memory_queries)
        if (query == known.name)
            return load(builder, builder.getIntNTy(known.bits), function.getArg(known.parameter),
                        known.offset);
    return nullptr;
}

} // namespace

Value *field(IRBuilderBase &builder, Value *structure, size_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), structure, offset);
}

LaunchValues load_launch(IRBuilderBase &builder, Function &function, const Kernel &kernel) {
    Value *record = function.getArg(0);
    Value *words = function.getArg(1);
    Value *frame = function.getArg(2);
    Type *word = builder.getInt32Ty();
    LaunchValues values;
    for (size_t d = 0; d < 3; ++d) {
        auto dimension = [&](size_t offset, size_t bytes) {
            return load(builder, word, record, offset + d * bytes); // the low half of 8 bytes
        };
        values.global_size[d] = dimension(offsetof(rvl_launch_record, global_size), 8);
        values.global_offset[d] = dimension(offsetof(rvl_launch_record, global_offset), 8);
        values.group_count[d] = dimension(offsetof(rvl_launch_record, group_count), 4);
        uint32_t required = kernel.required_group_size[d];
        values.local_size[d] = kernel.required_group_size[0]
                                   ? builder.getInt32(required)
                                   : dimension(offsetof(rvl_launch_record, local_size), 4);
    }
    values.dimensions = load(builder, word, record, offsetof(rvl_launch_record, dimensions));
    values.total_groups = load(builder, word, record, offsetof(rvl_launch_record, total_groups));
    values.chunk = load(builder, word, record, offsetof(rvl_launch_record, chunk));
    values.work_items = builder.CreateMul(
        builder.CreateMul(values.local_size[0], values.local_size[1], "", true, true),
        values.local_size[2], "", true, true);
    values.saved =
        load(builder, builder.getPtrTy(private_space), frame, offsetof(rvl_hart_frame, saved));
    values.local =
        load(builder, builder.getPtrTy(local_space), frame, offsetof(rvl_hart_frame, local_memory));
    values.local_bytes = load(builder, word, record, offsetof(rvl_launch_record, local_bytes));
    for (auto [known, parameter] : zip(kernel.arguments, kernel.function->args()))
        values.arguments.push_back(
            argument(builder, known, parameter, record, words, values.local));
    return values;
}

void lower_address_space_queries(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *call = dyn_cast<CallInst>(&instruction);
        if (!call || !call->getCalledFunction() || !call->arg_empty())
            continue;
        IRBuilder<> builder(call);
        if (Value *value = answer(builder, function, call->getCalledFunction()->getName())) {
            call->replaceAllUsesWith(builder.CreateZExtOrTrunc(value, call->getType()));
            call->eraseFromParent();
        }
    }
}

} // namespace rivulet::compiler
