// SPDX-License-Identifier: Apache-2.0
//
// Where a job's time goes: per phase, and per pass of LLVM's and ours, on LLVM IR and on machine
// code, measured by LLVM's timers. It is off by default: build option -ftime-report or rivulet-cc
// --time-passes asks for it. Times are exclusive: passes that a pass runs, such as those on a
// candidate of a row, aren't part of its own time.
#ifndef RIVULET_COMPILER_SUPPORT_TIME_REPORT_H
#define RIVULET_COMPILER_SUPPORT_TIME_REPORT_H

#include <map>
#include <memory>
#include <string>

#include <llvm/IR/PassTimingInfo.h>
#include <llvm/Support/Timer.h>

namespace rivulet::compiler {

class TimeReport {
public:
    // The report of the job that this process compiles now; null if none is wanted.
    static TimeReport *current() { return current_; }

    TimeReport();
    ~TimeReport();
    TimeReport(const TimeReport &) = delete;
    TimeReport &operator=(const TimeReport &) = delete;

    // Begins a phase and ends the one before.
    void enter(llvm::StringRef phase);
    // Measures the passes that run with the callbacks from now on.
    void watch(llvm::PassInstrumentationCallbacks &callbacks);
    // Counts a run over so many instructions of LLVM IR. Unlike times, these numbers are the same
    // in each compilation.
    void count(llvm::StringRef pass, size_t instructions);
    // Ends the last phase. To be called once.
    std::string text();

private:
    struct Work {
        size_t runs = 0, instructions = 0;
    };
    void end_phase();

    static TimeReport *current_;
    llvm::TimePassesHandler passes_{true};
    llvm::TimerGroup phase_group_{"phases", "Phases of the compiler", /*PrintOnExit=*/false};
    std::map<std::string, std::unique_ptr<llvm::Timer>> phases_;
    llvm::Timer *phase_ = nullptr;
    std::map<std::string, Work> work_;
};

// Does nothing if no report is wanted.
void time_each_pass(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace rivulet::compiler

#endif
