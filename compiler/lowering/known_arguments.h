// SPDX-License-Identifier: Apache-2.0
//
// What launches of a kernel have in common, as attributes of its arguments.
#ifndef RIVULET_COMPILER_LOWERING_KNOWN_ARGUMENTS_H
#define RIVULET_COMPILER_LOWERING_KNOWN_ARGUMENTS_H

#include <llvm/ADT/StringRef.h>

namespace rivulet::compiler {

// Of an image: channel order, channel data type and bytes of an element, separated by commas.
constexpr llvm::StringLiteral image_mark = "rivulet.image";
// Of a sampler: its bits.
constexpr llvm::StringLiteral sampler_mark = "rivulet.sampler";

} // namespace rivulet::compiler

#endif
