// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/kernel_version.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/lowering/known_arguments.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr StringLiteral required_size = "reqd_work_group_size";

// What may round, or give zeros another sign, in another way if code around it changes. Versions
// differ in code: how many iterations a loop has, for example, decides in which order a sum is
// added up if that is free.
bool has_several_results(const Instruction &instruction) {
    const auto *operation = dyn_cast<FPMathOperator>(&instruction);
    return operation && (operation->hasAllowReassoc() || operation->hasAllowContract() ||
                         operation->hasAllowReciprocal() || operation->hasApproxFunc() ||
                         operation->hasNoSignedZeros());
}

bool is_kernel(const Function &function) {
    return function.getCallingConv() == CallingConv::SPIR_KERNEL && !function.isDeclaration();
}

// Another kernel is a plain function if our kernel calls it.
void demote(Function &kernel) {
    if (kernel.use_empty()) {
        kernel.eraseFromParent();
        return;
    }
    kernel.setCallingConv(CallingConv::SPIR_FUNC);
    kernel.setLinkage(GlobalValue::InternalLinkage);
    for (User *user : kernel.users())
        if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &kernel)
            call->setCallingConv(CallingConv::SPIR_FUNC);
}

} // namespace

std::expected<void, std::string> make_version(Module &module, const KernelVersion &version) {
    const auto refuse = [&](const char *why) {
        return std::unexpected(formatv("error: -rvl-kernel={}: {}\n", version.kernel, why).str());
    };
    Function *kernel = module.getFunction(version.kernel);
    if (!kernel || !is_kernel(*kernel))
        return refuse("the program has no such kernel");
    const bool has_size = version.local_size[0] != 0;
    if (has_size && kernel->hasMetadata(required_size))
        return refuse("its local size is known without -rvl-local-size=");
    for (Function &function : make_early_inc_range(module))
        if (&function != kernel && is_kernel(function))
            demote(function);
    for (const Function &function : module)
        if (any_of(instructions(function), has_several_results))
            return refuse("the program's floating-point options leave its results open");
    for (const KernelVersion::Argument &known : version.arguments) {
        if (known.index >= kernel->arg_size())
            return refuse("it has fewer arguments than -rvl-image= or -rvl-sampler= say");
        kernel->addParamAttr(known.index,
                             Attribute::get(module.getContext(),
                                            known.is_sampler ? sampler_mark : image_mark,
                                            known.values));
    }
    if (!has_size)
        return {};
    SmallVector<Metadata *> sizes;
    for (const uint32_t size : version.local_size)
        sizes.push_back(
            ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(module.getContext()), size)));
    kernel->setMetadata(required_size, MDNode::get(module.getContext(), sizes));
    return {};
}

} // namespace rivulet::compiler
