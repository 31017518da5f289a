// SPDX-License-Identifier: Apache-2.0
//
// Values of types that the vector unit has no elements for, in elements that it has: 64 bits as
// two words, half as its bits. Arithmetic that has no short form on those runs lane after lane.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_TYPE_LEGALISATION_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_TYPE_LEGALISATION_H

#include <expected>

#include "compiler/spmd/analysis/row_shape.h"
#include "compiler/spmd/analysis/uniformity.h"

namespace rivulet::compiler {

// Whether anything changed, which leaves the control flow alone.
std::expected<bool, VectorisationFailure>
legalise_types(llvm::Function &work_item, const Uniformity &uniformity, LegalElementTypes elements);

} // namespace rivulet::compiler

#endif
