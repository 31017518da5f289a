// SPDX-License-Identifier: Apache-2.0
//
// The object that a pointer is derived from, and how far from its beginning it points.
#ifndef RIVULET_COMPILER_LOWERING_POINTER_ORIGIN_H
#define RIVULET_COMPILER_LOWERING_POINTER_ORIGIN_H

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/ValueMap.h>

namespace rivulet::compiler {

// A pointer as base + constant + Σ value * scale: its base is where a chain of getelementptrs
// begins.
struct LinearAddress {
    llvm::Value *base = nullptr;
    int64_t constant = 0;
    llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> terms;
};

class PointerOrigins {
public:
    explicit PointerOrigins(llvm::Function &function);

    // The argument, variable, load, … from which the pointer is derived on all paths; null if there
    // are several.
    llvm::Value *root(llvm::Value *pointer);

    LinearAddress linear(llvm::Value *pointer) const;

    // The distance from the root, where the pointer has one, in bytes; where the pointer is
    // defined.
    llvm::Value *offset(llvm::Value *pointer);

    // The address, from the root, at the builder's insert point.
    llvm::Value *offset(llvm::IRBuilder<> &builder, const LinearAddress &address);

    llvm::IntegerType *index_type() const { return index_type_; }

private:
    const llvm::DataLayout &layout_;
    llvm::IntegerType *index_type_;
    llvm::DenseMap<llvm::Value *, llvm::Value *> roots_;
    llvm::DenseMap<llvm::Value *, llvm::WeakTrackingVH> offsets_;
};

} // namespace rivulet::compiler

#endif
