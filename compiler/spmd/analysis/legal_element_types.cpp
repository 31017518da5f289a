// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/legal_element_types.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Target/TargetMachine.h>

namespace rivulet::compiler {

LegalElementTypes LegalElementTypes::of(const llvm::TargetMachine &machine) {
    llvm::SmallVector<llvm::StringRef> features;
    machine.getTargetFeatureString().split(features, ',');
    const auto has = [&](llvm::StringRef feature) { return llvm::is_contained(features, feature); };
    if (!has("+zve32x"))
        return {};
    return {.f16 = has("+zvfh"),
            .i64 = has("+zve64x") && machine.getTargetTriple().isArch64Bit(),
            .f64 = has("+zve64d")};
}

} // namespace rivulet::compiler
