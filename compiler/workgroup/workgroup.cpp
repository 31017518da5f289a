// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/workgroup.h"

#include "compiler/support/analysis_managers.h"
#include "compiler/support/passes.h"

namespace rivulet::compiler {

std::expected<void, std::string> lower_work_groups(Program &program, const Target &target,
                                                   Remarks &remarks) {
    program.remarks = &remarks;
    Analyses analyses(target);
    std::expected<void, std::string> done;
    for (PassStage stage : {PassStage::work_items, PassStage::regions, PassStage::rows,
                            PassStage::group_loops, PassStage::after_work_groups})
        if (done)
            done = run_module_stage(stage, program, target, analyses);
    // Passes go through all kernels one after the other; readers want one kernel after the other.
    std::vector<std::string> names;
    for (const Kernel &kernel : program.kernels)
        names.push_back(kernel.name);
    remarks.group_by(names);
    program.remarks = nullptr;
    return done;
}

} // namespace rivulet::compiler
