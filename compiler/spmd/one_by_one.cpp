// SPDX-License-Identifier: Apache-2.0
//
// What has no vector form: lane after lane, with operands and results in memory between.
#include "compiler/spmd/lanes.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>

namespace rivulet::compiler {

using namespace llvm;

// A place for all lanes' values on the stack.
AllocaInst *Lanes::buffer(Type *type) {
    BasicBlock *block = builder_.GetInsertBlock();
    IRBuilder<> entry(&*block->getParent()->getEntryBlock().begin());
    return lane_memory(entry, block->getDataLayout().getTypeAllocSize(type), Align(16));
}

// Stores all lanes' values; each part of a structure has a buffer of its own, inside of it.
Value *Lanes::put_down(Value *wide) {
    Type *type = cast<VectorType>(wide->getType())->getElementType();
    if (type->isIntegerTy(1)) {
        type = builder_.getInt8Ty();
        wide = builder_.CreateZExt(wide, vector_of(type));
    }
    Value *place = buffer(type);
    builder_.CreateIntrinsic(Intrinsic::vp_store, {wide->getType(), place->getType()},
                             {wide, place, all_lanes(), active.length});
    return place;
}

Value *Lanes::pick_up(Value *place, Type *type, Value *lane) {
    bool is_bit = type->isIntegerTy(1);
    Type *stored = is_bit ? builder_.getInt8Ty() : type;
    Value *value = builder_.CreateLoad(
        stored, builder_.CreateInBoundsGEP(stored, place,
                                           builder_.CreateZExt(lane, builder_.getInt64Ty())));
    return is_bit ? builder_.CreateTrunc(value, type) : value;
}

void Lanes::emit_one_by_one(Instruction &instruction) {
    LLVMContext &context = builder_.getContext();
    Function *function = builder_.GetInsertBlock()->getParent();

    // Operands: the same for all, a base and offsets, or a value per lane (of each part).
    struct Operand {
        Value *alike = nullptr;
        Value *base = nullptr;
        SmallVector<std::pair<Value *, Type *>, 1> buffers;
    };
    SmallVector<Operand> operands;
    for (Value *value : instruction.operands()) {
        Operand &operand = operands.emplace_back();
        if (isa<BasicBlock, InlineAsm>(value)) {
            operand.alike = value;
            continue;
        }
        if (isa<Constant, MetadataAsValue>(value) || shapes_.uniform(value)) {
            operand.alike = scalar(value);
            continue;
        }
        auto whole = [&] { return vector(value); };
        if (value->getType()->isPointerTy()) {
            auto [base, each] = offsets(value);
            operand.base = base;
            operand.buffers.emplace_back(put_down(each),
                                         base ? builder_.getInt32Ty() : value->getType());
        } else if (auto *structure = dyn_cast<StructType>(value->getType())) {
            for (unsigned i = 0; i < structure->getNumElements(); ++i)
                operand.buffers.emplace_back(put_down(builder_.CreateExtractValue(whole(), i)),
                                             structure->getElementType(i));
        } else {
            operand.buffers.emplace_back(put_down(whole()), value->getType());
        }
    }
    Value *mask = active.mask ? put_down(active.mask) : nullptr;
    Type *type = instruction.use_empty() ? builder_.getVoidTy() : instruction.getType();
    SmallVector<std::pair<AllocaInst *, Type *>> results;
    auto stored = [&](Type *part) { return part->isIntegerTy(1) ? builder_.getInt8Ty() : part; };
    if (auto *structure = dyn_cast<StructType>(type)) {
        for (Type *part : structure->elements())
            results.emplace_back(buffer(stored(part)), part);
    } else if (!type->isVoidTy()) {
        results.emplace_back(buffer(stored(type)), type);
    }

    BasicBlock *before = builder_.GetInsertBlock();
    auto *head = BasicBlock::Create(context, "lane", function);
    auto *body = mask ? BasicBlock::Create(context, "lane.active", function) : head;
    auto *next = mask ? BasicBlock::Create(context, "lane.next", function) : head;
    auto *done = BasicBlock::Create(context, "lane.done", function);
    builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    PHINode *lane = builder_.CreatePHI(builder_.getInt32Ty(), 2, "lane");
    if (mask) {
        builder_.CreateCondBr(pick_up(mask, builder_.getInt1Ty(), lane), body, next);
        builder_.SetInsertPoint(body);
    }
    Instruction *copy = instruction.clone();
    for (auto [i, operand] : enumerate(operands)) {
        Value *value = operand.alike;
        if (operand.base) {
            Value *offset = pick_up(operand.buffers[0].first, builder_.getInt32Ty(), lane);
            value = builder_.CreateGEP(builder_.getInt8Ty(), operand.base,
                                       builder_.CreateZExt(offset, builder_.getInt64Ty()));
        } else if (!value && instruction.getOperand(unsigned(i))->getType()->isStructTy()) {
            value = PoisonValue::get(instruction.getOperand(unsigned(i))->getType());
            for (auto [k, part] : enumerate(operand.buffers))
                value = builder_.CreateInsertValue(value, pick_up(part.first, part.second, lane),
                                                   unsigned(k));
        } else if (!value) {
            value = pick_up(operand.buffers[0].first, operand.buffers[0].second, lane);
        }
        copy->setOperand(unsigned(i), value);
    }
    builder_.Insert(copy);
    for (auto [i, result] : enumerate(results)) {
        Value *part = type->isStructTy() ? builder_.CreateExtractValue(copy, unsigned(i)) : copy;
        part = builder_.CreateZExtOrBitCast(part, stored(part->getType()));
        builder_.CreateStore(
            part, builder_.CreateInBoundsGEP(part->getType(), result.first,
                                             builder_.CreateZExt(lane, builder_.getInt64Ty())));
    }
    if (mask) {
        builder_.CreateBr(next);
        builder_.SetInsertPoint(next);
    }
    Value *following = builder_.CreateAdd(lane, builder_.getInt32(1), "", true, true);
    lane->addIncoming(builder_.getInt32(0), before);
    lane->addIncoming(following, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpULT(following, active.length), head, done);

    builder_.SetInsertPoint(done);
    if (results.empty())
        return;
    Value *whole = nullptr;
    if (type->isStructTy())
        whole = PoisonValue::get(vector_of(type));
    for (auto [i, result] : enumerate(results)) {
        Type *part = vector_of(stored(result.second));
        Value *wide = builder_.CreateIntrinsic(Intrinsic::vp_load, {part, result.first->getType()},
                                               {result.first, all_lanes(), active.length});
        if (result.second->isIntegerTy(1))
            wide = builder_.CreateIsNotNull(wide);
        whole = whole ? builder_.CreateInsertValue(whole, wide, unsigned(i)) : wide;
    }
    vectors_[&instruction] = whole;
}

} // namespace rivulet::compiler
