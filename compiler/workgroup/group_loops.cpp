// SPDX-License-Identifier: Apache-2.0
//
// Builds the kernel of a chunk of work-groups, void NAME(record, words, frame) as
// runtime/dispatch.h describes it: a loop over groups, in which the functions for rows of all
// regions are called and then inlined. Values that are the same for the whole launch are loaded
// before that loop, so work-groups cost little more than their rows.
//
// Takes the rows that rvl-rows left, and replaces the kernel's function. Groups that the end of the
// NDRange cuts short get a function of their own, which is called rarely and not inlined.
#include "compiler/workgroup/group_loops.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/runtime/dispatch.h"
#include "compiler/support/instruction_remarks.h"
#include "compiler/support/program_pass.h"
#include "compiler/support/verification.h"
#include "compiler/work_items/loop_metadata.h"
#include "compiler/workgroup/kernel_lowering.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(GroupLoopsPass);

namespace {

// All sizes of an NDRange are below 2^31.
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
    GroupLoop(const KernelParts &parts, Function *uneven)
        : parts_(parts), kernel_(parts.kernel), uneven_(uneven),
          builder_(kernel_.function->getContext()) {}

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
        regions_->run(group, BasicBlock::Create(context(), "group.end", function_));
        builder_.CreateRetVoid();
        return function_;
    }

    Function *build() {
        create_kernel();
        start();
        if (parts_.ids == Ids::flat)
            run_flat();
        else
            run_chunks();
        builder_.CreateRetVoid();
        return function_;
    }

private:
    LLVMContext &context() { return builder_.getContext(); }

    // How it is called: runtime/dispatch.h.
    rvl_call call() const {
        if (parts_.ids != Ids::flat)
            return RVL_CALL_ONCE;
        return are_alike(parts_.rows[0]) ? RVL_CALL_ROW : RVL_CALL_ROWS;
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
        // C's calling convention passes sizes so.
        AttrBuilder id_attributes(context());
        id_attributes.addAttribute(Attribute::NoUndef).addAttribute(Attribute::SExt);
        id_attributes.addRangeAttr(
            ConstantRange(APInt(32, call() == RVL_CALL_ROW), APInt::getSignedMinValue(32)));
        for (llvm::Argument &argument : function_->args()) {
            argument.setName(names[argument.getArgNo()]);
            if (argument.getType()->isPointerTy())
                argument.addAttr(Attribute::NoAlias);
            else
                argument.addAttrs(id_attributes);
        }
    }

    // Reads the launch record and sets up the group's variables.
    void start() {
        builder_.SetInsertPoint(BasicBlock::Create(context(), "entry", function_));
        launch_ = load_launch(builder_, *function_, kernel_);
        if (parts_.ids == Ids::by_dimension && any_of(parts_.rows, has_y))
            for (Value *count : launch_.group_count)
                set_positive(*cast<LoadInst>(count));
        for (Value *size : launch_.local_size)
            if (auto *load = dyn_cast<LoadInst>(size))
                set_positive(*load);
        regions_.emplace(parts_, builder_, launch_);
    }

    // The work-items that it is called for.
    void run_flat() {
        const auto argument = [&](unsigned index) { return function_->getArg(index); };
        Value *none = builder_.getInt32(0);
        const Group any{launch_.global_offset, launch_.local_size, {none, none, none}};
        if (call() == RVL_CALL_ROWS) {
            regions_->run_rows(0, {argument(3), argument(4)}, {argument(5), argument(6)},
                               argument(7), any);
            return;
        }
        Loop again(builder_, none, argument(4), "again", /*rotated=*/true);
        builder_.CreateCall(parts_.rows[0].one.function,
                            regions_->arguments(run_of_row(), none, none, any));
        again.close();
    }

    // Read each time: if LLVM knew that it is the same it would make a loop of its own for what
    // takes another path through the row.
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

    // All that are left, as long as no other launch waits for this hart (hal/protocol/launch.h).
    // dispatch.c has the same loop in C, for kernels that are called for rows. Here it is part of
    // the kernel: what that knows of its launch, two dozen values, it reads once, not for each
    // chunk.
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

    void run_groups(Value *first, Value *last) {
        Loop loop(builder_, first, last, "group");
        const Group group = this->group(loop.index());
        auto *done = BasicBlock::Create(context(), "group.end", function_);
        if (uneven_)
            run_if_uneven(group, loop.index(), done);
        regions_->run(group, done);
        loop.close();
    }

    void run_if_uneven(const Group &group, Value *index, BasicBlock *done) {
        auto *uneven = BasicBlock::Create(context(), "uneven", function_);
        auto *even = BasicBlock::Create(context(), "even", function_);
        Value *whole = builder_.getTrue();
        for (unsigned d = 0; d < 3; ++d)
            if (kernel_.required_group_size[d] > 1)
                whole = builder_.CreateAnd(
                    whole, builder_.CreateICmpULE(launch_.local_size[d], left(group.id[d], d)));
        builder_.CreateCondBr(whole, even, uneven);
        builder_.SetInsertPoint(uneven);
        auto *call = builder_.CreateCall(
            uneven_, {function_->getArg(0), function_->getArg(1), function_->getArg(2), index});
        call->setDebugLoc(kernel_line());
        builder_.CreateBr(done);
        builder_.SetInsertPoint(even);
    }

    // Null: the module has no lines.
    DILocation *kernel_line() {
        const Rows &rows = parts_.rows[0];
        DISubprogram *kernel =
            (rows.one.function ? rows.one : rows.several).function->getSubprogram();
        return kernel ? DILocation::get(context(), kernel->getLine(), 0, kernel) : nullptr;
    }

    Group group(Value *index) {
        Value *row = builder_.CreateUDiv(index, launch_.group_count[0]);
        Group group;
        group.id = {builder_.CreateURem(index, launch_.group_count[0]),
                    builder_.CreateURem(row, launch_.group_count[1]),
                    builder_.CreateUDiv(row, launch_.group_count[1])};
        for (unsigned d = 0; d < 3; ++d) {
            group.first_id[d] = builder_.CreateAdd(before(group.id[d], d), launch_.global_offset[d],
                                                   "", true, true);
            group.local_size[d] = launch_.local_size[d];
            if (uneven_ || kernel_.uniform_work_groups)
                continue;
            group.local_size[d] = builder_.CreateBinaryIntrinsic(
                Intrinsic::umin, launch_.local_size[d], left(group.id[d], d));
            builder_.CreateAssumption(builder_.CreateIsNotNull(group.local_size[d]));
        }
        return group;
    }

    // Work-items in dimension `d` before a group, and from its first one on.
    Value *before(Value *id, unsigned d) {
        return builder_.CreateMul(id, launch_.local_size[d], "", true, true);
    }
    Value *left(Value *id, unsigned d) {
        return builder_.CreateNUWSub(launch_.global_size[d], before(id, d));
    }

    const KernelParts &parts_;
    const Kernel &kernel_;
    Function *uneven_; // void(record, words, frame, group), or null
    IRBuilder<> builder_;
    Function *function_ = nullptr;
    LaunchValues launch_;
    std::optional<GroupRegions> regions_;
};

} // namespace

bool may_be_cut_short(const Kernel &kernel, bool flat) {
    return kernel.required_group_size[0] > 0 && !kernel.uniform_work_groups && !flat;
}

GroupFunctions build_group_loop(const KernelParts &parts) {
    if (!may_be_cut_short(parts.kernel, parts.ids == Ids::flat))
        return {GroupLoop(parts, nullptr).build(), nullptr};
    SmallVector<Rows> single;
    for (const Rows &rows : parts.rows)
        single.push_back(
            {.one = rows.uneven.function ? rows.uneven : rows.one, .limits = rows.limits});
    KernelParts of_uneven = parts;
    of_uneven.rows = single;
    Function *uneven = GroupLoop(of_uneven, nullptr).build_uneven();
    return {GroupLoop(parts, uneven).build(), uneven};
}

void GroupLoopsPass::lower(Program &program, const Target &target, ModuleAnalysisManager &) {
    const LegalElementTypes elements = LegalElementTypes::of(*target.machine);
    for (Kernel &kernel : program.kernels) {
        auto known = lowering_after("rvl-rows", kernel, program);
        if (!known)
            return;
        KernelLowering &lowering = *known;
        const GroupFunctions lowered = lowering.functions =
            build_group_loop({.kernel = kernel,
                              .regions = lowering.regions,
                              .rows = lowering.rows,
                              .ids = lowering.flat                   ? Ids::flat
                                     : lowering.work_item.sub_groups ? Ids::linear
                                                                     : Ids::by_dimension,
                              .initialise_local = program.initialise_local,
                              .elements = has_lanes(program, target) ? &elements : nullptr});
        verify_after("group-loop", *lowered.kernel);
        kernel.function->replaceAllUsesWith(lowered.kernel);
        kernel.function->eraseFromParent();
        kernel.function = lowered.kernel;
        for (const Rows &some : lowering.rows)
            for (Function *row : {some.one.function, some.uneven.function, some.several.function,
                                  some.fit, some.limits})
                if (row)
                    inline_all(*row);
        if (!kernel.takes_large_buffers)
            emit_attached_remarks(*lowered.kernel);
        lowering.rows.clear();
        save_lowering("rvl-group-loops", kernel, lowering);
    }
}

} // namespace rivulet::compiler
