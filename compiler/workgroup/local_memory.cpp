// SPDX-License-Identifier: Apache-2.0
//
// Lowers accesses whose meaning depends on the hart that runs a work-group. Atomics on local memory
// become plain accesses: one hart runs the whole group, and no other one accesses its local memory,
// so LLVM may combine and move them. Queries of address spaces compare with the hart's own memory.
// Then stage kernel simplifies the function.
//
// Takes the kernels that rvl-group-loops left, and is the last pass that needs the order of passes
// over work-groups. It must run after lanes are made: an atomic on local memory orders lanes until
// then.
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "compiler/analysis/kept_calls.h"
#include "compiler/support/passes.h"
#include "compiler/support/program_pass.h"
#include "compiler/support/verification.h"
#include "compiler/workgroup/kernel_lowering.h"
#include "compiler/workgroup/launch_values.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(LocalMemoryPass);

namespace {

void lower_local_atomics(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        if (auto *update = dyn_cast<AtomicRMWInst>(&instruction);
            update && update->getPointerAddressSpace() == local_space)
            lowerAtomicRMWInst(update);
        else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
                 exchange && exchange->getPointerAddressSpace() == local_space)
            lowerAtomicCmpXchgInst(exchange);
        else if (auto *load = dyn_cast<LoadInst>(&instruction);
                 load && load->getPointerAddressSpace() == local_space)
            load->setAtomic(AtomicOrdering::NotAtomic);
        else if (auto *store = dyn_cast<StoreInst>(&instruction);
                 store && store->getPointerAddressSpace() == local_space)
            store->setAtomic(AtomicOrdering::NotAtomic);
    }
}

} // namespace

void LocalMemoryPass::lower(Program &program, const Target &, ModuleAnalysisManager &analyses) {
    FunctionAnalysisManager &functions =
        analyses.getResult<FunctionAnalysisManagerModuleProxy>(*program.module).getManager();
    for (Function &function : *program.module)
        if (is_kept_call(function))
            lower_local_atomics(function);
    for (const Kernel &kernel : program.kernels) {
        auto lowering = lowering_after("rvl-group-loops", kernel, program);
        if (!lowering)
            return;
        for (Function *function : {lowering->functions.kernel, lowering->functions.uneven})
            if (function) {
                lower_address_space_queries(*function);
                lower_local_atomics(*function);
                verify_after("local-memory", *function);
                run_stage(PassStage::kernel, *function, functions);
            }
        forget_lowering(kernel);
    }
}

} // namespace rivulet::compiler
