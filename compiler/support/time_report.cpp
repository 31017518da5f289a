// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/time_report.h"

#include <algorithm>
#include <vector>

#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/raw_ostream.h>

namespace rivulet::compiler {
namespace {

// The number of instructions that a pass runs on. Loops within a loop are visited on their own.
size_t instructions_of(const llvm::Any &code) {
    if (auto *function = llvm::any_cast<const llvm::Function *>(&code))
        return (*function)->getInstructionCount();
    if (auto *module = llvm::any_cast<const llvm::Module *>(&code))
        return (*module)->getInstructionCount();
    size_t instructions = 0;
    if (auto *loop = llvm::any_cast<const llvm::Loop *>(&code))
        for (const llvm::BasicBlock *block : (*loop)->blocks()) {
            auto has_block = [&](const llvm::Loop *inner) { return inner->contains(block); };
            instructions += llvm::none_of(**loop, has_block) ? block->size() : 0;
        }
    else if (auto *component = llvm::any_cast<const llvm::LazyCallGraph::SCC *>(&code))
        for (llvm::LazyCallGraph::Node &node : **component)
            instructions += node.getFunction().getInstructionCount();
    return instructions;
}

} // namespace

TimeReport *TimeReport::current_ = nullptr;

TimeReport::TimeReport() { current_ = this; }

TimeReport::~TimeReport() {
    end_phase();
    // LLVM prints timers to standard error when they are destroyed, unless they were printed
    // before.
    llvm::raw_null_ostream nowhere;
    passes_.setOutStream(nowhere);
    passes_.print();
    phase_group_.clear();
    current_ = nullptr;
}

void TimeReport::end_phase() {
    if (phase_)
        phase_->stopTimer();
    phase_ = nullptr;
}

void TimeReport::enter(llvm::StringRef phase) {
    end_phase();
    std::unique_ptr<llvm::Timer> &timer = phases_[phase.str()];
    if (!timer)
        timer = std::make_unique<llvm::Timer>(phase, phase, phase_group_);
    phase_ = timer.get();
    phase_->startTimer();
}

void TimeReport::watch(llvm::PassInstrumentationCallbacks &callbacks) {
    callbacks.registerBeforeNonSkippedPassCallback([this](llvm::StringRef pass, llvm::Any code) {
        if (!llvm::isSpecialPass(pass, {"PassManager", "PassAdaptor", "DevirtSCCRepeatedPass",
                                        "ModuleInlinerWrapperPass"}))
            count(pass, instructions_of(code));
    });
    passes_.registerCallbacks(callbacks);
}

void TimeReport::count(llvm::StringRef pass, size_t instructions) {
    Work &work = work_[pass.str()];
    ++work.runs;
    work.instructions += instructions;
}

std::string TimeReport::text() {
    end_phase();
    std::string text;
    llvm::raw_string_ostream stream(text);
    phase_group_.print(stream, /*ResetAfterPrint=*/true);
    passes_.setOutStream(stream); // of machine code, too: LLVM keeps both in one group
    passes_.print();
    std::vector<std::pair<std::string, Work>> rows(work_.begin(), work_.end());
    std::ranges::stable_sort(rows, [](const auto &a, const auto &b) {
        return a.second.instructions > b.second.instructions;
    });
    Work total;
    stream << "Instructions of LLVM IR that passes ran on\n\n  instructions      runs  pass\n";
    for (const auto &[name, work] : rows) {
        stream << llvm::formatv("{0,14}{1,10}  {2}\n", work.instructions, work.runs, name);
        total.instructions += work.instructions;
        total.runs += work.runs;
    }
    stream << llvm::formatv("{0,14}{1,10}  Total\n", total.instructions, total.runs);
    return text;
}

void time_each_pass(llvm::PassInstrumentationCallbacks &callbacks) {
    if (TimeReport *report = TimeReport::current())
        report->watch(callbacks);
}

} // namespace rivulet::compiler
