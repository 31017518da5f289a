// SPDX-License-Identifier: Apache-2.0
//
// Writes a changed copy of a SPIR-V module, instruction by instruction. Types, constants and
// functions that the changes need are added to their places until the end.
#ifndef RIVULET_COMPILER_FRONTEND_SPIRV_WRITER_H
#define RIVULET_COMPILER_FRONTEND_SPIRV_WRITER_H

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/frontend/spirv_module.h"

namespace rivulet::compiler::spirv {

void append_text(Words &words, std::string_view text);

class Writer {
public:
    // In the order of the module.
    enum Part { preamble, annotations, globals, imports, functions };

    explicit Writer(const Module &module) : module_(module), bound_(module.bound()) {}

    // Instructions without another part go to the one that the last original instruction belongs
    // to.
    void enter(const Instruction &original);
    Part part() const { return part_; }

    void add(Part part, uint32_t operation, const Words &operands);
    void add(uint32_t operation, const Words &operands) { add(part_, operation, operands); }
    void copy(const Instruction &words);
    uint32_t new_id() { return bound_++; }
    // Adds an instruction with a result.
    uint32_t value(uint32_t operation, uint32_t type, const Words &operands);

    // The module's type, or a new one.
    uint32_t type(uint32_t operation, const Words &operands);
    uint32_t address() { return type(op::TypeInt, {address_bits, 0}); }
    // A number, the same for each component of a vector type.
    uint32_t constant(uint32_t type, uint32_t number);
    // Of integers and floating-point numbers, in bits; 0 for other types.
    uint32_t width(uint32_t type) const;
    // A function of the built-in library.
    uint32_t imported(const std::string &name, uint32_t result, const Words &parameters);

    Words module(std::span<const uint32_t> header) const;

    uint32_t address_bits = 64;

private:
    const Module &module_;
    uint32_t bound_;
    Part part_ = preamble;
    Words parts_[functions + 1];
    std::map<std::pair<uint32_t, Words>, uint32_t> types_;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> constants_; // by type and number
    std::map<std::string, uint32_t> imports_;                     // by mangled name
};

} // namespace rivulet::compiler::spirv

#endif
