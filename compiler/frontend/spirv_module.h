// SPDX-License-Identifier: Apache-2.0
//
// A SPIR-V module as a list of instructions, checked as far as the words of a single instruction
// and the definitions of ids go. Errors name an instruction and its first word.
#ifndef RIVULET_COMPILER_FRONTEND_SPIRV_MODULE_H
#define RIVULET_COMPILER_FRONTEND_SPIRV_MODULE_H

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rivulet::compiler::spirv {

using Words = std::vector<uint32_t>;

constexpr uint32_t magic = 0x07230203;
constexpr size_t header_words = 5;
constexpr size_t version_word = 1;
constexpr size_t bound_word = 3; // of the header: all ids are below it

// Operations are op::IAdd and so on.
namespace op {
enum : uint32_t {
#define RVL_SPIRV_INSTRUCTION(number, name, result, words) name = number,
#include "compiler/frontend/spirv_instructions.def"
};
} // namespace op

struct Instruction {
    std::span<const uint32_t> words; // the first has the operation and the number of words
    size_t at = 0;                   // of the first word, in the module

    uint32_t operation() const { return words[0] & 0xffff; }
    uint32_t operator[](size_t index) const { return words[index]; }
    size_t size() const { return words.size(); }
    bool has_type() const;
    uint32_t result() const; // its id; 0 without a result

    // The text that starts at a word; ends with the instruction at the latest.
    std::string_view text(size_t index) const;
    // "OpIAdd at word 123".
    std::string description() const;
    std::unexpected<std::string> error(const std::string &complaint) const;
};

class Module {
public:
    // The words have to outlive the module.
    static std::expected<Module, std::string> of(std::span<const uint32_t> words);

    const std::vector<Instruction> &instructions() const { return instructions_; }
    size_t size() const { return size_; } // in words
    uint32_t bound() const { return static_cast<uint32_t>(definitions_.size()); }

    // The instruction that defines an id; null for ids without a definition.
    const Instruction *definition(uint32_t id) const;
    // If the definition is this operation.
    const Instruction *definition(uint32_t id, uint32_t operation) const;
    // The type of the value that an id names; 0 for other ids.
    uint32_t type_of(uint32_t id) const;

    // What a pointer type points to; 0 for other types.
    uint32_t pointee(uint32_t pointer) const;
    // Of a vector type; other types have one component, which is the type.
    uint32_t components(uint32_t type) const;
    uint32_t component(uint32_t type) const;
    // The type of each member of a structure, or element of an array; empty for other types and for
    // arrays of more than `longest_array`.
    Words members(uint32_t type) const;
    static constexpr uint32_t longest_array = 65536;
    // The number that is a constant's default; the runtime has changed those that are specialised.
    // Nothing for numbers of more than 32 bits.
    std::optional<uint32_t> number(uint32_t constant) const;
    // The same of up to 64 bits, and of booleans.
    std::optional<uint64_t> value(uint32_t constant) const;
    // The bits of an integer type or, 1, the boolean one; 0 for other types and for larger ones.
    uint32_t constant_bits(uint32_t type) const;

private:
    std::expected<void, std::string> define(const Instruction &instruction);

    std::vector<Instruction> instructions_;
    size_t size_ = 0;
    std::unordered_map<uint32_t, uint64_t> computed_; // results of OpSpecConstantOp
    std::vector<uint32_t> definitions_; // of each id: 1 + the number of its instruction, or 0
    bool has_unknown_ = false;          // instructions that the list doesn't have
};

} // namespace rivulet::compiler::spirv

#endif
