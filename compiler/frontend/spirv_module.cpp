// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/spirv_module.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "compiler/frontend/spirv_constants.h"

namespace rivulet::compiler::spirv {
namespace {

enum class Result : uint8_t { none, id, value };

struct Shape {
    uint16_t operation;
    Result result;
    uint8_t words;
    const char *name;
};

constexpr Shape shapes[] = {
#define RVL_SPIRV_INSTRUCTION(number, name, result, words) {number, Result::result, words, #name},
#include "compiler/frontend/spirv_instructions.def"
};
static_assert(std::ranges::is_sorted(shapes, {}, &Shape::operation));

// Null for operations of extensions that are not in the list.
const Shape *shape_of(uint32_t operation) {
    const Shape *shape = std::ranges::lower_bound(shapes, operation, {}, &Shape::operation);
    return shape != std::end(shapes) && shape->operation == operation ? shape : nullptr;
}

// 2.17: a module may count on as many ids, and a header with more is as likely damaged.
constexpr uint32_t most_ids = 0x3fffff;

constexpr uint32_t most_components = 4096; // of vectors; OpenCL has 16

bool is_type(uint32_t operation) {
    return (operation >= op::TypeVoid && operation <= op::TypeForwardPointer) ||
           operation == op::TypePipeStorage || operation == op::TypeNamedBarrier;
}

} // namespace

bool Instruction::has_type() const {
    const Shape *shape = shape_of(operation());
    return shape && shape->result == Result::value;
}

uint32_t Instruction::result() const {
    const Shape *shape = shape_of(operation());
    if (!shape || shape->result == Result::none)
        return 0;
    return words[shape->result == Result::value ? 2 : 1];
}

std::string_view Instruction::text(size_t index) const {
    const auto rest = words.subspan(std::min(index, words.size()));
    const std::string_view bytes(reinterpret_cast<const char *>(rest.data()), rest.size_bytes());
    return bytes.substr(0, bytes.find('\0'));
}

std::string Instruction::description() const {
    const Shape *shape = shape_of(operation());
    return (shape ? std::string("Op") + shape->name
                  : "the instruction with the number " + std::to_string(operation())) +
           " at word " + std::to_string(at);
}

std::unexpected<std::string> Instruction::error(const std::string &complaint) const {
    return std::unexpected(description() + " " + complaint);
}

std::expected<Module, std::string> Module::of(std::span<const uint32_t> words) {
    Module module;
    const uint32_t bound = words[bound_word];
    if (bound > most_ids)
        return std::unexpected("word 3, the bound of its ids, is " + std::to_string(bound) +
                               "; at most " + std::to_string(most_ids) + " are possible");
    module.definitions_.resize(bound);
    module.size_ = words.size();
    std::optional<Instruction> function; // that has not ended
    for (size_t at = header_words; at < words.size();) {
        const size_t count = words[at] >> 16;
        if (count == 0 || count > words.size() - at)
            return std::unexpected("the instruction at word " + std::to_string(at) +
                                   " is cut off: it has " + std::to_string(count) + " words, and " +
                                   std::to_string(words.size() - at) + " are left");
        const Instruction instruction{words.subspan(at, count), at};
        const Shape *shape = shape_of(instruction.operation());
        if (shape && count < shape->words)
            return instruction.error("has " + std::to_string(count) + " words instead of " +
                                     std::to_string(shape->words) + " or more");
        if (instruction.operation() == op::Function) {
            if (function)
                break;
            function = instruction;
        } else if (instruction.operation() == op::FunctionEnd) {
            function.reset();
        }
        module.instructions_.push_back(instruction);
        if (auto fine = module.define(instruction); !fine)
            return std::unexpected(fine.error());
        at += count;
    }
    if (function) // llvm-spirv crashes, and the search for what it can't translate doesn't see it
        return function->error("has no OpFunctionEnd");
    return module;
}

std::expected<void, std::string> Module::define(const Instruction &instruction) {
    if (instruction.has_type()) {
        const Instruction *type = definition(instruction[1]);
        // Instructions that are not in the list may define types.
        if (type ? !is_type(type->operation()) : !has_unknown_)
            return instruction.error("has the type " + std::to_string(instruction[1]) +
                                     ", which is not defined before it");
    }
    if (instruction.operation() == op::TypeVector && instruction[3] > most_components)
        return instruction.error("has " + std::to_string(instruction[3]) + " components");
    const Shape *shape = shape_of(instruction.operation());
    has_unknown_ |= !shape;
    if (!shape || shape->result == Result::none)
        return {};
    const uint32_t id = instruction.result();
    if (id == 0 || id >= definitions_.size())
        return instruction.error("defines id " + std::to_string(id) +
                                 ", but ids are from 1 to below " +
                                 std::to_string(definitions_.size()) + ", which word 3 gives");
    if (const Instruction *other = definition(id))
        return instruction.error("defines id " + std::to_string(id) + ", as does " +
                                 other->description());
    definitions_[id] = static_cast<uint32_t>(instructions_.size());
    // Now, because its operands are defined before it: later that would be a recursion.
    if (instruction.operation() == op::SpecConstantOp)
        if (const auto value = computed_constant(*this, instruction))
            computed_.emplace(id, *value);
    return {};
}

const Instruction *Module::definition(uint32_t id) const {
    return id < definitions_.size() && definitions_[id] ? &instructions_[definitions_[id] - 1]
                                                        : nullptr;
}

const Instruction *Module::definition(uint32_t id, uint32_t operation) const {
    const Instruction *found = definition(id);
    return found && found->operation() == operation ? found : nullptr;
}

uint32_t Module::type_of(uint32_t id) const {
    const Instruction *found = definition(id);
    return found && found->has_type() ? (*found)[1] : 0;
}

uint32_t Module::pointee(uint32_t pointer) const {
    const Instruction *found = definition(pointer, op::TypePointer);
    return found ? (*found)[3] : 0;
}

uint32_t Module::components(uint32_t type) const {
    const Instruction *vector = definition(type, op::TypeVector);
    return vector ? (*vector)[3] : 1;
}

uint32_t Module::component(uint32_t type) const {
    const Instruction *vector = definition(type, op::TypeVector);
    return vector ? (*vector)[2] : type;
}

Words Module::members(uint32_t type) const {
    if (const Instruction *structure = definition(type, op::TypeStruct))
        return {structure->words.begin() + 2, structure->words.end()};
    if (const Instruction *array = definition(type, op::TypeArray))
        if (const auto length = number((*array)[3]); length && *length <= longest_array)
            return Words(*length, (*array)[2]);
    return {};
}

std::optional<uint32_t> Module::number(uint32_t constant) const {
    const std::optional<uint64_t> found = value(constant);
    if (!found || *found > UINT32_MAX)
        return std::nullopt;
    return static_cast<uint32_t>(*found);
}

uint32_t Module::constant_bits(uint32_t type) const {
    if (definition(type, op::TypeBool))
        return 1;
    const Instruction *integer = definition(type, op::TypeInt);
    return integer && (*integer)[2] <= 64 ? (*integer)[2] : 0;
}

std::optional<uint64_t> Module::value(uint32_t constant) const {
    const Instruction *found = definition(constant);
    const uint32_t bits = constant_bits(type_of(constant));
    if (!found || !bits)
        return std::nullopt;
    switch (found->operation()) {
    case op::ConstantNull:
    case op::ConstantFalse:
    case op::SpecConstantFalse:
        return 0;
    case op::ConstantTrue:
    case op::SpecConstantTrue:
        return 1;
    case op::Constant:
    case op::SpecConstant: {
        uint64_t words = (*found)[3];
        if (bits > 32 && found->size() > 4)
            words |= uint64_t{(*found)[4]} << 32;
        return bits == 64 ? words : words & ((uint64_t{1} << bits) - 1);
    }
    case op::SpecConstantOp:
        if (const auto computed = computed_.find(constant); computed != computed_.end())
            return computed->second;
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

} // namespace rivulet::compiler::spirv
