// SPDX-License-Identifier: Apache-2.0
//
// Lowers arithmetic that rounds towards zero, up or down (frontend/rounding_pragma.h). Clang emits
// constrained intrinsics, which LLVM's optimiser hardly touches and the vectoriser doesn't know.
// Those that round to nearest become plain instructions, conversions become calls of the built-in
// library, and other arithmetic becomes calls of functions that are defined here. The optimiser and
// the vectoriser see calls without side effects; in the end each is a single instruction, of RVV or
// scalar, that names its rounding mode.
//
// Runs before the built-in library is linked, because it adds calls to it. Without it LLVM would
// select instructions that round as frm says, which is to nearest.
#include "compiler/lowering/rounding_modes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/lowering/delayed_inlining.h"
#include "compiler/support/program_pass.h"

namespace rivulet::compiler {

RVL_PROGRAM_PASS(RoundingModesPass);

namespace {

using llvm::StringRef;
using llvm::Intrinsic::ID;

constexpr llvm::StringLiteral prefix = "rivulet.directed.";

struct Kind {
    llvm::StringLiteral name; // of the scalar instruction, too
    ID constrained;
    ID plain;                            // or not_intrinsic, and then
    llvm::Instruction::BinaryOps binary; // this one
};
constexpr Kind kinds[] = {
    // In the order of DirectedOperation.
    {"fadd", llvm::Intrinsic::experimental_constrained_fadd, llvm::Intrinsic::not_intrinsic,
     llvm::Instruction::FAdd},
    {"fsub", llvm::Intrinsic::experimental_constrained_fsub, llvm::Intrinsic::not_intrinsic,
     llvm::Instruction::FSub},
    {"fmul", llvm::Intrinsic::experimental_constrained_fmul, llvm::Intrinsic::not_intrinsic,
     llvm::Instruction::FMul},
    {"fdiv", llvm::Intrinsic::experimental_constrained_fdiv, llvm::Intrinsic::not_intrinsic,
     llvm::Instruction::FDiv},
    {"fmadd", llvm::Intrinsic::experimental_constrained_fmuladd, llvm::Intrinsic::fmuladd, {}},
};

struct Mode {
    llvm::RoundingMode mode;
    unsigned frm;
    llvm::StringLiteral assembly; // its name there
    llvm::StringLiteral library;  // and here
};
constexpr Mode modes[] = {
    {llvm::RoundingMode::TowardZero, 1, "rtz", "rtz"},
    {llvm::RoundingMode::TowardNegative, 2, "rdn", "rtn"},
    {llvm::RoundingMode::TowardPositive, 3, "rup", "rtp"},
};

// The type as in mangled names.
StringRef mangled(const llvm::Type &type, bool is_signed) {
    if (type.isHalfTy())
        return "Dh";
    if (type.isBFloatTy())
        return "DF16b";
    if (type.isFloatTy())
        return "f";
    if (type.isDoubleTy())
        return "d";
    switch (type.getIntegerBitWidth()) {
    case 8:
        return is_signed ? "c" : "h";
    case 16:
        return is_signed ? "s" : "t";
    case 32:
        return is_signed ? "i" : "j";
    default:
        return is_signed ? "l" : "m";
    }
}

llvm::Value *converted(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Type *type,
                       bool is_signed, const Mode &mode) {
    if (type->isBFloatTy() && value->getType()->isIntegerTy())
        value = converted(builder, value, builder.getFloatTy(), is_signed, mode);
    const StringRef to = type->isHalfTy()     ? "half"
                         : type->isBFloatTy() ? "bfloat"
                         : type->isFloatTy()  ? "float"
                                              : "double";
    const std::string name = llvm::formatv("convert_{0}_{1}", to, mode.library);
    auto *function_type = llvm::FunctionType::get(type, {value->getType()}, false);
    llvm::Module &module = *builder.GetInsertBlock()->getModule();
    llvm::FunctionCallee callee = module.getOrInsertFunction(
        llvm::formatv("_Z{0}{1}{2}", name.size(), name, mangled(*value->getType(), is_signed))
            .str(),
        function_type);
    llvm::CallInst *call = builder.CreateCall(callee, {value});
    call->setCallingConv(llvm::cast<llvm::Function>(callee.getCallee())->getCallingConv());
    return call;
}

// Defines the function of an operation. Half is computed as float: rounding twice in one direction
// is the same as rounding once.
void define(llvm::Function &function, const Kind &kind, const Mode &mode, bool on_riscv) {
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
    llvm::Type *type = function.getReturnType();
    llvm::Type *computed = type->isHalfTy() ? builder.getFloatTy() : type;
    llvm::SmallVector<llvm::Value *> operands;
    for (llvm::Argument &argument : function.args())
        operands.push_back(builder.CreateFPExt(&argument, computed));
    llvm::Value *result;
    if (on_riscv) {
        const bool fused = operands.size() == 3;
        llvm::SmallVector<llvm::Type *> types(operands.size(), computed);
        const std::string code =
            llvm::formatv("{0}.{1} $0, $1, $2{2}, {3}", kind.name,
                          computed->isFloatTy() ? "s" : "d", fused ? ", $3" : "", mode.assembly);
        result =
            builder.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(computed, types, false),
                                                    code, fused ? "=f,f,f,f" : "=f,f,f", false),
                               operands);
    } else {
        // This function alone runs with another rounding mode; it stays a call to the end.
        function.addFnAttr(llvm::Attribute::StrictFP);
        const auto select = [&](llvm::RoundingMode wanted) {
            builder
                .CreateIntrinsic(llvm::Intrinsic::set_rounding, {},
                                 {builder.getInt32(unsigned(wanted))})
                ->addFnAttr(llvm::Attribute::StrictFP);
        };
        select(mode.mode);
        result = builder.CreateConstrainedFPCall(
            llvm::Intrinsic::getOrInsertDeclaration(function.getParent(), kind.constrained,
                                                    {computed}),
            operands, "", llvm::RoundingMode::Dynamic, llvm::fp::ebStrict);
        select(llvm::RoundingMode::NearestTiesToEven);
    }
    if (computed != type)
        result = converted(builder, result, type, true, mode);
    builder.CreateRet(result);
}

llvm::Function &function_for(llvm::Module &module, const Kind &kind, const Mode &mode,
                             llvm::Type *type, bool on_riscv) {
    const std::string name =
        llvm::formatv("{0}{1}.{2}.{3}", prefix, kind.name, mode.assembly, mangled(*type, true));
    if (llvm::Function *known = module.getFunction(name))
        return *known;
    llvm::SmallVector<llvm::Type *> types(kind.plain == llvm::Intrinsic::fmuladd ? 3 : 2, type);
    auto *function = llvm::Function::Create(llvm::FunctionType::get(type, types, false),
                                            llvm::GlobalValue::InternalLinkage, name, module);
    define(*function, kind, mode, on_riscv);
    return *function;
}

// Lowers a vector element by element; the vectoriser would split it anyway.
llvm::Value *each(llvm::IRBuilder<> &builder, const llvm::ConstrainedFPIntrinsic &call,
                  llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> make) {
    llvm::SmallVector<llvm::Value *> operands(call.args().begin(),
                                              call.args().begin() + call.getNonMetadataArgCount());
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call.getType());
    if (!vector)
        return make(operands);
    llvm::Value *result = llvm::PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
        llvm::SmallVector<llvm::Value *> elements;
        for (llvm::Value *operand : operands)
            elements.push_back(builder.CreateExtractElement(operand, i));
        result = builder.CreateInsertElement(result, make(elements), i);
    }
    return result;
}

std::optional<llvm::Instruction::CastOps> conversion(ID id) {
    switch (id) {
    case llvm::Intrinsic::experimental_constrained_sitofp:
        return llvm::Instruction::SIToFP;
    case llvm::Intrinsic::experimental_constrained_uitofp:
        return llvm::Instruction::UIToFP;
    case llvm::Intrinsic::experimental_constrained_fptosi:
        return llvm::Instruction::FPToSI;
    case llvm::Intrinsic::experimental_constrained_fptoui:
        return llvm::Instruction::FPToUI;
    case llvm::Intrinsic::experimental_constrained_fptrunc:
        return llvm::Instruction::FPTrunc;
    case llvm::Intrinsic::experimental_constrained_fpext:
        return llvm::Instruction::FPExt;
    default:
        return std::nullopt;
    }
}

bool is_exact(llvm::Instruction::CastOps cast, llvm::Type *from, llvm::Type *to) {
    switch (cast) {
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::UIToFP:
        return from->getScalarSizeInBits() <= unsigned(to->getScalarType()->getFPMantissaWidth());
    case llvm::Instruction::FPTrunc:
        return false;
    default: // to integers: always towards zero
        return true;
    }
}

// Returns the replacement of a constrained operation; null if clang makes no such operation of
// OpenCL C.
llvm::Value *lowered(llvm::ConstrainedFPIntrinsic &call, bool on_riscv) {
    llvm::IRBuilder<> builder(&call);
    const auto *mode =
        llvm::find_if(modes, [&](const Mode &row) { return row.mode == call.getRoundingMode(); });
    const bool is_directed = mode != std::end(modes);
    llvm::Value *first = call.getArgOperand(0);
    if (auto *comparison = llvm::dyn_cast<llvm::ConstrainedFPCmpIntrinsic>(&call))
        return builder.CreateFCmp(comparison->getPredicate(), first, call.getArgOperand(1));
    if (auto cast = conversion(call.getIntrinsicID())) {
        if (!is_directed || is_exact(*cast, first->getType(), call.getType()))
            return builder.CreateCast(*cast, first, call.getType());
        return each(builder, call, [&](llvm::ArrayRef<llvm::Value *> operands) {
            return converted(builder, operands[0], call.getType()->getScalarType(),
                             *cast == llvm::Instruction::SIToFP, *mode);
        });
    }
    const auto *kind = llvm::find_if(
        kinds, [&](const Kind &row) { return row.constrained == call.getIntrinsicID(); });
    if (kind == std::end(kinds))
        return nullptr;
    if (is_directed) {
        llvm::Type *type = call.getType()->getScalarType();
        llvm::Type *computed = type->isBFloatTy() ? builder.getFloatTy() : type; // as half is
        llvm::Function &function =
            function_for(*call.getModule(), *kind, *mode, computed, on_riscv);
        return each(builder, call, [&](llvm::ArrayRef<llvm::Value *> operands) -> llvm::Value * {
            if (computed == type)
                return builder.CreateCall(&function, operands);
            llvm::SmallVector<llvm::Value *> extended;
            for (llvm::Value *operand : operands)
                extended.push_back(builder.CreateFPExt(operand, computed));
            return converted(builder, builder.CreateCall(&function, extended), type, true, *mode);
        });
    }
    if (kind->plain)
        return builder.CreateIntrinsic(kind->plain, {call.getType()},
                                       {first, call.getArgOperand(1), call.getArgOperand(2)},
                                       &call);
    return builder.CreateBinOpFMF(kind->binary, first, call.getArgOperand(1), &call);
}

bool is_directed_operation(const llvm::Function &function) {
    return function.getName().starts_with(prefix);
}

} // namespace

std::optional<DirectedOperation> directed_operation(const llvm::Function *callee) {
    if (!callee || !is_directed_operation(*callee))
        return std::nullopt;
    llvm::SmallVector<StringRef> words;
    callee->getName().drop_front(prefix.size()).split(words, '.');
    const auto *kind = llvm::find_if(kinds, [&](const Kind &row) { return row.name == words[0]; });
    const auto *mode =
        llvm::find_if(modes, [&](const Mode &row) { return row.assembly == words[1]; });
    return DirectedOperation{static_cast<DirectedOperation::Kind>(kind - kinds), mode->frm};
}

void RoundingModesPass::lower(Program &program, const Target &target,
                              llvm::ModuleAnalysisManager &) {
    const bool on_riscv = !target.host;
    llvm::SmallVector<llvm::ConstrainedFPIntrinsic *> calls;
    for (llvm::Function &function : *program.module) {
        if (!function.hasFnAttribute(llvm::Attribute::StrictFP))
            continue;
        function.removeFnAttr(llvm::Attribute::StrictFP);
        for (llvm::Instruction &instruction : llvm::instructions(function))
            if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
                call->removeFnAttr(llvm::Attribute::StrictFP);
                if (auto *constrained = llvm::dyn_cast<llvm::ConstrainedFPIntrinsic>(call))
                    calls.push_back(constrained);
            }
    }
    for (llvm::ConstrainedFPIntrinsic *call : calls)
        if (llvm::Value *plain = lowered(*call, on_riscv)) {
            call->replaceAllUsesWith(plain);
            call->eraseFromParent();
        }
}

void keep_directed_operations(llvm::Module &module) {
    for (llvm::Function &function : module)
        if (is_directed_operation(function))
            delay_inlining(function);
}

void inline_directed_operations(llvm::Module &module) {
    for (llvm::Function &function : llvm::make_early_inc_range(module))
        if (is_directed_operation(function) && !function.hasFnAttribute(llvm::Attribute::StrictFP))
            inline_delayed(function);
}

} // namespace rivulet::compiler
