// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_WORK_ITEMS_ASYNC_COPY_ELEMENT_H
#define RIVULET_COMPILER_WORK_ITEMS_ASYNC_COPY_ELEMENT_H

#include <optional>

#include <llvm/ADT/StringRef.h>

namespace rivulet::compiler {

struct AsyncCopyElement {
    unsigned bytes = 1; // of a component
    unsigned components = 1;
};

// The element that an async copy's first parameter points to, by the function's mangled name:
// "…PU3AS3Dv4_f…" → 4 components of 4 bytes. Empty for elements that OpenCL C doesn't copy, such as
// arrays.
std::optional<AsyncCopyElement> async_copy_element(llvm::StringRef function);

} // namespace rivulet::compiler

#endif
