// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/context_values.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analysis/debug_mark.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"
#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/spmd/transform/interleave_private_arrays.h"
#include "compiler/support/block_end_values.h"
#include "compiler/workgroup/region_boundaries.h"

namespace rivulet::compiler {

using namespace llvm;

// Saved values of a group of known size are variables of the kernel, as long as they take no more.
// LLVM knows that nothing else points to a variable, so that a value can stay in registers from
// region to region, and a store that is not read again is removed. That needs a group of one strip,
// in which a value takes 512 bytes at VLEN 512. Above 2 KiB, an address on the stack takes two
// instructions: with 4 KiB of sums, gemm_tile_4x4 took 1.03 times as many at VLEN 512.
constexpr uint64_t variables_max_bytes = 2 << 10; // bytes of a kernel

namespace {

using Blocks = SmallPtrSet<BasicBlock *, 16>;

// The blocks at whose start the value is live.
Blocks live_in_blocks(Instruction &value) {
    Blocks live;
    SmallVector<BasicBlock *> pending;
    for (Use &use : value.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        BasicBlock *block = user->getParent();
        if (auto *phi = dyn_cast<PHINode>(user))
            block = phi->getIncomingBlock(use);
        else if (block == value.getParent())
            continue; // after it, in the same block
        if (block != value.getParent() && live.insert(block).second)
            pending.push_back(block);
    }
    while (!pending.empty())
        for (BasicBlock *before : predecessors(pending.pop_back_val()))
            if (before != value.getParent() && live.insert(before).second)
                pending.push_back(before);
    return live;
}

// At which boundaries the value is live.
std::vector<bool> live_over(Instruction &value, const Regions &regions) {
    const Blocks blocks = live_in_blocks(value);
    std::vector<bool> live;
    for (const Boundary &boundary : regions.boundaries)
        live.push_back(blocks.contains(boundary.after));
    return live;
}

// Vectors of bits can't be split where they lie in memory: what lives is a vector of bytes.
void as_bytes(Instruction &bits) {
    IRBuilder<> builder(&*bits.getInsertionPointAfterDef().value());
    Value *bytes = builder.CreateZExt(&bits, bits.getType()->getWithNewBitWidth(8));
    auto as_bits = [&](IRBuilder<> &at) { return at.CreateIsNotNull(bytes); };
    BlockEndValues for_phis;
    for (Use &use : make_early_inc_range(bits.uses())) {
        auto *user = cast<Instruction>(use.getUser());
        if (user == bytes)
            continue;
        if (auto *phi = dyn_cast<PHINode>(user)) {
            use.set(for_phis.get(phi->getIncomingBlock(use), as_bits));
            continue;
        }
        builder.SetInsertPoint(user);
        use.set(as_bits(builder));
    }
}

// Whether an instruction only reads or writes what the pointer points to.
bool is_access(const Instruction &instruction, const Use &pointer) {
    if (isa<MemIntrinsic>(instruction))
        return true;
    if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction))
        return pointer.getOperandNo() ==
               (isa<StoreInst>(instruction) ? StoreInst::getPointerOperandIndex() : 0);
    return false;
}

// A private variable: by what is made of its address. Where the address itself is stored, as when
// it lives over a boundary, or becomes a number, its uses are unknown.
bool may_be_used_in(AllocaInst &variable, const Blocks &blocks) {
    SmallVector<Instruction *> pending{&variable};
    SmallPtrSet<Instruction *, 16> seen{&variable};
    while (!pending.empty())
        for (Use &use : pending.pop_back_val()->uses()) {
            auto *user = cast<Instruction>(use.getUser());
            if (isa<LifetimeIntrinsic>(user))
                continue; // has no meaning without one
            if (blocks.contains(user->getParent()))
                return true;
            if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst, BitCastInst,
                    AddrSpaceCastInst>(user)) {
                if (seen.insert(user).second)
                    pending.push_back(user);
            } else if (!is_access(*user, use) && !isa<ICmpInst>(user)) {
                return true;
            }
        }
    return false;
}

// Debuggers read it after boundaries, too.
bool is_shown(AllocaInst &variable) {
    return is_debuggable(*variable.getFunction()) && !findDVRDeclares(&variable).empty();
}

} // namespace

void demote_live_values(Function &function, Regions &regions) {
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (instruction.getType()->isVectorTy() && instruction.getType()->isIntOrIntVectorTy(1) &&
            is_contained(live_over(instruction, regions), true))
            as_bytes(instruction);
    Uniformity uniformity(function, 3);
    std::vector<LiveValue> found;
    for (Instruction &instruction : instructions(function)) {
        if (isa<AllocaInst>(instruction) || instruction.use_empty())
            continue;
        LiveValue value;
        value.live = live_over(instruction, regions);
        if (!is_contained(value.live, true))
            continue;
        value.value = &instruction;
        value.type = instruction.getType();
        value.kind = is_recomputable(&instruction)     ? LiveValue::recomputed
                     : uniformity.uniform(instruction) ? LiveValue::uniform
                                                       : LiveValue::saved;
        found.push_back(std::move(value));
    }
    // A template at the function's start keeps what recomputing needs: the operands of the original
    // may be demoted too.
    IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    DenseMap<Value *, Value *> templates;
    std::vector<Instruction *> originals;
    for (LiveValue &value : found) {
        originals.push_back(value.value);
        if (value.kind == LiveValue::recomputed)
            value.value = cast<Instruction>(recompute(builder, value.value, templates));
    }
    for (auto [value, original] : zip(found, originals)) {
        value.memory =
            DemoteRegToStack(*original, false, function.getEntryBlock().getFirstInsertionPt());
        regions.values.push_back(std::move(value));
    }
}

void find_saved_variables(Function &function, Regions &regions, bool lanes) {
    SmallPtrSet<AllocaInst *, 8> known;
    for (const LiveValue &value : regions.values)
        known.insert(value.memory);
    const Ends ends = find_ends(regions);
    Blocks behind;
    for (const Boundary &boundary : regions.boundaries)
        behind.insert_range(reached(boundary.after, ends));

    for (Instruction &instruction : function.getEntryBlock()) {
        auto *variable = dyn_cast<AllocaInst>(&instruction);
        if (!variable || known.contains(variable) ||
            !(may_be_used_in(*variable, behind) || is_shown(*variable)))
            continue;
        LiveValue value;
        value.memory = variable;
        value.type = variable->getAllocatedType();
        if (auto *count = dyn_cast<ConstantInt>(variable->getArraySize()); count && !count->isOne())
            value.type = ArrayType::get(value.type, count->getZExtValue());
        if (auto array = lanes ? PrivateArray::of(*variable) : std::nullopt;
            array && array->has_elements_only())
            value.element_bytes = array->element_bytes();
        regions.values.push_back(std::move(value)); // live nowhere: it is used where it lies
    }
}

void lay_out_saved_values(Regions &regions, const DataLayout &layout, uint64_t items, int flag) {
    std::vector<LiveValue *> saved;
    for (LiveValue &value : regions.values)
        if (value.kind == LiveValue::saved)
            saved.push_back(&value);
    // Collectives read and write their operands in saved memory. What points to a private variable
    // isn't known.
    auto is_of_regions = [&](const LiveValue &value) {
        const int index = int(&value - regions.values.data());
        return (!value.live.empty() || index == flag) &&
               none_of(regions.boundaries, [&](const Boundary &boundary) {
                   return is_contained({boundary.operand, boundary.result, boundary.index}, index);
               });
    };
    uint64_t left = items ? variables_max_bytes / items : 0;
    auto align = [&](const LiveValue *value) {
        return std::max(layout.getABITypeAlign(value->type), value->memory->getAlign());
    };
    llvm::sort(saved, [&](auto *a, auto *b) { return align(a) > align(b); });
    for (LiveValue *value : saved) {
        uint64_t bytes = alignTo(layout.getTypeAllocSize(value->type), align(value));
        value->bytes = uint32_t(bytes);
        value->in_variable = bytes <= left && align(value).value() <= saved_variable_alignment &&
                             is_of_regions(*value);
        if (value->in_variable) {
            left -= bytes;
            continue;
        }
        value->offset = uint32_t(regions.saved_bytes);
        regions.saved_bytes += bytes;
    }
}

} // namespace rivulet::compiler
