// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/obstacle.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

std::optional<VectorisationFailure> find_obstacle(Function &function) {
    for (Instruction &instruction : instructions(function)) {
        auto obstacle = [&](std::string reason) {
            return VectorisationFailure{std::move(reason), instruction.getDebugLoc()};
        };
        if (isa<IndirectBrInst, InvokeInst, CallBrInst>(instruction))
            return obstacle("unusual control flow");
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            if (!variable->isStaticAlloca())
                return obstacle("a private variable of unknown size");
        if (!has_vector(instruction))
            continue;
        if (auto *extract = dyn_cast<ExtractElementInst>(&instruction);
            extract && isa<llvm::Argument>(extract->getVectorOperand()))
            continue; // of a uniform argument
        return obstacle(std::string("a vector that can't be split: ") +
                        instruction.getOpcodeName());
    }
    return std::nullopt;
}

} // namespace

bool has_vector(const Instruction &instruction) {
    return instruction.getType()->isVectorTy() ||
           any_of(instruction.operand_values(), [](const Value *value) {
               return value->getType()->isVectorTy() && !isa<Constant>(value);
           });
}

AnalysisKey ObstacleAnalysis::Key;

ObstacleAnalysis::Result ObstacleAnalysis::run(Function &work_item, FunctionAnalysisManager &) {
    return find_obstacle(work_item);
}

} // namespace rivulet::compiler
