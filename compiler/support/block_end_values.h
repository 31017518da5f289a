// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_BLOCK_END_VALUES_H
#define RIVULET_COMPILER_SUPPORT_BLOCK_END_VALUES_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

namespace rivulet::compiler {

// Values that are created for phi nodes at the ends of their incoming blocks. A switch may have
// several edges to a block: a phi node there has one value for all of them, so it is made once.
class BlockEndValues {
public:
    // `make` gets a builder at the end of the block.
    template <class Make> llvm::Value *get(llvm::BasicBlock *block, Make make) {
        if (llvm::Value *known = values_.lookup(block))
            return known;
        llvm::IRBuilder<> builder(block->getTerminator());
        return values_[block] = make(builder);
    }

private:
    llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> values_;
};

} // namespace rivulet::compiler

#endif
