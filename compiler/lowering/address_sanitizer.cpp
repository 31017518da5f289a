// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/address_sanitizer.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/TargetFolder.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/lowering/delayed_inlining.h"
#include "compiler/lowering/pointer_origin.h"
#include "compiler/support/passes.h"
#include "compiler/work_items/async_copy_element.h"
#include "compiler/work_items/launch_end.h"
#include "compiler/work_items/work_group_builtin_table.h"
#include "hal/protocol/sanitizer.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr StringLiteral source_mark = "rivulet.source"; // of variables
constexpr StringLiteral bounds_mark = "rivulet.bounds"; // of arguments: their number
constexpr StringLiteral name_mark = "rivulet.argument"; // "2 out"
constexpr StringLiteral is_allocated = "rivulet.is_allocated";

// Calls that are the same for a whole launch, and become loads of its record and arithmetic after
// the work-group pass. Before, nothing is made of their parts.
constexpr StringLiteral record_word = "rivulet.record.i";      // (offset)
constexpr StringLiteral index_limit = "rivulet.index_limit.i"; // (argument, bytes, scale, most)
constexpr StringLiteral index_least = "rivulet.index_least.i"; // (argument, bytes, scale,
constexpr StringLiteral index_count = "rivulet.index_count.i"; //  constant, is signed)

// A pointer's root, as far as it is known.
struct Object {
    enum { trusted, argument, variable, unknown } kind = trusted;
    uint64_t bytes = 0;      // of a variable
    unsigned number = 0;     // of an argument, among those that have bounds
    std::string description; // as in the site
};

struct Access {
    Instruction *place = nullptr;
    Value *pointer = nullptr;
    uint64_t bytes = 0;
    StringRef what;
    Value *element = nullptr; // of an async copy: the index of this element, where there is one
    Value *exists = nullptr;
};

// An index, and where it points: at `constant` + index * `scale`.
struct Position {
    Value *index = nullptr;
    int64_t constant = 0;
    int64_t scale = 1;
    bool is_signed = true;
};

std::string site_text(const Access &access, const Object &object, const Position &position) {
    const DebugLoc &line = access.place->getDebugLoc();
    const std::string place =
        line && line.getLine()
            ? formatv("{}:{}", cast<DILocation>(line.get())->getFilename(), line.getLine()).str()
            : std::string();
    std::string text =
        formatv("{} of {} byte{}\n{}\n{} {} {}{}\n{}\n{}\n", access.what, access.bytes,
                access.bytes == 1 ? "" : "s", place.substr(0, RVL_SITE_BYTES / 4),
                position.constant, position.scale, position.is_signed ? "-" : "",
                position.index->getType()->getIntegerBitWidth(), object.bytes,
                StringRef(object.description).substr(0, RVL_SITE_BYTES / 4));
    text.resize(std::min<size_t>(text.size(), RVL_SITE_BYTES - 1));
    return text;
}

// Whether an address comes out of an image's or a pipe's descriptor: the library bounds those.
bool is_of_descriptor(PointerOrigins &origins, Value *root) {
    SmallVector<Value *> work{root};
    SmallPtrSet<Value *, 16> seen;
    while (!work.empty() && seen.size() < 32) {
        Value *value = work.pop_back_val();
        if (!seen.insert(value).second)
            continue;
        if (auto *load = dyn_cast<LoadInst>(value)) {
            auto *source =
                dyn_cast_or_null<llvm::Argument>(origins.root(load->getPointerOperand()));
            if (source && !source->hasAttribute(bounds_mark) && !source->hasByValAttr())
                return true;
        } else if (auto *operation = dyn_cast<Operator>(value);
                   operation && !isa<CallBase>(operation)) {
            append_range(work, operation->operand_values());
        }
    }
    return false;
}

Object object_of(PointerOrigins &origins, Value *root, unsigned space) {
    Object object;
    const auto variable = [&](std::optional<uint64_t> bytes, StringRef kind, StringRef name) {
        if (!bytes)
            return;
        object.kind = Object::variable;
        object.bytes = *bytes;
        object.description = (kind + "variable" + (name.empty() ? "" : " '" + name + "'")).str();
    };
    if (auto *argument = dyn_cast_or_null<llvm::Argument>(root)) {
        const DataLayout &layout = argument->getParent()->getDataLayout();
        const AttributeSet known = argument->getAttributes();
        if (argument->hasByValAttr()) {
            variable(layout.getTypeAllocSize(argument->getParamByValType()), "argument's ",
                     argument->getName());
        } else if (known.hasAttribute(bounds_mark)) {
            object.kind = Object::argument;
            known.getAttribute(bounds_mark).getValueAsString().getAsInteger(10, object.number);
            object.description =
                ("argument " + known.getAttribute(name_mark).getValueAsString()).str();
        }
    } else if (auto *local = dyn_cast_or_null<AllocaInst>(root)) {
        const auto bytes = local->getAllocationSize(local->getDataLayout());
        variable(bytes ? std::optional(bytes->getFixedValue()) : std::nullopt, "private ",
                 local->getName());
    } else if (auto *global = dyn_cast_or_null<GlobalVariable>(root)) {
        if (global->hasAttribute(source_mark))
            variable(global->getDataLayout().getTypeAllocSize(global->getValueType()),
                     global->getAddressSpace() == local_space      ? "local "
                     : global->getAddressSpace() == constant_space ? "constant "
                                                                   : "global ",
                     global->getName().rsplit('.').second.empty()
                         ? global->getName()
                         : global->getName().rsplit('.').second);
    } else if (!isa_and_nonnull<ConstantData>(root) &&
               (space == global_space || space == constant_space || space == generic_space) &&
               !(root && is_of_descriptor(origins, root))) {
        object.kind = Object::unknown;
        object.description = "unknown";
    }
    return object;
}

class AddressSanitizer {
public:
    explicit AddressSanitizer(Function &kernel)
        : kernel_(kernel), module_(*kernel.getParent()), origins_(kernel),
          index_type_(origins_.index_type()),
          entry_(kernel.getContext(), TargetFolder(kernel.getDataLayout())) {
        entry_.SetCurrentDebugLocation({});
    }

    bool run() {
        SmallVector<Access> accesses = find_accesses();
        if (accesses.empty())
            return false;
        start_with_variables();
        drop_dominated(accesses);
        for (const Access &access : accesses)
            check(access);
        return true;
    }

private:
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

    SmallVector<Access> find_accesses() {
        SmallVector<Access> found;
        const DataLayout &layout = module_.getDataLayout();
        const auto add = [&](Instruction &place, Value *pointer, TypeSize bytes, StringRef what) {
            if (!bytes.isScalable() && !bytes.isZero())
                found.push_back({&place, pointer, bytes.getFixedValue(), what});
        };
        for (Instruction &place : instructions(kernel_)) {
            if (auto *load = dyn_cast<LoadInst>(&place)) {
                add(place, load->getPointerOperand(), layout.getTypeStoreSize(load->getType()),
                    load->isAtomic() ? "atomic load" : "load");
            } else if (auto *store = dyn_cast<StoreInst>(&place)) {
                add(place, store->getPointerOperand(),
                    layout.getTypeStoreSize(store->getValueOperand()->getType()),
                    store->isAtomic() ? "atomic store" : "store");
            } else if (auto *update = dyn_cast<AtomicRMWInst>(&place)) {
                add(place, update->getPointerOperand(), layout.getTypeStoreSize(update->getType()),
                    "atomic access");
            } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&place)) {
                add(place, exchange->getPointerOperand(),
                    layout.getTypeStoreSize(exchange->getNewValOperand()->getType()),
                    "atomic access");
            } else if (auto *run = dyn_cast<MemIntrinsic>(&place)) {
                auto *bytes = dyn_cast<ConstantInt>(run->getLength());
                const TypeSize size = TypeSize::getFixed(bytes ? bytes->getZExtValue() : 1);
                if (auto *copy = dyn_cast<MemTransferInst>(run))
                    add(place, copy->getRawSource(), size, "load");
                add(place, run->getRawDest(), size, "store");
            } else if (auto *call = dyn_cast<CallInst>(&place)) {
                add_async_copy(*call, found);
            }
        }
        return found;
    }

    // The first element and the last: the others lie between.
    void add_async_copy(CallInst &call, SmallVector<Access> &found) {
        const auto builtin = builtin_of(call);
        if (builtin != Builtin::async_copy && builtin != Builtin::async_strided_copy)
            return;
        const AsyncCopyElement element = async_copy_element(call);
        IRBuilder<> builder(&call);
        Value *count = builder.CreateZExtOrTrunc(call.getArgOperand(2), index_type_);
        Value *exists = builder.CreateIsNotNull(count);
        Value *last = builder.CreateSub(count, ConstantInt::get(index_type_, 1));
        Value *far = last;
        if (builtin == Builtin::async_strided_copy)
            far = builder.CreateMul(last,
                                    builder.CreateZExtOrTrunc(call.getArgOperand(3), index_type_));
        const bool from_global =
            call.getArgOperand(1)->getType()->getPointerAddressSpace() != local_space;
        for (unsigned side : {1u, 0u}) {
            const bool is_far = (side == 1) == from_global;
            for (Value *at :
                 {static_cast<Value *>(ConstantInt::get(index_type_, 0)), is_far ? far : last})
                found.push_back({&call, call.getArgOperand(side),
                                 uint64_t{element.bytes} * element.components,
                                 side ? "async copy's load" : "async copy's store", at, exists});
        }
    }

    // A work-item that is out of bounds doesn't get further than its first check.
    void drop_dominated(SmallVector<Access> &accesses) {
        DominatorTree dominators(kernel_);
        DenseMap<std::pair<Value *, uint64_t>, SmallVector<Instruction *>> checked;
        erase_if(accesses, [&](const Access &access) {
            if (access.element)
                return false;
            auto &places = checked[{access.pointer, access.bytes}];
            if (any_of(places, [&](Instruction *earlier) {
                    return dominators.dominates(earlier, access.place);
                }))
                return true;
            places.push_back(access.place);
            return false;
        });
    }

    void check(const Access &access) {
        Value *root = origins_.root(access.pointer);
        const unsigned space = access.pointer->getType()->getPointerAddressSpace();
        const Object object = object_of(origins_, root, space);
        if (object.kind == Object::trusted)
            return;
        IRBuilder<> builder(access.place);
        if (object.kind == Object::unknown)
            return check_unknown(builder, access, object);

        LinearAddress address = origins_.linear(access.pointer);
        if (access.element)
            address.terms[access.element] = APInt(index_type_->getBitWidth(), access.bytes);
        if (object.kind == Object::variable && address.base == root && address.terms.empty() &&
            address.constant >= 0 && access.bytes <= object.bytes &&
            static_cast<uint64_t>(address.constant) <= object.bytes - access.bytes)
            return;
        Position position;
        if (address.base == root && address.terms.size() == 1 && !access.element)
            if (auto index = index_of(builder, access, object, address))
                return check_index(builder, access, object, *index);
        position.index = origins_.offset(builder, address);
        Value *bad = offset_beyond(builder, access, object, position.index);
        if (access.exists)
            bad = builder.CreateLogicalAnd(access.exists, bad);
        report_if(bad, builder, access, object, position, access.place);
    }

    void report_if(Value *bad, IRBuilder<> &builder, const Access &access, const Object &object,
                   const Position &position, Instruction *place) {
        if (auto *known = dyn_cast<ConstantInt>(bad); known && known->isZero())
            return;
        builder.SetInsertPoint(unlikely(bad, place));
        report_access(builder, access, object, position);
    }

    static Instruction *unlikely(Value *condition, Instruction *place) {
        return SplitBlockAndInsertIfThen(
            condition, place->getIterator(), false,
            MDBuilder(place->getContext()).createUnlikelyBranchWeights());
    }

    // Whether bytes from `offset` on are not all in the object.
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
    std::optional<Position> index_of(IRBuilder<> &builder, const Access &access,
                                     const Object &object, const LinearAddress &address) {
        auto [index, scale] = address.terms.front();
        if (!scale.isStrictlyPositive())
            return std::nullopt;
        Position position{.constant = address.constant, .scale = scale.getSExtValue()};
        position.index = narrowed(builder, index, position.is_signed);
        const int64_t shift = shift_of(position);
        if (std::abs(shift) > INT32_MAX / 2 || (shift > 0 && !position.is_signed) ||
            (object.kind == Object::variable && object.bytes < access.bytes + rest_of(position)))
            return std::nullopt;
        return position;
    }

    // constant == shift * scale + rest, which is not negative
    static int64_t shift_of(const Position &position) {
        return divideFloorSigned(position.constant, position.scale);
    }
    static uint64_t rest_of(const Position &position) {
        return static_cast<uint64_t>(position.constant - shift_of(position) * position.scale);
    }

    // Compares lanes with the largest index that fits, for which there is an instruction. What that
    // can't tell is rare: arguments that point into the middle of shared memory, objects that
    // nothing fits into.
    void check_index(IRBuilder<> &builder, const Access &access, const Object &object,
                     const Position &position) {
        Type *type = position.index->getType();
        const int64_t shift = shift_of(position);
        const uint64_t least = access.bytes + rest_of(position);
        Instruction *place = access.place;
        Value *index = position.index;
        builder.SetInsertPoint(place);
        if (shift)
            index =
                builder.CreateAdd(index, ConstantInt::getSigned(cast<IntegerType>(type), shift));
        if (object.kind == Object::argument) {
            const bool is_narrow = position.is_signed && type->isIntegerTy(32);
            Value *limit = entry_.CreateCall(
                bounds_query(index_limit, type, 4),
                {entry_.getInt64(object.number), entry_.getInt64(least),
                 entry_.getInt64(static_cast<uint64_t>(position.scale)),
                 entry_.getInt64(is_narrow ? (uint64_t{1} << 31) +
                                                 static_cast<uint64_t>(std::min<int64_t>(shift, 0))
                                           : UINT64_MAX)});
            place = unlikely(builder.CreateICmpUGE(index, limit), place);
            builder.SetInsertPoint(place);
            Value *outside = index_outside(builder, access, object, position);
            return report_if(outside, builder, access, object, position, place);
        }
        const uint64_t most = (object.bytes - least) / static_cast<uint64_t>(position.scale);
        if (shift == 0 && computeKnownBits(index, module_.getDataLayout()).getMaxValue().ule(most))
            return;
        report_if(builder.CreateICmpUGT(index, ConstantInt::get(type, most)), builder, access,
                  object, position, place);
    }

    // Whether the index is out of bounds at one end or the other.
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

    // An index without its extension, in 32 bits if it has no more.
    Value *narrowed(IRBuilder<> &builder, Value *index, bool &is_signed) {
        Type *word = builder.getInt32Ty();
        if (auto *cast = dyn_cast<CastInst>(index);
            cast && isa<SExtInst, ZExtInst>(cast) && cast->getSrcTy()->getIntegerBitWidth() <= 32) {
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
        builder.SetInsertPoint(unlikely(bad, access.place));
        report_access(builder, access, object, {.index = address, .is_signed = false});
    }

    void report_access(IRBuilder<> &builder, const Access &access, const Object &object,
                       const Position &position) {
        builder.SetCurrentDebugLocation(access.place->getDebugLoc());
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
        auto *function = cast<Function>(callee.getCallee());
        function->setDoesNotAccessMemory();
        function->setDoesNotThrow();
        function->setWillReturn();
        function->addFnAttr(Attribute::Speculatable);
        return callee;
    }

    // A field of rvl_sanitizer.
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
    static size_t offset_of(const Object &object, size_t field) {
        return offsetof(rvl_sanitizer, argument) + object.number * sizeof(rvl_bounds) + field;
    }
    Value *bound(const Object &object, size_t field) {
        return entry_.CreateZExt(
            word(offsetof(rvl_sanitizer, argument) + object.number * sizeof(rvl_bounds) + field,
                 32),
            entry_.getInt64Ty());
    }
    Value *before(const Object &object) { return bound(object, offsetof(rvl_bounds, before)); }
    Value *size(const Object &object) {
        return object.kind == Object::argument ? bound(object, offsetof(rvl_bounds, bytes))
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

    Function &kernel_;
    Module &module_;
    PointerOrigins origins_;
    IntegerType *index_type_;
    IRBuilder<TargetFolder> entry_; // uniform values
    StringMap<Constant *> sites_;
    DenseMap<size_t, Value *> words_;
};

bool check_addresses(Function &kernel) {
    return is_sanitized(kernel) && AddressSanitizer(kernel).run();
}

const OwnPass pass = transform_pass<"rvl-address-sanitizer", check_addresses>();

// The registers are those of hal/protocol/sanitizer.h. Nothing comes after it.
void lower_report(CallInst &call, Type *index_type) {
    IRBuilder<> builder(&call);
    SmallVector<Value *> operands;
    for (unsigned i : {1, 0, 2, 3, 4})
        operands.push_back(i == 0 ? builder.CreatePtrToInt(call.getArgOperand(i), index_type)
                                  : builder.CreateZExtOrTrunc(call.getArgOperand(i), index_type));
    operands.push_back(ConstantInt::get(index_type, RVL_ECALL_BAD_ACCESS));
    SmallVector<Type *> types(operands.size(), index_type);
    // Convergent, so that loops are not there twice for what is rare.
    builder
        .CreateCall(InlineAsm::get(FunctionType::get(builder.getVoidTy(), types, false), "ecall",
                                   "{x10},{x11},{x12},{x13},{x14},{x17},~{memory}", true),
                    operands)
        ->setConvergent();
    changeToUnreachable(&call);
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

    // A value that is seldom wanted is loaded where that is.
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
    Value *bound(size_t field, bool is_rare) {
        const uint64_t offset = RVL_SANITIZER_OFFSET + offsetof(rvl_sanitizer, argument) +
                                operand(0) * sizeof(rvl_bounds) + field;
        return builder_.CreateZExt(load(builder_.getInt32Ty(), offset, is_rare),
                                   builder_.getInt64Ty());
    }

    // Indices from 0 that fit; 0 of an argument that points into the middle of something.
    Value *limit() {
        Value *left = builder_.CreateSub(bound(offsetof(rvl_bounds, bytes), false),
                                         builder_.getInt64(operand(1)));
        Value *count =
            builder_.CreateAdd(builder_.CreateUDiv(left, builder_.getInt64(operand(2))), number(1));
        count =
            builder_.CreateBinaryIntrinsic(Intrinsic::umin, count, builder_.getInt64(operand(3)));
        Value *is_none =
            builder_.CreateOr(builder_.CreateICmpSLT(left, number(0)),
                              builder_.CreateIsNotNull(bound(offsetof(rvl_bounds, before), false)));
        return builder_.CreateSelect(is_none, number(0), count);
    }

    // The least index that is in bounds, or how many are.
    Value *outside(bool wants_least) {
        const auto scale = static_cast<int64_t>(operand(2));
        const auto by_scale = [&](Value *value) -> Value * {
            if (isPowerOf2_64(operand(2)))
                return builder_.CreateAShr(value, Log2_64(operand(2)));
            Value *quotient = builder_.CreateSDiv(value, number(scale));
            Value *rest = builder_.CreateSub(value, builder_.CreateMul(quotient, number(scale)));
            return builder_.CreateAdd(quotient, builder_.CreateAShr(rest, 63));
        };
        Value *front = builder_.CreateAdd(bound(offsetof(rvl_bounds, before), true),
                                          builder_.getInt64(operand(3)));
        Value *least = builder_.CreateNeg(by_scale(front));
        Value *most =
            by_scale(builder_.CreateSub(builder_.CreateSub(bound(offsetof(rvl_bounds, bytes), true),
                                                           builder_.getInt64(operand(1))),
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
            if (number == RVL_MAX_BOUNDS)
                break;
            AttrBuilder known(kernel.function->getContext());
            known.addAttribute(bounds_mark, utostr(number++));
            known.addAttribute(name_mark, utostr(i) + " " + argument.name);
            kernel.function->addParamAttrs(static_cast<unsigned>(i), known);
        }
    }
}

void lower_bad_accesses(Module &module) {
    Type *index =
        module.getDataLayout().getIndexType(PointerType::get(module.getContext(), global_space));
    for (Function &function : make_early_inc_range(module)) {
        const bool is_report = function.getName().starts_with(bad_access);
        if (!is_report && !is_query(function.getName()))
            continue;
        while (!function.use_empty()) {
            auto &call = *cast<CallInst>(*function.user_begin());
            if (is_report)
                lower_report(call, index);
            else
                QueryLowering(call).run();
        }
        function.eraseFromParent();
    }
    if (Function *look_up = module.getFunction(is_allocated))
        inline_delayed(*look_up);
}

} // namespace rivulet::compiler
