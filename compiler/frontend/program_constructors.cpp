// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/program_constructors.h"

#include <map>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/FormatVariadic.h>

#include "hal/protocol/initialiser.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Takes the functions that `list`, llvm.global_ctors or llvm.global_dtors, has out of the module's
// lists, in the order in which they run.
std::vector<Function *> take_list(Module &module, StringRef list) {
    GlobalVariable *variable = module.getNamedGlobal(list);
    if (!variable)
        return {};
    std::multimap<uint64_t, Function *> by_priority; // in the list's order where that is the same
    if (auto *rows = dyn_cast<ConstantArray>(variable->getInitializer()))
        for (const llvm::Use &row : rows->operands()) {
            auto *fields = cast<ConstantStruct>(row);
            if (auto *function = dyn_cast<Function>(fields->getOperand(1)->stripPointerCasts()))
                by_priority.emplace(cast<ConstantInt>(fields->getOperand(0))->getZExtValue(),
                                    function);
        }
    variable->eraseFromParent();
    std::vector<Function *> functions;
    for (const auto &[priority, function] : by_priority)
        functions.push_back(function);
    return functions;
}

// Destructors would run when the program is released, and write to variables that end with it.
void drop_destructors(Module &module) {
    take_list(module, "llvm.global_dtors");
    Function *registration = module.getFunction("__cxa_atexit");
    if (!registration || !registration->isDeclaration())
        return;
    for (User *user : make_early_inc_range(registration->users()))
        if (auto *call = dyn_cast<CallBase>(user);
            call && call->getCalledFunction() == registration) {
            call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
            call->eraseFromParent();
        }
    if (registration->use_empty())
        registration->eraseFromParent();
}

// Work-items that come to such a variable at the same time would have to wait for each other.
std::string constructed_in_functions(const Module &module) {
    const Function *guard = module.getFunction("__cxa_guard_acquire");
    if (!guard || guard->use_empty())
        return "";
    std::string where;
    if (const auto *call = dyn_cast<Instruction>(*guard->user_begin()))
        if (const DebugLoc &location = call->getDebugLoc())
            where = formatv("{}:{}: ", location->getFilename(), location->getLine());
    return where +
           "error: a static variable of a function needs a constructor or a value that is not "
           "constant; move it to program scope\n";
}

} // namespace

std::expected<void, std::string> gather_constructors(Module &module) {
    if (module.getNamedValue(RVL_INITIALISER))
        return std::unexpected("error: the name " RVL_INITIALISER " is reserved\n");
    if (auto error = constructed_in_functions(module); !error.empty())
        return std::unexpected(std::move(error));
    drop_destructors(module);
    const std::vector<Function *> constructors = take_list(module, "llvm.global_ctors");
    if (constructors.empty())
        return {};
    LLVMContext &context = module.getContext();
    auto *kernel = Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                                    GlobalValue::ExternalLinkage, RVL_INITIALISER, module);
    kernel->setCallingConv(CallingConv::SPIR_KERNEL);
    kernel->setAttributes(constructors.front()->getAttributes());
    IRBuilder<> builder(BasicBlock::Create(context, "entry", kernel));
    for (Function *constructor : constructors) {
        constructor->setCallingConv(CallingConv::SPIR_FUNC); // clang makes them kernels
        constructor->setLinkage(GlobalValue::InternalLinkage);
        builder.CreateCall(constructor)->setCallingConv(CallingConv::SPIR_FUNC);
    }
    builder.CreateRetVoid();
    return {};
}

} // namespace rivulet::compiler
