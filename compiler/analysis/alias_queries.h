// SPDX-License-Identifier: Apache-2.0
//
// Alias queries for passes that run outside of LLVM's pass managers.
#ifndef RIVULET_COMPILER_ANALYSIS_ALIAS_QUERIES_H
#define RIVULET_COMPILER_ANALYSIS_ALIAS_QUERIES_H

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetLibraryInfo.h>

namespace rivulet::compiler {

class AliasQueries {
public:
    AliasQueries(llvm::Function &function, llvm::DominatorTree &dominators);

    // Whether one instruction may write what the other reads or writes, or is more than an access.
    bool conflict(const llvm::Instruction &one, const llvm::Instruction &other);

private:
    llvm::TargetLibraryInfoImpl names_;
    llvm::TargetLibraryInfo library_;
    llvm::AssumptionCache assumptions_;
    llvm::BasicAAResult basic_;
    llvm::ScopedNoAliasAAResult scopes_;
    llvm::AAResults all_;
};

} // namespace rivulet::compiler

#endif
