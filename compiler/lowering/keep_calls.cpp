// SPDX-License-Identifier: Apache-2.0
//
// Chooses the functions that stay functions. A kernel that is one function is vectorised best, so
// everything is inlined as long as that keeps a program small. Inlining functions that call each
// other multiplies code, though: ten functions, each of which calls the next one three times,
// become 29,524 bodies. In a program that would outgrow a budget, functions above a size stay
// functions if several calls reach them; the size is the largest one that keeps the program within
// a smaller budget. Functions with one call are inlined up to another size, which only bounds what
// passes see at once.
//
// Some functions are always inlined, as are those that call them. Functions that stop at barriers,
// call other functions of the work-group or sub-group, print, or name variables in local memory
// become part of the kernel, because only the kernel knows the launch. Functions that their author
// or the front end marks always_inline are inlined, too. Large built-in functions that a program
// calls a few times, such as those that access images, stay functions in any program.
#include <algorithm>
#include <limits>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/analysis/kept_calls.h"
#include "compiler/analysis/library_functions.h"
#include "compiler/analysis/sub_group_functions.h"
#include "compiler/support/program_pass.h"
#include "compiler/work_items/launch_end.h"
#include "compiler/work_items/work_group_builtin_table.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(KeepCallsPass);

// A program with calls has this part of the budget: code that is called runs slower, and is
// compiled once for kernels and once for each kernel's last groups. Not measured.
constexpr double calls_share = 0.25; // times the budget

// Smaller functions are always inlined: a call costs as much.
constexpr double min_kept_size = 16; // instructions

// A program that outgrows its budget even with all functions kept may have that many times its
// least size. Not measured.
constexpr double large_program_growth = 1.5; // times

// Functions with one call are inlined up to this part of the budget, in programs that outgrow it.
// With it, 1.2 MB of random functions that shade rays build in 60 s of processor time and 1.2 GiB
// at VLEN 512 (clang -O2: 22 s). No other value was measured.
constexpr double single_call_share = 0.1; // times the budget

// Built-in functions that only read memory or only write it, such as those of images, stay
// functions from this size on, if there would be more copies of one of them, or of all together.
// A read of any format has 560 to 660 machine instructions, or 3,300 with any sampler, and takes 60
// to 350 ms to build; a call takes 1 ms. Through a call, it takes 3.0 instructions a work-item
// instead of 2.1 at VLEN 512, until the host runtime has built a version for the format. With up to
// 15, 8, 4 and 3 copies, 27 programs of others with images took 8.7, 8.2, 4.6 and 3.5 times as long
// to build as with clang -O2, in the median, on a busy machine.
constexpr double min_library_size = 150; // instructions
constexpr double max_library_copies = 3;

namespace {

// A function as a call sees it.
struct Node {
    double own_size = 0;
    SmallVector<Function *> callees; // one for each call
    unsigned calls = 0;              // that reach it
    double copies = 0;               // once everything is inlined
    double program_copies = 0;       // of these, in functions of the program itself
    bool is_bound = false;           // to the kernel, or calls what is
    bool writes = false;             // memory other than variables, or calls what does
    bool may_stay = false;
    bool is_library = false;
    bool is_kernel = false;
};

bool is_variable_access(const Instruction &instruction) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    return pointer && isa<AllocaInst>(pointer);
}

// The front end's code keeps all variables in memory; those accesses become nothing.
bool is_free(const Instruction &instruction) {
    return isa<AllocaInst, DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd() ||
           is_variable_access(instruction) || isa<PHINode, BranchInst>(instruction);
}

bool writes(const Instruction &instruction) {
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
        return true;
    const auto *store = dyn_cast<StoreInst>(&instruction);
    return store && !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
}

// A type that a parameter or a result can have, as a scalar or as several.
bool is_plain(const Type &type) {
    const Type *scalar = type.getScalarType();
    if (isa<ScalableVectorType>(type))
        return false;
    return scalar->isPointerTy() || scalar->isHalfTy() || scalar->isBFloatTy() ||
           scalar->isFloatTy() || scalar->isDoubleTy() ||
           (scalar->isIntegerTy() && scalar->getIntegerBitWidth() <= 64);
}

// The kernel can answer it for the function (call_signatures.cpp).
bool asks_for_constant_dimension(const CallBase &call) {
    const auto builtin = builtin_of(call);
    return builtin && is_work_item_query(*builtin) &&
           all_of(call.args(), [](const Value *dimension) { return isa<Constant>(dimension); });
}

class CallPlan {
public:
    explicit CallPlan(Program &program)
        : module_(*program.module), budget_(program.inline_budget),
          least_(std::min(min_kept_size, budget_)) {
        find_users_of_local_memory();
        for (Kernel &kernel : program.kernels) {
            visit(*kernel.function);
            nodes_[kernel.function].is_kernel = true;
        }
        for (Function *function : reverse(order_)) {
            const Node &node = nodes_[function];
            for (Function *callee : node.callees) {
                Node &called = nodes_[callee];
                const double copies = node.is_kernel ? 1 : node.copies;
                ++called.calls;
                called.copies += copies;
                called.program_copies += node.is_library ? 0 : copies;
            }
        }
        count_library_copies();
    }

    void mark() {
        constexpr double none = std::numeric_limits<double>::infinity();
        if (size_with(none, false) <= budget_) {
            size_with(none, true);
            return;
        }
        const double most =
            std::max(calls_share * budget_, large_program_growth * size_with(least_, false));
        double limit = std::max(calls_share * budget_, least_);
        while (limit > least_ && size_with(limit, false) > most)
            limit = std::max(limit / 2, least_);
        size_with(limit, true);
    }

private:
    void find_users_of_local_memory() {
        SmallVector<User *> users;
        for (GlobalVariable &variable : module_.globals())
            if (variable.getAddressSpace() == local_space)
                append_range(users, variable.users());
        while (!users.empty()) {
            User *user = users.pop_back_val();
            if (auto *instruction = dyn_cast<Instruction>(user))
                names_local_memory_.insert(instruction->getFunction());
            else
                append_range(users, user->users());
        }
    }

    // Callees come first in the order. There is no recursion.
    void visit(Function &function) {
        if (!nodes_.try_emplace(&function).second)
            return;
        Node node;
        node.is_bound = names_local_memory_.contains(&function);
        for (Instruction &instruction : instructions(function)) {
            node.own_size += !is_free(instruction);
            node.writes |= writes(instruction);
            if (auto *variable = dyn_cast<AllocaInst>(&instruction))
                node.is_bound |= !variable->isStaticAlloca();
            auto *call = dyn_cast<CallBase>(&instruction);
            if (!call || isa<IntrinsicInst>(call) || call->isInlineAsm())
                continue;
            Function *callee = call->getCalledFunction();
            if (calls_sub_group_function(*call)) {
                node.is_bound = true;
                continue;
            }
            if (!callee || callee->isDeclaration()) {
                node.is_bound |= !asks_for_constant_dimension(*call);
                continue;
            }
            visit(*callee);
            node.callees.push_back(callee);
            node.is_bound |= nodes_[callee].is_bound;
            node.writes |= nodes_[callee].writes;
        }
        node.is_library = is_library_function(function);
        const bool has_results_in_memory = node.writes && !function.getReturnType()->isVoidTy();
        node.may_stay = !node.is_bound && !(node.is_library && has_results_in_memory) &&
                        !function.hasFnAttribute(Attribute::AlwaysInline) &&
                        has_plain_type(function);
        nodes_[&function] = std::move(node);
        order_.push_back(&function);
    }

    static bool has_plain_type(const Function &function) {
        const Type &result = *function.getReturnType();
        return !function.isVarArg() && !function.hasAddressTaken() &&
               (result.isVoidTy() || is_plain(result)) &&
               all_of(function.args(),
                      [](const llvm::Argument &argument) { return is_plain(*argument.getType()); });
    }

    static bool is_large_library_function(const Node &node, double size) {
        return node.is_library && node.may_stay && size > min_library_size;
    }

    void count_library_copies() {
        DenseMap<const Function *, double> sizes; // once everything is inlined
        for (const Function *function : order_) {
            const Node &node = nodes_.at(function);
            double size = node.own_size;
            for (const Function *callee : node.callees)
                size += sizes.at(callee);
            sizes[function] = size;
            if (is_large_library_function(node, size))
                library_copies_ += node.program_copies;
        }
    }

    bool stays(const Node &node, double size, double limit) const {
        if (node.is_kernel || !node.may_stay)
            return false;
        if (is_large_library_function(node, size) && node.copies > 1 &&
            std::max(node.copies, library_copies_) > max_library_copies)
            return true;
        return size > (node.calls > 1 ? limit : std::max(limit, single_call_share * budget_));
    }

    // What is left once functions above the limit stay functions.
    double size_with(double limit, bool marks) {
        DenseMap<Function *, double> sizes;
        double total = 0;
        for (Function *function : order_) {
            const Node &node = nodes_[function];
            double size = node.own_size;
            for (Function *callee : node.callees)
                size += sizes[callee];
            const bool is_kept = stays(node, size, limit);
            if (is_kept || node.is_kernel)
                total += size;
            sizes[function] = is_kept ? 1 : size;
            if (is_kept && marks)
                function->addFnAttr(kept_call_mark);
        }
        return total;
    }

    Module &module_;
    const double budget_;
    const double least_;        // size of a function that stays one
    double library_copies_ = 0; // of all large built-in functions, once everything is inlined
    DenseMap<const Function *, Node> nodes_;
    std::vector<Function *> order_;
    SmallPtrSet<const Function *, 8> names_local_memory_;
};

} // namespace

void KeepCallsPass::lower(Program &program, const Target &, ModuleAnalysisManager &) {
    // The sanitizer checks the accesses of kernels only.
    if (none_of(program.kernels,
                [](const Kernel &kernel) { return is_sanitized(*kernel.function); }))
        CallPlan(program).mark();
}

} // namespace rivulet::compiler
