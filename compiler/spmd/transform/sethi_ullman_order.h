// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_SETHI_ULLMAN_ORDER_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_SETHI_ULLMAN_ORDER_H

#include <vector>

#include "compiler/spmd/analysis/stride_analysis.h"

namespace rivulet::compiler {

// In which order the instructions of each block stand: what nothing else wants first is computed
// where it is wanted, one operand after the other, so that few vectors live at a time.
class SethiUllmanOrder {
public:
    explicit SethiUllmanOrder(llvm::Function &function);

    enum What { contiguous_loads, all }; // that wait until they are wanted
    void change(const StrideAnalysis &strides, What what);
    // Restores the order from before.
    void restore();

private:
    llvm::Function &function_;
    std::vector<std::vector<llvm::Instruction *>> before_;
};

} // namespace rivulet::compiler

#endif
