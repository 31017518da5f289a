// SPDX-License-Identifier: Apache-2.0
//
// LLVM IR to machine code, and how much stack that code needs.
#ifndef RIVULET_COMPILER_CODEGEN_CODEGEN_DRIVER_H
#define RIVULET_COMPILER_CODEGEN_CODEGEN_DRIVER_H

#include <cstdint>
#include <string>
#include <vector>

#include <llvm/ADT/StringMap.h>

#include "compiler/codegen/spill_remarks.h"
#include "compiler/support/program.h"
#include "compiler/support/statistics.h"

namespace rivulet::compiler {

struct Frame {
    uint64_t bytes = 0;
    bool dynamic = false;             // grows while it runs
    std::vector<std::string> callees; // "" for a call through a pointer
    Statistics statistics;
    std::vector<SpillingLine> spilling_lines; // if remarks are wanted
};

struct Code {
    llvm::SmallVector<char, 0> bytes; // ELF object, or assembly
    llvm::StringMap<Frame> frames;
};

enum class CodeKind { object, assembly };

Code generate_code(llvm::Module &module, const Target &target, CodeKind kind);

} // namespace rivulet::compiler

#endif
