// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_PLAN_FIELD_ACCESSES_H
#define RIVULET_COMPILER_SPMD_PLAN_FIELD_ACCESSES_H

#include <optional>

#include <llvm/ADT/DenseMap.h>

#include "compiler/spmd/analysis/stride_analysis.h"

namespace rivulet::compiler {

// What it costs to access several fields that each lane has side by side in memory, depending on
// how many lanes there are. They are accessed as segments (codegen/interleaved_access_emission.cpp)
// of at most eight registers in all. With more lanes, each field is accessed on its own, which is
// an access element by element.
class FieldAccesses {
public:
    FieldAccesses(llvm::Function &function, const StrideAnalysis &strides);

    bool empty() const { return accesses_.empty(); }

    struct Cost {
        double instructions = 0;
        double cycles = 0; // of a core where a sum takes one for each register of its result
    };
    // Of one field of several, with so many lanes for 64 bits of a register. A segment's cost is
    // that of its first field. Nothing if the instruction accesses no such field.
    std::optional<Cost> cost(const llvm::Instruction &access, unsigned lanes) const;

private:
    struct Access {
        bool is_contiguous; // the next lane's fields follow this lane's
        bool lives_long;    // loaded fields are used in other blocks
        unsigned bits;      // of a field
        unsigned fields;    // 0: counted with another access
    };
    void add(llvm::ArrayRef<llvm::Instruction *> fields, const StrideAnalysis &strides);

    const double element_cycles_; // of an element that is accessed on its own, for 64 bits of VLEN
    const double segment_cycles_; // of a register in a contiguous segment
    llvm::DenseMap<const llvm::Instruction *, Access> accesses_;
};

} // namespace rivulet::compiler

#endif
