// SPDX-License-Identifier: Apache-2.0
//
// Widens the instructions of one work-item to all lanes.
#ifndef RIVULET_COMPILER_SPMD_CODEGEN_INSTRUCTION_WIDENER_H
#define RIVULET_COMPILER_SPMD_CODEGEN_INSTRUCTION_WIDENER_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/analysis/vector_registers.h"
#include "compiler/spmd/analysis/adjacent_accesses.h"
#include "compiler/spmd/analysis/stride_analysis.h"

namespace rivulet::compiler {

// The lanes that run: those among the first `length` that are in the mask.
struct ActiveLanes {
    llvm::Value *length = nullptr; // i32
    llvm::Value *mask = nullptr;   // null: all of them
};

struct SubGroupCall;

// The policy of RVV's intrinsics for tail and mask.
inline constexpr uint64_t agnostic = 3;
// Of masked loads whose other lanes are poison: any tail, other lanes undisturbed. LLVM 22 makes a
// select between such a load and another value part of the load, and keeps this policy; agnostic,
// other lanes would get any value instead of the select's. Where it merges nothing, it generates
// code as for agnostic lanes.
inline constexpr uint64_t mergeable = 1;

inline constexpr unsigned most_register_bits = 512; // of eight registers, per 64 bits of VLEN

class InstructionWidener {
public:
    // vlen: exact, or 0. widest: bits of an element. sub_group: its size, or 0.
    InstructionWidener(llvm::IRBuilder<> &builder, const StrideAnalysis &strides,
                       llvm::ElementCount count, unsigned vlen, unsigned widest, unsigned sub_group)
        : builder_(builder), strides_(strides), count_(count),
          vscale_(count.isFixed() ? 1 : vlen / 64), widest_(widest), sub_group_(sub_group) {}

    // Allocates a private variable for each lane; the builder is in the entry block.
    void emit_variable(llvm::AllocaInst &variable);

    ActiveLanes active;

    llvm::Type *vector_of(llvm::Type *type) const;

    // The scalar for a value of the work-item: itself if it is uniform or a constant, the value of
    // lane 0 if it is affine (spmd/analysis/stride_analysis.h).
    llvm::Value *scalar(llvm::Value *value);
    // For debuggers: describes the variable if it has the same value in all lanes.
    void describe(const llvm::DbgVariableRecord &record);
    llvm::Value *vector(llvm::Value *value);

    // The parameter x of lane 0 is the sum of both; `wide` has as many bits as a pointer.
    void set_x(llvm::Value *wide, uint64_t offset) {
        wide_x_ = wide;
        x_offset_ = offset;
    }
    void set_scalar(const llvm::Value *value, llvm::Value *emitted) { scalars_[value] = emitted; }
    void set_vector(const llvm::Value *value, llvm::Value *emitted) { vectors_[value] = emitted; }
    // Computes the values of all lanes from the first one.
    void materialise_affine(const llvm::Value *value);

    void emit(llvm::Instruction &instruction);

    // Whether the instruction calls a function that stays a function.
    bool is_row_call(const llvm::Instruction &instruction) const;

    // Whether the instruction does harm if no lane is active.
    bool unsafe_with_empty_mask(const llvm::Instruction &instruction) const;

    // How many of the work-items left (XLEN bits) the next strip takes, with elements of that
    // width.
    llvm::Value *set_length(llvm::Value *left, unsigned bits);

    llvm::Value *any(llvm::Value *mask);               // i1: of the active length
    llvm::Value *both(llvm::Value *a, llvm::Value *b); // masks; null: all
    llvm::Value *all_lanes() const;
    llvm::Value *no_lanes() const;
    llvm::Value *inverted(llvm::Value *mask);

    // Whether a condition is the same in all lanes below the length, and its value then. Both are
    // i1.
    struct UniformTest {
        llvm::Value *holds;
        llvm::Value *same;
    };
    bool may_be_uniform(llvm::Value *condition, unsigned depth = 0) const;
    UniformTest uniform_test(llvm::Value *condition);
    llvm::Value *may_hold(llvm::Value *condition, bool outcome, unsigned depth = 0);

private:
    llvm::Value *steps(llvm::Type *integer, const Stride &shape);
    llvm::Value *stride(const Stride &shape, llvm::Type *integer);
    llvm::Type *index_type() const;
    void emit_uniform(llvm::Instruction &instruction);
    void emit_affine(llvm::Instruction &instruction);
    llvm::Value *first_value(llvm::Instruction &instruction);
    llvm::Value *widened(llvm::Instruction &instruction);
    llvm::Value *lanes_by_number(llvm::CmpInst::Predicate predicate, llvm::Value *lane,
                                 llvm::Type *type);
    llvm::Value *compared_equal(llvm::ICmpInst &compare);
    llvm::Value *compared_in_order(llvm::ICmpInst &compare);
    llvm::Value *compared(llvm::ICmpInst &compare);
    llvm::Value *divided(llvm::BinaryOperator &operation);
    llvm::Value *accumulated(llvm::BinaryOperator &sum); // null: not by one widening instruction
    llvm::Value *in_registers(
        llvm::ArrayRef<llvm::Value *> operands,
        llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>, llvm::Value *length)> emit);
    llvm::Value *multiplied_high(llvm::CallInst &call);
    llvm::Value *dot_product_of(llvm::CallInst &call, llvm::Value *added);
    llvm::Value *rounded(llvm::CallInst &call);
    llvm::Value *vendor_instruction(llvm::CallInst &call);
    llvm::Value *saturated(llvm::CallInst &conversion); // null: not by RVV's conversions
    llvm::Value *called(llvm::CallInst &call);
    void emit_launch_end(llvm::CallInst &call);
    void remark_on_access(llvm::Value *access, const llvm::Instruction &instruction,
                          const llvm::Value *pointer, const Stride &shape);
    void emit_load(llvm::LoadInst &load);
    bool emit_segment(llvm::LoadInst &first);
    bool emit_segment(llvm::StoreInst &store);
    void emit_fields(llvm::ArrayRef<llvm::StoreInst *> fields, uint64_t whole);
    llvm::Type *tuple_of(unsigned bytes, unsigned fields) const;
    unsigned registers(unsigned bytes) const; // of an element of each lane
    void emit_store(llvm::StoreInst &store);
    struct VolatilePlaces {
        llvm::Value *first;
        llvm::Value *apart; // null: as far as elements are wide
    };
    std::optional<VolatilePlaces> volatile_places(llvm::Value *pointer, llvm::Type *type);
    bool emit_volatile(llvm::Instruction &instruction);
    bool may_lie_before(llvm::Value *pointer) const;
    llvm::Value *scaled(llvm::Value *value, llvm::Value *factor);
    llvm::Value *scaled_from(llvm::Value *value, llvm::Value *factor, llvm::Value *first);
    llvm::Value *element_step(llvm::Type *integer, const llvm::AllocaInst &array);
    llvm::Value *element_offsets(const llvm::GetElementPtrInst &element);
    void emit_element(llvm::GetElementPtrInst &element);
    // One base and offsets of 32 bits if the pointers are into one buffer; else null and the
    // pointers.
    std::pair<llvm::Value *, llvm::Value *> offsets(llvm::Value *pointer);
    std::pair<llvm::Value *, llvm::Value *> small_offsets(llvm::Value *pointer); // or null
    llvm::CallInst *indexed(llvm::Value *pointer, llvm::Type *element, llvm::Value *data);
    llvm::Value *addresses(llvm::Value *pointer);
    enum class Start;
    Start start_of(llvm::Value *pointer) const;
    Stride access(llvm::Value *pointer) const;
    bool is_x(const llvm::Value *value) const;
    llvm::Value *number(llvm::Value *value, llvm::Type *wide, bool is_signed);
    llvm::Value *address(llvm::Value *pointer); // of lane 0, if access() is affine
    void emit_sub_group(llvm::CallInst &call, const SubGroupCall &sub_group);
    void emit_serialised(llvm::CallInst &call, const SubGroupCall &sub_group, llvm::Value *cluster);
    llvm::Value *lane_numbers();
    llvm::Value *running();
    llvm::Value *first_lane();
    llvm::Value *read_lane(llvm::Value *value, llvm::Value *lane);
    llvm::Value *gathered(llvm::Value *wide, llvm::Value *lanes);
    llvm::Value *ballot(llvm::Value *predicate, uint64_t part);
    llvm::Value *masked_operand(llvm::Value *value, const SubGroupCall &call);
    llvm::Value *with_identity(llvm::Value *wide, const SubGroupCall &call, llvm::Type *type);
    llvm::Value *reduced(llvm::Value *wide, const SubGroupCall &call, llvm::Type *type);
    llvm::Value *scanned(llvm::Value *wide, const SubGroupCall &call, llvm::Type *type);
    llvm::Value *clustered(llvm::Value *wide, const SubGroupCall &call, llvm::Type *type,
                           llvm::Value *size);
    llvm::Value *mask_or_all() const { return active.mask ? active.mask : all_lanes(); }
    bool is_counting(const llvm::Instruction &instruction) const;
    llvm::Type *numbers() const;
    llvm::Value *ranks(llvm::Value *mask);
    void emit_counting(llvm::AtomicRMWInst &update);
    void emit_scalarised(llvm::Instruction &instruction);
    bool is_reduction(const llvm::Instruction &instruction) const;
    llvm::Value *reduced(llvm::AtomicRMWInst &update);
    void emit_reduction(llvm::AtomicRMWInst &update);
    llvm::Value *lanes_in(llvm::Value *mask);
    llvm::AllocaInst *lane_memory(llvm::IRBuilder<> &builder, uint64_t bytes, llvm::Align align);
    llvm::AllocaInst *buffer(llvm::Type *type);
    llvm::Value *store_lanes(llvm::Value *wide, llvm::Value *mask = nullptr,
                             llvm::Value *memory = nullptr);
    bool can_call_row(const llvm::CallInst &call) const;
    llvm::Value *call_memory(llvm::Type *type, unsigned number);
    void emit_row_call(llvm::CallInst &call);
    bool spreads(llvm::Type *type) const;
    llvm::Value *expand_packed(llvm::Value *memory, llvm::Type *type, llvm::Value *mask);
    llvm::Value *load_lane(llvm::Value *buffer, llvm::Type *type, llvm::Value *lane);
    bool wide_enough(llvm::Align align, llvm::Type *type) const;

    llvm::IRBuilder<> &builder_;
    const StrideAnalysis &strides_;
    llvm::ElementCount count_;
    unsigned vscale_; // 0: unknown
    unsigned widest_; // bits of an element
    llvm::Value *wide_x_ = nullptr;
    uint64_t x_offset_ = 0;
    unsigned sub_group_;
    llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars_;
    llvm::DenseMap<const llvm::Value *, llvm::Value *> vectors_;
    // The only lane that may be in a mask, if it is below VL; and the only lanes that a mask lacks.
    llvm::DenseMap<const llvm::Value *, llvm::Value *> only_lane_;
    llvm::DenseMap<const llvm::Value *, llvm::SmallVector<llvm::Value *, 2>> other_lanes_;
    // Memory for the values of a call, by their size and number.
    llvm::DenseMap<std::pair<uint64_t, unsigned>, llvm::AllocaInst *> call_memory_;
    std::optional<LoadsByAddress> loads_by_address_;  // of the work-item
    llvm::SmallPtrSet<llvm::LoadInst *, 8> loaded_;   // by a segment access before them
    llvm::SmallPtrSet<llvm::StoreInst *, 8> waiting_; // for one after them
    llvm::DenseMap<llvm::StoreInst *, llvm::SmallVector<llvm::StoreInst *, 8>> stored_; // by it
};

} // namespace rivulet::compiler

#endif
