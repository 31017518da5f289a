// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/interleaved_arrays.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

namespace rivulet::compiler {

using namespace llvm;

static constexpr StringLiteral interleaved = "rivulet.interleaved";

void mark_interleaved(AllocaInst &variable, unsigned element_bytes) {
    LLVMContext &context = variable.getContext();
    variable.setMetadata(interleaved,
                         MDNode::get(context, ConstantAsMetadata::get(ConstantInt::get(
                                                  Type::getInt32Ty(context), element_bytes))));
}

unsigned interleaved_bytes(const AllocaInst &variable) {
    const MDNode *node = variable.getMetadata(interleaved);
    return node ? unsigned(mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue()) : 0;
}

const AllocaInst *interleaved_array(const Value *address) {
    auto *element = dyn_cast<GetElementPtrInst>(address);
    auto *array = dyn_cast<AllocaInst>(element ? element->getPointerOperand() : address);
    return array && interleaved_bytes(*array) ? array : nullptr;
}

GetElementPtrInst *element_of_array(Value *address) {
    auto *element = dyn_cast<GetElementPtrInst>(address);
    return element && interleaved_array(element) ? element : nullptr;
}

} // namespace rivulet::compiler
