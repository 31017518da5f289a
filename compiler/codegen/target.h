// SPDX-License-Identifier: Apache-2.0
//
// Converts a device's ISA string to an LLVM target.
#ifndef RIVULET_COMPILER_CODEGEN_TARGET_H
#define RIVULET_COMPILER_CODEGEN_TARGET_H

#include <expected>
#include <string>
#include <string_view>

#include "compiler/support/program.h"

namespace rivulet::compiler {

inline constexpr std::string_view default_isa = "rv64gcv_zvfh_zba_zbb_zbs_zicond";

// isa: as a device tree spells it; extensions that LLVM does not support are left out, names that
// can only be typing errors are errors (hal/isa/isa_string.h). Or a host's:
// "host" for this machine's, "x86_64" or "aarch64" for one of that architecture.
// vlen: exact, in bits; 0: any. An error says what is wrong with the ISA.
std::expected<Target, std::string> make_target(std::string_view isa, unsigned vlen);

// The extensions that make_target leaves out: "zicfilp, zvkgs"; empty: none.
std::string left_out_of(std::string_view isa);

// Functions carry the target's features, so that passes and code generation see the same ones.
void set_target(llvm::Module &module, const Target &target);

// Registers LLVM's code generators; once per process, before any make_target.
void initialise_targets();

} // namespace rivulet::compiler

#endif
