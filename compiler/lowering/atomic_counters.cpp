// SPDX-License-Identifier: Apache-2.0
//
// Lowers cl_ext_atomic_counters_32 and _64: atomic_inc and atomic_dec of a counter become atomic
// additions to its word in the launch's words. Clang has no counter type, so the prelude makes
// counters of multi-sampled image types, which no program may use otherwise; the mangled name of
// the parameter tells these calls from those for pointers.
//
// Runs after rvl-opaque-types, which turns a counter into a pointer to its word. Without this pass
// the calls are undefined functions.
#include "compiler/lowering/atomic_counters.h"

#include <llvm/IR/IRBuilder.h>

#include "compiler/support/program_pass.h"
#include "compiler/work_items/work_group_builtin_table.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(AtomicCountersPass);

namespace {

void replace_calls(llvm::Function &function, llvm::AtomicRMWInst::BinOp operation) {
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
        auto *call = llvm::cast<llvm::CallInst>(user);
        llvm::IRBuilder<> builder(call);
        const unsigned bytes = call->getType()->getIntegerBitWidth() / 8;
        call->replaceAllUsesWith(builder.CreateAtomicRMW(
            operation, call->getArgOperand(0), llvm::ConstantInt::get(call->getType(), 1),
            llvm::Align(bytes), llvm::AtomicOrdering::Monotonic));
        call->eraseFromParent();
    }
    function.eraseFromParent();
}

} // namespace

bool is_count(const llvm::Function &function, llvm::StringRef name) {
    return function.isDeclaration() && unmangled_name(function.getName()) == name &&
           mangled_parameters(function.getName()).contains("msaa");
}

uint32_t counter_bytes(const llvm::Type &type) {
    auto *image = llvm::dyn_cast<llvm::TargetExtType>(&type);
    // The integer parameters of SPIR-V's OpTypeImage: dimension, depth, arrayed, multi-sampled, …
    if (!image || image->getName() != "spirv.Image" || image->getIntParameter(3) == 0)
        return 0;
    return image->getIntParameter(2) ? 8 : 4;
}

void AtomicCountersPass::lower(Program &program, const Target &, llvm::ModuleAnalysisManager &) {
    for (llvm::Function &function : llvm::make_early_inc_range(*program.module)) {
        if (is_count(function, "atomic_inc"))
            replace_calls(function, llvm::AtomicRMWInst::Add);
        else if (is_count(function, "atomic_dec"))
            replace_calls(function, llvm::AtomicRMWInst::Sub);
    }
}

} // namespace rivulet::compiler
