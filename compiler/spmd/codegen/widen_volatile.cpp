// SPDX-License-Identifier: Apache-2.0
//
// Volatile loads and stores as masked vector accesses. OpenCL C takes volatile from C (C11 5.1.2.3
// and 6.7.3): each work-item makes the accesses of its program, as many and in that order. Programs
// for the atomics of OpenCL 1.x, whose parameters are volatile, declare their buffers so. What is
// needed, and why a vector access gives it:
//
// - The order of each work-item. An instruction runs for all lanes before the next one does, as it
//   does where lanes access memory one after the other, so both forms let the same work-items wait
//   for each other. A hart's vector accesses follow RVWMO instruction by instruction (RISC-V V 1.0,
//   8), like scalar ones.
// - No order between work-items: only atomics, fences and barriers order them (OpenCL C 6.15.12).
//   So the elements of one access may come in any order. Only where several lanes store to one
//   address does one of the values stay. An ordered scatter leaves that of the last lane, and lanes
//   whose addresses are apart by a constant don't meet: accesses are aligned to their size, so such
//   a constant is at least that size.
// - One access of the declared width for each active lane. Elements are as wide as the access and
//   aligned; lanes that are masked off or beyond vl access nothing (5.3). Neighbouring accesses
//   don't become a segment. Hardware may do fewer accesses than there are elements only if the
//   stride is register x0 (7.5). So where all lanes have one address, and where they might have one
//   because their distance is known at run time only, the access is indexed, or made lane by lane.
//
// Vector accesses are intrinsics, which can't be volatile. Fences on both sides, which are for this
// thread alone and emit no instruction, keep LLVM from moving, merging or removing an access, in IR
// as well as in machine code. A fake use keeps a load that has no other. The accesses are RVV's
// intrinsics, since passes of ours repeat loads that are VP intrinsics.
//
// Lanes still access memory one by one where the address doesn't lead back to a buffer or variable:
// one made from an integer may be a register of a device, for which the order of lanes counts.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicsRISCV.h>

#include "compiler/spmd/codegen/instruction_widener.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

bool is_in_known_object(const Value &pointer) {
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(&pointer, objects, nullptr, 0);
    return all_of(objects, [](const Value *object) {
        return isa<llvm::Argument, GlobalVariable, AllocaInst>(object);
    });
}

// Types that every vector unit with such elements has accesses for.
bool is_plain(const Type &type) {
    return type.isIntegerTy() || type.isFloatTy() || type.isDoubleTy();
}

} // namespace

// The address of lane 0 and what is added to it for each lane: nothing, a constant distance, or a
// vector of offsets. Nothing if lanes have to make the access one by one.
std::optional<InstructionWidener::VolatilePlaces>
InstructionWidener::volatile_places(Value *pointer, Type *type) {
    const Stride shape = access(pointer);
    if (shape.scale)
        return std::nullopt;
    Type *xlen = index_type();
    if (shape.kind == Stride::uniform)
        return VolatilePlaces{scalar(pointer),
                              Constant::getNullValue(vector_of(builder_.getInt8Ty()))};
    if (shape.kind == Stride::affine) {
        const TypeSize bytes = builder_.GetInsertBlock()->getDataLayout().getTypeStoreSize(type);
        Value *step = shape.step == int64_t(bytes) ? nullptr : stride(shape, xlen);
        return VolatilePlaces{address(pointer), step};
    }
    auto [base, each] = offsets(pointer);
    if (!base || registers(each->getType()->getScalarSizeInBits() / 8) > largest_lmul)
        return std::nullopt;
    return VolatilePlaces{base, each};
}

// Returns false if the access has to be made lane by lane.
bool InstructionWidener::emit_volatile(Instruction &instruction) {
    Value *pointer = getLoadStorePointerOperand(&instruction);
    Type *type = getLoadStoreType(&instruction);
    if (count_.isFixed() || instruction.isAtomic() || !is_plain(*type) ||
        !wide_enough(getLoadStoreAlignment(&instruction), type) ||
        registers(type->getScalarSizeInBits() / 8) > largest_lmul || !is_in_known_object(*pointer))
        return false;
    const auto places = volatile_places(pointer, type);
    if (!places)
        return false;
    enum Form { contiguous, strided, indexed };
    const Form form = !places->apart                           ? contiguous
                      : places->apart->getType()->isVectorTy() ? indexed
                                                               : strided;
    static constexpr Intrinsic::ID loads[][2] = {
        {Intrinsic::riscv_vle, Intrinsic::riscv_vle_mask},
        {Intrinsic::riscv_vlse, Intrinsic::riscv_vlse_mask},
        {Intrinsic::riscv_vluxei, Intrinsic::riscv_vluxei_mask}};
    static constexpr Intrinsic::ID stores[][2] = {
        {Intrinsic::riscv_vse, Intrinsic::riscv_vse_mask},
        {Intrinsic::riscv_vsse, Intrinsic::riscv_vsse_mask},
        {Intrinsic::riscv_vsoxei, Intrinsic::riscv_vsoxei_mask}};
    auto *store = dyn_cast<StoreInst>(&instruction);
    Type *wide = vector_of(type);
    Type *xlen = index_type();
    SmallVector<Value *, 6> operands{
        store ? vector(store->getValueOperand()) : PoisonValue::get(wide), places->first};
    SmallVector<Type *, 4> types{wide, places->first->getType()};
    if (places->apart) {
        operands.push_back(places->apart);
        if (form == indexed)
            types.push_back(places->apart->getType());
    }
    types.push_back(xlen);
    if (active.mask)
        operands.push_back(active.mask);
    operands.push_back(builder_.CreateZExtOrTrunc(active.length, xlen));
    if (active.mask && !store)
        operands.push_back(ConstantInt::get(xlen, mergeable));
    auto fence = [&] {
        builder_.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
    };
    fence();
    CallInst *access = builder_.CreateIntrinsic(
        (store ? stores : loads)[form][active.mask != nullptr], types, operands);
    if (!store) {
        builder_.CreateIntrinsic(Intrinsic::fake_use, ArrayRef<Value *>{access});
        vectors_[&instruction] = access;
    }
    fence();
    return true;
}

} // namespace rivulet::compiler
