// SPDX-License-Identifier: Apache-2.0
//
// Guards integer divisions on the host. There, division by zero, and of the least number by -1, is
// a signal that ends the application whose kernel runs; OpenCL C promises that it causes no
// exception (6.3.a). The guarded divisions return what RISC-V's instructions do (Unprivileged ISA,
// M extension), so kernels give the same results on both.
//
// Runs before anything is simplified: LLVM may remove code that leads to an undefined division.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(DivisionGuardsPass);

namespace {

bool is_division(const Instruction &instruction) {
    switch (instruction.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
        return true;
    default:
        return false;
    }
}

// Replaces a divisor that traps by 1 and selects the result afterwards: no branches, so vectors
// work.
void guard(BinaryOperator &division) {
    Value *dividend = division.getOperand(0);
    Value *divisor = division.getOperand(1);
    Type *type = division.getType();
    if (auto *known = dyn_cast<ConstantInt>(divisor);
        known && !known->isZero() && !known->isMinusOne())
        return;
    const bool is_signed =
        division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
    const bool is_quotient =
        division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::UDiv;
    Constant *ones = Constant::getAllOnesValue(type);

    IRBuilder<> builder(&division);
    Value *zero = builder.CreateIsNull(divisor);
    Value *negates = is_signed ? builder.CreateICmpEQ(divisor, ones) : nullptr;
    Value *traps = is_signed ? builder.CreateOr(zero, negates) : zero;
    division.setOperand(1, builder.CreateSelect(traps, ConstantInt::get(type, 1), divisor));

    builder.SetInsertPoint(division.getNextNode());
    Value *result = &division;
    SmallVector<Use *> uses(map_range(division.uses(), [](Use &use) { return &use; }));
    if (is_signed && is_quotient)
        result = builder.CreateSelect(negates, builder.CreateNeg(dividend), result);
    result = builder.CreateSelect(zero, is_quotient ? ones : dividend, result);
    for (Use *use : uses)
        use->set(result);
}

} // namespace

void DivisionGuardsPass::lower(Program &program, const Target &, ModuleAnalysisManager &) {
    for (Function &function : *program.module)
        for (Instruction &instruction : make_early_inc_range(instructions(function)))
            if (is_division(instruction))
                guard(cast<BinaryOperator>(instruction));
}

} // namespace rivulet::compiler
