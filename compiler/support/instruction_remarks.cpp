// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/instruction_remarks.h"

#include <set>

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

// A list of (kind, name, scope, line, column, what, instead): a node may not hold a DILocation.
constexpr StringLiteral attached = "rivulet.remarks";
constexpr StringLiteral remark_kinds[] = {"missed", "analysis"};

// `name` is one of the passes' own, so that it lives as long as they do.
template <class Diagnostic> void emit(Function &kernel, const CodeRemark &remark) {
    Diagnostic diagnostic(remark_pass, remark.name, DiagnosticLocation(remark.location),
                          &kernel.getEntryBlock());
    diagnostic << ore::NV("What", remark.what);
    if (!remark.instead.empty())
        diagnostic << ". Instead: " << ore::NV("Instead", remark.instead);
    OptimizationRemarkEmitter(&kernel).emit(diagnostic);
}

} // namespace

bool wants_remarks(const LLVMContext &context) {
    const DiagnosticHandler *handler = context.getDiagHandlerPtr();
    return handler && handler->isAnyRemarkEnabled();
}

void attach_remark(Value *value, const CodeRemark &remark) {
    auto *instruction = dyn_cast_or_null<Instruction>(value);
    if (!instruction || !wants_remarks(instruction->getContext()))
        return;
    LLVMContext &context = instruction->getContext();
    const auto text = [&](StringRef words) { return MDString::get(context, words); };
    SmallVector<Metadata *, 4> all;
    if (MDNode *before = instruction->getMetadata(attached))
        append_range(all, before->operands());
    const auto number = [&](unsigned value) {
        return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value));
    };
    const DebugLoc &location = remark.location;
    all.push_back(MDNode::get(context, {text(remark_kinds[remark.kind]), text(remark.name),
                                        location ? location.getScope() : nullptr,
                                        number(location ? location.getLine() : 0),
                                        number(location ? location.getCol() : 0), text(remark.what),
                                        text(remark.instead)}));
    instruction->setMetadata(attached, MDNode::get(context, all));
}

void emit_remark(Function &kernel, const CodeRemark &remark) {
    if (remark.kind == CodeRemark::missed)
        emit<OptimizationRemarkMissed>(kernel, remark);
    else
        emit<OptimizationRemarkAnalysis>(kernel, remark);
}

void emit_attached_remarks(Function &kernel) {
    if (!wants_remarks(kernel.getContext()))
        return;
    std::set<std::tuple<StringRef, unsigned, unsigned, StringRef>> seen;
    for (Instruction &instruction : instructions(kernel)) {
        MDNode *list = instruction.getMetadata(attached);
        if (!list)
            continue;
        for (const MDOperand &operand : list->operands()) {
            const auto *node = cast<MDNode>(operand);
            const auto text = [&](unsigned i) {
                return cast<MDString>(node->getOperand(i))->getString();
            };
            const auto number = [&](unsigned i) {
                return static_cast<unsigned>(
                    mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue());
            };
            Metadata *scope = node->getOperand(2);
            DebugLoc location;
            if (scope)
                location = DILocation::get(kernel.getContext(), number(3), number(4), scope);
            const auto kind = text(0) == remark_kinds[CodeRemark::missed] ? CodeRemark::missed
                                                                          : CodeRemark::analysis;
            if (seen.insert({text(1), number(3), number(4), text(5)}).second)
                emit_remark(kernel, {kind, text(1).data(), location, text(5).str(), text(6).str()});
        }
        instruction.setMetadata(attached, nullptr);
    }
}

} // namespace rivulet::compiler
