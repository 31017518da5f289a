// SPDX-License-Identifier: Apache-2.0
//
// Private arrays of which every access is known to be an element of one size. Nothing can observe
// the order of such elements in memory, so the arrays of all lanes may be interleaved:
//
//   one array per lane:  a[0] a[1] a[2] …     b[0] b[1] b[2] …     c[0] c[1] c[2] …
//   interleaved:         a[0] b[0] c[0]   a[1] b[1] c[1]   a[2] b[2] c[2] …
//
// Where i is the same for all lanes, element i of all lanes is a contiguous access then.
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
    // None if an access is not an element of the array, or something may observe an address: the
    // pointer is stored, passed to a call, converted to a number, or compared with another
    // object's.
    static std::optional<PrivateArray> of(llvm::AllocaInst &variable);

    unsigned element_bytes() const { return bytes_; }
    // Accesses can be replaced: they load and store single elements; none is a fill or a copy.
    bool has_elements_only() const { return !has_vectors_ && intrinsics_.empty(); }

    // Replaces fills and copies by accesses of elements, long ones by loops over them.
    void expand_intrinsics();

    // Redirects each access to the address that `address` returns for the element's index (i32).
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
    llvm::SmallSetVector<llvm::Value *, 16> pointers_; // into the array; the variable is first
    llvm::SmallVector<llvm::Instruction *> accesses_;
    llvm::SmallVector<llvm::MemIntrinsic *> intrinsics_;
    llvm::SmallVector<llvm::ICmpInst *> comparisons_;
    llvm::DenseMap<llvm::Value *, llvm::Value *> indices_;
};

// Expands the fills and copies of all such arrays of a work-item function.
void expand_array_intrinsics(llvm::Function &function);

} // namespace rivulet::compiler

#endif
