// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/plan/vectorise.h"

#include <array>

#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/analysis/any_image.h"
#include "compiler/analysis/conditions.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"
#include "compiler/spmd/plan/lmul_selection.h"
#include "compiler/spmd/plan/prepare_row.h"
#include "compiler/spmd/plan/row_composer.h"
#include "compiler/spmd/plan/row_of_strips.h"
#include "compiler/spmd/plan/unroll_and_jam_y.h"
#include "compiler/spmd/transform/border_peeling.h"
#include "compiler/spmd/transform/component_vectorisation.h"
#include "compiler/spmd/transform/exchange_ids.h"
#include "compiler/spmd/transform/guard_merging.h"
#include "compiler/spmd/transform/id_delinearisation.h"
#include "compiler/spmd/transform/index_set_splitting.h"
#include "compiler/spmd/transform/outlined_scalar_ops.h"
#include "compiler/spmd/transform/simplify_work_item.h"
#include "compiler/support/instruction_remarks.h"
#include "compiler/support/verification.h"
#include "compiler/work_items/inline_sole_call.h"
#include "compiler/work_items/launch_end.h"
#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

using namespace llvm;

// Copies of the code behind branches at a kernel's start, one for each outcome, in a row.
constexpr unsigned entry_branch_max_copies = 3; // copies

// Larger functions keep branches at their start.
static cl::opt<unsigned> entry_branch_max_instructions("rvl-entry-branch-max-instructions",
                                                       cl::Hidden, cl::init(300),
                                                       cl::desc("Instructions of a work-item"));

// An outcome of a branch with fewer instructions left gets no version of its own.
constexpr unsigned entry_branch_min_instructions = 12; // instructions

// Larger functions get no copy for a row's interior.
static cl::opt<unsigned> interior_max_instructions("rvl-interior-max-instructions", cl::Hidden,
                                                   cl::init(800),
                                                   cl::desc("Instructions of a work-item"));

// The same with the address sanitizer, because the interior does without its comparisons.
constexpr unsigned interior_max_instructions_sanitized = 4000; // instructions of a work-item

// A copy for a row's interior is kept if it is at least this much cheaper.
constexpr double interior_max_cost_ratio = 0.95; // times the cost outside

// Larger functions get no copy for the columns of a border.
static cl::opt<unsigned> columns_max_instructions("rvl-columns-max-instructions", cl::Hidden,
                                                  cl::init(400),
                                                  cl::desc("Instructions of a work-item"));

// A lane for each component is taken unless it is dearer: equal except for rounding. A guard
// against rounding, not measured.
constexpr double components_max_cost_ratio = 1.001; // times the cost of whole work-items

// Rows with a lane for each of up to 16 components are cut into parts of this length, so that lanes
// stay below 2^31. A limit of the arithmetic, not measured.
constexpr unsigned component_row_max_length = 1 << 24; // work-items

// Larger functions get no rows between the multiples of an id's divisor.
static cl::opt<unsigned> delinearise_max_instructions("rvl-delinearise-max-instructions",
                                                      cl::Hidden, cl::init(400),
                                                      cl::desc("Instructions of a work-item"));

// Two are enough for ids that stand for three dimensions. Three to thirty times fewer modelled
// cycles of kernels over flattened pictures, matrices and volumes, with one and two divisions.
constexpr unsigned delinearise_max_divisions = 2; // divisions of one id

// Rows between multiples pay from this length on if VLEN is unknown, otherwise from VLEN / 4.
constexpr unsigned delinearise_min_length = 128; // work-items

namespace {

// Turns off the batching of rows while a decision about one row may differ from the next row's.
class UnbatchedRows {
public:
    UnbatchedRows(RowShape &shape, bool is_so) : rows_(shape.rows), before_(shape.rows) {
        rows_ = is_so ? 0 : rows_;
    }
    ~UnbatchedRows() { rows_ = before_; }
    UnbatchedRows(const UnbatchedRows &) = delete;
    UnbatchedRows &operator=(const UnbatchedRows &) = delete;

private:
    unsigned &rows_;
    const unsigned before_;
};

class Vectoriser {
public:
    Vectoriser(RowShape shape, FunctionAnalysisManager &analyses)
        : shape_(shape), analyses_(analyses) {}

    // The first instructions of a work-item function decide: a guard shortens the row; a branch
    // that is uniform for a whole row, or that changes at few values of x, gives each successor a
    // row of its own. Code for images of any format has one version of everything.
    std::expected<Row, VectorisationFailure> run(Function &work_item, unsigned copies) {
        simplify_work_item(work_item, analyses_);
        return run_simple(work_item, copies);
    }

private:
    std::expected<Row, VectorisationFailure> run_simple(Function &work_item, unsigned copies) {
        if (shape_.rare)
            return whole(work_item);
        if (!shape_.sub_group) { // sub-groups end where rows end
            RowBounds bounds(work_item, 0, shape_.long_rows);
            if (!bounds.empty())
                return bounded(work_item, bounds, copies);
            if (auto flat = may_part(work_item) ? DelinearisedIds::of(work_item, least_part())
                                                : std::nullopt)
                return by_quotients(work_item, *flat, copies);
        }
        if (shape_.long_rows)
            merge_guards(work_item);
        verify_after("entry-branches", work_item);
        auto *branch = dyn_cast<BranchInst>(work_item.getEntryBlock().getTerminator());
        // With sub-groups, it is worth knowing whether the work-group has one dimension.
        bool large = work_item.getInstructionCount() > entry_branch_max_instructions &&
                     !(shape_.sub_group && copies == entry_branch_max_copies);
        if (!branch || branch->isUnconditional() || copies == 0 || large ||
            takes_any_image(work_item))
            return whole(work_item);
        if (is_recomputable(branch->getCondition(), 1))
            return hoisted(work_item, branch->getOperandUse(0), copies);
        auto split = shape_.long_rows ? RowSplit::of(branch->getOperandUse(0)) : std::nullopt;
        if (!split)
            return whole(work_item);
        if (split->uniform_condition)
            return hoisted(work_item, *split->uniform_condition, copies);
        return split->only_points() ? at_points(work_item, *branch, *split, copies)
                                    : parted(work_item, *branch, *split, copies);
    }

    // Vectorises everything that is left of the function, in strips.
    std::expected<Row, VectorisationFailure> whole(Function &work_item) {
        // The interior does without the sanitizer's many comparisons with bounds.
        const unsigned most = is_sanitized(work_item) ? interior_max_instructions_sanitized
                                                      : interior_max_instructions;
        const bool alone = work_item.getInstructionCount() > most || shape_.sub_group ||
                           shape_.rare || takes_any_image(work_item);
        auto interior =
            alone ? std::nullopt : BorderPeeling::of(work_item, shape_.long_rows, analyses_);
        if (!interior) {
            auto row = alone ? vectorise_whole(work_item, shape_, analyses_) : jammed(work_item);
            return row ? std::expected<Row, VectorisationFailure>(row->row)
                       : std::unexpected(row.error());
        }
        const UnbatchedRows each(shape_, !interior->is_apart_from(y_of(work_item)));
        auto outside = best_of_clone(work_item);
        if (!outside)
            return std::unexpected(outside.error());
        auto inside = best_of_clone(work_item, &*interior);
        if (!inside || inside->lanes.cost > interior_max_cost_ratio * outside->lanes.cost) {
            if (inside)
                inside->row.function->eraseFromParent();
            return outside->row;
        }
        return with_interior(work_item, *interior, inside->row, *outside, columns_of(work_item));
    }

    std::expected<RowWithCost, VectorisationFailure>
    best_of_clone(Function &work_item, const BorderPeeling *interior = nullptr) {
        ValueToValueMapTy map;
        keep_subprogram(work_item, map);
        Function *copy = CloneFunction(&work_item, map);
        if (interior) {
            interior->apply_assumptions(map);
            verify_after("interior", *copy);
            simplify_work_item(*copy, analyses_);
        }
        auto row = interior ? jammed(*copy) : best(*copy);
        copy->eraseFromParent();
        return row;
    }

    // Combines rows that are neighbours in y where that pays. The cost is that of one row.
    std::expected<RowWithCost, VectorisationFailure> jammed(Function &work_item) {
        auto several = shape_.rows == 1 && shape_.long_rows
                           ? jam_rows(work_item, jammed_rows, shape_, analyses_)
                           : std::nullopt;
        if (!several)
            return best(work_item);
        DISubprogram *subprogram = work_item.getSubprogram();
        auto one = best(work_item);
        work_item.setSubprogram(subprogram);
        auto rows = one && !several->fit ? best_of_several(*several) : Row{};
        several->function->eraseFromParent();
        if (several->fit)
            several->fit->eraseFromParent();
        if (!rows || !rows->function) {
            work_item.setSubprogram(nullptr);
            return one;
        }
        RowComposer whole(work_item, shape_.rows);
        IRBuilder<> &builder = whole.builder();
        Value *y = whole.y();
        Value *end_y = whole.end_y();
        Value *count = builder.CreateAnd(builder.CreateNUWSub(end_y, y),
                                         builder.getInt32(0u - several->count));
        Value *rest = builder.CreateAdd(y, count, "", true, true);
        auto call = [&](Row row, Value *from, Value *to, unsigned at_once) {
            const char *name = at_once == 1 ? "rows.rest" : "several_rows";
            BasicBlock *some = whole.block(name);
            BasicBlock *done = whole.block(Twine(name) + ".done");
            builder.CreateCondBr(builder.CreateICmpULT(from, to), some, done);
            builder.SetInsertPoint(some);
            whole.part_of_y(from, to);
            whole.at_once(at_once);
            whole.call(row, {whole.begin(), whole.end()});
            builder.CreateBr(done);
            builder.SetInsertPoint(done);
        };
        call(*rows, y, rest, several->count);
        call(one->row, rest, end_y, 1);
        return RowWithCost{whole.finish(), one->lanes};
    }

    std::expected<Row, VectorisationFailure> best_of_several(const JammedRows &several) {
        const unsigned rows = std::exchange(shape_.rows, several.count);
        simplify_work_item(*several.function, analyses_);
        auto row = best(*several.function);
        shape_.rows = rows;
        return row ? std::expected<Row, VectorisationFailure>(row->row)
                   : std::unexpected(row.error());
    }

    // Makes the row with a lane for each work-item, or for each component if that costs no more.
    std::expected<RowWithCost, VectorisationFailure> best(Function &work_item) {
        auto components = components_of(work_item, analyses_);
        DISubprogram *subprogram = work_item.getSubprogram();
        auto parts = components ? by_components(work_item, *components) : std::nullopt;
        work_item.setSubprogram(subprogram);
        auto whole = vectorise_whole(work_item, shape_, analyses_);
        if (!parts)
            return whole;
        const bool dearer =
            whole && parts->lanes.weighed > components_max_cost_ratio * whole->lanes.weighed;
        if (whole)
            (dearer ? *parts : *whole).row.function->eraseFromParent();
        return dearer ? whole : *parts;
    }

    // Returns nothing if a strip might end within a work-item, because one component may read what
    // another writes. It can't read what other work-items write, since that would be a race.
    std::optional<RowWithCost> by_components(Function &work_item, Components components) {
        const UnbatchedRows each(shape_, true);
        RowShape shape = shape_;
        shape.length *= components.count;
        shape.likely *= components.count;
        auto row = vectorise_whole(*components.function, shape, analyses_);
        components.function->eraseFromParent();
        if (!row)
            return std::nullopt;
        LaneCount &lanes = row->lanes;
        if (lanes.lanes * std::max(shape.vlen, 64u) / 64 < components.count) {
            row->row.function->eraseFromParent();
            return std::nullopt;
        }
        lanes.lanes = std::max(1u, lanes.lanes / components.count);
        lanes.cost *= components.count;
        lanes.weighed *= components.count;
        RowComposer whole(work_item, shape_.rows);
        IRBuilder<> &builder = whole.builder();
        return RowWithCost{in_parts(whole,
                                    [&](Value *at, BasicBlock *) {
                                        Value *length = builder.CreateBinaryIntrinsic(
                                            Intrinsic::umin, builder.CreateSub(whole.end(), at),
                                            builder.getInt32(component_row_max_length));
                                        Value *end = builder.CreateMul(
                                            length, builder.getInt32(components.count));
                                        whole.call(row->row, {builder.getInt32(0), end}, {at});
                                        return builder.CreateAdd(at, length);
                                    }),
                           lanes};
    }

    // The interior runs without the border's code. Strips at a border are whole strips, with as
    // many lanes as their own version has, often fewer than the interior's.
    Row with_interior(Function &work_item, const BorderPeeling &interior, Row inside,
                      const RowWithCost &outside, const RowWithCost &columns) {
        RowComposer whole(work_item, shape_.rows);
        IRBuilder<> &builder = whole.builder();
        Value *begin = whole.begin();
        Value *end = whole.end();
        auto [low, high] = interior.range(builder, begin, end, whole.parameters());
        if (!shape_.long_rows) { // border groups are few
            Value *all = builder.CreateAnd(builder.CreateICmpEQ(low, begin),
                                           builder.CreateICmpEQ(high, end));
            remark_on_interior(
                choose(whole, all, {Version{inside}, Version{outside.row}}, begin, end), interior);
            return whole.finish();
        }
        Value *strip = strip_of(builder, outside.lanes);
        auto whole_strips = [&](Value *length) {
            length = builder.CreateAdd(length, builder.CreateSub(strip, builder.getInt32(1)));
            return builder.CreateAnd(length, builder.CreateNeg(strip));
        };
        auto least = [&](Value *a, Value *b) {
            return builder.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
        };
        Value *first = builder.CreateAdd(begin, whole_strips(builder.CreateSub(low, begin)));
        first = least(first, end);
        Value *after =
            least(whole_strips(builder.CreateSub(end, high)), builder.CreateSub(end, first));
        Value *last = builder.CreateSub(end, after);
        first = builder.CreateSelect(builder.CreateICmpULT(first, last), first, end);
        // Columns are as wide as the border, without the rest of a strip.
        Version border{outside.row, columns};
        if (columns.row.function) {
            Value *width =
                builder.CreateSub(builder.CreateSub(end, begin), builder.CreateSub(high, low));
            border.in_columns = fits_columns(whole, columns.lanes, width);
            first = builder.CreateSelect(border.in_columns, low, first);
            last = builder.CreateSelect(border.in_columns, high, last);
        }
        return in_parts(whole, [&](Value *at, BasicBlock *) {
            Value *is_inside = builder.CreateAnd(builder.CreateICmpUGE(at, first),
                                                 builder.CreateICmpULT(at, last));
            Value *next = builder.CreateSelect(builder.CreateICmpULT(at, first), first,
                                               builder.CreateSelect(is_inside, last, end));
            remark_on_interior(choose(whole, is_inside, {Version{inside}, border}, at, next),
                               interior);
            return next;
        });
    }

    static void remark_on_interior(BranchInst *versions, const BorderPeeling &interior) {
        for (const DebugLoc &location : interior.locations())
            attach_remark(versions, {CodeRemark::analysis, "Versions", location,
                                     "rows are in two versions: this is decided beforehand for all "
                                     "work-items between the borders, and asked by the others",
                                     ""});
    }

    // A row of one outcome of a condition; null: nothing to do.
    struct Version {
        Row row = {};
        RowWithCost columns = {};    // of the same work-items, if it has a function
        Value *in_columns = nullptr; // whether to call that; null: decided for each part
    };
    using Versions = std::array<Version, 2>;

    // The work-items of neighbouring rows in columns.
    RowWithCost columns_of(Function &work_item) {
        if (shape_.rows != 1 || !shape_.long_rows ||
            work_item.getInstructionCount() > columns_max_instructions ||
            any_of(work_item.getEntryBlock(), IsaPred<AllocaInst>)) // columns would have their own
            return {};
        Function *exchanged = exchange_ids(work_item);
        RowShape shape = shape_;
        shape.rows = 0;
        shape.rare = true; // next to the rows
        auto columns = vectorise_whole(*exchanged, shape, analyses_);
        exchanged->eraseFromParent();
        return columns ? *columns : RowWithCost{};
    }

    // Whether so many columns take at most as many strips as rows, which are a strip for each y.
    Value *fits_columns(RowComposer &whole, const LaneCount &lanes, Value *width) const {
        IRBuilder<> &builder = whole.builder();
        Value *rows = builder.CreateSub(whole.end_y(), whole.y());
        return builder.CreateICmpULE(
            width, builder.CreateBinaryIntrinsic(Intrinsic::umin, rows, strip_of(builder, lanes)));
    }

    // The work-items of a strip.
    Value *strip_of(IRBuilder<> &builder, const LaneCount &lanes) const {
        return shape_.vlen ? builder.getInt32(lanes.lanes * shape_.vlen / 64)
                           : builder.CreateMul(builder.getInt32(lanes.lanes),
                                               builder.CreateVScale(builder.getInt32Ty()));
    }

    std::expected<Row, VectorisationFailure> run_clone(Function &work_item, unsigned copies) {
        ValueToValueMapTy map;
        keep_subprogram(work_item, map);
        Function *copy = CloneFunction(&work_item, map);
        auto row = run(*copy, copies);
        copy->eraseFromParent();
        return row;
    }

    std::expected<Row, VectorisationFailure> bounded(Function &work_item, const RowBounds &bounds,
                                                     unsigned copies) {
        const UnbatchedRows each(shape_, !bounds.is_apart_from(y_of(work_item)));
        auto row = run_clone(work_item, copies);
        if (!row)
            return row;
        RowComposer whole(work_item, shape_.rows);
        IRBuilder<> &builder = whole.builder();
        if (bounds.may_wrap())
            return in_parts(whole, [&](Value *at, BasicBlock *) {
                Value *next = bounds.part(builder, at, whole.end(), whole.parameters());
                auto [begin, end] = bounds.narrowed(builder, at, next, whole.parameters());
                whole.call(*row, {begin, end});
                return next;
            });
        auto [begin, end] =
            bounds.narrowed(builder, whole.begin(), whole.end(), whole.parameters());
        whole.call(*row, {begin, end});
        if (bounds.has_tail()) {
            BasicBlock *tail = whole.block("tail");
            BasicBlock *done = whole.block("done");
            builder.CreateCondBr(builder.CreateICmpULT(whole.begin(), whole.end()), tail, done);
            builder.SetInsertPoint(tail);
            bounds.emit_tail(builder, whole.parameters());
            builder.CreateBr(done);
            builder.SetInsertPoint(done);
        }
        return whole.finish();
    }

    bool may_part(Function &work_item) const {
        return divisions_ && !shape_.likely && !takes_any_image(work_item) &&
               work_item.getInstructionCount() <= delinearise_max_instructions &&
               (!shape_.length || shape_.length > least_part());
    }
    // Parts shorter than a strip (32 bits in eight registers) save gathers only, not instructions.
    unsigned least_part() const { return shape_.vlen ? shape_.vlen / 4 : delinearise_min_length; }

    // Splits a row into parts in which a quotient is the same, if they are long enough.
    std::expected<Row, VectorisationFailure>
    by_quotients(Function &work_item, const DelinearisedIds &flat, unsigned copies) {
        const UnbatchedRows each(shape_, true);
        Function *part = flat.part_of_row(work_item);
        const unsigned left = std::exchange(divisions_, divisions_ - 1);
        const bool was_parted = std::exchange(shape_.parted, true);
        auto part_row = run(*part, copies);
        part->eraseFromParent();
        shape_.parted = was_parted;
        divisions_ = 0;
        auto other = part_row && !flat.always_hold() ? run_clone(work_item, copies) : Row{};
        divisions_ = left;
        if (!part_row || !other) {
            if (part_row)
                part_row->function->eraseFromParent();
            return part_row ? other : part_row;
        }
        RowComposer whole(work_item, shape_.rows);
        IRBuilder<> &builder = whole.builder();
        Value *divisor = flat.divisor(builder, whole.parameters());
        Value *holds = flat.holds(builder, whole.begin(), whole.end(), divisor, whole.parameters());
        divisor = builder.CreateSelect(holds, divisor, ConstantInt::get(divisor->getType(), 1));
        return in_parts(whole, [&](Value *at, BasicBlock *) {
            auto part = flat.part(builder, at, whole.end(), divisor, whole.parameters());
            Value *next = builder.CreateSelect(holds, part.end, whole.end());
            choose(whole, holds, {Version{*part_row}, Version{*other}}, at, next, {part.quotient});
            return next;
        });
    }

    // The rows for both values of a condition at its use. The first is for true; it is a work-item
    // function if the condition is true only for single work-items, which have no columns.
    // `narrow`: the one that is for few work-items of a row, or neither.
    std::expected<Versions, VectorisationFailure>
    versions(Function &work_item, const Use &condition, unsigned copies, bool true_for_one,
             std::optional<unsigned> narrow = std::nullopt) {
        Versions rows{};
        std::array<Function *, 2> work_items{};
        bool both = true;
        for (bool taken : {true, false}) {
            ValueToValueMapTy map;
            keep_subprogram(work_item, map);
            Function *copy = CloneFunction(&work_item, map);
            cast<User>(map[condition.getUser()])
                ->setOperand(condition.getOperandNo(),
                             ConstantInt::getBool(copy->getContext(), taken));
            simplify_work_item(*copy, analyses_);
            both &= copy->getInstructionCount() > entry_branch_min_instructions;
            if (isa<ReturnInst>(*copy->getEntryBlock().getFirstNonPHIOrDbg()))
                copy->eraseFromParent();
            else
                work_items[!taken] = copy;
        }
        std::optional<VectorisationFailure> obstacle;
        for (unsigned i = 0; i < 2; ++i) {
            if (!work_items[i])
                continue;
            if (narrow == i)
                rows[i].columns = columns_of(*work_items[i]);
            const bool only_points = true_for_one && i == 0;
            if (only_points && !rows[i].columns.row.function) {
                rows[i].row.function = work_items[i];
                work_items[i]->setSubprogram(nullptr);
                continue;
            }
            if (auto row = obstacle      ? std::unexpected(*obstacle)
                           : only_points ? Row{}
                                         : run_simple(*work_items[i], copies - both))
                rows[i].row = *row;
            else
                obstacle = row.error();
            work_items[i]->eraseFromParent();
        }
        if (!obstacle)
            return rows;
        for (const Version &version : rows)
            for (Function *function : {version.row.function, version.columns.row.function})
                if (function)
                    function->eraseFromParent();
        return std::unexpected(*obstacle);
    }

    std::expected<Row, VectorisationFailure> hoisted(Function &work_item, const Use &use,
                                                     unsigned copies) {
        if (auto split = shape_.rows == 1 ? RowSplit::of(use, 1) : std::nullopt)
            return parted_in_y(work_item, use, *split, copies);
        const UnbatchedRows each(shape_, is_made_of(use.get(), y_of(work_item)));
        const DebugLoc location = cast<Instruction>(use.getUser())->getDebugLoc();
        auto rows = versions(work_item, use, copies, false);
        if (!rows)
            return std::unexpected(rows.error());
        RowComposer whole(work_item, shape_.rows);
        IRBuilder<> &builder = whole.builder();
        Value *condition = recompute(builder, use.get(), whole.parameters());
        BranchInst *versions = choose(whole, condition, *rows, whole.begin(), whole.end());
        attach_remark(versions,
                      {CodeRemark::analysis, "Versions", location,
                       "all work-items of a row take this branch the same way, so that each way "
                       "has code of its own and nothing is asked in it",
                       ""});
        return whole.finish();
    }

    // Neighbouring rows, in parts between the values of y where the condition changes. What is the
    // same for all rows may be part of it: it is computed for each part.
    std::expected<Row, VectorisationFailure> parted_in_y(Function &work_item, const Use &use,
                                                         const RowSplit &split, unsigned copies) {
        auto rows = versions(work_item, use, copies, false);
        if (!rows)
            return std::unexpected(rows.error());
        RowComposer whole(work_item, shape_.rows);
        IRBuilder<> &builder = whole.builder();
        Value *y = whole.y();
        Value *end_y = whole.end_y();
        auto split_points = split.split_points(builder, y, end_y, whole.parameters());
        return in_parts(whole, y, end_y, [&](Value *at, BasicBlock *) {
            Value *next = RowSplit::next(builder, split_points, at, end_y);
            whole.part_of_y(at, next);
            choose(whole, split.holds(builder, at, whole.parameters()), *rows, whole.begin(),
                   whole.end());
            return next;
        });
    }

    std::expected<Row, VectorisationFailure> parted(Function &work_item, BranchInst &branch,
                                                    const RowSplit &split, unsigned copies) {
        return at_split_points(
            work_item, branch, split, copies, false,
            [&](RowComposer &whole, auto &rows, auto &split_points, Value *at, BasicBlock *) {
                IRBuilder<> &builder = whole.builder();
                Value *next = RowSplit::next(builder, split_points, at, whole.end());
                choose(whole, split.holds(builder, at, whole.parameters()), rows, at, next);
                return next;
            });
    }

    // Runs between single work-items that take the other branch.
    std::expected<Row, VectorisationFailure> at_points(Function &work_item, BranchInst &branch,
                                                       const RowSplit &split, unsigned copies) {
        return at_split_points(
            work_item, branch, split, copies, true,
            [&](RowComposer &whole, auto &rows, auto &split_points, Value *at, BasicBlock *done) {
                IRBuilder<> &builder = whole.builder();
                BasicBlock *point = whole.block("point");
                Value *next = RowSplit::next_point(builder, split_points, at, whole.end());
                call_version(whole, rows[1], at, next);
                builder.CreateCondBr(builder.CreateICmpULT(next, whole.end()), point, done);
                builder.SetInsertPoint(point);
                Value *after = builder.CreateAdd(next, builder.getInt32(1), "", true, true);
                if (rows[0].columns.row.function)
                    whole.call_columns(rows[0].columns.row.function, next, after);
                else
                    whole.call(rows[0].row, {next});
                return after;
            });
    }

    // A row in parts between the points where the branch's condition changes. `run` gets the
    // branch's versions and these points, and otherwise the same as in in_parts().
    template <class Run>
    std::expected<Row, VectorisationFailure>
    at_split_points(Function &work_item, BranchInst &branch, const RowSplit &split, unsigned copies,
                    bool true_for_one, Run run) {
        const UnbatchedRows each(shape_, !split.is_apart_from(y_of(work_item)));
        // The border is outside of `inside && inside`, and in `outside || outside`.
        const auto parts = parts_of(branch.getCondition());
        const auto border = true_for_one ? std::optional(0u)
                            : parts      ? std::optional(parts->is_and ? 1u : 0u)
                                         : std::nullopt;
        auto rows = versions(work_item, branch.getOperandUse(0), copies, true_for_one, border);
        if (!rows)
            return std::unexpected(rows.error());
        RowComposer whole(work_item, shape_.rows);
        auto split_points =
            split.split_points(whole.builder(), whole.begin(), whole.end(), whole.parameters());
        return in_parts(whole, [&](Value *at, BasicBlock *done) {
            return run(whole, *rows, split_points, at, done);
        });
    }

    // A row, part by part. `run` emits the part that begins at `at` and returns where the next one
    // begins; it may leave for `done`.
    template <class Run> static Row in_parts(RowComposer &whole, Run run) {
        return in_parts(whole, whole.begin(), whole.end(), run);
    }

    template <class Run>
    static Row in_parts(RowComposer &whole, Value *begin, Value *end, Run run) {
        IRBuilder<> &builder = whole.builder();
        BasicBlock *before = builder.GetInsertBlock();
        BasicBlock *part = whole.block("part");
        BasicBlock *done = whole.block("parts.done");
        builder.CreateCondBr(builder.CreateICmpULT(begin, end), part, done);
        builder.SetInsertPoint(part);
        PHINode *at = builder.CreatePHI(builder.getInt32Ty(), 2, "at");
        Value *next = run(at, done);
        at->addIncoming(begin, before);
        at->addIncoming(next, builder.GetInsertBlock());
        builder.CreateCondBr(builder.CreateICmpULT(next, end), part, done);
        builder.SetInsertPoint(done);
        return whole.finish();
    }

    // `more`: additional arguments of the first row.
    BranchInst *choose(RowComposer &whole, Value *condition, const Versions &rows, Value *begin,
                       Value *end, ArrayRef<Value *> more = {}) const {
        IRBuilder<> &builder = whole.builder();
        BasicBlock *done = whole.block("versions.done");
        BasicBlock *blocks[] = {whole.block("version"), whole.block("version")};
        BranchInst *branch = builder.CreateCondBr(condition, blocks[0], blocks[1]);
        for (unsigned i = 0; i < 2; ++i) {
            builder.SetInsertPoint(blocks[i]);
            call_version(whole, rows[i], begin, end, i == 0 ? more : ArrayRef<Value *>());
            builder.CreateBr(done);
        }
        builder.SetInsertPoint(done);
        return branch;
    }

    // begin < end if the version has columns.
    void call_version(RowComposer &whole, const Version &version, Value *begin, Value *end,
                      ArrayRef<Value *> more = {}) const {
        Function *columns = version.columns.row.function;
        if (!columns) {
            whole.call(version.row, {begin, end}, more);
            return;
        }
        IRBuilder<> &builder = whole.builder();
        BasicBlock *in_columns = whole.block("columns");
        BasicBlock *in_rows = whole.block("rows");
        BasicBlock *done = whole.block("columns.done");
        Value *fits = version.in_columns;
        if (!fits)
            fits = fits_columns(whole, version.columns.lanes, builder.CreateSub(end, begin));
        builder.CreateCondBr(fits, in_columns, in_rows);
        builder.SetInsertPoint(in_columns);
        whole.call_columns(columns, begin, end);
        builder.CreateBr(done);
        builder.SetInsertPoint(in_rows);
        whole.call(version.row, {begin, end}, more);
        builder.CreateBr(done);
        builder.SetInsertPoint(done);
    }

    static const Argument &y_of(Function &work_item) { return *work_item.getArg(1); }

    RowShape shape_;
    FunctionAnalysisManager &analyses_;
    unsigned divisions_ = delinearise_max_divisions;
};

} // namespace

std::expected<Row, VectorisationFailure> vectorise(Function &work_item, RowShape shape,
                                                   FunctionAnalysisManager &analyses) {
    ValueToValueMapTy map;
    keep_subprogram(work_item, map);
    Function *copy = CloneFunction(&work_item, map);
    copy->setLinkage(GlobalValue::InternalLinkage);
    split_operands_of_calls(*copy);
    verify_after("split-operands", *copy);
    auto row = Vectoriser(shape, analyses).run(*copy, entry_branch_max_copies);
    if (row) {
        inline_lane_functions(*row->function);
        verify_after("lane-functions", *row->function);
    }
    copy->eraseFromParent();
    return row;
}

std::optional<LaneCount> estimate(Function &work_item, RowShape shape,
                                  FunctionAnalysisManager &analyses) {
    ValueToValueMapTy map;
    keep_subprogram(work_item, map);
    Function *copy = CloneFunction(&work_item, map);
    std::optional<LaneCount> lanes;
    {
        simplify_combined_work_item(*copy, analyses);
        RowBounds bounds(*copy, 0, shape.long_rows);
        if (!bounds.empty())
            simplify_work_item(*copy, analyses);
        if (auto known = RowAnalysis::of(*copy, shape, analyses))
            lanes = known->lanes();
    }
    copy->eraseFromParent();
    return lanes;
}

} // namespace rivulet::compiler
