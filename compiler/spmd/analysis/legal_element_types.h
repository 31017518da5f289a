// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_LEGAL_ELEMENT_TYPES_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_LEGAL_ELEMENT_TYPES_H

namespace llvm {
class TargetMachine;
}

namespace rivulet::compiler {

// Types that the vector unit has elements of; other types are carried in these
// (spmd/transform/type_legalisation.h).
struct LegalElementTypes {
    bool f16 = true;
    bool i64 = true;
    bool f64 = true;

    // The types of the machine's vector unit; all types if it has none.
    static LegalElementTypes of(const llvm::TargetMachine &machine);

    bool all() const { return f16 && i64 && f64; }
};

} // namespace rivulet::compiler

#endif
