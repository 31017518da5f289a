// SPDX-License-Identifier: Apache-2.0
//
// Arrays in private memory of which every access is known, as elements of one size. Their elements
// may lie in any order: side by side those of all lanes, for one.
//
//   of a work-item:     a[0] a[1] a[2] …     b[0] b[1] b[2] …     c[0] c[1] c[2] …
//   of lanes a, b, c:   a[0] b[0] c[0]   a[1] b[1] c[1]   a[2] b[2] c[2] …
//
// So a[i] is a contiguous access where i is the same for all lanes.
#ifndef RIVULET_COMPILER_SPMD_TRANSFORM_INTERLEAVE_PRIVATE_ARRAYS_H
#define RIVULET_COMPILER_SPMD_TRANSFORM_INTERLEAVE_PRIVATE_ARRAYS_H

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace rivulet::compiler {

class PrivateArray {
public:
    // None if something else may see where its elements lie.
    static std::optional<PrivateArray> of(llvm::AllocaInst &variable);

    unsigned element_bytes() const { return bytes_; }
    // No vectors of elements, no fills and copies: accesses can be replaced.
    bool has_elements_only() const { return !has_vectors_ && intrinsics_.empty(); }

    // Fills and copies of all its bytes become loops over elements. Changes the control flow.
    void expand_intrinsics();

    // Every access is to what `address` gives for the index (i32) of an element.
    using Address = llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, llvm::Value *index)>;
    void replace_accesses(Address address);

private:
    explicit PrivateArray(llvm::AllocaInst &variable) : variable_(variable) {}
    bool find_accesses();
    bool takes(llvm::Instruction &user, const llvm::Use &use);
    bool takes_element(llvm::Type *type, llvm::Align align);
    bool has_whole_steps(llvm::GetElementPtrInst &address) const;
    llvm::Value *index_of(llvm::Value *pointer);
    llvm::Value *stepped(llvm::GetElementPtrInst &address);
    void expand(llvm::MemIntrinsic &intrinsic);

    llvm::AllocaInst &variable_;
    unsigned bytes_ = 0; // of an element
    bool has_vectors_ = false;
    llvm::SmallSetVector<llvm::Value *, 16> pointers_; // into it
    llvm::SmallVector<llvm::Instruction *> accesses_;
    llvm::SmallVector<llvm::MemIntrinsic *> intrinsics_;
    llvm::SmallVector<llvm::ICmpInst *> comparisons_;
    llvm::DenseMap<llvm::Value *, llvm::Value *> indices_;
};

// Expands the fills and copies of all such arrays of a work-item function.
void expand_array_intrinsics(llvm::Function &function);

} // namespace rivulet::compiler

#endif
