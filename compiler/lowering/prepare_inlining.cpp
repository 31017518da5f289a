// SPDX-License-Identifier: Apache-2.0
//
// Makes every function internal and always inlined, except for kernels, functions of sub-groups and
// what rvl-keep-calls has marked, because a kernel is vectorised best as one function. Kernels are
// never inlined: clang gives one that is called by another kernel a separate body. High products,
// operations with a rounding mode and, if the hart has them, dot products of bytes and a board's
// own instructions stay calls until after the work-group pass (delayed_inlining.h).
//
// Removes attributes that would prevent inlining. Marks calls so that no pass takes a program's
// `floor` for the C library's function. Without this pass all functions stay calls.
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/analysis/kept_calls.h"
#include "compiler/analysis/sub_group_functions.h"
#include "compiler/lowering/dot_products.h"
#include "compiler/lowering/mulhi_lowering.h"
#include "compiler/lowering/rounding_modes.h"
#include "compiler/lowering/vendor_instructions.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(PrepareInliningPass);

namespace {

// A variable's location without DW_OP_xderef: a hart has one address space, and gdb doesn't know
// clang's numbers of the others.
llvm::DIExpression *in_one_address_space(llvm::DIExpression *location) {
    llvm::ArrayRef<uint64_t> words = location->getElements();
    if (words.size() < 4 || words.back() != llvm::dwarf::DW_OP_xderef)
        return location;
    return llvm::DIExpression::get(location->getContext(), words.drop_back(4));
}

void forget_address_spaces(llvm::Instruction &instruction) {
    for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
        record.setExpression(in_one_address_space(record.getExpression()));
}

// Of a program's variable: what the variable and its compile unit refer to is changed in place.
void forget_address_spaces(llvm::DIGlobalVariableExpression &variable) {
    constexpr unsigned location = 1; // operand
    variable.replaceOperandWith(location, in_one_address_space(variable.getExpression()));
}

} // namespace

void PrepareInliningPass::lower(Program &program, const Target &target,
                                llvm::ModuleAnalysisManager &) {
    for (llvm::Function &function : *program.module) {
        const bool is_kernel = llvm::any_of(
            program.kernels, [&](const Kernel &kernel) { return kernel.function == &function; });
        function.setCallingConv(llvm::CallingConv::C);
        for (llvm::Instruction &instruction : llvm::instructions(function)) {
            forget_address_spaces(instruction);
            if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
                call->setCallingConv(llvm::CallingConv::C);
                call->removeFnAttr(llvm::Attribute::NoInline);
                // No pass may take it for the C library's function of that name.
                if (!llvm::isa<llvm::IntrinsicInst>(call))
                    call->addFnAttr(llvm::Attribute::NoBuiltin);
            }
        }
        if (function.isDeclaration() || is_kernel)
            continue;
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
        function.removeFnAttr(llvm::Attribute::NoInline);
        function.removeFnAttr(llvm::Attribute::OptimizeNone);
        const bool stays = is_kept_call(function) || is_sub_group_function(function);
        function.addFnAttr(stays ? llvm::Attribute::NoInline : llvm::Attribute::AlwaysInline);
        if (llvm::DISubprogram *subprogram = function.getSubprogram())
            subprogram->replaceRawLinkageName(nullptr); // debuggers show it instead of the name
    }
    for (const llvm::DICompileUnit *unit : program.module->debug_compile_units())
        for (llvm::DIGlobalVariableExpression *variable : unit->getGlobalVariables())
            forget_address_spaces(*variable);
    delay_mulhi(*program.module);
    delay_dot_products(*program.module, target.machine->getTargetFeatureString());
    keep_directed_operations(*program.module);
    if (auto delayed = delay_vendor_instructions(program, target); !delayed)
        program.error = delayed.error();
    // llvm.used and llvm.compiler.used, which list symbols with __attribute__((used)), must append.
    for (llvm::GlobalVariable &variable : program.module->globals())
        if (!variable.isDeclaration() && !variable.hasAppendingLinkage())
            variable.setLinkage(llvm::GlobalValue::InternalLinkage);
}

} // namespace rivulet::compiler
