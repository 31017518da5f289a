// SPDX-License-Identifier: Apache-2.0
//
// Turns each kernel into a function of one work-item, whose ids are parameters
// (work_items/parameters.h), runs stage work_item on it, and records the memory that a work-item
// needs. With ids as parameters, analyses see which values differ between work-items, and a loop or
// a vector of ids can take their place.
//
// The first of the passes that lower work-groups; rvl-parallel-regions takes its functions.
// Everything that the kernel calls has been inlined: a call that is left can't ask for an id.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include "compiler/analysis/sub_group_functions.h"
#include "compiler/spmd/transform/interleave_private_arrays.h"
#include "compiler/support/kernel_state.h"
#include "compiler/support/passes.h"
#include "compiler/support/program_pass.h"
#include "compiler/support/verification.h"
#include "compiler/workgroup/argument_writes.h"
#include "compiler/workgroup/engine_copy.h"
#include "compiler/workgroup/kernel_lowering.h"
#include "compiler/workgroup/linear_ids.h"
#include "compiler/workgroup/sub_group_size.h"
#include "hal/protocol/sub_groups.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(WorkItemsPass);

namespace {

// The size is that of cl_intel_required_subgroup_size, the whole or half of the largest one by
// cl_qcom_reqd_sub_group_size, or what the code was written for.
std::expected<void, std::string> choose_sub_group_size(Kernel &kernel, const Target &target) {
    std::array<uint32_t, RVL_SUB_GROUP_SIZES> sizes;
    ArrayRef<uint32_t> possible(sizes.data(),
                                rvl_sub_group_sizes(target.sub_group_vlen, sizes.data()));
    kernel.sub_group_size = rvl_default_sub_group_size(target.sub_group_vlen);
    if (const Attribute share = kernel.function->getFnAttribute(sub_group_share_mark);
        share.isValid() && !kernel.required_sub_group_size)
        kernel.required_sub_group_size =
            share.getValueAsString() == "half" ? possible.back() / 2 : possible.back();
    if (!kernel.required_sub_group_size) {
        if (uses_sub_groups(*kernel.function))
            kernel.sub_group_size = sub_group_size_for(kernel, possible, kernel.sub_group_size);
        return {};
    }
    kernel.sub_group_size = kernel.required_sub_group_size;
    if (is_contained(possible, kernel.sub_group_size))
        return {};
    std::string list;
    for (uint32_t size : possible)
        list += (list.empty() ? "" : ", ") + std::to_string(size);
    return std::unexpected("error: kernel '" + kernel.name + "' requires sub-groups of " +
                           std::to_string(kernel.sub_group_size) +
                           " work-items; this device has them of " + list + "\n");
}

// The bytes of private memory that a work-item keeps, for CL_KERNEL_PRIVATE_MEM_SIZE: of the
// function, and of the functions that it calls at the same time. There is no recursion.
uint64_t variable_bytes(Function &function, DenseMap<Function *, uint64_t> &known) {
    if (auto found = known.find(&function); found != known.end())
        return found->second;
    uint64_t bytes = 0;
    uint64_t called = 0;
    for (Instruction &instruction : instructions(function)) {
        if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
            if (auto size = variable->getAllocationSize(function.getDataLayout()))
                bytes += size->getKnownMinValue();
        } else if (auto *call = dyn_cast<CallBase>(&instruction);
                   call && call->getCalledFunction()) {
            called = std::max(called, variable_bytes(*call->getCalledFunction(), known));
        }
    }
    return known[&function] = bytes + called;
}
uint32_t private_bytes(Function &function) {
    DenseMap<Function *, uint64_t> known;
    return memory_bytes(variable_bytes(function, known));
}

} // namespace

void WorkItemsPass::lower(Program &program, const Target &target, ModuleAnalysisManager &analyses) {
    FunctionAnalysisManager &functions =
        analyses.getResult<FunctionAnalysisManagerModuleProxy>(*program.module).getManager();
    if (any_of(program.kernels, is_saved)) {
        program.error = "work-groups are lowered once, by passes in a fixed order";
        return;
    }
    for (Kernel &kernel : program.kernels)
        find_unwritten_arguments(kernel);
    for (Kernel &kernel : program.kernels) {
        KernelLowering lowering;
        if (auto known = choose_sub_group_size(kernel, target); !known) {
            program.error = known.error();
            return;
        }
        lowering.work_item = make_work_item(kernel, has_copy_engine(target));
        if (lowering.work_item.copies_by_engine &&
            !is_contained(program.needed_extensions, RVL_COPY_EXTENSION))
            program.needed_extensions.push_back(RVL_COPY_EXTENSION);
        Function &work_item = *lowering.work_item.function;
        if (has_lanes(program, target))
            expand_array_intrinsics(work_item);
        verify_after("work-item", work_item);
        run_stage(PassStage::work_item, work_item, functions);
        kernel.local_bytes = lowering.work_item.local_bytes;
        kernel.private_bytes = private_bytes(work_item);
        save_lowering("rvl-work-items", kernel, lowering);
    }
}

} // namespace rivulet::compiler
