// SPDX-License-Identifier: Apache-2.0
//
// Code for images of any format. The host runtime builds a version of a kernel for the formats of
// its images once its launches take long (host-runtime/program/kernel_versions.h), so the general
// code need not be the best.
#ifndef RIVULET_COMPILER_ANALYSIS_ANY_IMAGE_H
#define RIVULET_COMPILER_ANALYSIS_ANY_IMAGE_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// Of kernels with images, and built-in functions of images, of any format.
constexpr llvm::StringLiteral any_image_mark = "rivulet.any-image";

inline bool takes_any_image(const llvm::Function &function) {
    return function.hasFnAttribute(any_image_mark);
}

} // namespace rivulet::compiler

#endif
