// SPDX-License-Identifier: Apache-2.0
//
// Addresses a[i + 1], next to an access of a[i], as one element behind that:
//
//     %b = getelementptr float, ptr %a, i64 zext(%i)         %b = …
//     load %b                                                load %b
//     %c = getelementptr float, ptr %a, i64 zext(%i + 1)  →  %c = getelementptr i8, ptr %b, i64 4
//     load %c                                                load %c
//
// Sums of type uint may wrap, so LLVM doesn't take the constant out of the extension. The pairs of
// a buffer are then accessed one element at a time instead of as segments, and lanes' neighbours
// have addresses of their own.
//
// Here the sum doesn't wrap. The other access comes before in the same block, so it is executed,
// and both are in one object, as their addresses are based on one pointer. If the sum wrapped, they
// would be more than 2^31 elements apart, as the distance of the constants is below 2^31. But no
// object has more than 2^31 bytes (small_buffers.h).
//
// New addresses have no flags, and only the accesses use them.
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/support/function_pass.h"
#include "compiler/work_items/small_buffers.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

RVL_FUNCTION_PASS(NeighbourIndicesPass);

namespace {

// base[zext(index + constant)], with a sum of 32 bits.
struct Element {
    Value *base;
    Value *index;
    Type *type; // of what the index counts
    int64_t constant = 0;

    auto key() const { return std::tuple(base, index, type); }
};

std::optional<Element> element_of(Value *pointer) {
    auto *address = dyn_cast<GetElementPtrInst>(pointer);
    Value *index = nullptr;
    if (!address || address->getNumIndices() != 1 ||
        !match(address->getOperand(1), m_ZExt(m_Value(index))) ||
        !index->getType()->isIntegerTy(32))
        return std::nullopt;
    Element element{address->getPointerOperand(), index, address->getSourceElementType()};
    Value *addend = nullptr;
    const APInt *constant = nullptr;
    if (match(index, m_AddLike(m_Value(addend), m_APInt(constant)))) {
        element.index = addend;
        element.constant = constant->getSExtValue();
    }
    return element;
}

class NeighbourIndices {
public:
    explicit NeighbourIndices(Function &function) : function_(function) {}

    bool run() {
        for (BasicBlock &block : function_) {
            firsts_.clear();
            for (Instruction &instruction : block)
                if (Value *pointer = getLoadStorePointerOperand(&instruction);
                    pointer && is_in_small_buffer(*pointer, function_))
                    visit(instruction, *pointer);
        }
        RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused_);
        return found_;
    }

private:
    struct First {
        Value *pointer;
        int64_t constant;
    };

    void visit(Instruction &access, Value &pointer) {
        const auto element = element_of(&pointer);
        if (!element)
            return;
        const auto [known, is_first] =
            firsts_.try_emplace(element->key(), First{&pointer, element->constant});
        const int64_t distance = element->constant - known->second.constant;
        if (is_first || distance == 0 || !isInt<32>(distance) || distance == INT32_MIN)
            return;
        const auto bytes =
            int64_t(function_.getDataLayout().getTypeAllocSize(element->type).getFixedValue());
        IRBuilder<> builder(&access);
        Value *address = builder.CreatePtrAdd(
            known->second.pointer,
            ConstantInt::getSigned(function_.getDataLayout().getIndexType(pointer.getType()),
                                   distance * bytes));
        access.setOperand(isa<LoadInst>(access) ? LoadInst::getPointerOperandIndex()
                                                : StoreInst::getPointerOperandIndex(),
                          address);
        unused_.emplace_back(&pointer);
        found_ = true;
    }

    Function &function_;
    // The first access of each kind of element in the block.
    DenseMap<std::tuple<Value *, Value *, Type *>, First> firsts_;
    SmallVector<WeakTrackingVH> unused_;
    bool found_ = false;
};

} // namespace

PreservedAnalyses NeighbourIndicesPass::run(Function &function, FunctionAnalysisManager &) {
    return preserved_unless(NeighbourIndices(function).run());
}

} // namespace rivulet::compiler
