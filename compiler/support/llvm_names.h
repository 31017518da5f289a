// SPDX-License-Identifier: Apache-2.0
//
// LLVM's options, passes, instructions and registers that this compiler looks up by name, because
// LLVM's headers declare nothing for them. A name that another LLVM doesn't have would switch off
// silently what depends on it, so rivulet-cc looks all of them up when it starts.
#ifndef RIVULET_COMPILER_LLVM_NAMES_H
#define RIVULET_COMPILER_LLVM_NAMES_H

#include <optional>
#include <string>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace rivulet::compiler {

enum class LlvmNameKind {
    option,             // of LLVM's command line, without the dash
    pass,               // of legacy pass managers, as an OptPassGate gets it: its argument
    loop_pass,          // likewise, of a loop: OptPassGate gets its description
    instruction,        // of RISC-V
    instruction_prefix, // with which at least one name begins
    instruction_part,   // which is in at least one name
    register_name,      // of RISC-V
};

struct LlvmName {
    LlvmNameKind kind;
    llvm::StringRef name;
};

// Says which names are missing and what to do about it; nothing if LLVM has all of them.
std::optional<std::string> find_missing_names(llvm::ArrayRef<LlvmName> names);

// All names that are in use.
llvm::ArrayRef<LlvmName> llvm_names_in_use();

// Reads "KIND:NAME", for tests; KIND is option, pass, loop-pass, instruction, prefix, part or
// register.
std::optional<LlvmName> parse_llvm_name(llvm::StringRef text);

// Options that set_option() takes, and passes that PassGate skips.
namespace llvm_option {
inline constexpr llvm::StringLiteral lsr_drop_solution = "lsr-drop-solution";
inline constexpr llvm::StringLiteral misched_cluster = "misched-cluster";
inline constexpr llvm::StringLiteral dag_maps_huge_region = "dag-maps-huge-region";
inline constexpr llvm::StringLiteral disable_mergeicmps = "disable-mergeicmps";
inline constexpr llvm::StringLiteral disable_hoisting_to_hotter_blocks =
    "disable-hoisting-to-hotter-blocks";
inline constexpr llvm::StringLiteral disable_partial_libcall_inlining =
    "disable-partial-libcall-inlining";
inline constexpr llvm::StringLiteral pragma_unroll_threshold = "pragma-unroll-threshold";
} // namespace llvm_option

namespace llvm_pass {
inline constexpr llvm::StringLiteral loop_strength_reduction = "Loop Strength Reduction";
inline constexpr llvm::StringLiteral machine_scheduler = "machine-scheduler";
inline constexpr llvm::StringLiteral code_gen_prepare = "codegenprepare";
inline constexpr llvm::StringLiteral early_machine_licm = "early-machinelicm";
} // namespace llvm_pass

} // namespace rivulet::compiler

#endif
