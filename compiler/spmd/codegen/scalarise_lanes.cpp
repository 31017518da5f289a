// SPDX-License-Identifier: Apache-2.0
//
// Scalarises instructions without a vector form: a loop over the lanes takes operands from memory
// and writes results to memory.
#include "compiler/spmd/codegen/instruction_widener.h"

#include <array>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsRISCV.h>

#include "compiler/work_items/loop_metadata.h"

namespace rivulet::compiler {

using namespace llvm;

// Lanes in each iteration of the loop for an operation without vector form, if no lane is masked
// off.
constexpr unsigned scalarised_lanes_unroll = 4; // lanes

namespace {

// How all lanes' values are combined, and the value that changes nothing. No intrinsic if vectors
// have no such operation.
struct Reduction {
    Intrinsic::ID id = Intrinsic::not_intrinsic;
    APInt neutral;
};
Reduction reduction_of(AtomicRMWInst::BinOp operation, unsigned bits) {
    switch (operation) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub: // of the sum
        return {Intrinsic::vp_reduce_add, APInt::getZero(bits)};
    case AtomicRMWInst::And:
        return {Intrinsic::vp_reduce_and, APInt::getAllOnes(bits)};
    case AtomicRMWInst::Or:
        return {Intrinsic::vp_reduce_or, APInt::getZero(bits)};
    case AtomicRMWInst::Xor:
        return {Intrinsic::vp_reduce_xor, APInt::getZero(bits)};
    case AtomicRMWInst::Max:
        return {Intrinsic::vp_reduce_smax, APInt::getSignedMinValue(bits)};
    case AtomicRMWInst::Min:
        return {Intrinsic::vp_reduce_smin, APInt::getSignedMaxValue(bits)};
    case AtomicRMWInst::UMax:
        return {Intrinsic::vp_reduce_umax, APInt::getZero(bits)};
    case AtomicRMWInst::UMin:
        return {Intrinsic::vp_reduce_umin, APInt::getAllOnes(bits)};
    default:
        return {Intrinsic::not_intrinsic, APInt()};
    }
}

} // namespace

// All lanes update one address, and none uses the old value: one update does it for all.
bool InstructionWidener::is_reduction(const Instruction &instruction) const {
    auto *update = dyn_cast<AtomicRMWInst>(&instruction);
    return update && !update->isVolatile() && update->use_empty() &&
           update->getType()->isIntegerTy() && strides_.uniform(update->getPointerOperand()) &&
           reduction_of(update->getOperation(), 64).id != Intrinsic::not_intrinsic;
}

// The operand of one atomic update for all lanes. If the lanes' operands are the same, it is that
// operand; for exclusive or, zero if the number of lanes is even. No vector is needed then, because
// the type may have none.
Value *InstructionWidener::reduced(AtomicRMWInst &update) {
    Type *type = update.getType();
    Reduction how = reduction_of(update.getOperation(), type->getIntegerBitWidth());
    const bool same = strides_.uniform(update.getValOperand());
    if (same && how.id == Intrinsic::vp_reduce_xor) {
        Value *lanes = active.mask ? lanes_in(active.mask) : active.length;
        return builder_.CreateSelect(builder_.CreateTrunc(lanes, builder_.getInt1Ty()),
                                     scalar(update.getValOperand()), ConstantInt::get(type, 0));
    }
    if (same && how.id != Intrinsic::vp_reduce_add)
        return scalar(update.getValOperand());
    Value *each = vector(update.getValOperand());
    return builder_.CreateIntrinsic(
        how.id, {each->getType()},
        {ConstantInt::get(type, how.neutral), each, mask_or_all(), active.length});
}

void InstructionWidener::emit_reduction(AtomicRMWInst &update) {
    Value *total = reduced(update);
    auto *copy = cast<AtomicRMWInst>(update.clone());
    copy->setOperand(0, scalar(update.getPointerOperand()));
    copy->setOperand(1, total);
    builder_.Insert(copy);
}

// i32: how many of the lanes below `length` are in the mask. One instruction on the mask counts
// them if the vectors are scalable; a sum of numbers takes a vector of them and a reduction, which
// many cores do lane by lane.
Value *InstructionWidener::lanes_in(Value *mask) {
    if (count_.isScalable()) {
        Type *xlen = index_type();
        Value *count =
            builder_.CreateIntrinsic(Intrinsic::riscv_vcpop, {mask->getType(), xlen},
                                     {mask, builder_.CreateZExtOrTrunc(active.length, xlen)});
        return builder_.CreateTrunc(count, builder_.getInt32Ty(), "", true, true);
    }
    Type *number = builder_.getInt16Ty();
    Value *ones = builder_.CreateZExt(mask, vector_of(number));
    Value *count =
        builder_.CreateIntrinsic(Intrinsic::vp_reduce_add, {ones->getType()},
                                 {ConstantInt::get(number, 0), ones, all_lanes(), active.length});
    return builder_.CreateZExt(count, builder_.getInt32Ty());
}

// Memory for all lanes' values on the stack.
AllocaInst *InstructionWidener::buffer(Type *type) {
    BasicBlock *block = builder_.GetInsertBlock();
    IRBuilder<> entry(&*block->getParent()->getEntryBlock().begin());
    return lane_memory(entry, block->getDataLayout().getTypeAllocSize(type), Align(16));
}

// Stores the values of all lanes, or packs those of the mask's lanes, into `memory` or into a new
// buffer.
Value *InstructionWidener::store_lanes(Value *wide, Value *mask, Value *memory) {
    Type *type = cast<VectorType>(wide->getType())->getElementType();
    if (type->isIntegerTy(1)) {
        type = builder_.getInt8Ty();
        wide = builder_.CreateZExt(wide, vector_of(type));
    }
    if (mask) {
        if (type->isPointerTy())
            wide = builder_.CreatePtrToInt(wide, vector_of(index_type()));
        wide = builder_.CreateIntrinsic(Intrinsic::experimental_vector_compress, {wide->getType()},
                                        {wide, mask, PoisonValue::get(wide->getType())});
    }
    if (!memory)
        memory = buffer(type);
    builder_.CreateIntrinsic(Intrinsic::vp_store, {wide->getType(), memory->getType()},
                             {wide, memory, all_lanes(), active.length});
    return memory;
}

Value *InstructionWidener::load_lane(Value *memory, Type *type, Value *lane) {
    bool is_bit = type->isIntegerTy(1);
    Type *stored = is_bit ? builder_.getInt8Ty() : type;
    Value *value = builder_.CreateLoad(
        stored,
        builder_.CreateInBoundsGEP(stored, memory, builder_.CreateZExt(lane, index_type())));
    return is_bit ? builder_.CreateTrunc(value, type) : value;
}

// Whether packed values of the type can be expanded to the lanes that they are for.
bool InstructionWidener::spreads(Type *type) const {
    if (auto *structure = dyn_cast<StructType>(type))
        return all_of(structure->elements(), [&](Type *part) { return spreads(part); });
    const unsigned bytes = std::max(16u, type->getScalarSizeInBits()) / 8;
    return type->isVoidTy() || (count_.isScalable() &&
                                (type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy()) &&
                                registers(bytes) <= largest_lmul);
}

// Expands the packed values of the mask's lanes to their lanes.
Value *InstructionWidener::expand_packed(Value *memory, Type *type, Value *mask) {
    Type *wide = vector_of(type);
    Type *xlen = index_type();
    const uint64_t bytes = type->getScalarSizeInBits() / 8;
    Value *length = builder_.CreateZExtOrTrunc(active.length, xlen);
    Value *before = ranks(mask);
    Value *offsets = builder_.CreateMul(before, ConstantInt::get(before->getType(), bytes));
    CallInst *values = builder_.CreateIntrinsic(
        Intrinsic::riscv_vluxei_mask, {wide, memory->getType(), offsets->getType(), xlen},
        {PoisonValue::get(wide), memory, offsets, mask, length, ConstantInt::get(xlen, mergeable)});
    values->setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Ref));
    return values;
}

// Stores the operands that differ between lanes, and runs the original instruction in a loop, for
// one lane per iteration. It must not run for inactive lanes, whose operands may be anything. So
// the loop tests each lane's bit of the mask, or, if the results can be expanded to their lanes
// again, goes through the packed operands of the active lanes only; these may be none. Packing and
// expanding takes some cores longer than the loop over a few lanes, so where all lanes are active,
// as in the first iterations of a loop that they leave one by one, operands and results stay where
// they are. Outside of loops that is rare.
void InstructionWidener::emit_scalarised(Instruction &instruction) {
    if (is_reduction(instruction)) {
        emit_reduction(cast<AtomicRMWInst>(instruction));
        return;
    }
    LLVMContext &context = builder_.getContext();
    Function *function = builder_.GetInsertBlock()->getParent();

    // Operands: the same for all, a base and offsets, or a value per lane (of each part).
    struct Operand {
        Value *uniform = nullptr;
        Value *first = nullptr; // pointers that are as far apart in all lanes
        Value *step = nullptr;
        Value *base = nullptr;
        SmallVector<std::pair<Value *, Type *>, 1> buffers;
    };
    // If results can be expanded, only the operands of active lanes are stored.
    Type *type = instruction.use_empty() ? builder_.getVoidTy() : instruction.getType();
    Value *packed = spreads(type) ? active.mask : nullptr;
    Value *count = packed ? lanes_in(packed) : active.length;
    SmallVector<std::pair<Value *, Value *>> to_pack; // vectors, and the memory for them
    auto stored = [&](Type *part) { return part->isIntegerTy(1) ? builder_.getInt8Ty() : part; };
    auto keep = [&](Value *wide) {
        if (!packed)
            return store_lanes(wide);
        to_pack.emplace_back(wide,
                             buffer(stored(cast<VectorType>(wide->getType())->getElementType())));
        return to_pack.back().second;
    };
    SmallVector<Operand> operands;
    for (Value *value : instruction.operands()) {
        Operand &operand = operands.emplace_back();
        if (isa<BasicBlock, InlineAsm>(value)) {
            operand.uniform = value;
            continue;
        }
        if (isa<Constant, MetadataAsValue>(value) || strides_.uniform(value)) {
            operand.uniform = scalar(value);
            continue;
        }
        auto whole = [&] { return vector(value); };
        if (value->getType()->isPointerTy()) {
            if (Stride shape = access(value); shape.kind == Stride::affine && !packed) {
                operand.first = address(value);
                operand.step = stride(shape, index_type());
                continue;
            }
            auto [base, each] = offsets(value);
            operand.base = base;
            operand.buffers.emplace_back(keep(each),
                                         base ? builder_.getInt32Ty() : value->getType());
        } else if (auto *structure = dyn_cast<StructType>(value->getType())) {
            for (unsigned i = 0; i < structure->getNumElements(); ++i)
                operand.buffers.emplace_back(keep(builder_.CreateExtractValue(whole(), i)),
                                             structure->getElementType(i));
        } else {
            operand.buffers.emplace_back(keep(whole()), value->getType());
        }
    }
    Value *mask = active.mask && !packed ? store_lanes(active.mask) : nullptr;
    // Whether a strong exchange took place is computed from the old values, for all lanes at once.
    auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
    const bool tells_success =
        exchange && !exchange->isWeak() && exchange->getCompareOperand()->getType()->isIntegerTy();
    SmallVector<std::pair<AllocaInst *, Type *>> results;
    if (auto *structure = dyn_cast<StructType>(type)) {
        for (Type *part : structure->elements().drop_back(tells_success ? 1 : 0))
            results.emplace_back(buffer(stored(part)), part);
    } else if (!type->isVoidTy()) {
        results.emplace_back(buffer(stored(type)), type);
    }

    Value *all_active = packed && strides_.in_loop(instruction.getParent())
                            ? builder_.CreateICmpEQ(count, active.length)
                            : nullptr;
    // Emits both ways and goes on behind them; returns the blocks in which they end.
    auto for_all_or_some = [&](function_ref<void()> all, function_ref<void()> some) {
        std::array<BasicBlock *, 2> ways{};
        if (!all_active) {
            some();
            return ways;
        }
        auto *behind = BasicBlock::Create(context, "lanes", function);
        ways = {BasicBlock::Create(context, "lanes.all", function),
                BasicBlock::Create(context, "lanes.some", function)};
        builder_.CreateCondBr(all_active, ways[0], ways[1]);
        for (auto &&[way, emit] : zip(ways, std::array{all, some})) {
            builder_.SetInsertPoint(way);
            emit();
            way = builder_.GetInsertBlock();
            builder_.CreateBr(behind);
        }
        builder_.SetInsertPoint(behind);
        return ways;
    };
    if (packed)
        for_all_or_some(
            [&] {
                for (auto [wide, memory] : to_pack)
                    store_lanes(wide, nullptr, memory);
            },
            [&] {
                Value *length = std::exchange(active.length, count);
                for (auto [wide, memory] : to_pack)
                    store_lanes(wide, packed, memory);
                active.length = length;
            });
    BasicBlock *before = builder_.GetInsertBlock();
    auto *head = BasicBlock::Create(context, "lane", function);
    auto *body = mask ? BasicBlock::Create(context, "lane.active", function) : head;
    auto *next = mask ? BasicBlock::Create(context, "lane.next", function) : head;
    auto *done = BasicBlock::Create(context, "lane.done", function);
    if (packed)
        builder_.CreateCondBr(builder_.CreateIsNotNull(count), head, done);
    else
        builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    PHINode *lane = builder_.CreatePHI(builder_.getInt32Ty(), 2, "lane");
    if (mask) {
        builder_.CreateCondBr(load_lane(mask, builder_.getInt1Ty(), lane), body, next);
        builder_.SetInsertPoint(body);
    }
    Instruction *copy = instruction.clone();
    for (auto [i, operand] : enumerate(operands)) {
        Value *value = operand.uniform;
        if (operand.first) {
            value = builder_.CreateGEP(
                builder_.getInt8Ty(), operand.first,
                builder_.CreateMul(builder_.CreateZExt(lane, index_type()), operand.step));
        } else if (operand.base) {
            Value *offset = load_lane(operand.buffers[0].first, builder_.getInt32Ty(), lane);
            value = builder_.CreateGEP(builder_.getInt8Ty(), operand.base,
                                       builder_.CreateZExt(offset, index_type()));
        } else if (!value && instruction.getOperand(unsigned(i))->getType()->isStructTy()) {
            value = PoisonValue::get(instruction.getOperand(unsigned(i))->getType());
            for (auto [k, part] : enumerate(operand.buffers))
                value = builder_.CreateInsertValue(value, load_lane(part.first, part.second, lane),
                                                   unsigned(k));
        } else if (!value) {
            value = load_lane(operand.buffers[0].first, operand.buffers[0].second, lane);
        }
        copy->setOperand(unsigned(i), value);
    }
    builder_.Insert(copy);
    for (auto [i, result] : enumerate(results)) {
        Value *part = type->isStructTy() ? builder_.CreateExtractValue(copy, unsigned(i)) : copy;
        part = builder_.CreateZExtOrBitCast(part, stored(part->getType()));
        builder_.CreateStore(part,
                             builder_.CreateInBoundsGEP(part->getType(), result.first,
                                                        builder_.CreateZExt(lane, index_type())));
    }
    if (mask) {
        builder_.CreateBr(next);
        builder_.SetInsertPoint(next);
    }
    Value *following = builder_.CreateAdd(lane, builder_.getInt32(1), "", true, true);
    lane->addIncoming(builder_.getInt32(0), before);
    lane->addIncoming(following, builder_.GetInsertBlock());
    auto *branch = builder_.CreateCondBr(builder_.CreateICmpNE(following, count), head, done);
    if (isa<CallInst>(instruction) || instruction.isVolatile()) // printf: much code
        do_not_unroll(*branch);
    else if (!mask)
        unroll(*branch, scalarised_lanes_unroll);

    builder_.SetInsertPoint(done);
    if (results.empty())
        return;
    SmallVector<Value *, 2> each;
    auto load_all = [&] {
        for (auto [memory, part] : results)
            each.push_back(builder_.CreateIntrinsic(Intrinsic::vp_load,
                                                    {vector_of(stored(part)), memory->getType()},
                                                    {memory, all_lanes(), active.length}));
    };
    if (packed) {
        auto ways = for_all_or_some(load_all, [&] {
            for (auto [memory, part] : results)
                each.push_back(expand_packed(memory, stored(part), packed));
        });
        for (size_t i = 0; all_active && i < results.size(); ++i) {
            PHINode *either = builder_.CreatePHI(each[i]->getType(), 2);
            either->addIncoming(each[i], ways[0]);
            either->addIncoming(each[results.size() + i], ways[1]);
            each[i] = either;
        }
    } else {
        load_all();
    }
    Value *whole = type->isStructTy() ? PoisonValue::get(vector_of(type)) : nullptr;
    for (auto [i, result] : enumerate(results)) {
        Value *wide = result.second->isIntegerTy(1) ? builder_.CreateIsNotNull(each[i]) : each[i];
        whole = whole ? builder_.CreateInsertValue(whole, wide, unsigned(i)) : wide;
    }
    if (tells_success)
        whole = builder_.CreateInsertValue(
            whole, builder_.CreateICmpEQ(each[0], vector(exchange->getCompareOperand())), 1);
    vectors_[&instruction] = whole;
}

} // namespace rivulet::compiler
