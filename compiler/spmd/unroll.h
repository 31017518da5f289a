// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_UNROLL_H
#define RIVULET_COMPILER_SPMD_UNROLL_H

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Metadata.h>

namespace rivulet::compiler {

// Asks for the loop of a latch to be unrolled so many times. (Without a number LLVM would take any
// loop of known length apart, however long.)
inline void unroll(llvm::Instruction &latch, unsigned times) {
    using namespace llvm;
    LLVMContext &context = latch.getContext();
    Metadata *hint[] = {
        MDString::get(context, "llvm.loop.unroll.count"),
        ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), times))};
    MDNode *loop = MDNode::getDistinct(context, {nullptr, MDNode::get(context, hint)});
    loop->replaceOperandWith(0, loop);
    latch.setMetadata(LLVMContext::MD_loop, loop);
}

} // namespace rivulet::compiler

#endif
