// SPDX-License-Identifier: Apache-2.0
//
// The data that the parts of the compiler hand to each other: the target, and the program on its
// way from OpenCL C to a kernel image.
//
//   front end → built-in library, inlining, simplification → lower_work_groups → O3 → image
//
// Up to lower_work_groups a kernel is a function with its OpenCL arguments: SPIR's address spaces,
// calls to work-item functions by their Itanium-mangled names. After it, the kernel is
// void NAME(record, words, frame, …), called as compiler/runtime/dispatch.h says.
#ifndef RIVULET_COMPILER_SUPPORT_PROGRAM_H
#define RIVULET_COMPILER_SUPPORT_PROGRAM_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/support/statistics.h"
#include "hal/protocol/kernel_image.h"
#include "hal/protocol/launch.h"
#include "hal/protocol/sub_groups.h"

namespace rivulet::compiler {

// Address spaces of the module until they are flattened, as SPIR numbers them.
enum AddressSpace : unsigned {
    private_space = 0,
    global_space = 1,
    constant_space = 2,
    local_space = 3,
    generic_space = 4,
};

struct Target {
    bool host = false; // for this machine's own processor: scalar loops only
    unsigned xlen = 64;
    unsigned vlen = 0;                            // exact VLEN in bits, 0: any from min_vlen
    unsigned min_vlen = 0;                        // 0: no vector unit
    unsigned sub_group_vlen = RVL_SUB_GROUP_VLEN; // VLEN that determines the sizes of sub-groups
    std::string isa;                              // normalised: "rv64imafdcv_zba_…", or "x86-64-v3"
    std::vector<std::string> unknown_extensions;  // of the device that LLVM doesn't know
    std::shared_ptr<llvm::TargetMachine> machine;
};

struct Argument {
    std::string name;
    std::string type; // as CL_KERNEL_ARG_TYPE_NAME gives it
    rvl_argument_kind kind = RVL_ARGUMENT_VALUE;
    uint32_t offset = 0; // in the argument block
    uint32_t bytes = 0;  // in the argument block; fixed by the kind but for values
    uint32_t pointee_alignment = 0;
    uint8_t access = RVL_ACCESS_NONE;
    uint8_t qualifiers = 0;
    uint8_t image_type = 0;
    bool is_unwritten =
        false; // by any launch, through this argument; see workgroup/argument_writes.h
};

// Sizes above 32 bits become one that is larger than any hart's memory and can still be rounded up.
constexpr uint32_t memory_bytes(uint64_t bytes) {
    return static_cast<uint32_t>(std::min<uint64_t>(bytes, 0xffff0000));
}

struct Kernel {
    llvm::Function *function = nullptr;
    std::string name;
    std::string attributes; // as CL_KERNEL_ATTRIBUTES gives it
    // One per argument of the function, in order. A value passed `byval` is a pointer there; it
    // points to its bytes in the argument block, which the kernel must not change.
    std::vector<Argument> arguments;
    uint32_t argument_bytes = 0;
    uint32_t required_group_size[3] = {};
    uint32_t group_size_hint[3] = {};
    uint32_t required_sub_group_size = 0;
    std::string vector_type_hint;
    bool takes_large_buffers = false; // a second version of the kernel before it in the program
    bool uniform_work_groups = false; // no uneven last groups: before CL2.0, or by the option

    // Filled by lower_work_groups.
    uint32_t saved_bytes = 0;   // per work-item
    uint32_t private_bytes = 0; // per work-item
    uint32_t local_bytes = 0;   // static local memory of one group
    uint32_t sub_group_size = 0;
    uint32_t preferred_multiple = 1;
    uint32_t flags = 0; // RVL_KERNEL_…

    // Filled by code generation.
    uint32_t stack_bytes = 0;
    Statistics statistics;
};

class Remarks;
struct WorkGroupLowering; // workgroup/workgroup.cpp

// How the loops over work-items are treated.
enum class Vectorise {
    off,   // they stay scalar; always so on the host
    loops, // LLVM's loop vectoriser looks at them, for comparison
    spmd,  // one lane per work-item
};

struct Program {
    std::unique_ptr<llvm::Module> module;
    std::vector<Kernel> kernels;
    Vectorise vectorise = Vectorise::spmd;
    std::string options;           // as given, for the note
    bool optimise = true;          // not with -cl-opt-disable
    bool debuggable = false;       // kernels with variables that debuggers can read
    bool argument_info = false;    // -cl-kernel-arg-info, for all parts
    bool initialise_local = false; // each group finds its local memory zeroed
    bool large_buffers = false;    // kernels also for buffers beyond 2 GiB
    // Everything is inlined up to this many instructions (lowering/keep_calls.cpp). 12,000 take
    // five seconds, 4,000 half a second.
    uint32_t inline_budget = 20'000;

    // That LLVM doesn't know, and without which a device can't run the code.
    std::vector<std::string> needed_extensions;

    std::string error;          // of a pass, for the program's author: later passes do nothing
    Remarks *remarks = nullptr; // null if they aren't wanted
    std::shared_ptr<WorkGroupLowering> work_groups; // kernels between the passes of workgroup/
};

} // namespace rivulet::compiler

#endif
