// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/sanitizer_accesses.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/lowering/sanitizer_queries.h"
#include "compiler/support/program.h"
#include "compiler/work_items/async_copy_element.h"
#include "compiler/work_items/work_group_builtin_table.h"
#include "hal/protocol/sanitizer.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// True if the address comes from an image's or pipe's descriptor: the library does bounds checks
// for those.
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

// Only the first and last elements are checked; the others are in between.
void add_async_copy(CallInst &call, IntegerType *index_type, SmallVector<Access> &found) {
    const auto builtin = builtin_of(call);
    if (builtin != Builtin::async_copy && builtin != Builtin::async_strided_copy)
        return;
    const AsyncCopyElement element = *async_copy_element(call.getCalledFunction()->getName());
    IRBuilder<> builder(&call);
    Value *count = builder.CreateZExtOrTrunc(call.getArgOperand(2), index_type);
    Value *exists = builder.CreateIsNotNull(count);
    Value *last = builder.CreateSub(count, ConstantInt::get(index_type, 1));
    Value *far = last;
    if (builtin == Builtin::async_strided_copy)
        far = builder.CreateMul(last, builder.CreateZExtOrTrunc(call.getArgOperand(3), index_type));
    const bool from_global =
        call.getArgOperand(1)->getType()->getPointerAddressSpace() != local_space;
    for (unsigned side : {1u, 0u}) {
        const bool is_far = (side == 1) == from_global;
        for (Value *at :
             {static_cast<Value *>(ConstantInt::get(index_type, 0)), is_far ? far : last})
            found.push_back({&call, call.getArgOperand(side),
                             uint64_t{element.bytes} * element.components,
                             side ? "async copy's load" : "async copy's store", at, exists});
    }
}

} // namespace

SmallVector<Access> find_accesses(Function &kernel, IntegerType *index_type) {
    SmallVector<Access> found;
    const DataLayout &layout = kernel.getDataLayout();
    const auto add = [&](Instruction &instruction, Value *pointer, TypeSize bytes, StringRef what) {
        if (!bytes.isScalable() && !bytes.isZero())
            found.push_back({&instruction, pointer, bytes.getFixedValue(), what});
    };
    const auto visit = [&](Instruction &instruction) {
        if (auto *load = dyn_cast<LoadInst>(&instruction)) {
            add(instruction, load->getPointerOperand(), layout.getTypeStoreSize(load->getType()),
                load->isAtomic() ? "atomic load" : "load");
        } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
            add(instruction, store->getPointerOperand(),
                layout.getTypeStoreSize(store->getValueOperand()->getType()),
                store->isAtomic() ? "atomic store" : "store");
        } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
            add(instruction, update->getPointerOperand(),
                layout.getTypeStoreSize(update->getType()), "atomic access");
        } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
            add(instruction, exchange->getPointerOperand(),
                layout.getTypeStoreSize(exchange->getNewValOperand()->getType()), "atomic access");
        } else if (auto *run = dyn_cast<MemIntrinsic>(&instruction)) {
            auto *bytes = dyn_cast<ConstantInt>(run->getLength());
            const TypeSize size = TypeSize::getFixed(bytes ? bytes->getZExtValue() : 1);
            if (auto *copy = dyn_cast<MemTransferInst>(run))
                add(instruction, copy->getRawSource(), size, "load");
            add(instruction, run->getRawDest(), size, "store");
        } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
            add_async_copy(*call, index_type, found);
        }
    };
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&kernel))
        for (Instruction &instruction : make_early_inc_range(*block))
            visit(instruction);
    return found;
}

Object object_of(PointerOrigins &origins, Value *root, unsigned space) {
    Object object;
    const bool may_be_allocated =
        space == global_space || space == constant_space || space == generic_space;
    const auto unknown = [&] {
        object.kind = Object::unknown;
        object.description = "unknown";
    };
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
            known.getAttribute(bounds_mark).getValueAsString().getAsInteger(10, object.number);
            if (object.number < bounds_limit(*argument->getParent())) {
                object.kind = Object::argument;
                object.description =
                    ("argument " + known.getAttribute(name_mark).getValueAsString()).str();
            } else if (may_be_allocated) {
                unknown();
            }
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
    } else if (!isa_and_nonnull<ConstantData>(root) && may_be_allocated &&
               !(root && is_of_descriptor(origins, root))) {
        unknown();
    }
    return object;
}

std::string source_line(const DebugLoc &location) {
    if (!location || !location.getLine())
        return {};
    return formatv("{}:{}", cast<DILocation>(location.get())->getFilename(), location.getLine())
        .str()
        .substr(0, RVL_SITE_BYTES / 4);
}

std::string site_text(const Access &access, const Object &object, const Position &position) {
    std::string text =
        formatv("{} of {} byte{}\n{}\n{} {} {}{}\n{}\n{}\n", access.what, access.bytes,
                access.bytes == 1 ? "" : "s", source_line(access.instruction->getDebugLoc()),
                position.constant, position.scale, position.is_signed ? "-" : "",
                position.index->getType()->getIntegerBitWidth(), object.bytes,
                StringRef(object.description).substr(0, RVL_SITE_BYTES / 4));
    text.resize(std::min<size_t>(text.size(), RVL_SITE_BYTES - 1));
    return text;
}

} // namespace rivulet::compiler
