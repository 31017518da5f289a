// SPDX-License-Identifier: Apache-2.0
//
// Checks functions with __attribute__((rivulet_sub_group)), and that nothing else has vectors of
// the hart. Work-items are lanes of the vectors that this compiler makes. Code that names vector
// registers itself, by riscv_vector.h or in assembly, therefore belongs to no work-item, but to a
// sub-group: it is in a function that is called once for all of them, with arguments that are the
// same for all of them. spmd/analysis/lane_analyses.cpp rejects other calls.
//
// Such a function has no work-item, so it can't ask for ids or call functions of the work-group. It
// stays a function until work-items are lanes; rvl-inline-operations then inlines it.
//
// Without this pass such code would be vectorised once more, or crash LLVM.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/analysis/sub_group_functions.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(SubGroupFunctionsPass);

namespace {

bool is_hart_vector(const Type *type) {
    if (auto *target = dyn_cast<TargetExtType>(type))
        return target->getName() == "riscv.vector.tuple";
    if (auto *structure = dyn_cast<StructType>(type))
        return any_of(structure->elements(), is_hart_vector);
    return isa<ScalableVectorType>(type);
}

// The constraints vr, vd and vm.
bool names_vector_registers(const InlineAsm &assembly) {
    return any_of(assembly.ParseConstraints(), [](const InlineAsm::ConstraintInfo &operand) {
        return operand.Type != InlineAsm::isClobber && any_of(operand.Codes, [](StringRef code) {
                   return code == "vr" || code == "vd" || code == "vm";
               });
    });
}

bool uses_hart_vectors(const Instruction &instruction) {
    if (is_hart_vector(instruction.getType()))
        return true;
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
        if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
            return names_vector_registers(*assembly);
        if (const Function *callee = call->getCalledFunction();
            callee && callee->getName().starts_with("llvm.riscv.vset"))
            return true;
    }
    return any_of(instruction.operand_values(),
                  [](const Value *value) { return is_hart_vector(value->getType()); });
}

class SubGroupCheck {
public:
    std::string error; // of the first mistake

    // The attribute may come before `kernel`, when clang doesn't know yet what it is for.
    void check_kernel(Function &kernel) {
        if (!error.empty() || !is_sub_group_function(kernel))
            return;
        if (const DISubprogram *place = kernel.getSubprogram())
            error = formatv("{}:{}: ", place->getFilename(), place->getLine()).str();
        error += "error: rivulet_sub_group is for functions that kernels call\n";
    }

    // What the kernel calls, without functions of sub-groups.
    void check_work_item(Function &function) {
        if (!error.empty() || !seen_.insert(&function).second)
            return;
        for (Instruction &instruction : instructions(function)) {
            if (uses_hart_vectors(instruction))
                fail(instruction, "the hart's vectors belong to all work-items of a sub-group: "
                                  "use them in a function with __attribute__((rivulet_sub_group))");
            auto *call = dyn_cast<CallBase>(&instruction);
            Function *callee = call ? call->getCalledFunction() : nullptr;
            if (callee && !callee->isDeclaration() && !is_sub_group_function(*callee))
                check_work_item(*callee);
        }
    }

    // What a sub-group's function calls.
    void check_sub_group(Function &function) {
        if (!error.empty() || !of_sub_group_.insert(&function).second)
            return;
        for (Instruction &instruction : instructions(function)) {
            auto *call = dyn_cast<CallBase>(&instruction);
            if (auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
                assembly && names_vector_registers(*assembly) && !has_hart_vector(*call))
                fail(instruction, "operands of vr, vd and vm are vectors of the hart, such as "
                                  "vint32m1_t");
            Function *callee = call ? call->getCalledFunction() : nullptr;
            if (!callee || isa<IntrinsicInst>(call))
                continue;
            if (callee->isDeclaration())
                fail(instruction, "a function of a sub-group has no work-item, and can't call '" +
                                      name_of(*callee) + "': pass what it needs as an argument");
            else
                check_sub_group(*callee);
        }
    }

private:
    static bool has_hart_vector(const CallBase &call) {
        return is_hart_vector(call.getType()) || any_of(call.args(), [](const Use &operand) {
                   return is_hart_vector(operand->getType());
               });
    }

    static std::string name_of(const Function &function) { // without parameters
        return StringRef(demangle(function.getName())).split('(').first.str();
    }

    void fail(const Instruction &instruction, const std::string &why) {
        if (!error.empty())
            return;
        if (const DebugLoc &place = instruction.getDebugLoc())
            error = formatv("{}:{}: ", place->getFilename(), place.getLine()).str();
        error += "error: " + why + "\n";
    }

    SmallPtrSet<const Function *, 16> seen_, of_sub_group_;
};

} // namespace

void SubGroupFunctionsPass::lower(Program &program, const Target &, ModuleAnalysisManager &) {
    SubGroupCheck check;
    for (const Kernel &kernel : program.kernels) {
        check.check_kernel(*kernel.function);
        check.check_work_item(*kernel.function);
    }
    for (Function &function : *program.module) {
        if (!is_sub_group_function(function) || function.isDeclaration())
            continue;
        check.check_sub_group(function);
        function.setConvergent();
        function.setDoesNotThrow();
    }
    program.error = check.error;
}

} // namespace rivulet::compiler
