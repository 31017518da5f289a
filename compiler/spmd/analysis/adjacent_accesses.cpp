// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/adjacent_accesses.h"

#include <map>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include "compiler/support/program.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Whether no store changes what the instruction reads, such as a table in constant memory.
bool reads_constants(const Instruction &instruction) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->isSimple())
        return false;
    if (load->getPointerAddressSpace() == constant_space)
        return true;
    auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand()));
    return variable && variable->isConstant();
}

} // namespace

std::pair<const Value *, int64_t> base_and_offset(const Value *pointer, const DataLayout &layout) {
    APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
    return {base, offset.getSExtValue()};
}

LoadsByAddress::LoadsByAddress(Function &function) {
    const DataLayout &layout = function.getDataLayout();
    Place place;
    for (BasicBlock &block : function) {
        ++place.run;
        for (Instruction &instruction : block) {
            ++place.position;
            if (instruction.mayWriteToMemory()) // volatile loads, too
                ++place.run;
            auto *load = dyn_cast<LoadInst>(&instruction);
            if (!load)
                continue;
            places_[load] = place;
            const TypeSize bytes = layout.getTypeStoreSize(load->getType());
            if (!load->isSimple() || bytes.isScalable() ||
                load->getAlign().value() < bytes.getFixedValue())
                continue;
            auto [base, offset] = base_and_offset(load->getPointerOperand(), layout);
            loads_[{place.run, load->getType(), base, offset}].emplace_back(place.position, load);
        }
    }
}

SmallVector<LoadInst *, 8> LoadsByAddress::of_fields(LoadInst &first) const {
    const DataLayout &layout = first.getDataLayout();
    const auto bytes = int64_t(layout.getTypeStoreSize(first.getType()).getFixedValue());
    const auto [base, start] = base_and_offset(first.getPointerOperand(), layout);
    const Place place = places_.at(&first);
    SmallVector<LoadInst *, 8> fields{&first};
    while (fields.size() < most_fields) {
        const int64_t offset = start + int64_t(fields.size()) * bytes;
        const auto loads = loads_.find({place.run, first.getType(), base, offset});
        if (loads == loads_.end())
            break;
        const auto *next = find_if(loads->second, [&](const auto &candidate) {
            return candidate.first > place.position && candidate.second;
        });
        if (next == loads->second.end())
            break;
        fields.push_back(cast<LoadInst>(next->second));
    }
    return fields;
}

SmallVector<StoreInst *, 8> stores_of_fields(StoreInst &first) {
    const DataLayout &layout = first.getDataLayout();
    Type *type = first.getValueOperand()->getType();
    auto bytes = int64_t(layout.getTypeStoreSize(type).getFixedValue());
    auto [base, start] = base_and_offset(first.getPointerOperand(), layout);
    std::map<int64_t, StoreInst *> fields{{0, &first}};
    for (Instruction *next = first.getNextNode(); next; next = next->getNextNode()) {
        if (!next->mayReadOrWriteMemory() || reads_constants(*next))
            continue;
        auto *store = dyn_cast<StoreInst>(next);
        if (!store || !store->isSimple() || store->getValueOperand()->getType() != type ||
            store->getAlign() < Align(uint64_t(bytes)))
            break;
        auto [other, offset] = base_and_offset(store->getPointerOperand(), layout);
        if (other != base || (offset - start) % bytes != 0 ||
            !fields.emplace((offset - start) / bytes, store).second)
            break;
        if (fields.size() > most_fields)
            return {};
    }
    int64_t lowest = fields.begin()->first;
    SmallVector<StoreInst *, 8> sorted;
    for (auto [field, store] : fields)
        if (sorted.size() < most_fields && field == lowest + int64_t(sorted.size()))
            sorted.push_back(store);
    if (sorted.size() < fields.size())
        sorted.clear();
    return sorted;
}

} // namespace rivulet::compiler
