// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_CODEGEN_IN_ORDER_CYCLES_H
#define RIVULET_COMPILER_CODEGEN_IN_ORDER_CYCLES_H

#include <map>
#include <memory>

#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/MachineBasicBlock.h>

namespace llvm {
class MCInstrInfo;
class MCSubtargetInfo;
} // namespace llvm

namespace rivulet::compiler {

// Simulates machine code on an in-order core with LLVM's scheduling model, as llvm-mca does. An
// instruction is issued after those before it, when its operands are there and its units are free,
// and not so early that its result would come before that of an earlier instruction. Every access
// hits the cache.
class InOrderCycles {
public:
    // `core`: of tuned_cores. The object lives as long as the process.
    static const InOrderCycles &on(llvm::StringRef core);

    // Of one pass through the block; of a later one if it is a loop.
    unsigned of(const llvm::MachineBasicBlock &block, bool is_loop) const;
    // For how long an instruction keeps others of its kind from being issued.
    double occupancy(const llvm::MachineInstr &instruction) const;

private:
    // A kind of unit that an instruction occupies for some cycles after its issue.
    struct Use {
        unsigned unit, begin, end;
    };
    struct Timing {
        unsigned latency = 1; // until its results can be used
        double occupancy = 0; // of the unit that is busiest with it
        llvm::SmallVector<Use, 4> uses;
    };
    class Run;

    explicit InOrderCycles(llvm::StringRef core);
    const Timing &timing(unsigned opcode) const;

    std::unique_ptr<llvm::MCInstrInfo> instructions_;
    std::unique_ptr<llvm::MCSubtargetInfo> core_;
    mutable std::map<unsigned, Timing> timings_; // by opcode
};

} // namespace rivulet::compiler

#endif
