// SPDX-License-Identifier: Apache-2.0
//
// Computes the indices of segment accesses for the lanes of the access only. LLVM's VL optimizer
// knows that other instructions take as many lanes of an operand as they access, but nothing of
// indexed segment accesses: what their indices are made of runs with the largest VL, and VL is set
// to it and back around each of them. The operations get the access's length themselves here, as VP
// intrinsics, where nothing demands more lanes of them (DemandedVl).
//
// Runs on the copy of the module that code is generated from, because other passes look for plain
// operations.
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsRISCV.h>

#include "compiler/rvv/ir/demanded_vl.h"
#include "compiler/rvv/ir/vector_liveness.h"
#include "compiler/support/function_pass.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_FUNCTION_PASS(IndexLengthsPass);

namespace {

// The index of an indexed segment access; null for other instructions.
Value *segment_index(const Instruction &instruction) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
        return nullptr;
    const StringRef name = call->getCalledFunction()->getName();
    if (!name.starts_with("llvm.riscv.vluxseg") && !name.starts_with("llvm.riscv.vloxseg") &&
        !name.starts_with("llvm.riscv.vsuxseg") && !name.starts_with("llvm.riscv.vsoxseg"))
        return nullptr;
    return call->getArgOperand(2); // behind the tuple and the address
}

bool is_operation(const Instruction &instruction) {
    switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor: {
        auto *type = dyn_cast<ScalableVectorType>(instruction.getType());
        return type && is_plain(*type);
    }
    default:
        return false;
    }
}

// The operations that indices are made of, in any order, and phi nodes between them.
SmallSetVector<Instruction *, 16> parts_of_indices(Function &function) {
    SmallSetVector<Instruction *, 16> parts;
    const auto add = [&](Value *value) {
        if (auto *part = dyn_cast<Instruction>(value);
            part && part->getType()->isVectorTy() && (isa<PHINode>(part) || is_operation(*part)))
            parts.insert(part);
    };
    for (Instruction &instruction : instructions(function))
        if (Value *index = segment_index(instruction))
            add(index);
    for (size_t i = 0; i < parts.size(); ++i)
        for (Value *operand : parts[i]->operands())
            add(operand);
    return parts;
}

void set_length(Instruction &operation, IntrinsicInst &length) {
    IRBuilder<> builder(&operation);
    auto *type = cast<VectorType>(operation.getType());
    Value *lanes = builder.CreateZExtOrTrunc(&length, builder.getInt32Ty());
    Value *all = builder.CreateVectorSplat(type->getElementCount(), builder.getTrue());
    Value *limited =
        builder.CreateIntrinsic(VPIntrinsic::getForOpcode(operation.getOpcode()), {type},
                                {operation.getOperand(0), operation.getOperand(1), all, lanes});
    limited->takeName(&operation);
    operation.replaceAllUsesWith(limited);
    operation.eraseFromParent();
}

} // namespace

PreservedAnalyses IndexLengthsPass::run(Function &function, FunctionAnalysisManager &) {
    const SmallSetVector<Instruction *, 16> parts = parts_of_indices(function);
    if (parts.empty())
        return PreservedAnalyses::all();
    const DominatorTree dominators(function);
    const DemandedVl lengths(function, dominators);
    SmallVector<std::pair<Instruction *, IntrinsicInst *>> limited;
    for (Instruction *part : parts)
        if (IntrinsicInst *length = isa<PHINode>(part) ? nullptr : lengths.of(*part);
            length && dominators.dominates(length, part))
            limited.emplace_back(part, length);
    for (auto [part, length] : limited)
        set_length(*part, *length);
    return preserved_unless(!limited.empty());
}

} // namespace rivulet::compiler
