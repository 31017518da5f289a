// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/plan/unroll_and_jam_y.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/analysis/conditions.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"
#include "compiler/spmd/analysis/uniformity.h"
#include "compiler/spmd/plan/vectorise.h"
#include "compiler/spmd/transform/run_passes.h"
#include "compiler/support/block_end_values.h"
#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

// Larger work-item functions are not jammed with their neighbours in y.
static cl::opt<unsigned> jam_max_instructions("rvl-jam-max-instructions", cl::Hidden, cl::init(200),
                                              cl::desc("Instructions of a work-item"));

// Private memory of a work-item above which rows aren't jammed: each row has its own.
constexpr uint64_t jam_max_private_bytes = 256; // bytes

// Jammed rows have to be at least this much cheaper, in instructions and weighted cost.
constexpr double jam_max_cost_ratio = 0.9; // times the cost of rows one by one

namespace {

constexpr unsigned y_parameter = 1;

// A condition on y at the kernel's start that ends work-items beyond the data.
struct Guard {
    Value *condition; // doesn't depend on x
    bool holds;
};

// Takes the parts of a condition that depend on y only and have the value `holds` in every
// work-item that goes on.
void take_guards(Value *condition, bool holds, Use &use, const Uniformity &rows,
                 std::vector<Guard> &guards) {
    if (const auto parts = implied_parts(condition, holds)) {
        auto *both = cast<Instruction>(condition);
        if (!both->hasOneUse())
            return;
        unsigned second = isa<SelectInst>(both) && !holds ? 2 : 1;
        unsigned first = 0;
        take_guards(parts->left, holds, both->getOperandUse(first), rows, guards);
        take_guards(parts->right, holds, both->getOperandUse(second), rows, guards);
        return;
    }
    if (!isa<ICmpInst>(condition) || rows.uniform(*condition) || !is_recomputable(condition, 1))
        return;
    guards.push_back({condition, holds});
    use.set(ConstantInt::getBool(condition->getContext(), holds));
}

std::vector<Guard> find_guards(Function &function, const Uniformity &rows) {
    std::vector<Guard> guards;
    auto *branch = dyn_cast<BranchInst>(function.getEntryBlock().getTerminator());
    if (!branch || branch->isUnconditional())
        return guards;
    for (unsigned successor : {0u, 1u}) {
        BasicBlock *away = branch->getSuccessor(successor);
        if (isa<ReturnInst>(away->getTerminator()) && away->sizeWithoutDebug() == 1)
            take_guards(branch->getCondition(), successor == 1, branch->getOperandUse(0), rows,
                        guards);
        if (!guards.empty())
            break;
    }
    return guards;
}

// A function of the work-item function's parameters that returns i1: whether the guards hold in
// each row.
Function *make_fit(Function &work_item, ArrayRef<Guard> guards, unsigned count) {
    LLVMContext &context = work_item.getContext();
    auto *type =
        FunctionType::get(Type::getInt1Ty(context), work_item.getFunctionType()->params(), false);
    auto *fit = Function::Create(type, GlobalValue::InternalLinkage, work_item.getAddressSpace(),
                                 work_item.getName() + ".fit", work_item.getParent());
    fit->addFnAttrs(AttrBuilder(context, work_item.getAttributes().getFnAttrs()));
    IRBuilder<> builder(BasicBlock::Create(context, "entry", fit));
    Value *all = builder.getTrue();
    for (unsigned row = 0; row < count; ++row) {
        DenseMap<Value *, Value *> known;
        for (Argument &argument : work_item.args())
            known[&argument] = fit->getArg(argument.getArgNo());
        Value *&y = known[work_item.getArg(y_parameter)];
        y = builder.CreateAdd(y, ConstantInt::get(y->getType(), row), "", true, true);
        for (const Guard &guard : guards) {
            Value *condition = recompute(builder, guard.condition, known);
            all = builder.CreateAnd(all, guard.holds ? condition : builder.CreateNot(condition));
        }
    }
    builder.CreateRet(all);
    return fit;
}

uint64_t private_bytes(Function &function) {
    uint64_t bytes = 0;
    for (Instruction &instruction : function.getEntryBlock())
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            if (auto size = variable->getAllocationSize(function.getDataLayout()))
                bytes += size->getKnownMinValue();
    return bytes;
}

bool branches_agree(Function &function, const Uniformity &rows) {
    return all_of(function, [&](BasicBlock &block) {
        return block.getTerminator()->getNumSuccessors() < 2 || rows.uniform_branch(block);
    });
}

// Clones the instructions that differ between rows, one for each of the other rows.
void multiply(Function &function, const Uniformity &rows, unsigned count) {
    Argument *y = function.getArg(y_parameter);
    auto differs = [&](Instruction &instruction) {
        return instruction.getType()->isVoidTy()
                   ? any_of(instruction.operand_values(),
                            [&](Value *value) { return !rows.uniform(*value); }) ||
                         isa<CallBase>(instruction)
                   : !rows.uniform(instruction);
    };
    SmallVector<Instruction *> originals;
    ReversePostOrderTraversal<Function *> order(&function);
    for (BasicBlock *block : order)
        for (Instruction &instruction : *block)
            if (!instruction.isTerminator() && differs(instruction))
                originals.push_back(&instruction);
    SmallVector<DenseMap<Value *, Value *>> copies(count);
    for (Instruction *original : originals) {
        Instruction *last = original;
        for (unsigned row = 1; row < count; ++row) {
            Instruction *copy = original->clone();
            copy->setName(original->getName());
            copy->insertAfter(last);
            copies[row][original] = last = copy;
        }
    }
    for (Instruction *original : originals)
        for (unsigned row = 1; row < count; ++row) {
            auto y_of_row = [&](IRBuilder<> &builder) {
                return builder.CreateAdd(y, ConstantInt::get(y->getType(), row), "y", true, true);
            };
            auto *user = cast<Instruction>(copies[row][original]);
            auto *phi = dyn_cast<PHINode>(user);
            BlockEndValues for_phi;
            for (Use &operand : user->operands())
                if (Value *copy = copies[row].lookup(operand.get())) {
                    operand.set(copy);
                } else if (operand.get() == y) {
                    // One for each use: InstCombine turns sums with a single use into offsets.
                    IRBuilder<> builder(user);
                    operand.set(phi ? for_phi.get(phi->getIncomingBlock(operand), y_of_row)
                                    : y_of_row(builder));
                }
        }
}

} // namespace

std::optional<JammedRows> jam_rows(Function &work_item, unsigned most, RowShape shape,
                                   FunctionAnalysisManager &analyses) {
    if (work_item.getInstructionCount() > jam_max_instructions ||
        work_item.getArg(y_parameter)->use_empty() ||
        private_bytes(work_item) > jam_max_private_bytes)
        return std::nullopt;
    ValueToValueMapTy map;
    keep_subprogram(work_item, map);
    Function *single = CloneFunction(&work_item, map);
    single->setLinkage(GlobalValue::InternalLinkage);
    run(*single, analyses, InstCombinePass(), EarlyCSEPass(), SimplifyCFGPass());
    auto y_of = [](Function &function) {
        Uniformity::Values y;
        y.insert(function.getArg(y_parameter));
        return y;
    };
    auto guards = find_guards(*single, Uniformity(*single, 0, y_of(*single)));
    SmallVector<Function *, 2> fits;
    for (unsigned count = most; !guards.empty() && count > 1; count /= 2)
        fits.push_back(make_fit(*single, guards, count));
    if (!guards.empty())
        run(*single, analyses, InstCombinePass(), EarlyCSEPass(), SimplifyCFGPass());

    JammedRows best;
    auto least = estimate(*single, shape, analyses);
    bool possible = branches_agree(*single, Uniformity(*single, 0, y_of(*single)));
    for (unsigned count = most, i = 0; possible && least && count > 1; count /= 2, ++i) {
        ValueToValueMapTy again;
        keep_subprogram(*single, again);
        Function *several = CloneFunction(single, again);
        multiply(*several, Uniformity(*several, 0, y_of(*several)), count);
        run(*several, analyses, InstCombinePass(), EarlyCSEPass(true));
        const auto lanes = estimate(*several, shape, analyses);
        if (lanes && lanes->cost / count < jam_max_cost_ratio * least->cost &&
            lanes->weighed / count < jam_max_cost_ratio * least->weighed) {
            least->cost = lanes->cost / count / jam_max_cost_ratio;
            least->weighed = lanes->weighed / count / jam_max_cost_ratio;
            std::swap(best.function, several);
            best.fit = fits.empty() ? nullptr : fits[i];
            best.count = count;
        }
        if (several)
            several->eraseFromParent();
        if (lanes && lanes->fits)
            break; // fewer rows share less
    }
    for (Function *fit : fits)
        if (fit != best.fit)
            fit->eraseFromParent();
    single->eraseFromParent();
    return best.function ? std::optional(best) : std::nullopt;
}

} // namespace rivulet::compiler
