// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_UNROLL_H
#define RIVULET_COMPILER_SPMD_UNROLL_H

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Metadata.h>

namespace rivulet::compiler {

// Asks for the loop of a latch to be unrolled: as LLVM sees fit, or a number of times.
inline void unroll(llvm::Instruction &latch, unsigned times = 0) {
    using namespace llvm;
    LLVMContext &context = latch.getContext();
    SmallVector<Metadata *, 2> hint{
        MDString::get(context, times ? "llvm.loop.unroll.count" : "llvm.loop.unroll.enable")};
    if (times)
        hint.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), times)));
    MDNode *loop = MDNode::getDistinct(context, {nullptr, MDNode::get(context, hint)});
    loop->replaceOperandWith(0, loop);
    latch.setMetadata(LLVMContext::MD_loop, loop);
}

} // namespace rivulet::compiler

#endif
