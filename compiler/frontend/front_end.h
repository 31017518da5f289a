// SPDX-License-Identifier: Apache-2.0
//
// OpenCL C to LLVM: clang's cc1 in this process.
#ifndef RIVULET_COMPILER_FRONTEND_FRONT_END_H
#define RIVULET_COMPILER_FRONTEND_FRONT_END_H

#include <memory>
#include <string>
#include <vector>

#include <llvm/IR/Module.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "compiler/frontend/build_options.h"
#include "compiler/support/program.h"

namespace rivulet::compiler {

struct Header {
    std::string name; // as #include names it
    std::string text;
};

// A board's built-in functions (lowering/vendor_instructions.h), read before the program.
struct InstructionTable {
    std::string name; // as diagnostics name it
    std::string text;
};

struct Source {
    std::string name; // as diagnostics and line numbers name it
    std::string text;
    std::vector<Header> headers;
    InstructionTable instructions = {};
    // Where to look for other included files.
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::getRealFileSystem();
};

// Diagnostics are appended to `log` as clang prints them. Null when there were errors.
std::unique_ptr<llvm::Module> compile_source(llvm::LLVMContext &context, const Source &source,
                                             const Options &options, const Target &target,
                                             std::string &log);

// Appends the syntax tree, as clang -ast-dump prints it, to `tree`.
bool dump_syntax_tree(const Source &source, const Options &options, const Target &target,
                      std::string &tree, std::string &log);

} // namespace rivulet::compiler

#endif
