// SPDX-License-Identifier: Apache-2.0
//
// Makes functions for rows of work-items out of the functions of one: as vectors, a lane for each
// work-item (spmd/plan/vectorise.h), or as a loop over the row if that isn't possible. Plans
// several forms of a region if they pay: for several rows at once, and for groups that the end of
// the NDRange cuts short.
//
// Takes the regions that rvl-parallel-regions left, each a function in which no work-item waits for
// another one, so that the order within a row is free. The plan is not a pass of its own:
// candidates are built, compared and mostly thrown away, as with a plan of LLVM's loop vectoriser.
#include <algorithm>
#include <utility>

#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/analysis/debug_mark.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"
#include "compiler/spmd/analysis/written_row_length.h"
#include "compiler/spmd/plan/unroll_and_jam_y.h"
#include "compiler/spmd/plan/vectorise.h"
#include "compiler/spmd/transform/guard_to_loop_bound.h"
#include "compiler/spmd/transform/index_set_splitting.h"
#include "compiler/support/instruction_remarks.h"
#include "compiler/support/program_pass.h"
#include "compiler/work_items/work_item_loop.h"
#include "compiler/workgroup/called_rows.h"
#include "compiler/workgroup/kernel_lowering.h"
#include "compiler/workgroup/linear_ids.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(RowsPass);

// The length that LMUL selection assumes of rows in work-groups of several rows, unless the code is
// written for a shorter one: registers beyond it hold nothing.
constexpr unsigned likely_row_length = 32; // work-items

namespace {

class RowMaker {
public:
    RowMaker(Program &program, const Target &target, FunctionAnalysisManager &analyses)
        : target_(target), remarks_(program.remarks ? *program.remarks : unwanted_),
          lanes_(has_lanes(program, target)), elements_(LegalElementTypes::of(*target.machine)),
          analyses_(analyses) {}

    std::expected<void, std::string> make_rows(Kernel &kernel, KernelLowering &lowering) {
        const unsigned likely =
            lowering.flat || !lowering.has_y ? 0 : likely_length(lowering.regions.regions);
        for (Region &region : lowering.regions.regions) {
            Function &work_item = *std::exchange(region.function, nullptr); // consumed
            if (!lowering.work_item.sub_groups) {
                lowering.rows.push_back(make_rows(kernel, work_item, lowering, likely));
                continue;
            }
            auto row = make_sub_group_row(kernel, work_item);
            if (!row)
                return std::unexpected(row.error());
            lowering.rows.push_back(*row);
        }
        return {};
    }

    // Of functions that rows call, which are compiled in one way each.
    void make_called_rows(Module &module) {
        define_called_rows(
            module, {.vlen = target_.vlen, .rare = true, .called = true, .elements = elements_},
            analyses_);
    }

private:
    // Remarks on the version for large buffers would say the same again.
    Remarks &remarks_of(const Kernel &kernel) {
        return kernel.takes_large_buffers ? unwanted_ : remarks_;
    }

    // Work-items of a sub-group are lanes on every target; LLVM expands vectors if there are none.
    std::expected<Rows, std::string> make_sub_group_row(const Kernel &kernel, Function &work_item) {
        expand_linear_local_ids(work_item, kernel);
        const uint32_t *required = kernel.required_group_size;
        RowShape shape;
        shape.vlen = target_.min_vlen ? target_.vlen : 0;
        shape.min_vlen = target_.min_vlen;
        shape.length = required[0] * required[1] * required[2];
        shape.elements = elements_;
        shape.sub_group = kernel.sub_group_size;
        remarks_of(kernel).regions += lanes_;
        auto row = vectorise(work_item, shape, analyses_);
        work_item.eraseFromParent();
        if (row)
            return Rows{*row};
        std::string line = row.error().location
                               ? "line " + std::to_string(row.error().location.getLine()) + ": "
                               : std::string();
        return std::unexpected("error: kernel '" + kernel.name +
                               "' uses sub-groups, whose work-items "
                               "can't run together because of: " +
                               line + row.error().reason + "\n");
    }

    // Moves a guard on y from the start of a work-item function into a function of its own,
    // {begin, end}(begin, end, z, …), which narrows the range of rows once for all. Returns null if
    // there is no such guard.
    static Function *take_limits(Function &work_item) {
        BasicBlock *start = work_item.getEntryBlock().getUniqueSuccessor();
        if (start && start->getSinglePredecessor() &&
            start->getTerminator()->getNumSuccessors() > 1)
            MergeBlockIntoPredecessor(start);
        RowBounds bounds(work_item, 1);
        if (bounds.empty())
            return nullptr;
        LLVMContext &context = work_item.getContext();
        Type *word = Type::getInt32Ty(context);
        SmallVector<Type *, 48> types(drop_begin(work_item.getFunctionType()->params(), 2));
        types.insert(types.begin(), 2, word);
        auto *limits =
            Function::Create(FunctionType::get(StructType::get(word, word), types, false),
                             GlobalValue::InternalLinkage, work_item.getAddressSpace(),
                             work_item.getName() + ".limits", work_item.getParent());
        limits->addFnAttrs(AttrBuilder(context, work_item.getAttributes().getFnAttrs()));
        IRBuilder<> builder(BasicBlock::Create(context, "entry", limits));
        DenseMap<Value *, Value *> parameters;
        for (llvm::Argument &argument : drop_begin(work_item.args(), 2))
            parameters[&argument] = limits->getArg(argument.getArgNo());
        auto [begin, end] =
            bounds.narrowed(builder, limits->getArg(0), limits->getArg(1), parameters);
        Value *left[] = {begin, end};
        builder.CreateAggregateRet(left, 2);
        return limits;
    }

    // Of rows in work-groups of several rows. One region may number the work-items, and another one
    // work with the numbers.
    static unsigned likely_length(ArrayRef<Region> regions) {
        unsigned length = likely_row_length;
        for (const Region &region : regions)
            if (const unsigned written = written_row_length(*region.function))
                length = std::min(length, written);
        return length;
    }

    // Makes a row of lanes, else a loop over work-items.
    Rows make_rows(const Kernel &kernel, Function &work_item, const KernelLowering &lowering,
                   unsigned likely) {
        const bool flat = lowering.flat;
        const bool has_y = lowering.has_y;
        Rows rows;
        std::optional<VectorisationFailure> obstacle;
        rows.limits = take_limits(work_item);
        const bool in_rows = !flat && has_y;
        RowShape shape{.vlen = target_.vlen,
                       .length = flat ? 0 : kernel.required_group_size[0],
                       .likely = likely,
                       .long_rows = flat,
                       .elements = elements_,
                       // (Of a length that is known, LLVM knows what strips there are.)
                       .rows = (flat || (in_rows && kernel.required_group_size[0] == 0)) &&
                               !work_item.getArg(1)->use_empty()};
        if (lanes_) {
            ++remarks_of(kernel).regions;
            const unsigned y = kernel.required_group_size[1];
            // Of long rows, vectorise() combines what the work-items between borders do, unless
            // only a guard tells which rows do the same.
            if (has_y && (y == 0 || y >= jammed_rows) && (!flat || is_guarded_by_y(work_item)))
                add_several(rows, work_item, shape);
            const bool none_left = !flat && rows.several.function && !rows.fit && !rows.limits &&
                                   y > 0 && y % rows.count == 0;
            if (may_be_cut_short(kernel, flat))
                rows.uneven = make_rare(work_item, shape);
            auto row = none_left && (rows.uneven.function || kernel.uniform_work_groups)
                           ? Row{}
                           : vectorise(work_item, shape, analyses_);
            if (row) {
                work_item.eraseFromParent();
                rows.one = *row;
                return rows;
            }
            ++remarks_of(kernel).scalar;
            remarks_of(kernel).add(kernel.name, row.error().location,
                                   "one work-item after the other: " + row.error().reason);
            obstacle = row.error();
        }
        // Debuggers stop at each inlined function that has a line, but only once in a function. So
        // what is debugged is inlined if regions share lines, and stays one function otherwise.
        const bool is_sole = lowering.regions.regions.size() == 1;
        rows.one.function = make_scalar_row(work_item, !is_debuggable(work_item) || !is_sole);
        if (obstacle)
            attach_remark(rows.one.function->getEntryBlock().getTerminator(),
                          {CodeRemark::missed, scalar_region, obstacle->location,
                           "one work-item after the other: " + obstacle->reason,
                           "move what is named out of the kernel, or into one of its own"});
        inline_all(work_item);
        return rows;
    }

    // The row for groups that are cut short; null if it can't be vectorised.
    Row make_rare(Function &work_item, RowShape shape) {
        ValueToValueMapTy map;
        keep_subprogram(work_item, map);
        Function *copy = CloneFunction(&work_item, map);
        shape.rare = true;
        auto row = vectorise(*copy, shape, analyses_);
        copy->eraseFromParent();
        return row ? *row : Row{};
    }

    static bool is_guarded_by_y(Function &work_item) {
        auto *branch = dyn_cast<BranchInst>(work_item.getEntryBlock().getTerminator());
        if (!branch || branch->isUnconditional() || !is_recomputable(branch->getCondition()))
            return false;
        return is_made_of(branch->getCondition(), *work_item.getArg(parameter::id + 1)) &&
               !RowSplit::of(branch->getOperandUse(0), 1);
    }

    void add_several(Rows &rows, Function &work_item, RowShape shape) {
        auto several = jam_rows(work_item, jammed_rows, shape, analyses_);
        if (!several)
            return;
        shape.rows = several->fit ? 0 : shape.rows * several->count;
        auto row = vectorise(*several->function, shape, analyses_);
        several->function->eraseFromParent();
        if (row) {
            rows.several = *row;
            rows.fit = several->fit;
            rows.count = several->count;
        } else if (several->fit) {
            several->fit->eraseFromParent();
        }
    }

    const Target &target_;
    Remarks unwanted_;
    Remarks &remarks_;
    bool lanes_;
    LegalElementTypes elements_;
    FunctionAnalysisManager &analyses_;
};

} // namespace

void RowsPass::lower(Program &program, const Target &target, ModuleAnalysisManager &analyses) {
    RowMaker maker(
        program, target,
        analyses.getResult<FunctionAnalysisManagerModuleProxy>(*program.module).getManager());
    for (Kernel &kernel : program.kernels) {
        auto lowering = lowering_after("rvl-parallel-regions", kernel, program);
        if (!lowering)
            return;
        if (auto made = maker.make_rows(kernel, *lowering); !made) {
            program.error = made.error();
            return;
        }
        save_lowering("rvl-rows", kernel, *lowering);
    }
    maker.make_called_rows(*program.module);
}

} // namespace rivulet::compiler
