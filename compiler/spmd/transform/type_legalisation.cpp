// SPDX-License-Identifier: Apache-2.0
//
// Replaces values of types for which the vector unit has no elements by values of types that it
// has: 64 bits by two words, half by its bits. Without this pass LLVM can't select instructions for
// the vectors that code generation for a row makes. Only values that differ between lanes change,
// since scalar registers hold all types.
//
// Moves, integer arithmetic and comparisons work on the parts (i64_expansion.h). Operations without
// a short form are outlined: lane by lane, a scalar function joins the parts, computes, and splits
// the result (outlined_scalar_ops.h).
//
// Needs LaneAnalysis without an obstacle, and RowShapeAnalysis for the legal elements. Integers of
// 33 to 63 bits are gone (rvl-integer-promotion). Vector units without 64-bit elements belong to
// 32-bit harts, so the low word of an index or a pointer's number is all of it. Leaves the control
// flow alone.
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/spmd/analysis/lane_analyses.h"
#include "compiler/spmd/analysis/sub_group_calls.h"
#include "compiler/spmd/transform/i64_expansion.h"
#include "compiler/spmd/transform/outlined_scalar_ops.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(TypeLegalisationPass);

namespace {

using Parts = SmallVector<Value *, 2>;

class TypeLegaliser {
public:
    TypeLegaliser(Function &function, const Uniformity &uniformity, LegalElementTypes elements)
        : function_(function), layout_(function.getDataLayout()), uniformity_(uniformity),
          elements_(elements), has_bfloat_(has_bfloats(function)), builder_(function.getContext()) {
    }

    static bool has_bfloats(const Function &function) {
        return function.getFnAttribute("target-features").getValueAsString().contains("+zvfbfmin");
    }

    bool run() {
        ReversePostOrderTraversal<Function *> blocks(&function_);
        SmallVector<Instruction *> found;
        for (BasicBlock *block : blocks)
            for (Instruction &instruction : *block)
                if (concerns(instruction))
                    found.push_back(&instruction);
        for (Instruction *instruction : found)
            if (auto *phi = dyn_cast<PHINode>(instruction))
                create_phis(*phi);
        for (Instruction *instruction : found) {
            if (isa<PHINode>(instruction))
                continue;
            builder_.SetInsertPoint(instruction);
            replace(*instruction);
        }
        for (Instruction *instruction : found)
            if (auto *phi = dyn_cast<PHINode>(instruction))
                fill_phis(*phi);
        for (Instruction *instruction : reverse(found)) {
            if (!instruction->use_empty())
                instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
            instruction->eraseFromParent();
        }
        if (!found.empty())
            simplify_work_item();
        return !found.empty();
    }

private:
    bool is_words(const Type *type) const {
        return (type->isIntegerTy(64) && !elements_.i64) || (type->isDoubleTy() && !elements_.f64);
    }
    bool is_carried(Type *type) const {
        if (auto *structure = dyn_cast<StructType>(type))
            return any_of(structure->elements(), [&](Type *part) { return is_carried(part); });
        return is_words(type) || (type->isHalfTy() && !elements_.f16) ||
               (type->isBFloatTy() && !has_bfloat_);
    }
    bool is_carried(const Value *value) const {
        return is_carried(value->getType()) && !uniformity_.uniform(*value);
    }
    bool concerns(const Instruction &instruction) const {
        if (any_of(instruction.operand_values(),
                   [&](const Value *value) { return is_carried(value); }))
            return true;
        if (auto *store = dyn_cast<StoreInst>(&instruction)) // of a uniform value, lane by lane
            return is_carried(store->getValueOperand()->getType()) &&
                   !uniformity_.uniform(*store->getPointerOperand());
        if (auto call = sub_group_call(instruction); // each lane contributes a uniform value
            call && call->function >= SubGroupCall::reduce)
            return is_carried(instruction.getOperand(0)->getType());
        bool only_adds = isa<AtomicRMWInst>(instruction) && instruction.use_empty();
        return is_carried(&instruction) && !only_adds;
    }

    // The types of a value's parts, in order.
    void add_types(Type *type, SmallVectorImpl<Type *> &types) const {
        if (auto *structure = dyn_cast<StructType>(type); structure && is_carried(type))
            for (Type *part : structure->elements())
                add_types(part, types);
        else if (is_words(type))
            types.append(2, Type::getInt32Ty(type->getContext()));
        else
            types.push_back(is_carried(type) ? Type::getInt16Ty(type->getContext()) : type);
    }
    SmallVector<Type *, 2> types_of(Type *type) const {
        SmallVector<Type *, 2> types;
        add_types(type, types);
        return types;
    }

    // --- whole values and their parts, at the builder's position ----------------------------
    void add_parts(IRBuilderBase &builder, Value *whole, Parts &parts) const {
        Type *type = whole->getType();
        if (auto *structure = dyn_cast<StructType>(type); structure && is_carried(type)) {
            for (unsigned i = 0; i < structure->getNumElements(); ++i)
                add_parts(builder, builder.CreateExtractValue(whole, i), parts);
        } else if (is_words(type)) {
            Value *bits = builder.CreateBitCast(whole, builder.getInt64Ty());
            parts.push_back(builder.CreateTrunc(bits, builder.getInt32Ty()));
            parts.push_back(
                builder.CreateTrunc(builder.CreateLShr(bits, 32), builder.getInt32Ty()));
        } else {
            parts.push_back(is_carried(type) ? builder.CreateBitCast(whole, builder.getInt16Ty())
                                             : whole);
        }
    }
    // The whole value from the first of `parts`, which it removes from the list.
    Value *joined(IRBuilderBase &builder, Type *type, ArrayRef<Value *> &parts) const {
        if (auto *structure = dyn_cast<StructType>(type); structure && is_carried(type)) {
            Value *whole = PoisonValue::get(type);
            for (unsigned i = 0; i < structure->getNumElements(); ++i)
                whole = builder.CreateInsertValue(
                    whole, joined(builder, structure->getElementType(i), parts), i);
            return whole;
        }
        Value *bits = parts.consume_front();
        if (is_words(type)) {
            Type *wide = builder.getInt64Ty();
            Value *high = builder.CreateZExt(parts.consume_front(), wide);
            bits = builder.CreateOr(builder.CreateZExt(bits, wide), builder.CreateShl(high, 32));
        }
        return builder.CreateBitCast(bits, type);
    }

    // The parts of a uniform value are extracted next to its definition.
    Parts parts(Value *value) {
        if (auto known = parts_.find(value); known != parts_.end())
            return known->second;
        IRBuilder<> builder(function_.getContext());
        auto *instruction = dyn_cast<Instruction>(value);
        if (instruction)
            builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
        else
            builder.SetInsertPoint(function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        Parts found;
        add_parts(builder, value, found);
        return parts_[value] = found;
    }
    I64Pair pair(Value *value) {
        const Parts both = parts(value);
        return {both[0], both[1]};
    }
    void set(Instruction &instruction, ArrayRef<Value *> values) {
        parts_[&instruction].assign(values.begin(), values.end());
    }
    void set(Instruction &instruction, I64Pair pair) {
        parts_[&instruction] = {pair.low, pair.high};
    }

    // Folds what constant parts make constant: many upper words are zero. Phi nodes stay, since
    // they keep LCSSA form.
    void simplify_work_item() {
        ReversePostOrderTraversal<Function *> blocks(&function_);
        for (BasicBlock *block : blocks)
            for (Instruction &instruction : make_early_inc_range(*block)) {
                if (isa<PHINode>(instruction))
                    continue;
                if (Value *simple = simplifyInstruction(&instruction, SimplifyQuery(layout_)))
                    instruction.replaceAllUsesWith(simple);
                if (isInstructionTriviallyDead(&instruction))
                    instruction.eraseFromParent();
            }
    }

    void create_phis(PHINode &phi) {
        builder_.SetInsertPoint(&phi);
        Parts created;
        for (Type *type : types_of(phi.getType()))
            created.push_back(builder_.CreatePHI(type, phi.getNumIncomingValues(), phi.getName()));
        set(phi, created);
    }
    void fill_phis(PHINode &phi) {
        const Parts to = parts_[&phi];
        for (auto [value, block] : zip(phi.incoming_values(), phi.blocks())) {
            const Parts from = parts(value);
            for (auto [each, part] : zip(to, from))
                cast<PHINode>(each)->addIncoming(part, block);
        }
    }

    // --- instructions -----------------------------------------------------------------------
    void replace(Instruction &instruction) {
        if (auto call = sub_group_call(instruction))
            replace_sub_group(cast<CallInst>(instruction), *call);
        else if (!replace_by_parts(instruction))
            replace_by_function(instruction);
    }

    // Functions that move values between lanes work on each part; functions that combine values
    // need all parts at once.
    void replace_sub_group(CallInst &call, const SubGroupCall &sub_group) {
        Parts results;
        const Parts operand = parts(call.getArgOperand(0));
        if (sub_group.function < SubGroupCall::reduce) {
            for (Value *part : operand)
                results.push_back(call_with(call, part->getType(), part));
        } else {
            Value *both = call_with(
                call, StructType::get(call.getContext(), types_of(call.getType())), operand);
            for (unsigned i = 0; i < operand.size(); ++i)
                results.push_back(builder_.CreateExtractValue(both, i));
        }
        if (is_carried(&call)) {
            set(call, results);
            return;
        }
        ArrayRef<Value *> rest = results;
        call.replaceAllUsesWith(joined(builder_, call.getType(), rest));
    }
    // Calls a variant of the function that takes parts instead of the first operand. Its name keeps
    // the original type; the suffix says whether it takes one part or all.
    Value *call_with(CallInst &call, Type *result, ArrayRef<Value *> first) {
        SmallVector<Value *, 3> operands(first);
        append_range(operands, drop_begin(call.args()));
        SmallVector<Type *, 3> types;
        for (Value *operand : operands)
            types.push_back(operand->getType());
        Function &whole = *call.getCalledFunction();
        auto *callee = cast<Function>(
            function_.getParent()
                ->getOrInsertFunction(
                    (whole.getName() + (first.size() > 1 ? ".parts" : ".part")).str(),
                    FunctionType::get(result, types, false))
                .getCallee());
        auto functions_of = [&](AttributeList attributes) {
            return AttributeList().addFnAttributes(
                call.getContext(), AttrBuilder(call.getContext(), attributes.getFnAttrs()));
        };
        callee->setAttributes(functions_of(whole.getAttributes()));
        CallInst *made = builder_.CreateCall(callee, operands);
        made->setAttributes(functions_of(call.getAttributes()));
        return made;
    }

    bool replace_by_parts(Instruction &instruction) {
        if (auto *load = dyn_cast<LoadInst>(&instruction))
            return replace_load(*load);
        if (auto *store = dyn_cast<StoreInst>(&instruction))
            return replace_store(*store);
        if (auto *select = dyn_cast<SelectInst>(&instruction)) {
            Parts chosen;
            const Parts yes = parts(select->getTrueValue());
            for (auto [a, b] : zip(yes, parts(select->getFalseValue())))
                chosen.push_back(builder_.CreateSelect(select->getCondition(), a, b));
            set(*select, chosen);
            return true;
        }
        if (isa<FreezeInst>(instruction)) {
            Parts frozen;
            for (Value *part : parts(instruction.getOperand(0)))
                frozen.push_back(builder_.CreateFreeze(part));
            set(instruction, frozen);
            return true;
        }
        if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
            if (!operation->getType()->isIntegerTy(64))
                return false;
            auto result =
                combine_pairs(builder_, operation->getOpcode(), pair(operation->getOperand(0)),
                              pair(operation->getOperand(1)));
            if (result)
                set(*operation, *result);
            return result.has_value();
        }
        if (auto *compare = dyn_cast<ICmpInst>(&instruction)) {
            compare->replaceAllUsesWith(compare_pairs(builder_, compare->getPredicate(),
                                                      pair(compare->getOperand(0)),
                                                      pair(compare->getOperand(1))));
            return true;
        }
        if (auto *cast_ = dyn_cast<CastInst>(&instruction))
            return replace_cast(*cast_);
        if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
            return replace_address(*address);
        if (isa<ExtractValueInst, InsertValueInst>(instruction))
            return replace_part(instruction);
        if (instruction.getOpcode() == Instruction::FNeg)
            return change_sign(instruction, [&](Value *bits, uint32_t sign) {
                return builder_.CreateXor(bits, ConstantInt::get(bits->getType(), sign));
            });
        if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
            return replace_call(*call);
        return false;
    }

    // The address of word i of a value in memory.
    Value *part_address(Value *pointer, unsigned i) {
        return i ? builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), pointer, 4 * i)
                 : pointer;
    }
    template <class Access> void set_metadata(Access *part, const Instruction &whole) {
        part->setAAMetadata(whole.getAAMetadata());
        part->setDebugLoc(whole.getDebugLoc());
    }
    bool replace_load(LoadInst &load) {
        if (load.isAtomic() || load.getType()->isStructTy())
            return false;
        Parts loaded;
        for (auto [i, type] : enumerate(types_of(load.getType()))) {
            LoadInst *part = builder_.CreateAlignedLoad(
                type, part_address(load.getPointerOperand(), unsigned(i)),
                commonAlignment(load.getAlign(), 4 * i), load.isVolatile());
            set_metadata(part, load);
            loaded.push_back(part);
        }
        set(load, loaded);
        return true;
    }
    bool replace_store(StoreInst &store) {
        Value *value = store.getValueOperand();
        if (store.isAtomic() || value->getType()->isStructTy())
            return false;
        for (auto [i, part] : enumerate(parts(value)))
            set_metadata(builder_.CreateAlignedStore(
                             part, part_address(store.getPointerOperand(), unsigned(i)),
                             commonAlignment(store.getAlign(), 4 * i), store.isVolatile()),
                         store);
        return true;
    }

    bool replace_cast(CastInst &cast) {
        Value *from = cast.getOperand(0);
        Type *word = builder_.getInt32Ty();
        auto finish = [&](Value *value) {
            cast.replaceAllUsesWith(value);
            return true;
        };
        switch (cast.getOpcode()) {
        case Instruction::Trunc:
            return finish(builder_.CreateTrunc(parts(from)[0], cast.getType()));
        case Instruction::ZExt:
            if (from->getType()->getIntegerBitWidth() > 32)
                return false;
            set(cast, I64Pair{builder_.CreateZExt(from, word), builder_.getInt32(0)});
            return true;
        case Instruction::SExt: {
            if (from->getType()->getIntegerBitWidth() > 32)
                return false;
            Value *low = builder_.CreateSExt(from, word);
            set(cast, I64Pair{low, builder_.CreateAShr(low, 31)});
            return true;
        }
        case Instruction::PtrToInt:
            if (layout_.getPointerTypeSizeInBits(from->getType()) > 32)
                return false;
            set(cast, I64Pair{builder_.CreatePtrToInt(from, word), builder_.getInt32(0)});
            return true;
        case Instruction::IntToPtr:
            return finish(builder_.CreateIntToPtr(parts(from)[0], cast.getType()));
        case Instruction::BitCast: {
            const Parts bits = parts(from);
            if (types_of(cast.getType()) != types_of(from->getType()))
                return false;
            if (!is_carried(&cast))
                return finish(bits[0]);
            set(cast, bits);
            return true;
        }
        default:
            return false;
        }
    }

    bool replace_address(GetElementPtrInst &address) {
        SmallVector<Value *> indices;
        for (Value *index : address.indices())
            indices.push_back(is_carried(index) ? parts(index)[0] : index);
        address.replaceAllUsesWith(builder_.CreateGEP(address.getSourceElementType(),
                                                      address.getPointerOperand(), indices,
                                                      address.getName(), address.getNoWrapFlags()));
        return true;
    }

    // The number of the first part of an element, among those of the structure.
    unsigned first_part(Type *type, ArrayRef<unsigned> indices) const {
        unsigned part = 0;
        for (unsigned index : indices) {
            auto *structure = cast<StructType>(type);
            for (unsigned i = 0; i < index; ++i)
                part += unsigned(types_of(structure->getElementType(i)).size());
            type = structure->getElementType(index);
        }
        return part;
    }
    bool replace_part(Instruction &instruction) {
        if (auto *extract = dyn_cast<ExtractValueInst>(&instruction)) {
            Value *whole = extract->getAggregateOperand();
            const Parts all = parts(whole);
            auto own = ArrayRef(all).slice(first_part(whole->getType(), extract->getIndices()),
                                           types_of(extract->getType()).size());
            if (is_carried(extract->getType()))
                set(*extract, own);
            else
                extract->replaceAllUsesWith(own[0]);
            return true;
        }
        auto &insert = cast<InsertValueInst>(instruction);
        Value *whole = insert.getAggregateOperand();
        Parts all = parts(whole);
        const Parts own = parts(insert.getInsertedValueOperand());
        copy(own, all.begin() + first_part(whole->getType(), insert.getIndices()));
        set(insert, all);
        return true;
    }

    // The sign of a floating-point number is the first bit of its last part.
    template <class Change> bool change_sign(Instruction &instruction, Change change) {
        Parts changed = parts(instruction.getOperand(0));
        Value *&last = changed.back();
        last = change(last, 1u << (last->getType()->getIntegerBitWidth() - 1));
        set(instruction, changed);
        return true;
    }
    bool replace_call(IntrinsicInst &call) {
        if (call.getIntrinsicID() == Intrinsic::fabs)
            return change_sign(call, [&](Value *bits, uint32_t sign) {
                return builder_.CreateAnd(bits, ConstantInt::get(bits->getType(), sign - 1));
            });
        if (!call.getType()->isIntegerTy(64))
            return false;
        SmallVector<I64Pair, 3> operands;
        for (Value *operand : call.args())
            operands.push_back(operand->getType()->isIntegerTy(64) ? pair(operand) : I64Pair{});
        if (operands.empty() || !operands[0].low)
            return false;
        auto result = call_on_pairs(builder_, call.getIntrinsicID(), operands);
        if (result)
            set(call, *result);
        return result.has_value();
    }

    // Outlines the instruction: the function joins its operands, computes and splits the result.
    void replace_by_function(Instruction &instruction) {
        SmallVector<Value *> operands;
        for (Value *operand : instruction.operands()) {
            if (is_part_of_lane_function(operand))
                continue;
            if (is_carried(operand))
                append_range(operands, parts(operand));
            else
                operands.push_back(operand);
        }
        auto types = types_of(instruction.getType());
        CallInst *call = call_lane_function(
            builder_, instruction,
            types.size() == 1 ? types[0] : StructType::get(function_.getContext(), types), operands,
            [&](IRBuilderBase &builder, Value *operand, ArrayRef<Value *> &parameters) {
                return is_carried(operand) ? joined(builder, operand->getType(), parameters)
                                           : parameters.consume_front();
            },
            [&](IRBuilderBase &builder, Instruction &whole) {
                Parts made;
                add_parts(builder, &whole, made);
                if (made.size() == 1)
                    return made[0];
                Value *all = PoisonValue::get(StructType::get(function_.getContext(), types));
                for (auto [i, part] : enumerate(made))
                    all = builder.CreateInsertValue(all, part, unsigned(i));
                return all;
            });
        if (!is_carried(instruction.getType())) {
            instruction.replaceAllUsesWith(call);
            return;
        }
        Parts results;
        for (unsigned i = 0; i < types.size() && types.size() > 1; ++i)
            results.push_back(builder_.CreateExtractValue(call, i));
        set(instruction, types.size() == 1 ? ArrayRef<Value *>(call) : results);
    }

    Function &function_;
    const DataLayout &layout_;
    const Uniformity &uniformity_;
    LegalElementTypes elements_;
    const bool has_bfloat_; // Zvfbfmin, without which there are no vectors of them at all
    IRBuilder<> builder_;
    DenseMap<Value *, Parts> parts_;
};

} // namespace

PreservedAnalyses TypeLegalisationPass::run(Function &work_item,
                                            FunctionAnalysisManager &analyses) {
    if (is_lane_function(work_item))
        return PreservedAnalyses::all();
    const LegalElementTypes elements = get<RowShapeAnalysis>(work_item, analyses).shape.elements;
    const bool lacks_bfloats =
        !TypeLegaliser::has_bfloats(work_item) &&
        any_of(instructions(work_item), [](const Instruction &instruction) {
            return instruction.getType()->isBFloatTy() ||
                   any_of(instruction.operand_values(),
                          [](const Value *value) { return value->getType()->isBFloatTy(); });
        });
    if (elements.all() && !lacks_bfloats)
        return PreservedAnalyses::all();
    const LaneAnalysis::Result &lanes = get<LaneAnalysis>(work_item, analyses);
    return preserved_unless(!lanes.obstacle &&
                            TypeLegaliser(work_item, *lanes.uniformity, elements).run());
}

} // namespace rivulet::compiler
