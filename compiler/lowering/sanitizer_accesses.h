// SPDX-License-Identifier: Apache-2.0
//
// -rv-sanitize=address: the accesses of a kernel, and the objects that they go to.
#ifndef RIVULET_COMPILER_LOWERING_SANITIZER_ACCESSES_H
#define RIVULET_COMPILER_LOWERING_SANITIZER_ACCESSES_H

#include <string>

#include <llvm/IR/Instructions.h>

#include "compiler/lowering/pointer_origin.h"

namespace rivulet::compiler {

constexpr llvm::StringLiteral source_mark = "rivulet.source"; // of variables
// Of the arguments that point to memory: their number among these. An argument without it is an
// image, a pipe or the like, and the library checks accesses through it.
constexpr llvm::StringLiteral bounds_mark = "rivulet.bounds";
constexpr llvm::StringLiteral name_mark = "rivulet.argument"; // "2 out"

// The object a pointer is derived from, as far as it is known.
struct Object {
    enum { trusted, argument, variable, unknown } kind = trusted;
    uint64_t bytes = 0;      // of a variable
    unsigned number = 0;     // of an argument, among those that have bounds
    std::string description; // as in the site
};

struct Access {
    llvm::Instruction *instruction = nullptr;
    llvm::Value *pointer = nullptr;
    uint64_t bytes = 0;
    llvm::StringRef what;
    llvm::Value *element = nullptr; // for an async copy: the index of this element, if it has one
    llvm::Value *exists = nullptr;
};

// An index and the position it refers to: `constant` + index * `scale`.
struct Position {
    llvm::Value *index = nullptr;
    int64_t constant = 0;
    int64_t scale = 1;
    bool is_signed = true;
};

// In dominance order of blocks.
llvm::SmallVector<Access> find_accesses(llvm::Function &kernel, llvm::IntegerType *index_type);

// `space` is the address space of the pointer, and its root null if it has several.
Object object_of(PointerOrigins &origins, llvm::Value *root, unsigned space);

// "FILE:LINE" for the texts of hal/protocol/sanitizer.h, or nothing.
std::string source_line(const llvm::DebugLoc &location);

// The text of hal/protocol/sanitizer.h.
std::string site_text(const Access &access, const Object &object, const Position &position);

} // namespace rivulet::compiler

#endif
