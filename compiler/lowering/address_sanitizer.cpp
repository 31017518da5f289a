// SPDX-License-Identifier: Apache-2.0
//
// Compares each access of a kernel with the bounds of the object that its pointer is derived from,
// and calls a report if it is outside (-rv-sanitize=address). Checks in loops are hoisted
// (sanitizer_hoisting.h), and those of neighbouring accesses are joined. There is no shadow memory:
// the host knows all buffers, and passes their bounds in the launch record.
//
// Runs on marked kernels for one work-item, simplified but not vectorised: before, accesses that
// later disappear would be checked; after, a check would have to take vectors apart. The calls that
// it adds are lowered by rvl-bad-accesses.
#include "compiler/lowering/address_sanitizer.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/TargetFolder.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/analysis/affine_expression.h"
#include "compiler/analysis/integer_ranges.h"
#include "compiler/lowering/delayed_inlining.h"
#include "compiler/lowering/sanitizer_accesses.h"
#include "compiler/lowering/sanitizer_barriers.h"
#include "compiler/lowering/sanitizer_hoisting.h"
#include "compiler/lowering/sanitizer_queries.h"
#include "compiler/support/function_pass.h"
#include "compiler/work_items/launch_end.h"
#include "compiler/work_items/small_buffers.h"
#include "compiler/work_items/work_group_builtin_table.h"
#include "hal/protocol/sanitizer.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(AddressSanitizerPass);

// Accesses of a block that lie this near to each other are compared with bounds as one.
constexpr int64_t sanitizer_union_max_bytes = 1 << 12; // bytes

namespace {

constexpr StringLiteral of_sanitizer = "rivulet.sanitizer"; // extensions that it made

// One comparison, for neighbouring accesses.
struct Check {
    Access access; // all of them as one: at the first one's instruction
    Object object;
    LinearAddress address;            // of the first byte
    bool is_linear = false;           // from its object's beginning
    std::optional<Position> position; // with one index
    std::optional<HoistedCheck> hoisted;
    struct Part {
        Access access;
        Position position;
    };
    SmallVector<Part, 2> parts; // in the order of the program
};
using Checks = std::vector<Check>;

class AddressSanitizer {
public:
    explicit AddressSanitizer(Function &kernel)
        : kernel_(kernel), module_(*kernel.getParent()), origins_(kernel),
          index_type_(origins_.index_type()),
          entry_(kernel.getContext(), TargetFolder(kernel.getDataLayout())) {
        entry_.SetCurrentDebugLocation({});
    }

    bool run() {
        const SmallVector<Access> accesses = find_accesses(kernel_, index_type_);
        if (accesses.empty())
            return false;
        start_with_variables();
        tell_local_ids();
        Checks checks;
        {
            CheckHoisting hoisting(kernel_);
            for (const Access &access : accesses)
                add(access, hoisting, checks);
            for (Check &check : checks)
                if (check.position && !check.access.element)
                    check.hoisted = hoisting.hoist(check.access.instruction, check.position->index);
        }
        for (const Check &check : checks)
            emit(check);
        return true;
    }

private:
    // A required size of the work-group bounds local ids.
    void tell_local_ids() {
        const MDNode *sizes = kernel_.getMetadata("reqd_work_group_size");
        if (!sizes || sizes->getNumOperands() != 3)
            return;
        for (Instruction &instruction : instructions(kernel_)) {
            auto *call = dyn_cast<CallInst>(&instruction);
            const auto builtin = call ? builtin_of(*call) : std::nullopt;
            auto *dimension = builtin == Builtin::local_id
                                  ? dyn_cast<ConstantInt>(call->getArgOperand(0))
                                  : nullptr;
            if (!dimension || dimension->getValue().ugt(2))
                continue;
            const uint64_t size =
                mdconst::extract<ConstantInt>(
                    sizes->getOperand(static_cast<unsigned>(dimension->getZExtValue())))
                    ->getZExtValue();
            const unsigned bits = call->getType()->getIntegerBitWidth();
            if (size > 0)
                call->addRangeRetAttr(ConstantRange(APInt(bits, 0), APInt(bits, size)));
        }
    }

    // The entry block is left with variables and what the checks compute once.
    void start_with_variables() {
        BasicBlock &entry = kernel_.getEntryBlock();
        BasicBlock *rest = SplitBlock(&entry, entry.begin());
        entry_.SetInsertPoint(entry.getTerminator());
        for (Instruction &instruction : make_early_inc_range(*rest))
            if (auto *variable = dyn_cast<AllocaInst>(&instruction);
                variable && isa<ConstantInt>(variable->getArraySize()))
                variable->moveBefore(entry.getTerminator()->getIterator());
    }

    // Adds a check unless an existing one covers the access.
    //
    // A check that dominates an access and covers its bytes makes another check redundant:
    // execution does not continue past a failing check, and SSA values are the same at both
    // (reaching the access with new values means passing the check with them, too).
    //
    // A check of several accesses in one block, of which a work-item executes all or none
    // (goes_on()), covers all of them. If it fails, one of them is out of bounds and is reported.
    void add(const Access &access, const CheckHoisting &hoisting, Checks &checks) {
        Value *root = origins_.root(access.pointer);
        Check check;
        check.access = access;
        check.object =
            object_of(origins_, root, access.pointer->getType()->getPointerAddressSpace());
        if (check.object.kind == Object::trusted)
            return;
        if (check.object.kind != Object::unknown) {
            check.address = without_constants(origins_.linear(access.pointer));
            check.is_linear = check.address.base == root && !access.element;
        }
        if (check.is_linear && is_inside(check))
            return;
        if (!access.element)
            for (Check &earlier : checks)
                if (covers(earlier, check, hoisting) || joins(earlier, check))
                    return;
        if (check.is_linear)
            check.position = index_of(check);
        if (check.position)
            check.parts.push_back({access, *check.position});
        checks.push_back(std::move(check));
    }

    // Indices i + 1 and i + 2 have i in common. (An extension of a sum that may wrap hasn't.)
    static LinearAddress without_constants(const LinearAddress &address) {
        LinearAddress result{address.base, address.constant, {}};
        for (const auto &[index, scale] : address.terms) {
            Value *value = index;
            int64_t added = 0;
            auto *extension = dyn_cast<CastInst>(index);
            const bool is_signed = isa<SExtInst>(index);
            const bool is_extended = is_signed || isa<ZExtInst>(index);
            const auto sum = affine_step(is_extended ? *extension->getOperand(0) : *index,
                                         is_extended ? as_number(is_signed) : Meaning::modulo);
            auto *constant = sum && sum->is_sum() ? dyn_cast<ConstantInt>(sum->right) : nullptr;
            if (constant && constant->getValue().getSignificantBits() <= 24) {
                added = is_signed || !is_extended ? constant->getSExtValue()
                                                  : static_cast<int64_t>(constant->getZExtValue());
                value = is_extended ? extension_of(*extension, sum->left) : sum->left;
            }
            result.constant += added * scale.getSExtValue();
            auto [term, is_new] = result.terms.insert({value, scale});
            if (!is_new)
                term->second += scale;
        }
        return result;
    }

    // The same for the same value.
    static Value *extension_of(CastInst &like, Value *narrow) {
        for (User *user : narrow->users())
            if (auto *cast = dyn_cast<CastInst>(user);
                cast && cast->getOpcode() == like.getOpcode() &&
                cast->getType() == like.getType() && cast->hasMetadata(of_sanitizer))
                return cast;
        auto *instruction = dyn_cast<Instruction>(narrow);
        BasicBlock::iterator insert_point =
            !instruction                ? like.getFunction()->getEntryBlock().getFirstInsertionPt()
            : isa<PHINode>(instruction) ? instruction->getParent()->getFirstInsertionPt()
                                        : std::next(instruction->getIterator());
        auto *result = CastInst::Create(like.getOpcode(), narrow, like.getType(), "", insert_point);
        result->setMetadata(of_sanitizer, MDNode::get(narrow->getContext(), {}));
        return result;
    }

    // The index can't be negative, and its maximum is within bounds.
    bool is_inside(const Check &check) const {
        if (check.object.kind != Object::variable || check.address.constant < 0 ||
            check.access.bytes > check.object.bytes)
            return false;
        const uint64_t most = check.object.bytes - check.access.bytes;
        APInt farthest(128, static_cast<uint64_t>(check.address.constant));
        for (const auto &[index, scale] : check.address.terms) {
            const ConstantRange range = ValueRanges(module_.getDataLayout()).of(*index);
            if (!range.isAllNonNegative() || scale.isNegative())
                return false;
            farthest += range.getUnsignedMax().zextOrTrunc(64).zext(128) * scale.zext(128);
            if (farthest.ugt(most))
                return false;
        }
        return farthest.ule(most);
    }

    static bool have_same_terms(const LinearAddress &a, const LinearAddress &b) {
        return a.base == b.base && a.terms.size() == b.terms.size() &&
               all_of(a.terms, [&](const auto &term) {
                   auto other = b.terms.find(term.first);
                   return other != b.terms.end() && other->second == term.second;
               });
    }

    // (Of an element of an async copy, `address` is that of the first.)
    static bool covers(const Check &earlier, const Check &check, const CheckHoisting &hoisting) {
        if (earlier.access.element ||
            !hoisting.dominates(earlier.access.instruction, check.access.instruction))
            return false;
        if (!earlier.is_linear || !check.is_linear)
            return earlier.access.pointer == check.access.pointer &&
                   earlier.access.bytes >= check.access.bytes;
        return have_same_terms(earlier.address, check.address) &&
               earlier.address.constant <= check.address.constant &&
               check.address.constant + static_cast<int64_t>(check.access.bytes) <=
                   earlier.address.constant + static_cast<int64_t>(earlier.access.bytes);
    }

    bool joins(Check &earlier, const Check &check) {
        if (!earlier.position || !check.is_linear ||
            earlier.access.instruction->getParent() != check.access.instruction->getParent() ||
            !have_same_terms(earlier.address, check.address))
            return false;
        const int64_t begin = std::min(earlier.address.constant, check.address.constant);
        const int64_t end =
            std::max(earlier.address.constant + static_cast<int64_t>(earlier.access.bytes),
                     check.address.constant + static_cast<int64_t>(check.access.bytes));
        if (end - begin > sanitizer_union_max_bytes)
            return false;
        for (const Instruction *at = earlier.access.instruction; at != check.access.instruction;
             at = at->getNextNode())
            if (!goes_on(*at))
                return false;
        Check both = earlier;
        both.address.constant = begin;
        both.access.bytes = static_cast<uint64_t>(end - begin);
        both.position = index_of(both);
        Check last = check;
        last.access.instruction = earlier.access.instruction; // where it will be evaluated
        const auto own = index_of(last);
        if (!both.position || !own)
            return false;
        both.parts.push_back({check.access, *own});
        earlier = std::move(both);
        return true;
    }

    void emit(const Check &check) {
        const Access &access = check.access;
        IRBuilder<> builder(access.instruction);
        if (check.object.kind == Object::unknown)
            return check_unknown(builder, access, check.object);
        if (check.hoisted)
            return check_before_loops(check, *check.hoisted);
        if (check.position)
            return check_index(check);
        LinearAddress address = check.address;
        if (access.element)
            address.terms[access.element] = APInt(index_type_->getBitWidth(), access.bytes);
        Position position;
        position.index = origins_.offset(builder, address);
        Value *bad = offset_beyond(builder, access, check.object, position.index);
        if (access.exists)
            bad = builder.CreateLogicalAnd(access.exists, bad);
        report_if(bad, builder, access, check.object, position, access.instruction);
    }

    void report_if(Value *bad, IRBuilder<> &builder, const Access &access, const Object &object,
                   const Position &position, Instruction *insert_point) {
        if (auto *known = dyn_cast<ConstantInt>(bad); known && known->isZero())
            return;
        builder.SetInsertPoint(unlikely(bad, insert_point));
        report_access(builder, access, object, position);
    }

    static Instruction *unlikely(Value *condition, Instruction *insert_point) {
        return SplitBlockAndInsertIfThen(
            condition, insert_point->getIterator(), false,
            MDBuilder(insert_point->getContext()).createUnlikelyBranchWeights());
    }

    // True if the bytes starting at `offset` are not entirely in the object.
    Value *offset_beyond(IRBuilder<> &builder, const Access &access, const Object &object,
                         Value *offset) {
        Value *from_begin = offset;
        if (object.kind == Object::argument)
            from_begin = builder.CreateAdd(offset, as_index(before(object)));
        Value *limit = entry_.CreateBinaryIntrinsic(Intrinsic::usub_sat, size(object),
                                                    entry_.getInt64(access.bytes - 1));
        return builder.CreateICmpUGE(from_begin, as_index(limit));
    }

    // One index in as few bits as it has, where that can be compared; the address of the access is
    // constant + index * scale.
    // Several indices are one distance in bytes, which is their sum.
    std::optional<Position> index_of(const Check &check) {
        Position position{.index = ConstantInt::get(index_type_, 0),
                          .constant = check.address.constant};
        IRBuilder<> builder(check.access.instruction);
        if (check.address.terms.size() == 1) {
            auto [index, scale] = check.address.terms.front();
            if (!scale.isStrictlyPositive())
                return std::nullopt;
            position.scale = scale.getSExtValue();
            position.index = narrowed(builder, index, position.is_signed);
        } else {
            for (const auto &[index, scale] : check.address.terms)
                position.index = builder.CreateAdd(
                    builder.CreateMul(builder.CreateSExtOrTrunc(index, index_type_),
                                      ConstantInt::get(index_type_, scale)),
                    position.index);
        }
        const int64_t shift = shift_of(position);
        if (std::abs(shift) > INT32_MAX / 2 || (shift > 0 && !position.is_signed) ||
            (check.object.kind == Object::variable &&
             check.object.bytes < check.access.bytes + rest_of(position)))
            return std::nullopt;
        return position;
    }

    // constant == shift * scale + rest, with a non-negative rest. An unsigned index is at least 0,
    // so only its maximum depends on a non-negative constant.
    static int64_t shift_of(const Position &position) {
        return !position.is_signed && position.constant >= 0
                   ? 0
                   : divideFloorSigned(position.constant, position.scale);
    }
    static uint64_t rest_of(const Position &position) {
        return static_cast<uint64_t>(position.constant - shift_of(position) * position.scale);
    }

    // Compares lanes with the largest index that fits, for which there is an instruction. True
    // means the index may be out of bounds or, for a variable, that it is. The cases it can't
    // decide are rare: arguments that point into the middle of shared memory, objects too small for
    // the access. An index that passes is below `most`, however it is extended.
    Value *may_be_outside(IRBuilder<> &builder, const Object &object, const Position &position,
                          uint64_t bytes, uint64_t most) {
        Value *index = position.index;
        auto *type = cast<IntegerType>(index->getType());
        const int64_t shift = shift_of(position);
        const uint64_t least = bytes + rest_of(position);
        if (shift)
            index = builder.CreateAdd(index, ConstantInt::getSigned(type, shift));
        if (object.kind == Object::variable) {
            const uint64_t highest = (object.bytes - least) / static_cast<uint64_t>(position.scale);
            return builder.CreateICmpUGT(index,
                                         ConstantInt::get(type, std::min(highest, most - 1)));
        }
        CallInst *limit = entry_.CreateCall(bounds_query(index_limit, type, 4),
                                            {entry_.getInt64(object.number), entry_.getInt64(least),
                                             entry_.getInt64(static_cast<uint64_t>(position.scale)),
                                             entry_.getInt64(most)});
        if (most <= end_of_int) {
            const unsigned bits = type->getBitWidth();
            limit->addRangeRetAttr(ConstantRange(APInt(bits, 0), APInt(bits, most + 1)));
        }
        return builder.CreateICmpUGE(index, limit);
    }

    static uint64_t most_of(const Position &position) {
        const bool is_narrow = position.is_signed && position.index->getType()->isIntegerTy(32);
        return is_narrow
                   ? end_of_int + static_cast<uint64_t>(std::min<int64_t>(shift_of(position), 0))
                   : UINT64_MAX;
    }

    Value *is_outside(IRBuilder<> &builder, const Object &object, const Check::Part &part) {
        return object.kind == Object::argument
                   ? index_outside(builder, part.access, object, part.position)
                   : may_be_outside(builder, object, part.position, part.access.bytes,
                                    most_of(part.position));
    }

    void check_index(const Check &check) {
        const Object &object = check.object;
        const Position &position = *check.position;
        Instruction *insert_point = check.access.instruction;
        IRBuilder<> builder(insert_point);
        if (object.kind == Object::variable && shift_of(position) == 0 &&
            ValueRanges(module_.getDataLayout())
                .of(*position.index)
                .getUnsignedMax()
                .ule((object.bytes - check.access.bytes - rest_of(position)) /
                     static_cast<uint64_t>(position.scale)))
            return;
        Value *bad =
            may_be_outside(builder, object, position, check.access.bytes, most_of(position));
        if (object.kind == Object::variable && check.parts.size() == 1)
            return report_if(bad, builder, check.access, object, position, insert_point);
        insert_point = unlikely(bad, insert_point);
        report_parts(check, insert_point, nullptr);
    }

    // The accesses, one after the other; `index` is theirs, if it is another one.
    void report_parts(const Check &check, Instruction *insert_point, Value *index) {
        for (Check::Part part : check.parts) {
            if (index)
                part.position.index = index;
            IRBuilder<> builder(insert_point);
            Value *outside = is_outside(builder, check.object, part);
            report_if(outside, builder, part.access, check.object, part.position, insert_point);
        }
    }

    // Compares the least index and the largest with the bounds. With T = step * last for each loop,
    // all lie between start + Σ min(T, 0) and start + Σ max(T, 0). Both are compared modulo 2^bits,
    // with limits of at most 2^31 (2^62), and Σ |T| is below 2^31 (2^62): if both are below the
    // limit, no sum has wrapped, and all indices are.
    //
    // A failing check goes through the iterations, with the index that the loop would have: a
    // report is that of the first one that is out of bounds. If there is none (unsigned numbers
    // that wrap, far steps), the loop may run.
    void check_before_loops(const Check &check, const HoistedCheck &hoisted) {
        IRBuilder<> builder(hoisted.insert_point);
        Position position = *check.position;
        auto *type = cast<IntegerType>(hoisted.start->getType());
        Value *far = builder.getFalse();
        Value *least = hoisted.start, *most = hoisted.start;
        for (const HoistedCheck::Dimension &dimension : hoisted.dimensions)
            add_travel(builder, dimension, hoisted.dimensions.size(), least, most, far);
        const uint64_t farthest = promises_small_buffers(kernel_) || !type->isIntegerTy(64)
                                      ? end_of_int
                                      : uint64_t{1} << 62;
        const uint64_t limit =
            farthest + static_cast<uint64_t>(std::min<int64_t>(shift_of(position), 0));
        Value *bad = far;
        for (Value *end : {least, most}) {
            if (end == most && least == most && bad != far)
                break;
            position.index = end;
            bad = builder.CreateLogicalOr(
                bad, may_be_outside(builder, check.object, position, check.access.bytes, limit));
        }
        for (Value *guard : hoisted.guards)
            bad = builder.CreateLogicalAnd(guard, bad);
        Instruction *insert_point = unlikely(builder.CreateFreeze(bad), hoisted.insert_point);
        Value *index = hoisted.start;
        SmallVector<Iterations> loops;
        for (const HoistedCheck::Dimension &dimension : reverse(hoisted.dimensions))
            insert_point = loops.emplace_back(iterate(insert_point, index, dimension)).body,
            index = loops.back().index;
        report_parts(check, insert_point, index);
        for (const Iterations &loop : reverse(loops))
            close(loop);
    }

    // Adds step * last to `least` or `most`, and to `far` where that is too much for one of so many
    // dimensions.
    static void add_travel(IRBuilder<> &builder, const HoistedCheck::Dimension &dimension,
                           size_t dimensions, Value *&least, Value *&most, Value *&far) {
        auto *type = cast<IntegerType>(least->getType());
        const unsigned bits = type->getBitWidth();
        const uint64_t farthest =
            (uint64_t{1} << (bits == 32 ? 31 : 62)) / bit_ceil(dimensions) - 1;
        Type *wide = builder.getInt64Ty();
        if (auto *step = dyn_cast<ConstantInt>(dimension.step)) {
            const uint64_t by = step->getValue().abs().getZExtValue();
            if (by == 0)
                return;
            auto *count_type = cast<IntegerType>(dimension.last->getType());
            const uint64_t most_iterations = farthest / by;
            if (count_type->getBitWidth() > 32 || most_iterations < UINT32_MAX)
                far = builder.CreateLogicalOr(
                    far, builder.CreateICmpUGT(dimension.last,
                                               ConstantInt::get(count_type, most_iterations)));
            Value *travel =
                builder.CreateMul(builder.CreateZExtOrTrunc(dimension.last, type), step);
            Value *&end = step->isNegative() ? least : most;
            end = builder.CreateAdd(end, travel);
            return;
        }
        // The numbers are 2^31 and 2^24 at most: their product is far from 2^63.
        Value *step = builder.CreateSExt(dimension.step, wide);
        Value *last = builder.CreateZExt(dimension.last, wide);
        const uint64_t longest_step = bits == 32 ? end_of_int : uint64_t{1} << 24;
        Value *is_far = builder.CreateICmpUGE(last, builder.getInt64(end_of_int));
        if (bits > 32)
            is_far = builder.CreateLogicalOr(
                is_far,
                builder.CreateICmpUGT(builder.CreateAdd(step, builder.getInt64(longest_step)),
                                      builder.getInt64(2 * longest_step)));
        Value *travel = builder.CreateMul(step, last);
        is_far = builder.CreateLogicalOr(
            is_far, builder.CreateICmpUGT(builder.CreateAdd(travel, builder.getInt64(farthest)),
                                          builder.getInt64(2 * farthest)));
        far = builder.CreateLogicalOr(far, is_far);
        Value *zero = builder.getInt64(0);
        const auto sum = [&](Value *start, Intrinsic::ID choice) {
            return builder.CreateAdd(
                start,
                builder.CreateTrunc(builder.CreateBinaryIntrinsic(choice, travel, zero), type));
        };
        least = sum(least, Intrinsic::smin);
        most = sum(most, Intrinsic::smax);
    }

    // A loop over a dimension's iterations.
    struct Iterations {
        PHINode *count, *index;
        HoistedCheck::Dimension dimension;
        Instruction *body; // the end of it
        BasicBlock *after;
    };

    static Iterations iterate(Instruction *insert_point, Value *first,
                              const HoistedCheck::Dimension &dimension) {
        BasicBlock *before = insert_point->getParent();
        BasicBlock *head = SplitBlock(before, insert_point->getIterator());
        BasicBlock *after = SplitBlock(head, insert_point->getIterator());
        IRBuilder<> builder(head->getTerminator());
        Iterations loop{builder.CreatePHI(dimension.last->getType(), 2),
                        builder.CreatePHI(first->getType(), 2), dimension, head->getTerminator(),
                        after};
        loop.count->addIncoming(ConstantInt::get(dimension.last->getType(), 0), before);
        loop.index->addIncoming(first, before);
        return loop;
    }

    static void close(const Iterations &loop) {
        BasicBlock *latch = loop.body->getParent(), *head = loop.count->getParent();
        IRBuilder<> builder(loop.body);
        Value *is_last = builder.CreateICmpEQ(loop.count, loop.dimension.last);
        loop.count->addIncoming(
            builder.CreateAdd(loop.count, ConstantInt::get(loop.count->getType(), 1)), latch);
        loop.index->addIncoming(builder.CreateAdd(loop.index, loop.dimension.step), latch);
        builder.CreateCondBr(is_last, loop.after, head);
        loop.body->eraseFromParent();
    }

    // True if the index is out of bounds at either end.
    Value *index_outside(IRBuilder<> &builder, const Access &access, const Object &object,
                         const Position &position) {
        Value *operands[] = {builder.getInt64(object.number), builder.getInt64(access.bytes),
                             builder.getInt64(static_cast<uint64_t>(position.scale)),
                             builder.getInt64(static_cast<uint64_t>(position.constant)),
                             builder.getInt64(position.is_signed)};
        Type *type = position.index->getType();
        Value *least = builder.CreateCall(bounds_query(index_least, type, 5), operands);
        Value *count = builder.CreateCall(bounds_query(index_count, type, 5), operands);
        return builder.CreateICmpUGE(builder.CreateSub(position.index, least), count);
    }

    FunctionCallee bounds_query(StringRef name, Type *type, unsigned operands) {
        const SmallVector<Type *> types(operands, Type::getInt64Ty(kernel_.getContext()));
        return declare((name + Twine(type->getIntegerBitWidth())).str(), type, types);
    }

    // An index without its extension, in 32 bits if it has no more. A large buffer may have more
    // elements than 32 bits count.
    Value *narrowed(IRBuilder<> &builder, Value *index, bool &is_signed) {
        Type *word = builder.getInt32Ty();
        if (auto *cast = dyn_cast<CastInst>(index); cast && promises_small_buffers(kernel_) &&
                                                    isa<SExtInst, ZExtInst>(cast) &&
                                                    cast->getSrcTy()->getIntegerBitWidth() <= 32) {
            is_signed = isa<SExtInst>(cast) || cast->getSrcTy()->getIntegerBitWidth() < 32;
            return isa<SExtInst>(cast) ? builder.CreateSExt(cast->getOperand(0), word)
                                       : builder.CreateZExt(cast->getOperand(0), word);
        }
        if (auto *call = dyn_cast<CallInst>(index))
            if (auto builtin = builtin_of(*call); builtin && is_work_item_query(*builtin))
                return builder.CreateZExtOrTrunc(index, word); // below 2^31
        if (index->getType()->getIntegerBitWidth() < 32)
            return builder.CreateSExt(index, word);
        return index->getType()->getIntegerBitWidth() <= index_type_->getBitWidth()
                   ? index
                   : builder.CreateTrunc(index, index_type_);
    }

    void check_unknown(IRBuilder<> &builder, const Access &access, const Object &object) {
        Value *address = builder.CreatePtrToInt(access.pointer, index_type_);
        if (access.element)
            address = builder.CreateAdd(
                address,
                builder.CreateMul(access.element, ConstantInt::get(index_type_, access.bytes)));
        Value *bad = builder.CreateNot(
            builder.CreateCall(look_up(), {address, ConstantInt::get(index_type_, access.bytes),
                                           as_index(word(offsetof(rvl_sanitizer, arena), 64)),
                                           as_index(word(offsetof(rvl_sanitizer, arena_bytes), 64)),
                                           as_index(word(offsetof(rvl_sanitizer, allocations), 64)),
                                           word(offsetof(rvl_sanitizer, allocation_count), 32)}));
        if (access.exists)
            bad = builder.CreateLogicalAnd(access.exists, bad);
        builder.SetInsertPoint(unlikely(bad, access.instruction));
        report_access(builder, access, object, {.index = address, .is_signed = false});
    }

    void report_access(IRBuilder<> &builder, const Access &access, const Object &object,
                       const Position &position) {
        builder.SetCurrentDebugLocation(access.instruction->getDebugLoc());
        Type *word = builder.getInt32Ty();
        SmallVector<Value *> operands{site_of(site_text(access, object, position)), position.index};
        for (unsigned d = 0; d < 3; ++d) {
            FunctionCallee query = query_of_ids();
            Value *id = builder.CreateCall(query, {builder.getInt32(d)});
            operands.push_back(builder.CreateTrunc(id, word));
        }
        SmallVector<Type *> types;
        for (Value *operand : operands)
            types.push_back(operand->getType());
        FunctionCallee report = module_.getOrInsertFunction(
            (bad_access + Twine(position.index->getType()->getIntegerBitWidth())).str(),
            FunctionType::get(builder.getVoidTy(), types, false));
        auto *function = cast<Function>(report.getCallee());
        function->addFnAttr(Attribute::Cold);
        function->setDoesNotThrow();
        function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
        builder.CreateCall(report, operands);
    }

    FunctionCallee query_of_ids() {
        return declare("_Z13get_global_idj", index_type_, {Type::getInt32Ty(kernel_.getContext())});
    }

    Constant *site_of(const std::string &text) {
        Constant *&site = sites_[text];
        if (site)
            return site;
        Constant *bytes = ConstantDataArray::getString(kernel_.getContext(), text);
        auto *variable =
            new GlobalVariable(module_, bytes->getType(), true, GlobalValue::InternalLinkage, bytes,
                               "site", nullptr, GlobalValue::NotThreadLocal, constant_space);
        variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
        return site = variable;
    }

    // A function that only computes.
    FunctionCallee declare(StringRef name, Type *result, ArrayRef<Type *> parameters) {
        FunctionCallee callee =
            module_.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
        const bool is_rare = name.starts_with(index_least) || name.starts_with(index_count);
        auto *function = cast<Function>(callee.getCallee());
        function->setDoesNotAccessMemory();
        function->setDoesNotThrow();
        function->setWillReturn();
        if (!is_rare) // rare ones stay after their branch
            function->addFnAttr(Attribute::Speculatable);
        return callee;
    }

    // A field of rvl_sanitizer's.
    Value *word(size_t offset, unsigned bits) {
        Value *&value = words_[offset];
        if (!value) {
            Type *type = entry_.getIntNTy(bits);
            FunctionCallee query =
                declare((record_word + Twine(bits)).str(), type, {entry_.getInt64Ty()});
            value = entry_.CreateCall(query, {entry_.getInt64(RVL_SANITIZER_OFFSET + offset)});
        }
        return value;
    }
    Value *bound(const Object &object, BoundsField field) {
        const BoundsWord at = bounds_word(kernel_, object.number, field);
        return entry_.CreateZExt(word(at.offset, at.bits), entry_.getInt64Ty());
    }
    Value *before(const Object &object) { return bound(object, BoundsField::before); }
    Value *size(const Object &object) {
        return object.kind == Object::argument ? bound(object, BoundsField::bytes)
                                               : entry_.getInt64(object.bytes);
    }
    Value *as_index(Value *value) { return entry_.CreateZExtOrTrunc(value, index_type_); }

    // i1 is_allocated(address, bytes, arena, arena's bytes, table, count): by halves.
    Function *look_up() {
        if (Function *known = module_.getFunction(is_allocated))
            return known;
        LLVMContext &context = module_.getContext();
        Type *index = index_type_, *word = Type::getInt32Ty(context);
        auto *function =
            Function::Create(FunctionType::get(Type::getInt1Ty(context),
                                               {index, index, index, index, index, word}, false),
                             GlobalValue::InternalLinkage, is_allocated, module_);
        delay_inlining(*function);
        Value *address = function->getArg(0);
        const auto block = [&](const char *name) {
            return BasicBlock::Create(context, name, function);
        };
        BasicBlock *start = block("start"), *head = block("head"), *body = block("body"),
                   *found = block("found"), *outside = block("outside");
        IRBuilder<> builder(start);
        Value *table =
            builder.CreateIntToPtr(function->getArg(4), PointerType::get(context, global_space));
        const auto field = [&](Value *entry, size_t offset) {
            Value *at = builder.CreateMul(builder.CreateZExtOrTrunc(entry, index),
                                          ConstantInt::get(index, sizeof(rvl_allocation)));
            at = builder.CreateAdd(at, ConstantInt::get(index, offset));
            return builder.CreateAlignedLoad(
                index, builder.CreateGEP(builder.getInt8Ty(), table, at), Align(8));
        };
        builder.CreateCondBr(builder.CreateICmpULT(builder.CreateSub(address, function->getArg(2)),
                                                   function->getArg(3)),
                             head, outside);
        builder.SetInsertPoint(head);
        PHINode *first = builder.CreatePHI(word, 2), *count = builder.CreatePHI(word, 2);
        builder.CreateCondBr(builder.CreateICmpUGT(count, builder.getInt32(1)), body, found);
        builder.SetInsertPoint(body);
        Value *half = builder.CreateLShr(count, 1);
        Value *middle = builder.CreateAdd(first, half);
        Value *is_behind =
            builder.CreateICmpULE(field(middle, offsetof(rvl_allocation, address)), address);
        first->addIncoming(builder.getInt32(0), start);
        first->addIncoming(builder.CreateSelect(is_behind, middle, first), body);
        count->addIncoming(function->getArg(5), start);
        count->addIncoming(builder.CreateSub(count, half), body);
        builder.CreateBr(head);
        builder.SetInsertPoint(found);
        Value *offset = builder.CreateSub(address, field(first, offsetof(rvl_allocation, address)));
        Value *bytes = field(first, offsetof(rvl_allocation, bytes));
        builder.CreateRet(builder.CreateAnd(
            builder.CreateICmpULT(offset, bytes),
            builder.CreateICmpULE(function->getArg(1), builder.CreateSub(bytes, offset))));
        builder.SetInsertPoint(outside);
        builder.CreateRet(builder.getTrue());
        return function;
    }

    static constexpr uint64_t end_of_int = uint64_t{1} << 31;

    Function &kernel_;
    Module &module_;
    PointerOrigins origins_;
    IntegerType *index_type_;
    IRBuilder<TargetFolder> entry_; // uniform values
    StringMap<Constant *> sites_;
    DenseMap<size_t, Value *> words_;
};

} // namespace

PreservedAnalyses AddressSanitizerPass::run(Function &kernel, FunctionAnalysisManager &) {
    if (!is_sanitized(kernel))
        return PreservedAnalyses::all();
    const bool has_accesses = AddressSanitizer(kernel).run();
    return preserved_unless(check_arrivals(kernel) || has_accesses);
}

void mark_for_sanitizer(Module &module) {
    for (Function &function : module)
        if (function.getCallingConv() == CallingConv::SPIR_KERNEL)
            function.addFnAttr(sanitizer_mark);
    for (GlobalVariable &variable : module.globals())
        variable.addAttribute(source_mark);
}

void describe_bounds(Program &program) {
    for (const Kernel &kernel : program.kernels) {
        if (!is_sanitized(*kernel.function))
            continue;
        unsigned number = 0;
        for (auto [i, argument] : enumerate(kernel.arguments)) {
            if (argument.kind != RVL_ARGUMENT_GLOBAL && argument.kind != RVL_ARGUMENT_CONSTANT &&
                argument.kind != RVL_ARGUMENT_LOCAL)
                continue;
            AttrBuilder known(kernel.function->getContext());
            known.addAttribute(bounds_mark, utostr(number++));
            known.addAttribute(name_mark, utostr(i) + " " + argument.name);
            kernel.function->addParamAttrs(static_cast<unsigned>(i), known);
        }
    }
}

} // namespace rivulet::compiler
