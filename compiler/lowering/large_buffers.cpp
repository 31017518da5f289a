// SPDX-License-Identifier: Apache-2.0
//
// Clones kernels for buffers beyond 2 GiB (-rvl-large-buffers). Code that may assume small buffers
// (work_items/small_buffers.h) is faster, because offsets fit into 32 bits. So each kernel gets a
// second version without that assumption, and the host calls the one that fits the buffers of a
// launch. Both are in one image, because they share the program's variables.
//
// Runs on inlined kernels, before work-items are made of them. A kernel whose code doesn't depend
// on the assumption is flagged instead, and a hart with addresses of 32 bits has no large buffers.
#include "compiler/lowering/large_buffers.h"

#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/support/program_pass.h"
#include "compiler/work_items/launch_end.h"
#include "compiler/work_items/small_buffers.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(LargeBuffersPass);

namespace {

// Scalar code computes addresses of 64 bits as the source does. Lanes have offsets of 32 bits, and
// so have the bounds in the launch record that the address sanitizer compares with.
bool counts_on_small_buffers(const Kernel &kernel, const Program &program, const Target &target) {
    const bool has_lanes = target.min_vlen != 0 && program.vectorise == Vectorise::spmd;
    return has_lanes || is_sanitized(*kernel.function);
}

Kernel large_version(const Kernel &kernel) {
    Kernel version = kernel;
    version.name += large_suffix.str();
    ValueToValueMapTy map;
    version.function = CloneFunction(kernel.function, map);
    version.function->setName(version.name);
    version.function->addFnAttr(large_buffers_mark);
    version.takes_large_buffers = true;
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
