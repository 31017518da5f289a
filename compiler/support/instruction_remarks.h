// SPDX-License-Identifier: Apache-2.0
//
// Optimisation remarks of the passes that turn work-items into lanes. They write code that is
// dropped again when another version is cheaper, so a remark waits at the instruction that it is
// about: once a kernel is whole, those whose instructions are left become LLVM's remarks.
#ifndef RIVULET_COMPILER_SUPPORT_INSTRUCTION_REMARKS_H
#define RIVULET_COMPILER_SUPPORT_INSTRUCTION_REMARKS_H

#include <string>

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// The pass's name in remarks, and the filter for them.
inline constexpr char remark_pass[] = "rivulet";

// The name of those on regions that are no lanes.
inline constexpr char scalar_region[] = "ScalarRegion";

struct CodeRemark {
    enum Kind { missed, analysis } kind = missed;
    const char *name = "";   // "Gather"
    llvm::DebugLoc location; // of the source
    std::string what;        // a sentence on the code, without its full stop
    std::string instead;     // what to write instead, the same way; or empty
};

bool wants_remarks(const llvm::LLVMContext &context);

// Does nothing if remarks aren't wanted, or the value is no instruction.
void attach_remark(llvm::Value *value, const CodeRemark &remark);

// Emits the remarks of the kernel's instructions, each once.
void emit_attached_remarks(llvm::Function &kernel);

void emit_remark(llvm::Function &kernel, const CodeRemark &remark);

} // namespace rivulet::compiler

#endif
