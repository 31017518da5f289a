// SPDX-License-Identifier: Apache-2.0
//
// Kernels for buffers beyond 2 GiB (-rvl-large-buffers). Code that may count on small buffers
// (work_items/small_buffers.h) is the faster one, so each kernel is there twice, and the host calls
// the version that goes with the buffers of a launch. Both are in one image: they share the
// program's variables.
#include "compiler/lowering/large_buffers.h"

#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/lowering/sanitizer_accesses.h"
#include "compiler/support/program_pass.h"
#include "compiler/work_items/launch_end.h"
#include "compiler/work_items/small_buffers.h"
#include "hal/protocol/sanitizer.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(LargeBuffersPass);

namespace {

// Scalar code has addresses of 64 bits as the source computes them. Bounds in the launch record are
// numbers of 32 bits. Whatever the code, 32-bit addresses reach no large buffers.
bool counts_on_small_buffers(const Kernel &kernel, const Program &program, const Target &target) {
    const bool has_lanes = target.min_vlen != 0 && program.vectorise == Vectorise::spmd;
    return has_lanes || is_sanitized(*kernel.function);
}

// The record has room for fewer bounds of 64 bits; what the others point to is looked up.
void number_bounds(Function &kernel) {
    for (llvm::Argument &argument : kernel.args()) {
        unsigned number = 0;
        const Attribute bounds =
            kernel.getAttributes().getParamAttr(argument.getArgNo(), bounds_mark);
        if (bounds.isValid() && !bounds.getValueAsString().getAsInteger(10, number) &&
            number >= RVL_MAX_LARGE_BOUNDS)
            kernel.removeParamAttr(argument.getArgNo(), bounds_mark);
    }
}

Kernel large_version(const Kernel &kernel) {
    Kernel version = kernel;
    version.name += large_suffix.str();
    ValueToValueMapTy map;
    version.function = CloneFunction(kernel.function, map);
    version.function->setName(version.name);
    version.function->addFnAttr(large_buffers_mark);
    version.takes_large_buffers = true;
    number_bounds(*version.function);
    return version;
}

} // namespace

bool is_large_version(const Function &kernel) { return !promises_small_buffers(kernel); }

void LargeBuffersPass::lower(Program &program, const Target &target, ModuleAnalysisManager &) {
    if (target.xlen == 32)
        return;
    std::vector<Kernel> kernels;
    for (Kernel &kernel : program.kernels) {
        const bool needs_version = counts_on_small_buffers(kernel, program, target);
        kernel.flags |= needs_version ? 0 : RVL_KERNEL_LARGE_BUFFERS;
        kernels.push_back(kernel);
        if (needs_version)
            kernels.push_back(large_version(kernel));
    }
    program.kernels = std::move(kernels);
}

} // namespace rivulet::compiler
