// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/vendor_instruction_checks.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/SourceMgr.h>

#include "compiler/lowering/vendor_instructions.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Memory that another work-item or another call could see.
bool is_private_or_constant(const Value *pointer, bool writes) {
    const unsigned space = pointer->getType()->getPointerAddressSpace();
    return space == private_space || (space == constant_space && !writes);
}

std::string find_effect(const Function &function, SmallPtrSetImpl<const Function *> &seen) {
    if (!seen.insert(&function).second)
        return "";
    for (const Instruction &instruction : instructions(function)) {
        if (auto *call = dyn_cast<CallBase>(&instruction)) {
            const Function *callee = call->getCalledFunction();
            if (isa<IntrinsicInst>(call)) { // such as copies of structures
                if (any_of(call->args(), [](const Use &operand) {
                        return operand->getType()->isPointerTy() &&
                               !is_private_or_constant(operand, /*writes=*/false);
                    }))
                    return "its body accesses memory of others; it may only compute";
                continue;
            }
            if (!callee || callee->isDeclaration())
                return formatv("its body calls {}; it may only compute",
                               callee ? "'" + callee->getName().str() + "'" : "an assembler");
            if (std::string found = find_effect(*callee, seen); !found.empty())
                return found;
        } else if (instruction.isVolatile() || instruction.isAtomic()) {
            return "its body has a volatile or atomic access; it may only compute";
        } else if (const Value *pointer = getLoadStorePointerOperand(&instruction);
                   pointer && !is_private_or_constant(pointer, isa<StoreInst>(instruction))) {
            return "its body accesses memory of others; it may only compute";
        }
    }
    return "";
}

// The assembler's complaint about a line.
std::string assemble(const std::string &line, const Target &target) {
    const TargetMachine &machine = *target.machine;
    const Triple &triple = machine.getTargetTriple();
    const llvm::Target &backend = machine.getTarget();
    SourceMgr sources;
    std::string complaint;
    sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(line), SMLoc());
    sources.setDiagHandler(
        [](const SMDiagnostic &diagnostic, void *to) {
            if (auto &text = *static_cast<std::string *>(to); text.empty())
                text = diagnostic.getMessage().str();
        },
        &complaint);
    MCContext context(triple, machine.getMCAsmInfo(), machine.getMCRegisterInfo(),
                      machine.getMCSubtargetInfo(), &sources, &machine.Options.MCOptions);
    const std::unique_ptr<MCObjectFileInfo> files(backend.createMCObjectFileInfo(context, true));
    context.setObjectFileInfo(files.get());
    const std::unique_ptr<MCStreamer> nowhere(backend.createNullStreamer(context));
    const std::unique_ptr<MCSubtargetInfo> features(backend.createMCSubtargetInfo(
        triple, machine.getTargetCPU(), machine.getTargetFeatureString()));
    const std::unique_ptr<MCAsmParser> parser(
        createMCAsmParser(sources, context, *nowhere, *machine.getMCAsmInfo()));
    const std::unique_ptr<MCTargetAsmParser> instructions(backend.createMCAsmParser(
        *features, *parser, *machine.getMCInstrInfo(), machine.Options.MCOptions));
    parser->setTargetParser(*instructions);
    parser->Run(/*NoInitialTextSection=*/false);
    return complaint;
}

std::string find_mistake_in_text(const InstructionForm &form, const Target &target) {
    std::string line;
    for (size_t i = 0; i < form.text.size(); ++i) {
        if (form.text[i] != '%') {
            line += form.text[i];
            continue;
        }
        if (form.text[++i] == '0') {
            line += "v8";
            continue;
        }
        const unsigned number = unsigned(form.text[i] - '1');
        const OperandKind kind = form.operands[number];
        line += kind == OperandKind::integer       ? "x" + utostr(10 + number)
                : kind == OperandKind::real        ? "f" + utostr(10 + number)
                : kind == OperandKind::overwritten ? "v8"
                : kind == OperandKind::mask        ? "v0"
                                                   : "v" + utostr(16 + number);
    }
    const std::string wrong = assemble(line + "\n", target);
    return wrong.empty() ? "" : formatv("'{}': {}", form.text, wrong).str();
}

// The intrinsic is tried on vectors of one register for the longest elements.
std::string find_mistake_in_intrinsic(const InstructionForm &form, Function &function,
                                      const Target &target) {
    Module scratch("scratch", function.getContext());
    scratch.setDataLayout(function.getDataLayout());
    auto *place = Function::Create(FunctionType::get(Type::getVoidTy(scratch.getContext()), false),
                                   GlobalValue::InternalLinkage, "", scratch);
    IRBuilder<> builder(BasicBlock::Create(scratch.getContext(), "", place));
    const auto lanes = ElementCount::getScalable(1);
    SmallVector<Value *> operands;
    for (auto [kind, argument] : zip(form.operands, function.args())) {
        Type *type = VectorType::get(argument.getType(), lanes);
        if (kind == OperandKind::integer || kind == OperandKind::real)
            type =
                kind == OperandKind::integer ? builder.getIntNTy(target.xlen) : argument.getType();
        else if (kind == OperandKind::bytes)
            type = VectorType::get(builder.getInt8Ty(),
                                   lanes * (argument.getType()->getScalarSizeInBits() / 8));
        operands.push_back(builder.CreateFreeze(PoisonValue::get(type)));
    }
    Value *length = builder.CreateFreeze(PoisonValue::get(builder.getIntNTy(target.xlen)));
    if (call_vector_intrinsic(builder, Intrinsic::lookupIntrinsicID(form.text),
                              VectorType::get(function.getReturnType(), lanes), operands, length,
                              form.merges()))
        return "";
    return formatv("'{}' does not take these operands", form.text);
}

} // namespace

std::string find_mistake(Function &function, const Target &target, bool with_forms) {
    SmallPtrSet<const Function *, 8> seen;
    if (std::string effect = find_effect(function, seen); !effect.empty())
        return effect;
    if (with_forms)
        for (const InstructionForm &form : instruction_forms(&function))
            if (std::string wrong = form.is_intrinsic
                                        ? find_mistake_in_intrinsic(form, function, target)
                                        : find_mistake_in_text(form, target);
                !wrong.empty())
                return wrong;
    return "";
}

} // namespace rivulet::compiler
