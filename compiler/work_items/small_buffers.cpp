// SPDX-License-Identifier: Apache-2.0
#include "compiler/work_items/small_buffers.h"

#include "compiler/support/program.h"

namespace rivulet::compiler {

bool promises_small_buffers(const llvm::Function &function) {
    return !function.hasFnAttribute(large_buffers_mark);
}

bool is_in_small_buffer(const llvm::Value &pointer, const llvm::Function &function) {
    const unsigned space = pointer.getType()->getPointerAddressSpace();
    return space == local_space || space == private_space || promises_small_buffers(function);
}

} // namespace rivulet::compiler
