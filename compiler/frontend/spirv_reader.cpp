// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/spirv_reader.h"

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include "compiler/frontend/spirv_fault.h"
#include "compiler/frontend/spirv_rewriter.h"
#include "compiler/support/child_program.h"
#include "compiler/support/memory_file.h"
#include "compiler/work_items/work_group_builtin_table.h"
#include "hal/protocol/compile.h"

namespace rivulet::compiler {
namespace {

using spirv::Words;
using Error = std::unexpected<std::string>;

// The layout as clang spells it, so that the built-in library's is the same.
const std::string vector_layout = "v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-"
                                  "v1024:1024-G1";

// What a run of the translator left.
struct Translation {
    std::string bitcode, messages;
    std::string trouble; // how it failed; empty if it didn't
};

// Atomics are called by their names in OpenCL C 2.0: those of 1.2 know no memory order.
Translation translate(const Words &module, const std::string &program) {
    const MemoryFile input("module.spv"), output("module.bc"), messages("log");
    if (!input.write(
            {reinterpret_cast<const char *>(module.data()), module.size() * sizeof module[0]}))
        return {.bitcode = {}, .messages = {}, .trouble = "no memory for the module"};
    std::string trouble =
        run_child_program({program, "-r", "--spirv-target-env=CL2.0",
                           "--spirv-gen-kernel-arg-name-md", input.path(), "-o", output.path()},
                          messages.descriptor());
    return {output.read(), messages.read(), std::move(trouble)};
}

// Not by the limits of a build, which every further run might reach.
bool failed_by_itself(const Translation &translation) {
    return !translation.trouble.empty() && translation.trouble != "signal SIGXCPU" &&
           translation.trouble != "signal SIGKILL";
}

// The first lines of a translator's messages, unless they are about its own sources.
std::string plain_text(std::string text) {
    if (text.contains("Assertion `"))
        return {};
    for (const char *internal : {"UNREACHABLE executed", "PLEASE submit", "Stack dump:"})
        text.resize(std::min(text.find(internal), text.size()));
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.pop_back();
    return text;
}

// Translators fail on valid modules, too, and don't say where.
std::string complaint(const Words &module, const std::string &program, const Translation &failed) {
    const auto fails = [&](const Words &beginning) {
        const auto adapted = adapt_to_llvm_spirv(beginning, DebugInformation::dropped);
        return !adapted || !translate(*adapted, program).trouble.empty();
    };
    const std::string place = failed_by_itself(failed) ? find_spirv_fault(module, fails) : "";
    const std::string text = plain_text(failed.messages);
    return program + " cannot translate " + (place.empty() ? "it" : place) +
           (text.empty() ? "" : ": " + text) + " (" + failed.trouble + ")";
}

// work_group_reduce_bitwise_and is OpenCL C's work_group_reduce_and, and get_fence takes a pointer
// to void, whatever SPIR-V's pointer is to.
void rename_builtins(llvm::Module &module) {
    constexpr llvm::StringRef superfluous = "bitwise_", fence = "_Z9get_fencePU3AS4Kv";
    for (llvm::Function &function : llvm::make_early_inc_range(module)) {
        const llvm::StringRef name = unmangled_name(function.getName());
        if (function.isDeclaration() && name == "get_fence" && function.getName() != fence) {
            if (llvm::Function *known = module.getFunction(fence)) {
                function.replaceAllUsesWith(known);
                function.eraseFromParent();
            } else {
                function.setName(fence);
            }
            continue;
        }
        const size_t at = name.find(superfluous);
        if (!function.isDeclaration() || !name.starts_with("work_group_") || at == name.npos)
            continue;
        const std::string plain =
            (name.take_front(at) + name.drop_front(at + superfluous.size())).str();
        function.setName("_Z" + llvm::Twine(plain.size()) + plain +
                         mangled_parameters(function.getName()));
    }
}

bool is_pipe_or_queue(llvm::StringRef type) {
    return type == "queue_t" || type.starts_with("pipe");
}

// OpenCL C's type of that name, for which llvm-spirv left a pointer; null for other names.
llvm::Type *opaque_type(llvm::LLVMContext &context, llvm::StringRef name) {
    if (name == "sampler_t")
        return llvm::TargetExtType::get(context, "spirv.Sampler");
    if (name.starts_with("image"))
        return llvm::TargetExtType::get(context, "spirv.Image", llvm::Type::getVoidTy(context),
                                        {0, 0, 0, 0, 0, 0, 0});
    return nullptr;
}

// Restores the types of a kernel's images and samplers, because the kernel's note is derived from
// them. The body keeps pointers; lower_opaque_types matches them with the types that the built-in
// library takes.
void restore_opaque_arguments(llvm::Function &kernel) {
    const llvm::MDNode *names = kernel.getMetadata("kernel_arg_base_type");
    if (!names || names->getNumOperands() != kernel.arg_size())
        return;
    llvm::SmallVector<llvm::Type *> types;
    llvm::AttributeList attributes = kernel.getAttributes();
    for (const llvm::Argument &argument : kernel.args()) {
        const unsigned index = argument.getArgNo();
        auto *name = llvm::dyn_cast<llvm::MDString>(names->getOperand(index).get());
        llvm::Type *type = name && argument.getType()->isPointerTy()
                               ? opaque_type(kernel.getContext(), name->getString())
                               : nullptr;
        if (type)
            attributes = attributes.removeParamAttributes(kernel.getContext(), index);
        types.push_back(type ? type : argument.getType());
    }
    auto *type = llvm::FunctionType::get(kernel.getReturnType(), types, kernel.isVarArg());
    if (type == kernel.getFunctionType())
        return;
    auto *typed = llvm::Function::Create(type, kernel.getLinkage(), "", kernel.getParent());
    typed->copyAttributesFrom(&kernel);
    typed->setAttributes(attributes);
    typed->copyMetadata(&kernel, 0);
    typed->takeName(&kernel);
    typed->splice(typed->begin(), &kernel);
    llvm::IRBuilder<> builder(&*typed->getEntryBlock().getFirstInsertionPt());
    for (auto [pointer, argument] : llvm::zip(kernel.args(), typed->args())) {
        argument.takeName(&pointer);
        llvm::Value *value = &argument;
        if (pointer.getType() != argument.getType())
            value = builder.CreateCall(
                llvm::Function::Create(
                    llvm::FunctionType::get(pointer.getType(), argument.getType(), false),
                    llvm::Function::ExternalLinkage, "__rivulet_opaque", typed->getParent()),
                value);
        pointer.replaceAllUsesWith(value);
    }
    kernel.replaceAllUsesWith(
        llvm::PoisonValue::get(kernel.getType())); // no code calls an entry point
    kernel.eraseFromParent();
}

// Arguments come from the launch's bytes, which the host has set, and no code calls an entry point:
// no argument is undefined. clang says so for OpenCL C, SPIR-V has no word for it. Without this,
// conditions on arguments stay selects and branches, because `and` would spread poison.
void mark_arguments_defined(llvm::Function &kernel) {
    for (llvm::Argument &argument : kernel.args())
        if (!argument.getType()->isTargetExtTy())
            argument.addAttr(llvm::Attribute::NoUndef);
}

// LinkOnceODR: another module of the program may import the function, so that it has to stay in
// an object even if this module doesn't use it. LLVM's linkonce_odr allows to drop it.
void keep_for_other_modules(llvm::Module &module) {
    for (llvm::GlobalObject &object : module.global_objects())
        if (object.hasLinkOnceODRLinkage())
            object.setLinkage(llvm::GlobalValue::WeakODRLinkage);
}

std::expected<void, std::string> check_module(const llvm::Module &module, const Target &target) {
    std::string complaints;
    llvm::raw_string_ostream stream(complaints);
    if (llvm::verifyModule(module, &stream))
        return Error(complaints);
    if (module.getTargetTriple().isArch64Bit() != (target.xlen == 64))
        return Error("its addresses are not of the device's size");
    for (const llvm::Function &function : module)
        if (const llvm::MDNode *types = function.getMetadata("kernel_arg_base_type"))
            for (const llvm::MDOperand &type : types->operands())
                if (auto *name = llvm::dyn_cast<llvm::MDString>(type.get());
                    name && is_pipe_or_queue(name->getString()))
                    return Error("kernel '" + function.getName().str() + "' takes " +
                                 name->getString().str() + ", which the device has not");
    return {};
}

std::expected<std::unique_ptr<llvm::Module>, std::string>
read(llvm::LLVMContext &context, std::string_view spirv, const Target &target) {
    if (!is_spirv(spirv))
        return Error("it has no header");
    Words words(spirv.size() / sizeof(uint32_t));
    memcpy(words.data(), spirv.data(), spirv.size());
    const std::string program = rvl_find_llvm_spirv(secure_getenv(RVL_LLVM_SPIRV_VARIABLE));
    const auto adapted = adapt_to_llvm_spirv(words);
    if (!adapted)
        return Error(adapted.error());
    Translation translation = translate(*adapted, program);
    if (failed_by_itself(translation))
        if (const auto plain = adapt_to_llvm_spirv(words, DebugInformation::dropped);
            plain && *plain != *adapted)
            translation = translate(*plain, program);
    if (!translation.trouble.empty())
        return Error(complaint(words, program, translation));
    auto module =
        llvm::parseBitcodeFile(llvm::MemoryBufferRef(translation.bitcode, "SPIR-V"), context);
    if (!module)
        return Error(llvm::toString(module.takeError()));
    if (auto fine = check_module(**module, target); !fine)
        return Error(fine.error());
    rename_builtins(**module);
    keep_for_other_modules(**module);
    for (llvm::GlobalVariable &variable : (*module)->globals()) // formats of printf, for one
        if (variable.getAddressSpace() == constant_space)
            variable.setConstant(true);
    // As clang marks those of OpenCL C: SPIR-V's functions may all be barriers.
    for (llvm::Function &function : **module)
        if (!function.isIntrinsic())
            function.setConvergent();
    for (llvm::Function &function : llvm::make_early_inc_range(**module))
        if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL &&
            !function.isDeclaration()) {
            mark_arguments_defined(function);
            restore_opaque_arguments(function);
        }
    (*module)->setDataLayout((target.xlen == 64 ? "e-i64:64-" : "e-p:32:32-i64:64-") +
                             vector_layout);
    return std::move(*module);
}

} // namespace

bool is_spirv(std::string_view bytes) {
    uint32_t first = 0;
    memcpy(&first, bytes.data(), std::min(bytes.size(), sizeof first));
    return first == spirv::magic && bytes.size() % sizeof first == 0 &&
           bytes.size() >= spirv::header_words * sizeof first;
}

std::expected<std::unique_ptr<llvm::Module>, std::string>
read_spirv(llvm::LLVMContext &context, std::string_view spirv, const Target &target) {
    auto module = read(context, spirv, target);
    if (!module)
        return Error("rivulet-cc: the SPIR-V module can't be compiled: " + module.error() + "\n");
    return module;
}

} // namespace rivulet::compiler
