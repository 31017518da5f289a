// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_RVV_IR_STRAIGHT_LINE_STRENGTH_REDUCTION_H
#define RIVULET_COMPILER_RVV_IR_STRAIGHT_LINE_STRENGTH_REDUCTION_H

#include <llvm/IR/PassManager.h>

namespace rivulet::compiler {

// (y + 1) * pitch + x where y * pitch + x is there, by an addition; so for every sum that differs
// from one that is there by a constant, a value or what is computed before the loop. Neighbours
// have such addresses.
class StraightLineStrengthReduction : public llvm::PassInfoMixin<StraightLineStrengthReduction> {
public:
    static llvm::StringRef name() { return "rvl-slsr"; }
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace rivulet::compiler

#endif
