// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/lane_analyses.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/analysis/sub_group_functions.h"
#include "compiler/support/analysis_managers.h"

namespace rivulet::compiler {

using namespace llvm;

AnalysisKey RowShapeAnalysis::Key;
AnalysisKey LaneAnalysis::Key;

RowShapeAnalysis::Result RowShapeAnalysis::run(Function &function,
                                               FunctionAnalysisManager &analyses) {
    RowShape shape = row_shape(function);
    shape.elements =
        LegalElementTypes::of(analyses.getResult<TargetMachineAnalysis>(function).machine);
    return {shape};
}

namespace {

// Integers of 33 to 63 bits have no two words (type_legalisation.h).
std::optional<VectorisationFailure> illegal_integer(Function &function,
                                                    const Uniformity &uniformity) {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
        for (Instruction &instruction : *block) {
            Type *type = instruction.getType();
            if (type->isIntegerTy() && type->getIntegerBitWidth() > 32 &&
                type->getIntegerBitWidth() != 64 && !uniformity.uniform(instruction))
                return VectorisationFailure{("an integer of " + Twine(type->getIntegerBitWidth()) +
                                             " bits on a vector unit without elements of 64")
                                                .str(),
                                            instruction.getDebugLoc()};
        }
    return std::nullopt;
}

// One call does the work of all work-items of the sub-group, so all of them have to make the same.
std::optional<VectorisationFailure> partial_call(Function &function,
                                                 const LaneAnalysis::Result &known) {
    for (Instruction &instruction : instructions(function)) {
        if (!calls_sub_group_function(instruction))
            continue;
        const auto &call = cast<CallBase>(instruction);
        auto failure = [&](const Twine &why) {
            return VectorisationFailure{
                ("a call of '" + call.getCalledFunction()->getName() + "', " + why).str(),
                call.getDebugLoc()};
        };
        if (known.flow->masked(call.getParent()))
            return failure("which not all work-items of the sub-group make: move it out of the "
                           "branch or loop, and pass the condition or the number of work-items");
        for (const Use &argument : call.args())
            if (!known.uniformity->uniform_use(argument))
                return failure("whose argument " + Twine(argument.getOperandNo() + 1) +
                               " differs between work-items: pass it through memory, or one "
                               "work-item's by sub_group_broadcast");
    }
    return std::nullopt;
}

} // namespace

LaneAnalysis::Result LaneAnalysis::run(Function &function, FunctionAnalysisManager &analyses) {
    Result known;
    known.dominators = std::make_unique<DominatorTree>(function);
    known.loops = std::make_unique<LoopInfo>(*known.dominators);
    Uniformity::Values divergent;
    while (true) {
        known.uniformity = std::make_unique<Uniformity>(function, 1, divergent);
        known.flow = std::make_unique<ControlFlow>(function, *known.loops, *known.uniformity);
        if (!known.flow->obstacle().empty()) {
            known.obstacle = VectorisationFailure{known.flow->obstacle(), {}};
            return known;
        }
        auto more = known.flow->divergent_results();
        if (more.empty())
            break;
        divergent.insert(more.begin(), more.end());
    }
    known.strides = std::make_unique<StrideAnalysis>(function, *known.uniformity, *known.flow);
    if (!get<RowShapeAnalysis>(function, analyses).shape.elements.i64)
        known.obstacle = illegal_integer(function, *known.uniformity);
    if (!known.obstacle)
        known.obstacle = partial_call(function, known);
    return known;
}

} // namespace rivulet::compiler
