// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/kernel_version.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/lowering/known_arguments.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr StringLiteral required_size = "reqd_work_group_size";

// What may round, or give zeros another sign, in another way if code around it changes. Versions
// differ in code: how many iterations a loop has, for example, decides in which order a sum is
// added up if that is free.
bool has_several_results(const Instruction &instruction) {
    if (match(&instruction, m_Intrinsic<Intrinsic::fmuladd>()))
        return true;
    const auto *operation = dyn_cast<FPMathOperator>(&instruction);
    return operation && (operation->hasAllowReassoc() || operation->hasAllowContract() ||
                         operation->hasAllowReciprocal() || operation->hasApproxFunc() ||
                         operation->hasNoSignedZeros());
}

bool has_fma(const Target &target, const Type &type) {
    const Type &scalar = *type.getScalarType();
    const char *extension = scalar.isFloatTy()    ? "+f,"
                            : scalar.isDoubleTy() ? "+d,"
                            : scalar.isHalfTy()   ? "+zvfh,"
                                                  : nullptr;
    return extension && !target.host &&
           target.machine->getTargetFeatureString().contains(extension);
}

void fuse_additions(Function &function, const Target &target) {
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (match(&instruction, m_Intrinsic<Intrinsic::fmuladd>()) &&
            has_fma(target, *instruction.getType()))
            cast<IntrinsicInst>(instruction)
                .setCalledFunction(Intrinsic::getOrInsertDeclaration(
                    function.getParent(), Intrinsic::fma, {instruction.getType()}));
}

// The functions that a kernel may run, itself included.
SetVector<Function *> reached_from(Function &kernel) {
    SetVector<Function *> reached;
    reached.insert(&kernel);
    for (size_t i = 0; i < reached.size(); ++i)
        for (Instruction &instruction : instructions(*reached[i]))
            for (Value *operand : instruction.operands())
                if (auto *function = dyn_cast<Function>(operand->stripPointerCasts()))
                    reached.insert(function);
    return reached;
}

// The functions that use local memory of the program.
SmallPtrSet<const Function *, 8> users_of_local_memory(const Module &module) {
    SmallPtrSet<const Function *, 8> functions;
    SmallVector<const User *> users;
    for (const GlobalVariable &variable : module.globals())
        if (variable.getAddressSpace() == local_space)
            append_range(users, variable.users());
    while (!users.empty()) {
        const User *user = users.pop_back_val();
        if (auto *instruction = dyn_cast<Instruction>(user))
            functions.insert(instruction->getFunction());
        else
            append_range(users, user->users());
    }
    return functions;
}

// Whether the function tells of the work-group, or works with it.
bool is_of_groups(const Function &function) {
    const StringRef name = function.getName();
    return function.isDeclaration() &&
           (name.contains("group") || name.contains("local") || name.contains("barrier"));
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

// The host asks for versions of kernels that have images, or whose code depends on the size of
// groups: they have local memory, or call functions of groups.
void round_as_versions(Module &module, const Target &target) {
    const auto uses_local_memory = users_of_local_memory(module);
    for (Function &kernel : module) {
        if (!is_kernel(kernel))
            continue;
        const SetVector<Function *> reached = reached_from(kernel);
        const bool may_have_versions =
            any_of(reached,
                   [&](const Function *function) {
                       return is_of_groups(*function) || uses_local_memory.contains(function);
                   }) ||
            any_of(kernel.args(), [](const llvm::Argument &argument) {
                auto *pointer = dyn_cast<PointerType>(argument.getType());
                return argument.getType()->isTargetExtTy() ||
                       (pointer && pointer->getAddressSpace() == local_space);
            });
        if (may_have_versions)
            for (Function *function : reached)
                fuse_additions(*function, target);
    }
}

std::expected<void, std::string> make_version(Module &module, const KernelVersion &version,
                                              const Target &target) {
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
    for (Function &function : module)
        fuse_additions(function, target);
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
