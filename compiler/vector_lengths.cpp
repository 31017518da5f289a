// SPDX-License-Identifier: Apache-2.0
#include "compiler/vector_lengths.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsRISCV.h>
#include <llvm/IR/PatternMatch.h>

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// A length that vsetvli gave is at most what it would give for that length: the same.
void split_vector_lengths(Function &function) {
    Type *xlen = function.getDataLayout().getIntPtrType(function.getContext());
    // Does nothing; or they would become one again.
    auto *opaque = InlineAsm::get(FunctionType::get(xlen, xlen, false), "", "=r,0", false);
    for (BasicBlock &block : function) {
        DenseMap<Value *, Value *> own; // of this block, by the shared one
        for (Instruction &instruction : make_early_inc_range(block)) {
            auto *call = dyn_cast<IntrinsicInst>(&instruction);
            if (!call || call->getIntrinsicID() == Intrinsic::riscv_vsetvli)
                continue;
            for (Use &use : call->args()) {
                Value *length = nullptr;
                if (!match(use.get(), m_TruncOrSelf(m_Value(length))))
                    continue;
                auto *shared = dyn_cast<IntrinsicInst>(length);
                if (!shared || shared->getIntrinsicID() != Intrinsic::riscv_vsetvli ||
                    shared->getParent() == &block)
                    continue;
                IRBuilder<> builder(call);
                Value *&mine = own[length];
                if (!mine) {
                    auto *copy = cast<Instruction>(shared->clone());
                    copy->setOperand(0, builder.CreateCall(opaque, shared));
                    mine = builder.Insert(copy);
                }
                use.set(builder.CreateTrunc(mine, use->getType()));
            }
        }
    }
}

} // namespace rivulet::compiler
