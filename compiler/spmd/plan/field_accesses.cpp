// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/plan/field_accesses.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/analysis/tuned_cores.h"
#include "compiler/analysis/vector_registers.h"
#include "compiler/spmd/analysis/adjacent_accesses.h"
#include "compiler/spmd/analysis/interleaved_arrays.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Prices against a contiguous access of one register, which takes two cycles in LLVM's models of
// the cores and one here. Both access one element in a cycle if each has an address of its own: a
// register of words takes 4 times as long on the X60 (VLEN 256) and 8 times on the X280 (512). In a
// contiguous segment it takes 4 times as long and once.
struct Prices {
    double element; // for each lane of 64 bits of a register
    double segment; // for each register of a contiguous one
};
// For the X60, too: its own 4 for segments lets pairs have twice the lanes, which are spilled;
// complex_multiply then takes 1.15 times the cycles.
constexpr Prices any_core = {2, 2};
constexpr Prices x280 = {4, 1};

const Prices &prices_for(const Function &function) {
    const StringRef core = function.getFnAttribute(core_attribute).getValueAsString();
    return core == "sifive-x280" ? x280 : any_core;
}

} // namespace

FieldAccesses::FieldAccesses(Function &function, const StrideAnalysis &strides)
    : element_cycles_(prices_for(function).element), segment_cycles_(prices_for(function).segment) {
    const auto is_of_lanes = [&](Instruction &instruction) {
        const Value *pointer = getLoadStorePointerOperand(&instruction);
        return pointer && !strides.uniform(pointer) && !interleaved_array(pointer) &&
               !getLoadStoreType(&instruction)->isAggregateType();
    };
    // Only stores with a base in common are searched for neighbours, which takes time for each
    // instruction that follows.
    const auto base_of = [&](const Instruction &instruction) {
        return base_and_offset(getLoadStorePointerOperand(&instruction), function.getDataLayout())
            .first;
    };
    DenseMap<const Value *, unsigned> stores_to;
    for (Instruction &instruction : instructions(function))
        if (isa<StoreInst>(instruction) && is_of_lanes(instruction))
            ++stores_to[base_of(instruction)];
    const LoadsByAddress loads(function);
    for (Instruction &instruction : instructions(function)) {
        if (!is_of_lanes(instruction) || accesses_.contains(&instruction))
            continue;
        SmallVector<Instruction *, 8> fields;
        if (auto *load = dyn_cast<LoadInst>(&instruction))
            append_range(fields, loads.of_fields(*load));
        else if (auto &store = cast<StoreInst>(instruction); stores_to.lookup(base_of(store)) > 1)
            append_range(fields, stores_of_fields(store));
        if (fields.size() > 1)
            add(fields, strides);
    }
}

void FieldAccesses::add(ArrayRef<Instruction *> fields, const StrideAnalysis &strides) {
    Instruction &first = *fields[0];
    const auto bytes =
        int64_t(first.getDataLayout().getTypeStoreSize(getLoadStoreType(&first)).getFixedValue());
    const Stride shape = strides.of(getLoadStorePointerOperand(&first));
    const bool has_step = shape.kind == Stride::affine && !shape.scale;
    const int64_t whole = bytes * int64_t(fields.size());
    // Elements of a lane that are its neighbours' too, such as a[x] and a[x + 1], are no fields.
    if (has_step && std::abs(shape.step) < whole)
        return;
    const bool lives_long = any_of(fields, [](const Instruction *field) {
        return isa<LoadInst>(field) && any_of(field->users(), [&](const User *user) {
                   return cast<Instruction>(user)->getParent() != field->getParent();
               });
    });
    unsigned counted = unsigned(fields.size());
    for (const Instruction *field : fields)
        accesses_.try_emplace(field, Access{has_step && shape.step == whole, lives_long,
                                            unsigned(8 * bytes), std::exchange(counted, 0)});
}

std::optional<FieldAccesses::Cost> FieldAccesses::cost(const Instruction &access,
                                                       unsigned lanes) const {
    const auto found = accesses_.find(&access);
    if (found == accesses_.end())
        return std::nullopt;
    const auto [is_contiguous, lives_long, bits, fields] = found->second;
    const unsigned registers = std::max(1u, bits * lanes / 64);
    unsigned most = std::max(1u, largest_lmul / registers);
    // See InstructionWidener::emit_segment(): a tuple of all eight registers has few places.
    if (lives_long && registers > 1 && most > 1 &&
        std::min(most, fields) * registers == largest_lmul)
        --most;
    if (isa<StoreInst>(access) && fields % 2 && most == 2)
        most = 1;
    const double groups = std::max(1.0, registers / double(largest_lmul));
    Cost cost;
    for (unsigned left = fields; left > 0;) {
        const unsigned part = std::min(left, most);
        cost.instructions += groups;
        cost.cycles += is_contiguous && part == fields ? segment_cycles_ * registers * part
                                                       : element_cycles_ * lanes * part;
        left -= part;
    }
    return cost;
}

} // namespace rivulet::compiler
