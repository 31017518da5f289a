// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/group_loop.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/runtime/dispatch.h"
#include "compiler/spmd/loop_hints.h"
#include "compiler/workgroup/collectives.h"
#include "compiler/workgroup/launch_values.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr unsigned many = 48; // regions; then not more than so many one after the other:
constexpr unsigned in_a_row = 8;

// for (i = begin; i < end; i += 1), open until close(). `rotated`: as LLVM's LoopRotate leaves it,
// which takes long where there are many loops. Not unrolled: each copy of a row would have
// addresses of its own, too many for the registers, and loops over groups don't gain.
class Loop {
public:
    Loop(IRBuilder<> &builder, Value *begin, Value *end, const Twine &name, bool rotated = false)
        : builder_(builder), end_(end), rotated_(rotated) {
        Function *function = builder.GetInsertBlock()->getParent();
        BasicBlock *before = builder.GetInsertBlock();
        head_ = BasicBlock::Create(builder.getContext(), name, function);
        done_ = BasicBlock::Create(builder.getContext(), name + ".done", function);
        if (rotated)
            builder.CreateCondBr(builder.CreateICmpULT(begin, end), head_, done_);
        else
            builder.CreateBr(head_);
        builder.SetInsertPoint(head_);
        index_ = builder.CreatePHI(begin->getType(), 2, name);
        index_->addIncoming(begin, before);
        if (rotated)
            return;
        auto *body = BasicBlock::Create(builder.getContext(), name + ".body", function);
        builder.CreateCondBr(builder.CreateICmpULT(index_, end), body, done_);
        builder.SetInsertPoint(body);
    }
    Value *index() const { return index_; }
    void close() {
        Value *next =
            builder_.CreateAdd(index_, ConstantInt::get(index_->getType(), 1), "", true, true);
        index_->addIncoming(next, builder_.GetInsertBlock());
        do_not_unroll(
            *(rotated_ ? builder_.CreateCondBr(builder_.CreateICmpULT(next, end_), head_, done_)
                       : builder_.CreateBr(head_)));
        builder_.SetInsertPoint(done_);
    }

private:
    IRBuilder<> &builder_;
    Value *end_;
    bool rotated_;
    BasicBlock *head_;
    BasicBlock *done_;
    PHINode *index_;
};

// The row is another one for each y, or z.
bool has_y(const Rows &rows) { return rows.several || !rows.one->getArg(2)->use_empty(); }
bool has_z(const Rows &rows) { return !rows.one->getArg(3)->use_empty(); }

// So that one loop does for y and z.
bool are_alike(const Rows &rows) { return !has_y(rows) && !has_z(rows) && !rows.limits; }

// Below 2^31, as all sizes of an NDRange.
void set_range(LoadInst &number, uint32_t least) {
    MDBuilder metadata(number.getContext());
    number.setMetadata(LLVMContext::MD_range,
                       metadata.createRange(APInt(32, least), APInt::getSignedMinValue(32)));
    number.setMetadata(LLVMContext::MD_noundef, MDNode::get(number.getContext(), {}));
}

// Group ids are quotients of the number of groups, and addresses are made of those: LLVM steps from
// row to row only with addresses that don't divide by zero. Loops over at least one work-item need
// no test before the first.
void set_positive(LoadInst &count) { set_range(count, 1); }

class GroupLoop {
public:
    GroupLoop(const Kernel &kernel, const Regions &regions, ArrayRef<Rows> rows, Ids ids,
              bool initialise_local, const Elements *elements, Function *uneven)
        : kernel_(kernel), regions_(regions), rows_(rows), ids_(ids),
          initialise_local_(initialise_local), elements_(elements), uneven_(uneven),
          builder_(kernel.function->getContext()) {}

    // void(record, words, frame, group)
    Function *build_uneven() {
        SmallVector<Type *> types(3, builder_.getPtrTy(private_space));
        types.push_back(builder_.getInt32Ty());
        create_function(types, {"record", "words", "frame", "group"}, GlobalValue::InternalLinkage);
        function_->setName(kernel_.name + ".uneven");
        function_->addFnAttr(Attribute::Cold);
        function_->addFnAttr(Attribute::NoInline);
        if (const DILocation *kernel = kernel_line()) {
            auto *own = MDNode::replaceWithDistinct(kernel->getScope()->getSubprogram()->clone());
            function_->setSubprogram(own);
            builder_.SetCurrentDebugLocation(DILocation::get(context(), kernel->getLine(), 0, own));
        }
        start();
        const Group group = this->group(function_->getArg(3));
        run_regions(group, BasicBlock::Create(context(), "group.end", function_));
        builder_.CreateRetVoid();
        return function_;
    }

    Function *build() {
        create_kernel();
        start();
        if (ids_ == Ids::flat)
            run_flat();
        else
            run_chunks();
        builder_.CreateRetVoid();
        return function_;
    }

private:
    using Range = std::pair<Value *, Value *>;

    LLVMContext &context() { return builder_.getContext(); }

    // How it is called: runtime/dispatch.h.
    rvl_call call() const {
        if (ids_ != Ids::flat)
            return RVL_CALL_ONCE;
        return are_alike(rows_[0]) ? RVL_CALL_ROW : RVL_CALL_ROWS;
    }

    void create_kernel() {
        Type *pointer = builder_.getPtrTy(private_space), *number = builder_.getInt32Ty();
        SmallVector<Type *> types(3, pointer);
        SmallVector<const char *> names{"record", "words", "frame"};
        if (call() == RVL_CALL_ROW) {
            types.append({pointer, number});
            names.append({"run", "rows"});
        } else if (call() == RVL_CALL_ROWS) {
            types.append(5, number);
            names.append({"x", "end_x", "y", "end_y", "z"});
        }
        create_function(types, names, GlobalValue::ExternalLinkage);
        function_->takeName(kernel_.function);
        function_->setVisibility(GlobalValue::HiddenVisibility);
        function_->setPrefixData(builder_.getInt32(call()));
    }

    void create_function(ArrayRef<Type *> types, ArrayRef<const char *> names,
                         GlobalValue::LinkageTypes linkage) {
        Function &old = *kernel_.function;
        function_ = Function::Create(FunctionType::get(builder_.getVoidTy(), types, false), linkage,
                                     old.getAddressSpace(), "", old.getParent());
        AttrBuilder attributes(context(), old.getAttributes().getFnAttrs());
        attributes.removeAttribute(Attribute::Convergent);
        function_->addFnAttrs(attributes);
        // As C passes them.
        AttrBuilder place(context());
        place.addAttribute(Attribute::NoUndef).addAttribute(Attribute::SExt);
        place.addRangeAttr(
            ConstantRange(APInt(32, call() == RVL_CALL_ROW), APInt::getSignedMinValue(32)));
        for (llvm::Argument &argument : function_->args()) {
            argument.setName(names[argument.getArgNo()]);
            if (argument.getType()->isPointerTy())
                argument.addAttr(Attribute::NoAlias);
            else
                argument.addAttrs(place);
        }
    }

    // What the launch is, and variables of the group.
    void start() {
        builder_.SetInsertPoint(BasicBlock::Create(context(), "entry", function_));
        launch_ = load_launch(builder_, *function_, kernel_);
        if (ids_ == Ids::by_dimension && any_of(rows_, has_y))
            for (Value *count : launch_.group_count)
                set_positive(*cast<LoadInst>(count));
        for (Value *size : launch_.local_size)
            if (auto *load = dyn_cast<LoadInst>(size))
                set_positive(*load);
        for (unsigned index : regions_.uniform_values())
            uniform_.push_back(builder_.CreateAlloca(regions_.values[index].type));
        ended_ = builder_.CreateAlloca(builder_.getInt32Ty());
    }

    // The work-items that it is called for.
    void run_flat() {
        const auto argument = [&](unsigned index) { return function_->getArg(index); };
        Value *none = builder_.getInt32(0);
        const Group any{launch_.global_offset, launch_.local_size, {none, none, none}};
        if (call() == RVL_CALL_ROWS) {
            run_rows(0, {argument(3), argument(4)}, {argument(5), argument(6)}, argument(7), any);
            return;
        }
        Loop again(builder_, none, argument(4), "again", /*rotated=*/true);
        builder_.CreateCall(rows_[0].one, arguments(run_of_row(), none, none, any));
        again.close();
    }

    // Read each time: if LLVM knew that it is the same it would make a loop of its own for what
    // takes another way through the row.
    Range run_of_row() {
        auto number = [&](size_t offset) {
            LoadInst *load = builder_.CreateLoad(builder_.getInt32Ty(),
                                                 field(builder_, function_->getArg(3), offset),
                                                 /*isVolatile=*/true);
            set_range(*load, 0);
            return load;
        };
        return {number(offsetof(rvl_run, begin)), number(offsetof(rvl_run, end))};
    }

    // All that are left, as long as nobody else wants this hart (hal/protocol/launch.h).
    void run_chunks() {
        auto *take = BasicBlock::Create(context(), "take", function_);
        auto *chunk = BasicBlock::Create(context(), "chunk", function_);
        auto *done = BasicBlock::Create(context(), "done", function_);
        builder_.CreateBr(take);

        Value *words = function_->getArg(1);
        Value *frame = function_->getArg(2);
        builder_.SetInsertPoint(take);
        Value *first = builder_.CreateAtomicRMW(
            AtomicRMWInst::Add, field(builder_, words, offsetof(rvl_launch_words, next_group)),
            launch_.chunk, Align(4), AtomicOrdering::Monotonic);
        builder_.CreateCondBr(builder_.CreateICmpULT(first, launch_.total_groups), chunk, done);

        builder_.SetInsertPoint(chunk);
        Value *count = builder_.CreateBinaryIntrinsic(
            Intrinsic::umin, launch_.chunk, builder_.CreateNUWSub(launch_.total_groups, first));
        builder_.CreateStore(first, field(builder_, frame, offsetof(rvl_hart_frame, first_group)));
        builder_.CreateStore(count, field(builder_, frame, offsetof(rvl_hart_frame, groups)));
        run_groups(first, builder_.CreateNUWAdd(first, count));
        Value *yield = builder_.CreateLoad(
            builder_.getInt32Ty(), field(builder_, words, offsetof(rvl_launch_words, yield)),
            /*isVolatile=*/true);
        do_not_unroll(*builder_.CreateCondBr(builder_.CreateIsNull(yield), take, done));
        builder_.SetInsertPoint(done);
    }

    struct Group {
        Dimensions first_id;   // global
        Dimensions local_size; // of this group
        Dimensions id;
    };

    void run_groups(Value *first, Value *last) {
        Loop loop(builder_, first, last, "group");
        const Group group = this->group(loop.index());
        auto *done = BasicBlock::Create(context(), "group.end", function_);
        if (uneven_)
            run_if_uneven(group, loop.index(), done);
        run_regions(group, done);
        loop.close();
    }

    void run_if_uneven(const Group &group, Value *index, BasicBlock *done) {
        const unsigned rows = max_element(rows_, [](const Rows &a, const Rows &b) {
                                  return a.count < b.count;
                              })->count;
        auto *uneven = BasicBlock::Create(context(), "uneven", function_);
        auto *even = BasicBlock::Create(context(), "even", function_);
        Value *left = builder_.CreateURem(group.local_size[1], builder_.getInt32(rows));
        builder_.CreateCondBr(builder_.CreateIsNull(left), even, uneven);
        builder_.SetInsertPoint(uneven);
        auto *call = builder_.CreateCall(
            uneven_, {function_->getArg(0), function_->getArg(1), function_->getArg(2), index});
        call->setDebugLoc(kernel_line());
        builder_.CreateBr(done);
        builder_.SetInsertPoint(even);
    }

    // Null: the module has no lines.
    DILocation *kernel_line() {
        DISubprogram *kernel = rows_[0].one->getSubprogram();
        return kernel ? DILocation::get(context(), kernel->getLine(), 0, kernel) : nullptr;
    }

    Group group(Value *index) {
        Value *row = builder_.CreateUDiv(index, launch_.group_count[0]);
        Group group;
        group.id = {builder_.CreateURem(index, launch_.group_count[0]),
                    builder_.CreateURem(row, launch_.group_count[1]),
                    builder_.CreateUDiv(row, launch_.group_count[1])};
        for (unsigned d = 0; d < 3; ++d) {
            Value *before = builder_.CreateMul(group.id[d], launch_.local_size[d], "", true, true);
            group.first_id[d] =
                builder_.CreateAdd(before, launch_.global_offset[d], "", true, true);
            group.local_size[d] = kernel_.uniform_work_groups
                                      ? launch_.local_size[d]
                                      : builder_.CreateBinaryIntrinsic(
                                            Intrinsic::umin, launch_.local_size[d],
                                            builder_.CreateNUWSub(launch_.global_size[d], before));
            if (!kernel_.uniform_work_groups)
                builder_.CreateAssumption(builder_.CreateIsNotNull(group.local_size[d]));
        }
        return group;
    }

    void run_regions(const Group &group, BasicBlock *done) {
        if (initialise_local_)
            builder_.CreateMemSet(launch_.local, builder_.getInt8(0), launch_.local_bytes,
                                  Align(64));
        SmallVector<BasicBlock *> starts;
        for (size_t i = 0; i < regions_.regions.size(); ++i)
            starts.push_back(BasicBlock::Create(context(), "region" + Twine(i), function_));
        const SmallVector<BasicBlock *> ways = separated(starts);
        builder_.CreateBr(ways[0]);
        for (auto [i, region] : enumerate(regions_.regions)) {
            builder_.SetInsertPoint(starts[i]);
            builder_.CreateStore(builder_.getInt32(~0u), ended_);
            // All work-items of the region see what the last one left; they all write the same.
            SmallVector<Value *> now;
            for (AllocaInst *variable : uniform_)
                now.push_back(builder_.CreateLoad(variable->getAllocatedType(), variable));
            Value *none = builder_.getInt32(0);
            if (ids_ == Ids::linear) {
                run_rows(i, {none, items(group)}, {none, builder_.getInt32(1)}, none, group, now);
            } else if (kernel_.required_group_size[2] == 1 || are_alike(rows_[i])) {
                Value *count =
                    builder_.CreateMul(group.local_size[1], group.local_size[2], "", true, true);
                run_rows(i, {none, group.local_size[0]}, {none, count}, none, group, now);
            } else {
                Loop z(builder_, none, group.local_size[2], "z", are_many());
                run_rows(i, {none, group.local_size[0]}, {none, group.local_size[1]}, z.index(),
                         group, now);
                z.close();
            }
            go_on(region, group, ways, done);
        }
        builder_.SetInsertPoint(done);
    }

    bool are_many() const { return regions_.regions.size() > many; }

    // The ways to the regions. What LLVM asks of a loop, it asks of all that stands before it: that
    // is many regions' conditions, unless a switch that it can't foresee lies between them.
    SmallVector<BasicBlock *> separated(const SmallVector<BasicBlock *> &starts) {
        if (!are_many())
            return starts;
        IRBuilder<>::InsertPointGuard guard(builder_);
        SmallVector<BasicBlock *> ways = starts;
        IRBuilder<> entry(&function_->getEntryBlock().front());
        AllocaInst *next = entry.CreateAlloca(builder_.getInt32Ty());
        auto *gate = BasicBlock::Create(context(), "gate", function_);
        auto *nowhere = BasicBlock::Create(context(), "nowhere", function_);
        builder_.SetInsertPoint(nowhere);
        builder_.CreateUnreachable();
        builder_.SetInsertPoint(gate);
        SwitchInst *choice = builder_.CreateSwitch(
            builder_.CreateLoad(builder_.getInt32Ty(), next, /*isVolatile=*/true), nowhere);
        for (unsigned i = 0; i < starts.size(); i += in_a_row) {
            ways[i] = BasicBlock::Create(context(), "to_region" + Twine(i), function_);
            builder_.SetInsertPoint(ways[i]);
            builder_.CreateStore(builder_.getInt32(i / in_a_row), next, /*isVolatile=*/true);
            builder_.CreateBr(gate);
            choice->addCase(builder_.getInt32(i / in_a_row), starts[i]);
        }
        return ways;
    }

    // To the region after the boundary at which all work-items ended.
    void go_on(const Region &region, const Group &group, ArrayRef<BasicBlock *> starts,
               BasicBlock *done) {
        if (region.next.empty()) {
            builder_.CreateBr(done);
            return;
        }
        SmallVector<BasicBlock *> ways;
        for (unsigned boundary : region.next)
            ways.push_back(is_collective(regions_.boundaries[boundary].builtin)
                               ? collective(boundary, group, starts[boundary + 1])
                               : starts[boundary + 1]);
        if (ways.size() == 1 && !region.may_return) {
            builder_.CreateBr(ways[0]);
            return;
        }
        Value *ended = builder_.CreateLoad(builder_.getInt32Ty(), ended_, "ended");
        SwitchInst *choice = builder_.CreateSwitch(ended, done);
        for (auto [boundary, way] : zip(region.next, ways))
            choice->addCase(builder_.getInt32(boundary), way);
    }

    BasicBlock *collective(unsigned number, const Group &group, BasicBlock *then) {
        IRBuilder<>::InsertPointGuard guard(builder_);
        const Boundary &boundary = regions_.boundaries[number];
        auto *start = BasicBlock::Create(context(), "at_collective", function_);
        builder_.SetInsertPoint(start);
        Value *index = nullptr;
        if (boundary.index >= 0)
            index = builder_.CreateLoad(builder_.getInt64Ty(), uniform(boundary.index));
        Value *result =
            run_collective(builder_, boundary, regions_.values[boundary.operand],
                           {launch_.saved, launch_.work_items, items(group)}, index, elements_);
        if (boundary.result != boundary.operand)
            builder_.CreateStore(result, uniform(boundary.result));
        builder_.CreateBr(then);
        return start;
    }

    Value *items(const Group &group) {
        return builder_.CreateMul(
            builder_.CreateMul(group.local_size[0], group.local_size[1], "", true, true),
            group.local_size[2], "", true, true);
    }

    AllocaInst *uniform(int value) {
        auto indices = regions_.uniform_values();
        return uniform_[find(indices, unsigned(value)) - indices.begin()];
    }

    // Of a row's function.
    SmallVector<Value *, 48> arguments(Range x, Value *y, Value *z, const Group &group,
                                       ArrayRef<Value *> uniform_values = {}) {
        SmallVector<Value *, 48> all{x.first, x.second, y, z};
        for (const Dimensions &values :
             {group.first_id, group.local_size, launch_.local_size, group.id, launch_.group_count,
              launch_.global_size, launch_.global_offset})
            all.append(values.begin(), values.end());
        all.append({launch_.dimensions, launch_.work_items, launch_.saved, launch_.local});
        all.append(launch_.arguments);
        append_range(all, uniform_values);
        all.append(uniform_.begin(), uniform_.end());
        all.push_back(ended_);
        return all;
    }

    // The region's work-items with one z: row after row, or several rows at a time.
    void run_rows(size_t region, Range x, Range y, Value *z, const Group &group,
                  ArrayRef<Value *> uniform_values = {}) {
        const Rows &rows = rows_[region];
        auto arguments = [&](Value *at) {
            return this->arguments(x, at, z, group, uniform_values);
        };
        if (rows.limits) {
            auto place = arguments(y.first);
            place.erase(place.begin());
            place[0] = y.first;
            place[1] = y.second;
            Value *limits = builder_.CreateCall(rows.limits, place);
            y = {builder_.CreateExtractValue(limits, 0), builder_.CreateExtractValue(limits, 1)};
        }
        Value *first = y.first;
        if (rows.several) {
            BasicBlock *before = builder_.GetInsertBlock();
            auto *head = BasicBlock::Create(context(), "rows", function_);
            auto *several = BasicBlock::Create(context(), "several_rows", function_);
            auto *rest = BasicBlock::Create(context(), "rows.rest", function_);
            builder_.CreateBr(head);
            builder_.SetInsertPoint(head);
            PHINode *at = builder_.CreatePHI(first->getType(), 2, "y");
            at->addIncoming(first, before);
            first = at;
            Value *count = builder_.getInt32(rows.count);
            Value *fit = builder_.CreateICmpULE(count, builder_.CreateNUWSub(y.second, at));
            if (rows.fit) {
                auto place = arguments(at);
                place.erase(place.begin() + 1);
                fit = builder_.CreateLogicalAnd(fit, builder_.CreateCall(rows.fit, place));
            }
            builder_.CreateCondBr(fit, several, rest);
            builder_.SetInsertPoint(several);
            builder_.CreateCall(rows.several, arguments(at));
            at->addIncoming(builder_.CreateAdd(at, count, "", true, true),
                            builder_.GetInsertBlock());
            builder_.CreateBr(head);
            builder_.SetInsertPoint(rest);
        }
        if (!rows.one || (uneven_ && rows.divides))
            return;
        Loop loop(builder_, first, y.second, "y", are_many());
        builder_.CreateCall(rows.one, arguments(loop.index()));
        loop.close();
    }

    const Kernel &kernel_;
    const Regions &regions_;
    ArrayRef<Rows> rows_;
    Ids ids_;
    bool initialise_local_;
    const Elements *elements_;
    Function *uneven_; // void(record, words, frame, group), or null
    IRBuilder<> builder_;
    Function *function_ = nullptr;
    LaunchValues launch_;
    SmallVector<AllocaInst *> uniform_;
    AllocaInst *ended_ = nullptr;
};

} // namespace

GroupFunctions build_group_loop(const Kernel &kernel, const Regions &regions, ArrayRef<Rows> rows,
                                Ids ids, bool initialise_local, const Elements *elements) {
    auto loop = [&](ArrayRef<Rows> rows, Function *uneven) {
        return GroupLoop(kernel, regions, rows, ids, initialise_local, elements, uneven);
    };
    Function *uneven = nullptr;
    const auto dividing = count_if(rows, [](const Rows &some) { return some.divides && some.one; });
    if (dividing > 0 && 2 * dividing >= static_cast<ptrdiff_t>(rows.size())) {
        SmallVector<Rows> single;
        for (const Rows &some : rows)
            single.push_back({.one = some.one, .limits = some.limits});
        uneven = loop(single, nullptr).build_uneven();
    }
    return {loop(rows, uneven).build(), uneven};
}

} // namespace rivulet::compiler
