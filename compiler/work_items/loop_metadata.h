// SPDX-License-Identifier: Apache-2.0
//
// Loop metadata for LLVM's passes, at the latch: one hint for each loop.
#ifndef RIVULET_COMPILER_WORK_ITEMS_LOOP_METADATA_H
#define RIVULET_COMPILER_WORK_ITEMS_LOOP_METADATA_H

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Metadata.h>

namespace rivulet::compiler {

inline void set_loop_hint(llvm::Instruction &latch, llvm::StringRef name,
                          llvm::Constant *value = nullptr) {
    using namespace llvm;
    LLVMContext &context = latch.getContext();
    SmallVector<Metadata *, 2> hint{MDString::get(context, name)};
    if (value)
        hint.push_back(ConstantAsMetadata::get(value));
    MDNode *loop = MDNode::getDistinct(context, {nullptr, MDNode::get(context, hint)});
    loop->replaceOperandWith(0, loop);
    latch.setMetadata(LLVMContext::MD_loop, loop);
}

// (Without a number LLVM would unroll any loop of known length completely, however long.)
inline void unroll(llvm::Instruction &latch, unsigned times) {
    llvm::Type *number = llvm::Type::getInt32Ty(latch.getContext());
    set_loop_hint(latch, "llvm.loop.unroll.count", llvm::ConstantInt::get(number, times));
}

inline void do_not_unroll(llvm::Instruction &latch) {
    set_loop_hint(latch, "llvm.loop.unroll.disable");
}

// A loop that has no effect is removed only if it is known to end.
inline void always_ends(llvm::Instruction &latch) {
    set_loop_hint(latch, "llvm.loop.mustprogress");
}

inline void hoist_nothing(llvm::Instruction &latch) { set_loop_hint(latch, "llvm.licm.disable"); }

} // namespace rivulet::compiler

#endif
