// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/debugger_variables.h"

#include <set>

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/work_items/parameters.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr StringLiteral slot_kind = "rivulet.debug-slot";             // of variables: a name
constexpr StringLiteral local_variables_kind = "rivulet.debug-local"; // of work-item functions

AllocaInst *make_slot(Function &function, Type *type, const Twine &name) {
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    LLVMContext &context = function.getContext();
    AllocaInst *slot = builder.CreateAlloca(type, nullptr, "debug." + name);
    slot->setMetadata(slot_kind, MDNode::get(context, MDString::get(context, name.str())));
    return slot;
}

void declare(IRBuilderBase &builder, Value *place, DILocalVariable *variable,
             DIExpression *expression, DILocation *location) {
    builder.GetInsertBlock()->insertDbgRecordBefore(
        DbgVariableRecord::createDVRDeclare(place, variable, expression, location),
        builder.GetInsertPoint());
}

// A function that lines of the region belong to, and the call by which it was inlined, or null.
using Frame = std::pair<DISubprogram *, DILocation *>;

SetVector<Frame> frames_of(Function &function) {
    SetVector<Frame> frames;
    for (Instruction &instruction : instructions(function))
        for (const DILocation *line = instruction.getDebugLoc(); line; line = line->getInlinedAt())
            if (!frames.insert({line->getScope()->getSubprogram(), line->getInlinedAt()}))
                break;
    return frames;
}

// Three words each, in a slot of their own: passes would split an array.
void describe_ids(IRBuilderBase &builder, const SetVector<Frame> &frames) {
    Function &function = *builder.GetInsertBlock()->getParent();
    LLVMContext &context = function.getContext();
    Type *word = function.getDataLayout().getIntPtrType(context);
    const unsigned bits = word->getIntegerBitWidth();
    const auto describe = [&](StringRef name, function_ref<Value *(unsigned)> id) {
        AllocaInst *slots[3];
        for (unsigned d = 0; d < 3; ++d) {
            slots[d] = make_slot(function, word, name + "." + Twine(d));
            builder.CreateStore(builder.CreateZExtOrTrunc(id(d), word), slots[d],
                                /*isVolatile=*/true);
        }
        for (auto [subprogram, call] : frames) {
            DIBuilder debug(*function.getParent(), false, subprogram->getUnit());
            DIType *element = debug.createBasicType("size_t", bits, dwarf::DW_ATE_unsigned);
            DIType *type = debug.createArrayType(
                3 * bits, 0, element, debug.getOrCreateArray(debug.getOrCreateSubrange(0, 3)));
            auto *variable = DILocalVariable::get(context, subprogram, name, subprogram->getFile(),
                                                  subprogram->getLine(), type, 0,
                                                  DINode::FlagArtificial, 0, nullptr);
            auto *line = DILocation::get(context, subprogram->getLine(), 0, subprogram, call);
            for (unsigned d = 0; d < 3; ++d)
                declare(builder, slots[d], variable,
                        *DIExpression::createFragmentExpression(debug.createExpression(), d * bits,
                                                                bits),
                        line);
        }
    };
    const auto local_id = [&](unsigned d) -> Value * { return function.getArg(parameter::id + d); };
    describe("__global_id", [&](unsigned d) {
        return builder.CreateAdd(function.getArg(parameter::first_id + d), local_id(d));
    });
    describe("__local_id", local_id);
    describe("__group_id", [&](unsigned d) { return function.getArg(parameter::group_id + d); });
}

// Clang knows a kernel's variable in local memory as a static one.
void describe_local_variables(IRBuilderBase &builder, const Function &work_item,
                              const SetVector<Frame> &frames) {
    Function &function = *builder.GetInsertBlock()->getParent();
    LLVMContext &context = function.getContext();
    SmallVector<MDNode *> variables;
    work_item.getMetadata(context.getMDKindID(local_variables_kind), variables);
    for (MDNode *node : variables) {
        auto *known = cast<DIGlobalVariable>(node->getOperand(0));
        auto *offset = mdconst::extract<ConstantInt>(node->getOperand(1));
        auto *scope = dyn_cast<DILocalScope>(known->getScope());
        if (!scope)
            continue;
        Value *address = builder.CreateInBoundsGEP(builder.getInt8Ty(),
                                                   function.getArg(parameter::local), offset);
        AllocaInst *slot = make_slot(function, address->getType(),
                                     known->getName() + "." + Twine(offset->getZExtValue()));
        builder.CreateStore(address, slot, /*isVolatile=*/true);
        auto *variable = DILocalVariable::get(context, scope, known->getName(), known->getFile(),
                                              known->getLine(), known->getType(), 0,
                                              DINode::FlagZero, 0, nullptr);
        for (auto [subprogram, call] : frames)
            if (subprogram == scope->getSubprogram())
                declare(builder, slot, variable, DIExpression::get(context, {dwarf::DW_OP_deref}),
                        DILocation::get(context, known->getLine(), 0, scope, call));
    }
}

} // namespace

void note_local_variable(Function &work_item, GlobalVariable &variable, uint64_t offset) {
    SmallVector<DIGlobalVariableExpression *> known;
    variable.getDebugInfo(known);
    // It has no address of its own, and debuggers would show it as optimised out.
    for (DICompileUnit *unit : work_item.getParent()->debug_compile_units()) {
        SmallVector<Metadata *> others;
        for (DIGlobalVariableExpression *expression : unit->getGlobalVariables())
            if (!is_contained(known, expression))
                others.push_back(expression);
        unit->replaceGlobalVariables(MDTuple::get(work_item.getContext(), others));
    }
    LLVMContext &context = work_item.getContext();
    for (DIGlobalVariableExpression *expression : known)
        work_item.addMetadata(context.getMDKindID(local_variables_kind),
                              *MDNode::get(context, {expression->getVariable(),
                                                     ConstantAsMetadata::get(ConstantInt::get(
                                                         Type::getInt64Ty(context), offset))}));
}

void describe_work_item(Function &region, const Function &work_item) {
    const SetVector<Frame> frames = frames_of(region);
    IRBuilder<> builder(region.getEntryBlock().getTerminator());
    describe_ids(builder, frames);
    describe_local_variables(builder, work_item, frames);
}

void describe_saved_variable(IRBuilderBase &builder, AllocaInst &variable, AllocaInst *copy,
                             Value *address, unsigned number) {
    if (copy)
        for (DbgVariableRecord *record : findDVRDeclares(copy))
            record->eraseFromParent();
    const auto records = findDVRDeclares(&variable);
    if (records.empty())
        return;
    Function &region = *builder.GetInsertBlock()->getParent();
    AllocaInst *slot = make_slot(region, address->getType(), "saved." + Twine(number));
    builder.CreateStore(address, slot, /*isVolatile=*/true);
    for (DbgVariableRecord *record : records)
        declare(builder, slot, record->getVariable(),
                DIExpression::prepend(record->getExpression(), DIExpression::DerefBefore),
                record->getDebugLoc());
}

void merge_slots(Function &kernel) {
    StringMap<AllocaInst *> slots;
    std::set<std::tuple<DILocalVariable *, DILocation *, DIExpression *>> known;
    for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
        if (auto *slot = dyn_cast<AllocaInst>(&instruction))
            if (MDNode *name = slot->getMetadata(slot_kind)) {
                AllocaInst *&first = slots[cast<MDString>(name->getOperand(0))->getString()];
                if (!first) {
                    first = slot;
                } else {
                    slot->replaceAllUsesWith(first);
                    slot->eraseFromParent();
                }
                continue;
            }
        if (isa<LifetimeIntrinsic>(instruction))
            instruction.eraseFromParent(); // a merged slot lives as long as the function
    }
    for (Instruction &instruction : instructions(kernel)) {
        // Arithmetic and branches that passes have moved would be the first code of their line.
        // Each line has an access of its own (frontend/debug_variables.cpp).
        if (!instruction.mayReadOrWriteMemory())
            instruction.setDebugLoc({});
        for (DbgVariableRecord &record :
             make_early_inc_range(filterDbgVars(instruction.getDbgRecordRange())))
            if (record.isDbgDeclare() &&
                (!isa_and_nonnull<AllocaInst>(record.getVariableLocationOp(0)) ||
                 !known
                      .insert({record.getVariable(), record.getDebugLoc()->getInlinedAt(),
                               record.getExpression()})
                      .second))
                record.eraseFromParent();
    }
}

} // namespace rivulet::compiler
