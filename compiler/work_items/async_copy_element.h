// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORK_ITEMS_ASYNC_COPY_ELEMENT_H
#define RIVULET_COMPILER_WORK_ITEMS_ASYNC_COPY_ELEMENT_H

#include <llvm/IR/InstrTypes.h>

namespace rivulet::compiler {

struct AsyncCopyElement {
    unsigned bytes = 1; // of a component
    unsigned components = 1;
};

// The element that an async copy's first parameter points to, by the mangled name:
// "PU3AS3Dv4_f…" → 4 components of 4 bytes.
AsyncCopyElement async_copy_element(const llvm::CallBase &call);

} // namespace rivulet::compiler

#endif
