// SPDX-License-Identifier: Apache-2.0
//
// Versions of kernels (-rvl-kernel=, -rvl-local-size=, -rvl-image=, -rvl-sampler=). A program is
// built before its kernels are launched. Once the host knows how a kernel is launched, it may ask
// for the same program again, reduced to that kernel, with what it knows of the launches as
// options. Both versions have to give the same results, because any launch may run either.
#ifndef RIVULET_COMPILER_FRONTEND_KERNEL_VERSION_H
#define RIVULET_COMPILER_FRONTEND_KERNEL_VERSION_H

#include <expected>
#include <string>

#include <llvm/IR/Module.h>

#include "compiler/frontend/build_options.h"
#include "compiler/support/program.h"

namespace rivulet::compiler {

// Reduces a program, without the built-in library, to the version of one kernel. An error, for the
// build log, says why the program can have none.
std::expected<void, std::string> make_version(llvm::Module &module, const KernelVersion &version,
                                              const Target &target);

// Makes the general version of a program compute what its versions will: llvm.fmuladd may round
// once or twice, whatever gives shorter code, which can differ between versions. It becomes
// llvm.fma where that is an instruction, if any kernel may have versions.
void round_as_versions(llvm::Module &module, const Target &target);

} // namespace rivulet::compiler

#endif
