// SPDX-License-Identifier: Apache-2.0
//
// Instructions of a board's own (boards/README.md, "instructions.h"). The table is a header of
// OpenCL C functions: each has a scalar body, and an attribute with the instruction that computes
// the same for a vector of work-items:
//
//   __attribute__((rivulet_instruction("zvbb", "vv: vandn.vv %0, %1, %2",
//                                       "vx: vandn.vx %0, %1, %2")))
//   uint acme_andn(uint a, uint b) { return a & ~b; }
//
// Where the hart has the extension, calls stay calls until work-items are lanes
// (delayed_inlining.h). What is still called then runs the body, as on all other harts.
#ifndef RIVULET_COMPILER_LOWERING_VENDOR_INSTRUCTIONS_H
#define RIVULET_COMPILER_LOWERING_VENDOR_INSTRUCTIONS_H

#include <expected>
#include <string>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include "compiler/support/program.h"

namespace rivulet::compiler {

// A function's attribute: the extension and its forms, one per line.
inline constexpr llvm::StringLiteral vendor_instruction_mark = "rivulet-instruction";

// How an instruction takes an operand: the letters of a form's shape.
enum class OperandKind : char {
    vector = 'v',
    overwritten = 'd', // the register of the result
    bytes = 'b',       // for intrinsics: a vector with elements of 8 bits
    integer = 'x',     // a scalar register
    real = 'f',
    mask = 'm', // v0, from a bool
};

// "vx e32 &: mnemonic %0, %1, %2"
struct InstructionForm {
    llvm::SmallVector<OperandKind, 4> operands; // of each parameter
    unsigned element_bits = 0;                  // of vtype; 0: of the result
    bool is_early = false;                      // the result must not share registers
    std::string text;                           // %0 is the result, %1 the first parameter
    bool is_intrinsic = false;                  // text is its name

    [[nodiscard]] unsigned scalars() const;
    [[nodiscard]] bool has(OperandKind kind) const { return llvm::is_contained(operands, kind); }
    // Elements that the mask excludes keep the value of the operand that is overwritten.
    [[nodiscard]] bool merges() const {
        return has(OperandKind::mask) && has(OperandKind::overwritten);
    }
};

std::expected<InstructionForm, std::string> parse_form(llvm::StringRef text, unsigned parameters);

// The forms of the instruction that computes a function; none if it has no such attribute. The
// callee of an indirect call is null.
llvm::SmallVector<InstructionForm, 2> instruction_forms(const llvm::Function *callee);

// Calls the intrinsic with the operands that belong to the parameters, and those that LLVM's
// intrinsics add: a value for inactive lanes, the length, the policy of tail and mask. Null if it
// takes no such operands.
llvm::Value *call_vector_intrinsic(llvm::IRBuilderBase &builder, llvm::Intrinsic::ID id,
                                   llvm::Type *result, llvm::ArrayRef<llvm::Value *> operands,
                                   llvm::Value *length, bool merges);

// Before inlining: calls stay calls where the hart has the extension. An error names the line of
// the table.
std::expected<void, std::string> delay_vendor_instructions(Program &program, const Target &target);

// After the work-group pass: what is still called is written out.
void inline_vendor_instructions(llvm::Module &module);

} // namespace rivulet::compiler

#endif
