// SPDX-License-Identifier: Apache-2.0
//
// Marks private arrays as interleaved (interleave_private_arrays.h) where every access is known,
// and rewrites each address as the array plus one 32-bit index, which code generation multiplies by
// the number of lanes. An index that all lanes share is a contiguous access then; without this pass
// it is a strided one, which most machines execute lane by lane, and addresses are vectors of 64
// bits.
//
// Expects scalar accesses, and fills and copies expanded by expand_array_intrinsics(). Elements may
// not be wider than those of the vector unit: type legalisation, which runs later, would split
// them.
#include "compiler/spmd/transform/interleave_private_arrays.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/spmd/analysis/interleaved_arrays.h"
#include "compiler/spmd/analysis/lane_analyses.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(InterleavePrivateArraysPass);

// Copies and fills of private arrays up to this length are straight-line code, longer ones loops.
constexpr uint64_t private_copy_max_unrolled = 8; // elements

namespace {

constexpr unsigned widest = 8; // bytes of an element

SmallVector<AllocaInst *> variables_of(Function &function) {
    SmallVector<AllocaInst *> variables;
    for (Instruction &instruction : function.getEntryBlock())
        if (auto *variable = dyn_cast<AllocaInst>(&instruction);
            variable && variable->isStaticAlloca())
            variables.push_back(variable);
    return variables;
}

} // namespace

std::optional<PrivateArray> PrivateArray::of(AllocaInst &variable) {
    PrivateArray array(variable);
    if (!array.find_accesses())
        return std::nullopt;
    return array;
}

// Follows the variable's address through GEPs, phis and selects to all its uses. Conditions that
// depend on the element's size, or on all pointers, are checked once the walk has found them.
bool PrivateArray::find_accesses() {
    pointers_.insert(&variable_);
    for (unsigned i = 0; i < pointers_.size(); ++i)
        for (const Use &use : pointers_[i]->uses())
            if (!takes(*cast<Instruction>(use.getUser()), use))
                return false;
    if (bytes_ == 0 || variable_.getAlign().value() < bytes_)
        return false;
    auto is_own = [&](const Value *pointer) {
        return pointers_.contains(const_cast<Value *>(pointer)) || isa<UndefValue>(pointer);
    };
    for (Value *pointer : pointers_) {
        if (auto *phi = dyn_cast<PHINode>(pointer); phi && !all_of(phi->incoming_values(), is_own))
            return false;
        if (auto *choice = dyn_cast<SelectInst>(pointer);
            choice && !(is_own(choice->getTrueValue()) && is_own(choice->getFalseValue())))
            return false;
        if (auto *address = dyn_cast<GetElementPtrInst>(pointer);
            address && !has_whole_steps(*address))
            return false;
    }
    return all_of(comparisons_,
                  [&](const ICmpInst *compare) {
                      return is_own(compare->getOperand(0)) && is_own(compare->getOperand(1));
                  }) &&
           all_of(intrinsics_, [&](const MemIntrinsic *intrinsic) {
               auto *copy = dyn_cast<MemTransferInst>(intrinsic);
               return cast<ConstantInt>(intrinsic->getLength())->getZExtValue() % bytes_ == 0 &&
                      intrinsic->getDestAlign().valueOrOne().value() >= bytes_ &&
                      (!copy || copy->getSourceAlign().valueOrOne().value() >= bytes_);
           });
}

bool PrivateArray::takes_element(Type *type, Align align) {
    has_vectors_ |= type->isVectorTy(); // of elements without gaps
    type = type->getScalarType();
    const TypeSize size = variable_.getDataLayout().getTypeStoreSize(type);
    const uint64_t bytes = size.getFixedValue();
    if (!type->isSingleValueType() || bytes > widest || !isPowerOf2_64(bytes) ||
        align.value() < bytes)
        return false;
    if (bytes_ == 0)
        bytes_ = unsigned(bytes);
    return bytes_ == bytes;
}

bool PrivateArray::takes(Instruction &user, const Use &use) {
    if (user.isLifetimeStartOrEnd())
        return true;
    if (auto *load = dyn_cast<LoadInst>(&user)) {
        accesses_.push_back(load);
        return load->isSimple() && takes_element(load->getType(), load->getAlign());
    }
    if (auto *store = dyn_cast<StoreInst>(&user)) {
        accesses_.push_back(store);
        return use.getOperandNo() == StoreInst::getPointerOperandIndex() && store->isSimple() &&
               takes_element(store->getValueOperand()->getType(), store->getAlign());
    }
    if (isa<GetElementPtrInst, PHINode, SelectInst>(user)) {
        pointers_.insert(&user);
        return true;
    }
    if (auto *compare = dyn_cast<ICmpInst>(&user)) {
        if (!is_contained(comparisons_, compare))
            comparisons_.push_back(compare);
        return true;
    }
    auto *intrinsic = dyn_cast<MemIntrinsic>(&user);
    if (!intrinsic || isa<MemMoveInst>(intrinsic) || intrinsic->isVolatile() ||
        !isa<ConstantInt>(intrinsic->getLength()))
        return false;
    if (!is_contained(intrinsics_, intrinsic))
        intrinsics_.push_back(intrinsic);
    return true;
}

// Whether the address moves by whole elements, whatever its variable indices are.
bool PrivateArray::has_whole_steps(GetElementPtrInst &address) const {
    const DataLayout &layout = address.getDataLayout();
    if (address.getType()->isVectorTy())
        return false;
    for (auto at = gep_type_begin(address), end = gep_type_end(address); at != end; ++at) {
        uint64_t bytes = 0;
        if (StructType *structure = at.getStructTypeOrNull()) {
            auto field = unsigned(cast<ConstantInt>(at.getOperand())->getZExtValue());
            bytes = layout.getStructLayout(structure)->getElementOffset(field).getFixedValue();
        } else {
            bytes = at.getSequentialElementStride(layout).getFixedValue();
        }
        if (auto *known = dyn_cast<ConstantInt>(at.getOperand());
            known && !at.getStructTypeOrNull())
            bytes *= known->getZExtValue();
        if (bytes % bytes_ != 0)
            return false;
    }
    return true;
}

// --- fills and copies ------------------------------------------------------------------------

void PrivateArray::expand(MemIntrinsic &intrinsic) {
    const uint64_t count = cast<ConstantInt>(intrinsic.getLength())->getZExtValue() / bytes_;
    LLVMContext &context = intrinsic.getContext();
    Type *element = IntegerType::get(context, bytes_ * 8);
    auto copy_element = [&](IRBuilderBase &builder, Value *index) {
        auto element_address = [&](Value *pointer) {
            return builder.CreateInBoundsGEP(element, pointer, index);
        };
        Value *value = nullptr;
        if (auto *fill = dyn_cast<MemSetInst>(&intrinsic)) {
            value = builder.CreateZExt(fill->getValue(), element);
            value = builder.CreateMul(
                value, ConstantInt::get(context, APInt::getSplat(bytes_ * 8, APInt(8, 1))));
        } else {
            value = builder.CreateAlignedLoad(
                element, element_address(cast<MemTransferInst>(intrinsic).getSource()),
                Align(bytes_));
        }
        builder.CreateAlignedStore(value, element_address(intrinsic.getDest()), Align(bytes_));
    };
    if (count <= private_copy_max_unrolled) {
        IRBuilder<> builder(&intrinsic);
        for (uint64_t i = 0; i < count; ++i)
            copy_element(builder, builder.getInt32(uint32_t(i)));
    } else {
        IRBuilder<> builder(&intrinsic);
        auto [inside, index] = SplitBlockAndInsertSimpleForLoop(builder.getInt32(uint32_t(count)),
                                                                intrinsic.getIterator());
        builder.SetInsertPoint(inside);
        builder.SetCurrentDebugLocation(intrinsic.getDebugLoc());
        copy_element(builder, index);
    }
    intrinsic.eraseFromParent();
}

void PrivateArray::expand_intrinsics() {
    for (MemIntrinsic *intrinsic : intrinsics_)
        expand(*intrinsic);
}

// --- indices instead of pointers ---------------------------------------------------------------

// The index of an address, from that of the pointer it is based on. 32 bits are enough for offsets
// in an array; inbounds says that no sum on the way leaves it, so sums get nsw, with which scalar
// evolution still recognises an induction. Without inbounds they wrap as 64-bit sums would in their
// low bits, and the final index is the same.
Value *PrivateArray::stepped(GetElementPtrInst &address) {
    const DataLayout &layout = address.getDataLayout();
    const bool exact = address.isInBounds();
    IRBuilder<> builder(&address);
    Type *word = builder.getInt32Ty();
    Value *index = index_of(address.getPointerOperand());
    auto add = [&](Value *step) {
        auto *zero = dyn_cast<ConstantInt>(index);
        index = zero && zero->isZero() ? step : builder.CreateAdd(index, step, "", false, exact);
    };
    for (auto at = gep_type_begin(address), end = gep_type_end(address); at != end; ++at) {
        Value *step = at.getOperand();
        if (StructType *structure = at.getStructTypeOrNull()) {
            auto field = unsigned(cast<ConstantInt>(step)->getZExtValue());
            uint64_t offset = layout.getStructLayout(structure)->getElementOffset(field);
            add(builder.getInt32(uint32_t(offset / bytes_)));
            continue;
        }
        const uint64_t bytes = at.getSequentialElementStride(layout).getFixedValue();
        if (auto *known = dyn_cast<ConstantInt>(step)) {
            add(ConstantInt::getSigned(word, known->getSExtValue() * int64_t(bytes) / bytes_,
                                       /*ImplicitTrunc=*/true));
            continue;
        }
        if (isa<SExtInst, ZExtInst>(step) && cast<CastInst>(step)->getSrcTy() == word)
            step = cast<CastInst>(step)->getOperand(0);
        step = step->getType()->getIntegerBitWidth() > 32
                   ? builder.CreateTrunc(step, word, "", false, exact)
                   : builder.CreateSExt(step, word);
        add(builder.CreateMul(step, ConstantInt::get(word, bytes / bytes_), "", false, exact));
    }
    return index;
}

Value *PrivateArray::index_of(Value *pointer) {
    if (Value *known = indices_.lookup(pointer))
        return known;
    Type *word = Type::getInt32Ty(variable_.getContext());
    if (pointer == &variable_)
        return ConstantInt::get(word, 0);
    if (isa<UndefValue>(pointer))
        return PoisonValue::get(word);
    if (auto *phi = dyn_cast<PHINode>(pointer)) {
        IRBuilder<> builder(phi);
        PHINode *index = builder.CreatePHI(word, phi->getNumIncomingValues());
        indices_[phi] = index; // before its operands, which may depend on it
        for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
            index->addIncoming(index_of(value), block);
        return index;
    }
    Value *index = nullptr;
    if (auto *choice = dyn_cast<SelectInst>(pointer)) {
        Value *yes = index_of(choice->getTrueValue());
        Value *no = index_of(choice->getFalseValue());
        index = IRBuilder<>(choice).CreateSelect(choice->getCondition(), yes, no);
    } else {
        index = stepped(*cast<GetElementPtrInst>(pointer));
    }
    return indices_[pointer] = index;
}

void PrivateArray::replace_accesses(Address address) {
    for (ICmpInst *compare : comparisons_) {
        IRBuilder<> builder(compare);
        Value *same =
            builder.CreateICmp(compare->getSignedPredicate(), index_of(compare->getOperand(0)),
                               index_of(compare->getOperand(1)));
        compare->replaceAllUsesWith(same);
        compare->eraseFromParent();
    }
    DenseMap<Value *, Value *> addresses;
    for (Instruction *access : accesses_) {
        Value *pointer = getLoadStorePointerOperand(access);
        Value *&translated = addresses[pointer];
        if (!translated) {
            auto *made = cast<Instruction>(pointer);
            Value *index = index_of(pointer);
            IRBuilder<> builder(made->getParent(), *made->getInsertionPointAfterDef());
            translated = address(builder, index);
        }
        access->setOperand(isa<LoadInst>(access) ? LoadInst::getPointerOperandIndex()
                                                 : StoreInst::getPointerOperandIndex(),
                           translated);
    }
    for (Value *unused : drop_begin(pointers_)) {
        unused->replaceAllUsesWith(PoisonValue::get(unused->getType())); // in other pointers_
        cast<Instruction>(unused)->eraseFromParent();
    }
}

// --- all arrays of a work-item function ---------------------------------------------------------

void expand_array_intrinsics(Function &function) {
    for (AllocaInst *variable : variables_of(function))
        if (auto array = PrivateArray::of(*variable))
            array->expand_intrinsics();
}

PreservedAnalyses InterleavePrivateArraysPass::run(Function &function,
                                                   FunctionAnalysisManager &analyses) {
    const LegalElementTypes elements = get<RowShapeAnalysis>(function, analyses).shape.elements;
    const unsigned widest_legal = elements.i64 && elements.f64 ? 8 : 4;
    for (AllocaInst *variable : variables_of(function)) {
        auto array = PrivateArray::of(*variable);
        if (!array || !array->has_elements_only() || array->element_bytes() > widest_legal)
            continue;
        LLVMContext &context = function.getContext();
        Type *element = IntegerType::get(context, array->element_bytes() * 8);
        array->replace_accesses([&](IRBuilderBase &builder, Value *index) {
            return builder.CreateInBoundsGEP(element, variable, index);
        });
        mark_interleaved(*variable, array->element_bytes());
    }
    return PreservedAnalyses::none();
}

} // namespace rivulet::compiler
