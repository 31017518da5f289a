// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/prepare.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>
#include <llvm/Transforms/Utils/UnifyLoopExits.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Between a vector and something of the same size: by shifts, which the scalariser leaves alone.
void split_bitcasts(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *cast = dyn_cast<BitCastInst>(&instruction);
        if (!cast)
            continue;
        auto *from = dyn_cast<FixedVectorType>(cast->getSrcTy());
        auto *to = dyn_cast<FixedVectorType>(cast->getDestTy());
        if (!from == !to)
            continue;
        IRBuilder<> builder(cast);
        FixedVectorType *vector = from ? from : to;
        unsigned bits = unsigned(vector->getScalarSizeInBits());
        Type *whole = builder.getIntNTy(bits * vector->getNumElements());
        Type *part = builder.getIntNTy(bits);
        Value *result =
            from ? static_cast<Value *>(ConstantInt::get(whole, 0)) : PoisonValue::get(vector);
        Value *source =
            from ? cast->getOperand(0) : builder.CreateBitCast(cast->getOperand(0), whole);
        for (unsigned i = 0; i < vector->getNumElements(); ++i) {
            if (from) {
                Value *bits_of =
                    builder.CreateBitCast(builder.CreateExtractElement(source, i), part);
                result = builder.CreateOr(
                    result, builder.CreateShl(builder.CreateZExt(bits_of, whole), i * bits));
            } else {
                Value *bits_of = builder.CreateTrunc(builder.CreateLShr(source, i * bits), part);
                result = builder.CreateInsertElement(
                    result, builder.CreateBitCast(bits_of, vector->getElementType()), i);
            }
        }
        if (from)
            result = builder.CreateBitCast(result, cast->getDestTy());
        cast->replaceAllUsesWith(result);
        cast->eraseFromParent();
    }
}

// What never returns may as well return.
void end_unreachable(Function &function) {
    for (BasicBlock &block : function)
        if (auto *end = dyn_cast<UnreachableInst>(block.getTerminator())) {
            ReturnInst::Create(function.getContext(), nullptr, end->getIterator());
            end->eraseFromParent();
        }
}

std::optional<Obstacle> find_obstacle(Function &function, bool half) {
    for (Instruction &instruction : instructions(function)) {
        auto obstacle = [&](std::string reason) {
            return Obstacle{std::move(reason), instruction.getDebugLoc()};
        };
        if (isa<IndirectBrInst, InvokeInst, CallBrInst>(instruction))
            return obstacle("unusual control flow");
        auto is_half = [](const Value *value) { return value->getType()->isHalfTy(); };
        if (!half && (is_half(&instruction) || any_of(instruction.operand_values(), is_half)))
            return obstacle("half without Zvfh");
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            if (!variable->isStaticAlloca())
                return obstacle("a private variable of unknown size");
        if (!instruction.getType()->isVectorTy() &&
            none_of(instruction.operand_values(),
                    [](Value *value) { return value->getType()->isVectorTy(); }))
            continue;
        if (auto *extract = dyn_cast<ExtractElementInst>(&instruction);
            extract && isa<Argument>(extract->getVectorOperand()))
            continue; // of a uniform argument
        return obstacle(std::string("a vector that can't be split: ") +
                        instruction.getOpcodeName());
    }
    return std::nullopt;
}

template <class... Passes>
void run(Function &function, FunctionAnalysisManager &analyses, Passes &&...passes) {
    FunctionPassManager manager;
    (manager.addPass(std::move(passes)), ...);
    manager.run(function, analyses);
    analyses.clear(function, function.getName());
}

} // namespace

void simplify(Function &function, FunctionAnalysisManager &analyses) {
    split_bitcasts(function);
    ScalarizerPassOptions scalars;
    scalars.ScalarizeVariableInsertExtract = true;
    scalars.ScalarizeLoadStore = true;
    run(function, analyses, ScalarizerPass(scalars), InstCombinePass(), EarlyCSEPass(),
        SimplifyCFGPass(), DCEPass());
    end_unreachable(function);
}

std::optional<Obstacle> normalise(Function &function, bool half,
                                  FunctionAnalysisManager &analyses) {
    run(function, analyses, SimplifyCFGPass(), LowerSwitchPass(), UnifyFunctionExitNodesPass(),
        FixIrreduciblePass(), LoopSimplifyPass(), UnifyLoopExitsPass(), LoopSimplifyPass(),
        LCSSAPass());
    return find_obstacle(function, half);
}

} // namespace rivulet::compiler
