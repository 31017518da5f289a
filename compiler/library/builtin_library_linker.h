// SPDX-License-Identifier: Apache-2.0
//
// The built-in library: an archive of bitcode modules, of which a program gets what it calls.
#ifndef RIVULET_COMPILER_LIBRARY_BUILTIN_LIBRARY_LINKER_H
#define RIVULET_COMPILER_LIBRARY_BUILTIN_LIBRARY_LINKER_H

#include <expected>
#include <memory>
#include <optional>
#include <string>

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>
#include <llvm/Object/Archive.h>
#include <llvm/Support/MemoryBuffer.h>

namespace rivulet::compiler {

class BuiltinLibrary {
public:
    // Reads ../lib/rivulet/library/builtins64.a or builtins32.a relative to this program. Done
    // once, and inherited by forked processes.
    static std::expected<const BuiltinLibrary *, std::string> of(unsigned xlen);

    // Links the modules that define what the module calls, and what those call in turn.
    std::expected<void, std::string> link_into(llvm::Module &module) const;

private:
    static std::expected<BuiltinLibrary, std::string> open(const std::string &path);

    // Redirects calls that may be approximate (afn: -cl-unsafe-math-optimizations) to relaxed
    // functions, if there are any.
    void relax_calls(llvm::Module &module) const;

    std::unique_ptr<llvm::MemoryBuffer> file_;
    std::unique_ptr<llvm::object::Archive> archive_;
    llvm::StringMap<llvm::object::Archive::Symbol> symbols_;
};

} // namespace rivulet::compiler

#endif
