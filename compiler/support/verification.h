// SPDX-License-Identifier: Apache-2.0
//
// LLVM's verifiers of IR and machine code, run after passes to find the one that makes invalid
// code. They are off by default: build option -rvl-verify or RIVULET_VERIFY=1 in the environment
// switches them on. Invalid code is a fatal error that names the pass.
#ifndef RIVULET_COMPILER_VERIFICATION_H
#define RIVULET_COMPILER_VERIFICATION_H

#include <llvm/ADT/StringRef.h>

namespace llvm {
class Function;
class Module;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace rivulet::compiler {

// To be called when a job begins: this process compiles one job after another.
void switch_verification(bool asked_for);
bool verification_is_on();

// Do nothing while verification is off.
void verify_after(llvm::StringRef pass, const llvm::Function &function);
void verify_after(llvm::StringRef pass, const llvm::Module &module);

// The same for each pass that runs with the callbacks.
void verify_after_each(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace rivulet::compiler

#endif
