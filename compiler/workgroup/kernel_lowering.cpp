// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/kernel_lowering.h"

#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/support/kernel_state.h"
#include "compiler/support/metadata_archive.h"
#include "compiler/work_items/inline_sole_call.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr StringLiteral kind = "rivulet.lowering";

} // namespace

template <class Archive> void describe(Archive &archive, WorkItem &item) {
    archive(item.function, item.asks_for_group, item.sub_groups, item.local_bytes);
}

template <class Archive> void describe(Archive &archive, LiveValue &value) {
    archive(value.kind, value.type, value.live, value.offset, value.bytes, value.element_bytes,
            value.in_variable);
}

template <class Archive> void describe(Archive &archive, Boundary &boundary) {
    archive(boundary.builtin, boundary.operation, boundary.operand, boundary.result, boundary.index,
            boundary.is_signed);
}

template <class Archive> void describe(Archive &archive, Region &region) {
    archive(region.function, region.next, region.may_return);
}

template <class Archive> void describe(Archive &archive, Regions &regions) {
    archive(regions.values, regions.boundaries, regions.regions, regions.saved_bytes);
}

template <class Archive> void describe(Archive &archive, Row &row) {
    archive(row.function, row.of_rows);
}

template <class Archive> void describe(Archive &archive, Rows &rows) {
    archive(rows.one, rows.several, rows.uneven, rows.fit, rows.count, rows.limits);
}

template <class Archive> void describe(Archive &archive, GroupFunctions &functions) {
    archive(functions.kernel, functions.uneven);
}

template <class Archive> void describe(Archive &archive, KernelLowering &lowering) {
    archive(lowering.pass, lowering.work_item, lowering.has_y, lowering.flat, lowering.regions,
            lowering.rows, lowering.functions);
}

std::optional<KernelLowering> lowering_after(StringRef before, const Kernel &kernel,
                                             Program &program) {
    auto lowering = read_structure<KernelLowering>(*kernel.function, kind);
    if (lowering && lowering->pass == before)
        return lowering;
    program.error = "work-groups are lowered by passes in a fixed order: " + before.str() +
                    " has to run right before this one";
    return std::nullopt;
}

void save_lowering(StringRef pass, Kernel &kernel, KernelLowering &lowering) {
    lowering.pass = pass;
    write_structure(*kernel.function, kind, lowering);
    save_kernel(kernel);
}

void forget_lowering(const Kernel &kernel) { kernel.function->setMetadata(kind, nullptr); }

void inline_all(Function &function) {
    while (function.hasNUsesOrMore(2)) {
        auto *call = cast<CallInst>(*function.user_begin());
        InlineFunctionInfo info;
        InlineFunction(*call, info);
    }
    if (function.use_empty())
        function.eraseFromParent();
    else
        inline_last_call(*cast<CallInst>(*function.user_begin()));
}

} // namespace rivulet::compiler
