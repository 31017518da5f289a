// SPDX-License-Identifier: Apache-2.0
//
// Optimisation remarks of the passes that turn work-items into lanes. These passes write code that
// is dropped if another version is cheaper, so a remark waits at its instruction: once a kernel is
// complete, the remarks of the remaining instructions become LLVM's remarks.
#ifndef RIVULET_COMPILER_SUPPORT_INSTRUCTION_REMARKS_H
#define RIVULET_COMPILER_SUPPORT_INSTRUCTION_REMARKS_H

#include <string>

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Function.h>

namespace rivulet::compiler {

// The pass's name in remarks, and the filter for them.
inline constexpr char remark_pass[] = "rivulet";

// The name of remarks on regions that don't become lanes.
inline constexpr char scalar_region[] = "ScalarRegion";

struct CodeRemark {
    enum Kind { missed, analysis } kind = missed;
    const char *name = "";   // "Gather"
    llvm::DebugLoc location; // of the source
    std::string what;        // a sentence on the code, without its full stop
    std::string instead;     // what to write instead, the same way; or empty
};

bool wants_remarks(const llvm::LLVMContext &context);

// Does nothing if remarks aren't wanted, or if the value isn't an instruction.
void attach_remark(llvm::Value *value, const CodeRemark &remark);

// Emits the remarks of the kernel's instructions, each once.
void emit_attached_remarks(llvm::Function &kernel);

void emit_remark(llvm::Function &kernel, const CodeRemark &remark);

} // namespace rivulet::compiler

#endif
