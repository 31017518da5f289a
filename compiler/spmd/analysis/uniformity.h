// SPDX-License-Identifier: Apache-2.0
//
// Values that are the same for all work-items that run side by side.
#ifndef RIVULET_COMPILER_SPMD_ANALYSIS_UNIFORMITY_H
#define RIVULET_COMPILER_SPMD_ANALYSIS_UNIFORMITY_H

#include <memory>

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>

namespace rivulet::compiler {

// LLVM's uniformity analysis with this compiler's sources of divergence: the parameters that tell
// work-items apart, private memory, atomics and calls that may have effects.
class Uniformity {
public:
    using Values = llvm::SmallPtrSet<const llvm::Value *, 8>;

    // The first `ids` parameters of the function differ between work-items, and so do `divergent`.
    Uniformity(llvm::Function &function, unsigned ids, const Values &divergent = {});
    ~Uniformity();

    bool uniform(const llvm::Value &value) const;
    // Whether the value is uniform at its use: a loop that work-items leave in different iterations
    // makes it differ.
    bool uniform_use(const llvm::Use &use) const;
    bool uniform_branch(const llvm::BasicBlock &block) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace rivulet::compiler

#endif
