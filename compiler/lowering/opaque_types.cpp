// SPDX-License-Identifier: Apache-2.0
//
// Replaces OpenCL's opaque types throughout a module, which LLVM's backends can't handle: image_t
// becomes a pointer to its descriptor in global memory, sampler_t its bits, event_t a pointer. The
// functions that convert between the two (__rivulet_image and the like) disappear. What comes from
// SPIR-V has pointers for all of them; its calls of the built-in library are made to fit.
//
// Runs before inlining, on the program with the library linked: parameters of both sides change
// together.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/lowering/type_rewriter.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(OpaqueTypesPass);

namespace {

using llvm::Type;

Type *without_opaque(Type *type) {
    auto *target = llvm::dyn_cast<llvm::TargetExtType>(type);
    if (!target)
        return type;
    if (target->getName() == "spirv.Sampler")
        return Type::getInt32Ty(type->getContext());
    return llvm::PointerType::get(type->getContext(), global_space);
}

bool is_bits(Type *type) { return type->isPointerTy() || type->isIntegerTy(); }

// Whether the built-in library, or clang, declares the function to convert an opaque type to its
// representation or back. A program may declare other functions of such a name.
bool is_conversion(const llvm::Function &function) {
    if (!function.isDeclaration() || function.arg_size() != 1 ||
        !is_bits(function.getReturnType()) || !is_bits(function.getArg(0)->getType()))
        return false;
    llvm::StringRef name = function.getName();
    if (name == "__translate_sampler_initializer")
        return true;
    name.consume_front("_Z");
    name = name.drop_while(llvm::isDigit);
    return name.starts_with("__rivulet_image") || name.starts_with("__rivulet_sampler") ||
           name.starts_with("__rivulet_event") || name.starts_with("__rivulet_make_event") ||
           name.starts_with("__rivulet_opaque");
}

// Converts one representation of an opaque value to another.
llvm::Value *cast_to(llvm::IRBuilderBase &builder, llvm::Value *value, Type *type) {
    if (value->getType() == type)
        return value;
    if (value->getType()->isIntegerTy())
        return builder.CreateIntToPtr(value, type);
    return type->isIntegerTy() ? builder.CreatePtrToInt(value, type)
                               : builder.CreateAddrSpaceCast(value, type);
}

// In SPIR-V's modules pointers stand for opaque types, so calls of the built-in library pass one
// thing for another.
void match_call(llvm::CallInst &call, llvm::Function &callee) {
    llvm::FunctionType *type = callee.getFunctionType();
    const auto matches = [](Type *one, Type *other) {
        return one == other || (is_bits(one) && is_bits(other));
    };
    if (type->getNumParams() != call.arg_size() || type->isVarArg() ||
        !matches(type->getReturnType(), call.getType()) ||
        !llvm::all_of(llvm::zip(type->params(), call.args()), [&](auto pair) {
            return matches(std::get<0>(pair), std::get<1>(pair)->getType());
        }))
        return;
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::Value *> arguments;
    for (auto [wanted, argument] : llvm::zip(type->params(), call.args()))
        arguments.push_back(cast_to(builder, argument, wanted));
    llvm::CallInst *result = builder.CreateCall(&callee, arguments);
    result->setCallingConv(callee.getCallingConv());
    call.replaceAllUsesWith(cast_to(builder, result, call.getType()));
    call.eraseFromParent();
}

} // namespace

void OpaqueTypesPass::lower(Program &program, const Target &, llvm::ModuleAnalysisManager &) {
    if (would_replace_types(program, without_opaque))
        replace_types(program, without_opaque);
    for (llvm::Function &function : llvm::make_early_inc_range(*program.module)) {
        const bool goes = is_conversion(function);
        for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
            auto *call = llvm::dyn_cast<llvm::CallInst>(user);
            if (!call || call->getCalledOperand() != &function)
                continue;
            if (goes) {
                llvm::IRBuilder<> builder(call);
                call->replaceAllUsesWith(cast_to(builder, call->getArgOperand(0), call->getType()));
                call->eraseFromParent();
            } else if (call->getFunctionType() != function.getFunctionType()) {
                match_call(*call, function);
            }
        }
        if (goes && function.use_empty())
            function.eraseFromParent();
    }
}

} // namespace rivulet::compiler
