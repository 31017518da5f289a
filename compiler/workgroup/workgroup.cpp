// SPDX-License-Identifier: Apache-2.0
#include "compiler/workgroup/workgroup.h"

#include <array>
#include <vector>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "compiler/spmd/plan/unroll_and_jam_y.h"
#include "compiler/spmd/plan/vectorise.h"
#include "compiler/spmd/transform/guard_to_loop_bound.h"
#include "compiler/spmd/transform/private_array_interleaving.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/support/instruction_remarks.h"
#include "compiler/support/module_passes.h"
#include "compiler/support/verification.h"
#include "compiler/tuning/workgroup.h"
#include "compiler/work_items/inline_sole_call.h"
#include "compiler/work_items/work_item_loop.h"
#include "compiler/workgroup/argument_writes.h"
#include "compiler/workgroup/debug_locations.h"
#include "compiler/workgroup/group_loop.h"
#include "compiler/workgroup/launch_values.h"
#include "compiler/workgroup/linear_ids.h"
#include "compiler/workgroup/parallel_regions.h"
#include "compiler/workgroup/work_item.h"
#include "hal/protocol/sub_groups.h"

namespace rivulet::compiler {

using namespace llvm;

// The passes hand this to each other, for each kernel.
struct KernelLowering {
    WorkItem work_item;
    bool has_y = false; // of the work-item function: it asks for its y
    bool flat = false;  // no work-item knows of its group
    Regions regions;
    SmallVector<Rows> rows;
    GroupFunctions functions;
};

struct WorkGroupLowering {
    unsigned passes = 0; // how many have run: each takes what the one before it left
    std::vector<KernelLowering> kernels;
};

namespace {

// Private variables that live over a barrier are in the memory for saved values, which has no
// lifetime markers.
void remove_stale_lifetimes(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (auto *marker = dyn_cast<LifetimeIntrinsic>(&instruction);
            marker && !isa<AllocaInst>(marker->getArgOperand(0)))
            marker->eraseFromParent();
}

// The passes' steps, each for one kernel.
class Lowering {
public:
    Lowering(Program &program, const Target &target, FunctionAnalysisManager &analyses)
        : target_(target), remarks_(program.remarks ? *program.remarks : unwanted_),
          vector_unit_(target.min_vlen != 0),
          lanes_(vector_unit_ && program.vectorise == Vectorise::spmd),
          initialise_local_(program.initialise_local),
          elements_(LegalElementTypes::of(*target.machine)), analyses_(analyses) {}

    std::expected<void, std::string> make_work_item_of(Kernel &kernel, KernelLowering &lowering) {
        if (auto known = choose_sub_group_size(kernel); !known)
            return known;
        lowering.work_item = make_work_item(kernel);
        Function &work_item = *lowering.work_item.function;
        if (lanes_)
            expand_array_intrinsics(work_item);
        verify_after("work-item", work_item);
        run_stage(PassStage::work_item, work_item, analyses_);
        kernel.local_bytes = lowering.work_item.local_bytes;
        kernel.private_bytes = private_bytes(work_item);
        return {};
    }

    void make_regions(Kernel &kernel, KernelLowering &lowering) {
        const WorkItem &work_item = lowering.work_item;
        lowering.has_y = !work_item.function->getArg(parameter::id + 1)->use_empty();
        lowering.regions = split_into_regions(*work_item.function, lanes_);
        for (const Region &region : lowering.regions.regions)
            remove_stale_lifetimes(*region.function);
        kernel.saved_bytes = memory_bytes(lowering.regions.saved_bytes);
        // Registers in groups of four, elements of 32 bits.
        kernel.preferred_multiple = work_item.sub_groups ? kernel.sub_group_size
                                    : lanes_             ? 4 * target_.min_vlen / 32
                                                         : 1;

        bool local_arguments = any_of(kernel.arguments, [](const compiler::Argument &argument) {
            return argument.kind == RVL_ARGUMENT_LOCAL;
        });
        lowering.flat = !work_item.asks_for_group && !work_item.local_bytes && !local_arguments;
        kernel.flags |= lowering.flat ? RVL_KERNEL_FLAT : 0;
        kernel.flags |= lowering.regions.boundaries.empty() ? 0 : RVL_KERNEL_BARRIERS;
        kernel.flags |= kernel.uniform_work_groups ? RVL_KERNEL_UNIFORM : 0;
        kernel.flags |= work_item.sub_groups ? RVL_KERNEL_SUB_GROUPS : 0;
    }

    std::expected<void, std::string> make_rows_of(Kernel &kernel, KernelLowering &lowering) {
        for (const Region &region : lowering.regions.regions) {
            if (!lowering.work_item.sub_groups) {
                lowering.rows.push_back(
                    make_rows(kernel, *region.function, lowering.flat, lowering.has_y));
                continue;
            }
            auto row = make_sub_group_row(kernel, *region.function);
            if (!row)
                return std::unexpected(row.error());
            lowering.rows.push_back(*row);
        }
        return {};
    }

    void make_group_loop(Kernel &kernel, KernelLowering &lowering) {
        const GroupFunctions lowered = lowering.functions =
            build_group_loop({.kernel = kernel,
                              .regions = lowering.regions,
                              .rows = lowering.rows,
                              .ids = lowering.flat                   ? Ids::flat
                                     : lowering.work_item.sub_groups ? Ids::linear
                                                                     : Ids::by_dimension,
                              .initialise_local = initialise_local_,
                              .elements = lanes_ ? &elements_ : nullptr});
        verify_after("group-loop", *lowered.kernel);
        kernel.function->replaceAllUsesWith(lowered.kernel);
        kernel.function->eraseFromParent();
        kernel.function = lowered.kernel;
        for (const Rows &some : lowering.rows)
            for (Function *row : {some.one.function, some.uneven.function, some.several.function,
                                  some.fit, some.limits})
                if (row)
                    inline_all(*row);
        emit_attached_remarks(*lowered.kernel);
    }

    void lower_local_memory(const Kernel &, const KernelLowering &lowering) {
        for (Function *function : {lowering.functions.kernel, lowering.functions.uneven})
            if (function) {
                lower_address_space_queries(*function);
                lower_local_atomics(*function);
                verify_after("local-memory", *function);
                run_stage(PassStage::kernel, *function, analyses_);
            }
    }

private:
    // The size is that of cl_intel_required_subgroup_size, or the default.
    std::expected<void, std::string> choose_sub_group_size(Kernel &kernel) const {
        std::array<uint32_t, RVL_SUB_GROUP_SIZES> sizes;
        ArrayRef<uint32_t> possible(sizes.data(),
                                    rvl_sub_group_sizes(target_.sub_group_vlen, sizes.data()));
        kernel.sub_group_size = rvl_default_sub_group_size(target_.sub_group_vlen);
        if (!kernel.required_sub_group_size)
            return {};
        kernel.sub_group_size = kernel.required_sub_group_size;
        if (is_contained(possible, kernel.sub_group_size))
            return {};
        std::string list;
        for (uint32_t size : possible)
            list += (list.empty() ? "" : ", ") + std::to_string(size);
        return std::unexpected("error: kernel '" + kernel.name + "' requires sub-groups of " +
                               std::to_string(kernel.sub_group_size) +
                               " work-items; this device has them of " + list + "\n");
    }

    // Sub-groups are side by side on every target: as vectors, or what LLVM makes of them.
    std::expected<Rows, std::string> make_sub_group_row(const Kernel &kernel, Function &work_item) {
        expand_linear_local_ids(work_item, kernel);
        const uint32_t *required = kernel.required_group_size;
        RowShape shape;
        shape.vlen = vector_unit_ ? target_.vlen : 0;
        shape.min_vlen = vector_unit_ ? target_.min_vlen : 0;
        shape.length = required[0] * required[1] * required[2];
        shape.elements = elements_;
        shape.sub_group = kernel.sub_group_size;
        remarks_.regions += lanes_;
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

    // A guard on y at the start of a work-item function is asked once for all of its rows:
    // {begin, end}(begin, end, z, …) of those that it leaves; or null.
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

    // Side by side on the vector unit, else one after the other.
    Rows make_rows(const Kernel &kernel, Function &work_item, bool flat, bool has_y) {
        Rows rows;
        std::optional<VectorisationFailure> obstacle;
        rows.limits = take_limits(work_item);
        const bool in_rows = !flat && has_y;
        RowShape shape{.vlen = target_.vlen,
                       .length = flat ? 0 : kernel.required_group_size[0],
                       .likely = in_rows ? tuning::likely_row_length : 0,
                       .long_rows = flat,
                       .elements = elements_,
                       // (Of a length that is known, LLVM knows what strips there are.)
                       .rows = in_rows && kernel.required_group_size[0] == 0 &&
                               !work_item.getArg(1)->use_empty()};
        if (lanes_) {
            ++remarks_.regions;
            const unsigned y = kernel.required_group_size[1];
            if (has_y && (y == 0 || y >= tuning::jammed_rows))
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
            ++remarks_.scalar;
            remarks_.add(kernel.name, row.error().location,
                         "one work-item after the other: " + row.error().reason);
            obstacle = row.error();
        }
        rows.one.function = make_scalar_row(work_item);
        if (obstacle)
            attach_remark(rows.one.function->getEntryBlock().getTerminator(),
                          {CodeRemark::missed, scalar_region, obstacle->location,
                           "one work-item after the other: " + obstacle->reason,
                           "move what is named out of the kernel, or into one of its own"});
        inline_all(work_item);
        return rows;
    }

    // The row for groups that are cut short; null if there is none.
    Row make_rare(Function &work_item, RowShape shape) {
        ValueToValueMapTy map;
        keep_subprogram(work_item, map);
        Function *copy = CloneFunction(&work_item, map);
        shape.rare = true;
        auto row = vectorise(*copy, shape, analyses_);
        copy->eraseFromParent();
        return row ? *row : Row{};
    }

    void add_several(Rows &rows, Function &work_item, RowShape shape) {
        auto several = jam_rows(work_item, tuning::jammed_rows, shape, analyses_);
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

    // Inlines the function into all callers; it is gone afterwards.
    static void inline_all(Function &function) {
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

    // One hart runs a group, so nobody is in the way of its local memory.
    static void lower_local_atomics(Function &function) {
        for (Instruction &instruction : make_early_inc_range(instructions(function))) {
            if (auto *update = dyn_cast<AtomicRMWInst>(&instruction);
                update && update->getPointerAddressSpace() == local_space)
                lowerAtomicRMWInst(update);
            else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
                     exchange && exchange->getPointerAddressSpace() == local_space)
                lowerAtomicCmpXchgInst(exchange);
            else if (auto *load = dyn_cast<LoadInst>(&instruction);
                     load && load->getPointerAddressSpace() == local_space)
                load->setAtomic(AtomicOrdering::NotAtomic);
            else if (auto *store = dyn_cast<StoreInst>(&instruction);
                     store && store->getPointerAddressSpace() == local_space)
                store->setAtomic(AtomicOrdering::NotAtomic);
        }
    }

    // The bytes of private memory that a work-item keeps, for CL_KERNEL_PRIVATE_MEM_SIZE.
    static uint32_t private_bytes(Function &function) {
        uint64_t bytes = 0;
        for (Instruction &instruction : instructions(function))
            if (auto *variable = dyn_cast<AllocaInst>(&instruction))
                if (auto size = variable->getAllocationSize(function.getDataLayout()))
                    bytes += size->getKnownMinValue();
        return memory_bytes(bytes);
    }

    const Target &target_;
    Remarks unwanted_;
    Remarks &remarks_;
    bool vector_unit_;
    bool lanes_;
    bool initialise_local_;
    LegalElementTypes elements_;
    FunctionAnalysisManager &analyses_;
};

// Functions that were inlined everywhere still name variables in local memory.
void remove_unused(Module &module) {
    for (bool changed = true; changed;) {
        changed = false;
        for (Function &function : make_early_inc_range(module))
            if (function.use_empty() && function.hasLocalLinkage() && !function.isDeclaration()) {
                function.eraseFromParent();
                changed = true;
            }
    }
    for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
        variable.removeDeadConstantUsers();
        if (variable.getAddressSpace() == local_space && variable.use_empty())
            variable.eraseFromParent();
    }
}

// The host's processor has one clock only.
void use_cycles_on_host(Program &program, const Target &target) {
    Module &module = *program.module;
    Function *time = module.getFunction("llvm.readsteadycounter");
    if (target.host && time) {
        time->replaceAllUsesWith(
            Intrinsic::getOrInsertDeclaration(&module, Intrinsic::readcyclecounter));
        time->eraseFromParent();
    }
}

void attach_lines_of_kernels(Program &program) {
    for (Kernel &kernel : program.kernels)
        attach_lines(*kernel.function);
}

// Calls a step for each kernel, until one sets the error. The passes that do so run in an order:
// `number` is the step's in it, and `before` the pass whose result it takes.
template <auto step, unsigned number, PassName before>
void lower(Program &program, const Target &target, FunctionAnalysisManager &analyses) {
    if (!program.work_groups || program.work_groups->passes != number) {
        program.error = std::string("work-groups are lowered by passes in a fixed order: ") +
                        before.text + " has to run right before this one";
        return;
    }
    program.work_groups->passes = number + 1;
    Lowering lowering(program, target, analyses);
    for (auto [kernel, state] : zip(program.kernels, program.work_groups->kernels)) {
        if constexpr (std::is_void_v<decltype((lowering.*step)(kernel, state))>)
            (lowering.*step)(kernel, state);
        else if (auto done = (lowering.*step)(kernel, state); !done) {
            program.error = done.error();
            return;
        }
    }
}

void make_work_items(Program &program, const Target &target, FunctionAnalysisManager &analyses) {
    if (program.work_groups) {
        program.error = "work-groups are lowered once, by passes in a fixed order";
        return;
    }
    for (Kernel &kernel : program.kernels)
        find_unwritten_arguments(kernel);
    program.work_groups = std::make_shared<WorkGroupLowering>();
    program.work_groups->kernels.resize(program.kernels.size());
    lower<&Lowering::make_work_item_of, 0, "">(program, target, analyses);
}

const OwnModulePass passes[] = {
    module_pass<"rvl-work-items", make_work_items>(),
    module_pass<"rvl-parallel-regions", lower<&Lowering::make_regions, 1, "rvl-work-items">>(),
    module_pass<"rvl-rows", lower<&Lowering::make_rows_of, 2, "rvl-parallel-regions">>(),
    module_pass<"rvl-group-loops", lower<&Lowering::make_group_loop, 3, "rvl-rows">>(),
    module_pass<"rvl-local-memory", lower<&Lowering::lower_local_memory, 4, "rvl-group-loops">>(),
    module_pass<"rvl-remove-unused", remove_unused>(),
    module_pass<"rvl-debug-lines", attach_lines_of_kernels>(),
    module_pass<"rvl-host-clock", use_cycles_on_host>(),
};

} // namespace

std::expected<void, std::string> lower_work_groups(Program &program, const Target &target,
                                                   Remarks &remarks) {
    program.remarks = &remarks;
    Analyses analyses(target);
    std::expected<void, std::string> done;
    for (PassStage stage : {PassStage::work_items, PassStage::regions, PassStage::rows,
                            PassStage::group_loops, PassStage::after_work_groups})
        if (done)
            done = run_module_stage(stage, program, target, analyses);
    // Passes go through all kernels one after the other; readers want one kernel after the other.
    std::vector<std::string> names;
    for (const Kernel &kernel : program.kernels)
        names.push_back(kernel.name);
    remarks.group_by(names);
    program.remarks = nullptr;
    program.work_groups.reset();
    return done;
}

} // namespace rivulet::compiler
