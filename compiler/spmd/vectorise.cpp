// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/vectorise.h"

#include <llvm/Support/CommandLine.h>

#include "compiler/spmd/emitter.h"
#include "compiler/spmd/prepare.h"

namespace rivulet::compiler {

using namespace llvm;

static cl::opt<unsigned> lanes_option("rivulet-lanes", cl::Hidden, cl::init(0),
                                      cl::desc("Lanes per 64 bits of vector register"));

std::expected<Function *, Obstacle> vectorise(Function &work_item,
                                              FunctionAnalysisManager &analyses) {
    if (auto obstacle = prepare(work_item, analyses))
        return std::unexpected(*obstacle);
    DominatorTree dominators(work_item);
    LoopInfo loops(dominators);
    Uniformity::Values divergent;
    while (true) {
        Uniformity uniformity(work_item, 1, divergent);
        ControlFlow flow(work_item, loops, uniformity);
        if (!flow.obstacle().empty())
            return std::unexpected(Obstacle{flow.obstacle(), {}});
        if (auto more = flow.divergent_results(); !more.empty()) {
            divergent.insert(more.begin(), more.end());
            continue;
        }
        Shapes shapes(work_item, uniformity, flow);
        return emit_row(work_item, flow, shapes, lanes_option ? lanes_option : 8);
    }
}

} // namespace rivulet::compiler
