// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/codegen_driver.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/analysis/any_image.h"
#include "compiler/analysis/block_hotness.h"
#include "compiler/analysis/limits.h"
#include "compiler/analysis/tuned_cores.h"
#include "compiler/codegen/codegen_pipeline.h"
#include "compiler/runtime/dispatch.h"
#include "compiler/rvv/ir/vector_liveness.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/support/llvm_names.h"
#include "compiler/support/llvm_options.h"
#include "compiler/support/no_files.h"
#include "compiler/support/passes.h"

namespace rivulet::compiler {

// Larger functions get a copy of a strip's length for each part of the code (see vl_copy_max_uses);
// the threshold was not measured.
constexpr unsigned split_vl_min_instructions = 2'000; // instructions of a function

// With more accesses to memory in one region, LLVM's scheduler keeps the order of half of them. Its
// time grows with the square of their number until then; LLVM's own limit is 1,000.
constexpr unsigned scheduled_max_accesses = 400;

// Larger functions skip the passes of stage vector_ir, spill planning and LLVM's sinking of
// operands, whose time grows with the square of a function's size.
constexpr unsigned vector_ir_max_instructions = 5'000; // instructions of a function

// The code of larger modules is generated only once, whatever spills. In larger functions, nothing
// is hoisted out of loops.
constexpr unsigned regenerate_max_instructions = 20'000; // instructions of a module

// The code of larger functions, such as those that read images, is generated again only if spills
// of vectors in loops cost more than this share of the whole. In kernels outside the tuning set, at
// VLEN 128 and 512, another try gains 9.6 % in the 9 functions above 1/12, and would gain 1.7 % on
// average in 25 functions below it, 7 % at most. conv2d with the address sanitizer is between 1/24
// and 1/12 and gains 6.4 %. With the limit for large functions at 600 instead of 1,200
// instructions, none of 134 benchmark kernels gets other code at VLEN 128, 512 and 1024, and 27
// programs with images, whose reads are called and have 600 to 710 instructions, build in 10 % less
// time.
constexpr unsigned large_function_instructions = 600;    // machine instructions
constexpr double large_retry_min_spill_share = 1.0 / 24; // of the cost

// Code without vector spills is taken if it costs at most this much more. scan at VLEN 256: 0.4 %
// more cost in loops, 302 instructions instead of 315, and no vectors on the stack instead of 12.
constexpr double spill_free_cost_ratio = 1.015625; // times the cost

namespace {

using llvm::StringRef;

// True if all kernels are called for rows: none has the prefix RVL_CALL_ONCE.
static_assert(RVL_CALL_ONCE == 0);
bool is_flat(const llvm::Module &module) {
    return llvm::none_of(module, [](const llvm::Function &function) {
        return function.hasPrefixData() && function.getPrefixData()->isNullValue();
    });
}

// True if no loop is nested deeper than a loop over strips within one over rows.
bool has_strips_only(llvm::Function &function) {
    const llvm::DominatorTree tree(function);
    const llvm::LoopInfo loops(tree);
    return llvm::all_of(loops.getLoopsInPreorder(),
                        [](const llvm::Loop *loop) { return loop->getLoopDepth() <= 2; });
}

// The scheduler lengthens live ranges, sometimes until vectors spill. The code of such functions is
// then generated a second time, unscheduled and with segment stores split, and the cheaper code of
// each function stays. If the second code stays and vectors still spill, a third form has the
// spills that spill_planner.cpp chose. (Where the second form isn't cheaper, the third one would
// save 0.6 to 2.4 % in three of 31 functions.) Modules that take long are generated only once. So
// is code that a version for its images' formats replaces once it runs for long: in the second
// form, with planned spills, where vectors hardly fit.
//
// A function that is tuned for a core first gets the cheapest order of instructions, in cycles that
// are simulated: LLVM's order for any core, or that with the model of one of the tuned cores. It is
// often another core's. On the X60, conv2d takes 0.70 of the cycles with the order for the X280,
// mandelbrot 0.91 with its own.
class CodegenDriver {
public:
    CodegenDriver(llvm::Module &module, const Target &target, CodeKind kind)
        : module_(module), target_(target), kind_(kind), gate_(module.getContext()),
          analyses_(target) {}

    Code run() {
        Code code = cheapest();
        for (llvm::Function &function : module_) // in the order of the source
            if (auto frame = code.frames.find(function.getName()); frame != code.frames.end())
                remark_on_spills(function, frame->getValue().spilling_lines);
        return code;
    }

private:
    using Names = llvm::StringSet<>;

    Code cheapest() {
        set_options();
        unsigned size = 0;
        for (llvm::Function &function : module_) {
            size += function.getInstructionCount();
            prepare(function);
        }
        Code code = generated(nullptr);
        if (size > regenerate_max_instructions)
            return code;
        bool outdated = false;
        // Returns whether the form of any function in `changed` stays.
        const auto try_form = [&](Names &changed) {
            if (changed.empty())
                return false;
            Code other = generated(&changed);
            keep_cheaper(code, other, changed);
            if (changed.empty())
                return false;
            outdated = changed.size() < code.frames.size();
            if (!outdated)
                code = std::move(other);
            return true;
        };
        for (StringRef model : tuned_cores) {
            Names changed = tunable();
            const llvm::StringMap<StringRef> before = order_;
            for (const auto &name : changed)
                order_[name.getKey()] = model;
            try_form(changed);
            for (auto &order : order_)
                if (!changed.contains(order.getKey()))
                    order.setValue(before.lookup(order.getKey()));
        }
        for (Names *form : {&gate_.unscheduled, &planned_}) {
            const Names before = *form;
            Names changed = spilling(code, form == &planned_);
            for (const auto &name : changed)
                form->insert(name.getKey());
            const bool stays = try_form(changed);
            *form = before;
            for (const auto &name : changed)
                form->insert(name.getKey());
            if (!stays)
                break;
        }
        return outdated ? generated(nullptr) : code;
    }

    void set_options() const {
        // Strength reduction may create more pointers than it saves instructions. It does so with
        // few streams over long rows, which flat kernels have.
        if (flat_)
            set_option(llvm_option::lsr_drop_solution, "true");
        else
            reset_option(llvm_option::lsr_drop_solution);
        set_option(llvm_option::misched_cluster, "false");
        set_option(llvm_option::dag_maps_huge_region, std::to_string(scheduled_max_accesses));
        set_option(llvm_option::disable_mergeicmps, "true"); // calls to memcmp, which is not
                                                             // available
        set_option(llvm_option::disable_partial_libcall_inlining, "true");
        // Constants of code that hardly ever runs aren't worth a launch's time, nor registers.
        set_option(llvm_option::disable_hoisting_to_hotter_blocks, "all");
    }

    void prepare(llvm::Function &function) {
        if (is_cold(function) || (flat_ && !function.isDeclaration() && has_strips_only(function)))
            gate_.unreduced.insert(function.getName());
        const unsigned size = function.getInstructionCount();
        const bool has_body = !function.isDeclaration();
        if (size <= vector_ir_max_instructions && has_body)
            run_stage(PassStage::vector_ir, function, analyses_.functions);
        if (takes_any_image(function) && has_body && hardly_fits(function)) {
            gate_.unscheduled.insert(function.getName());
            planned_.insert(function.getName());
        }
        if (size > vector_ir_max_instructions)
            gate_.unsunk.insert(function.getName());
        if (size > split_vl_min_instructions)
            run_stage(PassStage::large_vector_ir, function, analyses_.functions);
        if (size > regenerate_max_instructions)
            gate_.unhoisted.insert(function.getName());
    }

    static bool hardly_fits(llvm::Function &function) {
        const VectorLiveness liveness(function);
        return llvm::any_of(function, [&](const llvm::BasicBlock &block) {
            return liveness.most_used(block) > comfortable_vector_registers;
        });
    }

    // Generates code for all functions, or for `some` of them. Functions whose code would not
    // change are skipped, and removed from `some`.
    Code generated(Names *some) {
        llvm::ValueToValueMapTy map;
        auto copy = llvm::CloneModule(module_, map, [&](const llvm::GlobalValue *value) {
            return !some || !llvm::isa<llvm::Function>(value) || some->contains(value->getName());
        });
        for (llvm::Function &function : *copy) {
            if (function.isDeclaration())
                continue;
            if (const StringRef model = order_.lookup(function.getName()); !model.empty())
                function.addFnAttr("tune-cpu", model);
            if (gate_.unscheduled.contains(function.getName()))
                run_stage(PassStage::unscheduled_vector_ir, function, analyses_.functions);
            if (planned_.contains(function.getName()) && !spill_by_plan(function) && some) {
                some->erase(function.getName());
                function.deleteBody();
                continue;
            }
            if (target_.min_vlen)
                run_stage(PassStage::selection_ir, function, analyses_.functions);
        }
        return some && some->empty() ? Code() : make_machine_code(*copy, target_, kind_);
    }

    // Returns whether anything was spilled.
    bool spill_by_plan(llvm::Function &function) {
        if (function.getInstructionCount() > vector_ir_max_instructions)
            return false;
        return run_stage(PassStage::planned_spills, function, analyses_.functions);
    }

    static bool spills_much(const Statistics &statistics) {
        const bool is_large = statistics.instructions > large_function_instructions;
        return statistics.spill_cost >
               (is_large ? large_retry_min_spill_share * statistics.cost : 0);
    }

    static bool is_worth_time(const llvm::Function &function) {
        return !is_cold(function) && !takes_any_image(function);
    }

    // The functions that are tuned for a core.
    Names tunable() const {
        Names names;
        for (const llvm::Function &function : module_)
            if (!function.isDeclaration() && function.hasFnAttribute(core_attribute) &&
                is_worth_time(function))
                names.insert(function.getName());
        return names;
    }

    // The functions whose loops spill much. Spills are planned only in functions that are already
    // unscheduled.
    Names spilling(const Code &code, bool planned) const {
        Names names;
        for (const auto &frame : code.frames)
            if (spills_much(frame.getValue().statistics) &&
                (!planned || gate_.unscheduled.contains(frame.getKey())) &&
                is_worth_time(*module_.getFunction(frame.getKey())))
                names.insert(frame.getKey());
        return names;
    }

    // Vectors on the stack cost more than the instructions that move them, so a form without them
    // is taken even if it is slightly dearer (scan at VLEN 256: 0.4 % more, for 12 vectors).
    static bool is_cheaper(const Statistics &one, const Statistics &other) {
        const bool frees_stack = one.vector_spills == 0 && other.vector_spills > 0;
        return one.cost < (frees_stack ? spill_free_cost_ratio : 1) * other.cost;
    }

    // Leaves the functions that got cheaper in `changed`.
    static void keep_cheaper(Code &code, const Code &other, Names &changed) {
        for (auto &frame : code.frames) {
            const Frame now = other.frames.lookup(frame.getKey());
            if (changed.contains(frame.getKey()) &&
                is_cheaper(now.statistics, frame.getValue().statistics)) {
                frame.getValue() = now;
                continue;
            }
            changed.erase(frame.getKey());
        }
    }

    llvm::Module &module_;
    const Target &target_;
    const CodeKind kind_;
    const bool flat_ = is_flat(module_);
    PassGate gate_;
    Analyses analyses_;
    llvm::StringMap<StringRef> order_; // of tuned_cores; empty: any core's
    Names planned_;
};

} // namespace

Code generate_code(llvm::Module &module, const Target &target, CodeKind kind) {
    // LLVM lets assembly in kernels read any file (.incbin, .include), with this process's rights.
    const NoFiles no_files;
    return CodegenDriver(module, target, kind).run();
}

} // namespace rivulet::compiler
