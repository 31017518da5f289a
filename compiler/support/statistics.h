// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_STATISTICS_H
#define RIVULET_COMPILER_SUPPORT_STATISTICS_H

namespace rivulet::compiler {

// The instructions of a function, counted by codegen/asm_statistics.h.
struct Statistics {
    unsigned instructions = 0;
    unsigned vector = 0;         // of them
    unsigned configurations = 0; // vset{i}vl{i}
    unsigned masked = 0;
    unsigned indexed = 0; // gathers and scatters
    unsigned strided = 0;
    unsigned segmented = 0;
    unsigned lmul_eighths = 0;                     // the largest
    unsigned scalar_spills = 0, vector_spills = 0; // loads and stores
    double cost = 0;                               // instructions, weighed by loop depth
    double spill_cost = 0; // of it: loads and stores of spilled vectors in loops
};

} // namespace rivulet::compiler

#endif
