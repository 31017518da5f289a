// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/plan/row_of_strips.h"

#include <llvm/IR/InstIterator.h>

#include "compiler/analysis/vector_registers.h"
#include "compiler/spmd/codegen/row_codegen.h"
#include "compiler/spmd/plan/prepare_row.h"
#include "compiler/support/instruction_remarks.h"
#include "compiler/support/verification.h"

namespace rivulet::compiler {

using namespace llvm;

// Work-items with more uniform loads than scalar registers hold run strip by strip: a row of one
// strip would load them before its loop, spill and reload them. A matrix product by tiles without
// required size takes 2 to 25 % fewer instructions.
constexpr long max_uniform_loads = 24; // scalar loads

// The limit for the private variables of all lanes of a strip; above it, a strip has fewer lanes.
// It is half of a hart's 4 MiB: with 64 KiB per work-item, a strip took 8 MiB at VLEN 512, and each
// launch was refused.
constexpr uint64_t strip_max_private_bytes = 2 << 20; // bytes

// The part of it that each row has that rows call: their stacks add up along a chain of calls.
constexpr uint64_t called_row_memory_share = 8; // 1 / times the limit

namespace {

ElementCount sub_group_lanes(const RowShape &shape) {
    if (!shape.min_vlen)
        return ElementCount::getFixed(shape.sub_group);
    // The smallest parts of registers hold a lane per 64 bits only if the unit has elements of 64
    // bits.
    const unsigned least = shape.elements.i64 ? 1 : 2;
    return ElementCount::getScalable(std::max(least, shape.sub_group * 64 / shape.min_vlen));
}

// A row that is mostly one strip would load them before its loop, spill and reload them.
bool has_many_scalars(Function &work_item, const StrideAnalysis &strides) {
    return count_if(instructions(work_item), [&](const Instruction &instruction) {
               return isa<LoadInst>(instruction) && strides.uniform(&instruction);
           }) > max_uniform_loads;
}

// Limits a strip to as many lanes as have room for their private variables.
std::expected<unsigned, VectorisationFailure> lanes_in_memory(Function &work_item, unsigned lanes,
                                                              const RowShape &shape) {
    uint64_t bytes = 0; // of one lane
    DebugLoc location;
    for (Instruction &instruction : work_item.getEntryBlock()) {
        auto *variable = dyn_cast<AllocaInst>(&instruction);
        if (!variable)
            continue;
        bytes += variable->getAllocationSize(work_item.getDataLayout())->getFixedValue();
        for (User *user : variable->users())
            if (!location)
                location = cast<Instruction>(user)->getDebugLoc();
    }
    const uint64_t most = strip_max_private_bytes / (shape.called ? called_row_memory_share : 1) /
                          ((shape.vlen ? shape.vlen : largest_vlen) / 64);
    while (lanes >= 2 && bytes > most / lanes)
        lanes /= 2;
    if (lanes < 2)
        return std::unexpected(VectorisationFailure{"private variables of " +
                                                        std::to_string(bytes) +
                                                        " bytes, too large to lie side by side",
                                                    location});
    return lanes;
}

DebugLoc first_location(const Function &function) {
    for (const Instruction &instruction : instructions(function))
        if (const DebugLoc &location = instruction.getDebugLoc(); location && location.getLine())
            return location;
    return {};
}

// Says why a strip has so many work-items.
void remark_on_lanes(Function &row, const DebugLoc &location, const LaneCount &lanes,
                     unsigned widest, const RowShape &shape, bool limited_by_memory) {
    if (!wants_remarks(row.getContext()) || shape.rare)
        return;
    const auto lmul = [&](unsigned bits) {
        const unsigned eighths = lanes.lanes * bits / 8;
        return eighths >= 8 ? std::to_string(eighths / 8) : "1/" + std::to_string(8 / eighths);
    };
    std::string what = std::to_string(lanes.lanes) +
                       " work-items for 64 bits of a vector register" +
                       (shape.vlen ? ", " + std::to_string(lanes.lanes * shape.vlen / 64) +
                                         " in a strip at VLEN " + std::to_string(shape.vlen)
                                   : std::string()) +
                       ": LMUL " + lmul(32) + " for 32 bits" +
                       (widest > 32 ? ", " + lmul(widest) + " for " + std::to_string(widest) : "");
    std::string instead;
    if (limited_by_memory) {
        what += ", as their private arrays have to fit into a hart's memory";
        instead = "make private arrays smaller, or keep them in local memory";
    } else if (lanes.fits) {
        what += "; all values fit into the 32 registers";
    } else {
        what += "; the values that live at once want more registers with more work-items";
        instead = "let fewer values live at once (shorter unrolled loops, a kernel in two), or use "
                  "narrower types: float for double, short for int";
    }
    attach_remark(row.getEntryBlock().getTerminator(),
                  {CodeRemark::analysis, "LaneCount", location, what, instead});
}

} // namespace

std::expected<RowWithCost, VectorisationFailure>
vectorise_whole(Function &work_item, RowShape shape, FunctionAnalysisManager &analyses) {
    auto known = RowAnalysis::of(work_item, shape, analyses);
    if (!known)
        return std::unexpected(known.error());
    const RowAnalysis &analysis = *known;
    auto emitted = [&](StripOptions strips) {
        Function *row = emit_row(work_item, analysis.flow(), analysis.strides(), strips);
        verify_after("emit-row", *row);
        return row;
    };
    if (shape.sub_group)
        return RowWithCost{{emitted({.lanes = sub_group_lanes(shape),
                                     .widest = 32,
                                     .one = shape.length && shape.sub_group >= shape.length,
                                     .many = false,
                                     .keeps_loads = false,
                                     .vlen = shape.vlen,
                                     .sub_group = shape.sub_group})}};
    LaneCount lanes = analysis.lanes();
    auto some = lanes_in_memory(work_item, lanes.lanes, shape);
    if (!some)
        return std::unexpected(some.error());
    const bool limited_by_memory = *some < lanes.lanes;
    const unsigned widest = widest_element(work_item, analysis.strides());
    const DebugLoc location = first_location(work_item);
    const unsigned count = lanes.lanes = *some;
    bool one_strip = shape.length == 1 ||
                     (shape.vlen && shape.length && count * shape.vlen / 64 >= shape.length);
    const bool keeps_loads = shape.likely && has_many_scalars(work_item, analysis.strides());
    // A long row goes on in x before the next one begins.
    const unsigned rows = keeps_loads || shape.long_rows ? 0 : shape.rows;
    Function *function =
        emitted({.lanes = ElementCount::getScalable(count),
                 .widest = std::min(widest, 512 / count),
                 .one = one_strip,
                 .many = shape.long_rows && !shape.parted,
                 .keeps_loads = keeps_loads,
                 .vlen = shape.rare ? 0 : shape.vlen, // a known VLEN would be worth copies
                 .length = shape.length,
                 .rows = rows});
    remark_on_lanes(*function, location, lanes, widest, shape, limited_by_memory);
    return RowWithCost{{function, rows != 0}, lanes};
}

} // namespace rivulet::compiler
