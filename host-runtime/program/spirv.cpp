// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/spirv.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace rivulet::spirv {
namespace {

constexpr uint32_t spirv_magic = 0x07230203;
constexpr size_t header_words = 5;
constexpr uint32_t spec_id = 1; // a decoration
enum : uint16_t {
    op_type_bool = 20,
    op_type_int = 21,
    op_type_float = 22,
    op_spec_constant_true = 48,
    op_spec_constant_false = 49,
    op_spec_constant = 50,
    op_decorate = 71,
};

uint32_t word_at(std::span<const std::byte> bytes, size_t index) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + index * sizeof word, sizeof word);
    return word;
}

/// Calls f(op, instruction's bytes) for each instruction; returns false if one is truncated.
template <class Byte, class F> bool for_each(std::span<Byte> module, F &&f) {
    for (auto rest = module.subspan(header_words * 4); !rest.empty();) {
        const uint32_t first = word_at(rest, 0);
        const size_t bytes = (first >> 16) * 4;
        if (bytes == 0 || bytes > rest.size())
            return false;
        f(static_cast<uint16_t>(first), rest.first(bytes));
        rest = rest.subspan(bytes);
    }
    return true;
}

/// Size of a scalar type's values in bytes.
size_t size_of(std::span<std::byte> module, uint32_t type) {
    size_t size = 0;
    for_each(module, [&](uint16_t op, std::span<std::byte> words) {
        if ((op == op_type_int || op == op_type_float) && words.size() >= 12 &&
            word_at(words, 1) == type)
            size = word_at(words, 2) / 8;
    });
    return size;
}

} // namespace

bool is_module(std::span<const std::byte> bytes) {
    if (bytes.size() % 4 != 0 || bytes.size() < header_words * 4 ||
        word_at(bytes, 0) != spirv_magic)
        return false;
    const uint32_t version = word_at(bytes, 1);
    return version >> 16 == 1 && (version >> 8 & 0xff) <= highest_minor &&
           for_each(bytes, [](uint16_t, std::span<const std::byte>) {});
}

cl_int specialize(std::span<std::byte> module, cl_uint id, std::span<const std::byte> value) {
    std::vector<uint32_t> targets; // several may share the id
    for_each(module, [&](uint16_t op, std::span<std::byte> words) {
        if (op == op_decorate && words.size() >= 16 && word_at(words, 2) == spec_id &&
            word_at(words, 3) == id)
            targets.push_back(word_at(words, 1));
    });
    cl_int code = CL_INVALID_SPEC_ID;
    for_each(module, [&](uint16_t op, std::span<std::byte> words) {
        if (op < op_spec_constant_true || op > op_spec_constant || words.size() < 12 ||
            std::ranges::find(targets, word_at(words, 2)) == targets.end())
            return;
        const bool is_bool = op != op_spec_constant;
        const size_t size = is_bool ? 1 : size_of(module, word_at(words, 1));
        const auto literal = words.subspan(12);
        code = value.size() == size && (is_bool || size <= literal.size()) ? CL_SUCCESS
                                                                           : CL_INVALID_VALUE;
        if (code != CL_SUCCESS)
            return;
        if (is_bool) {
            const uint16_t chosen =
                value[0] != std::byte{} ? op_spec_constant_true : op_spec_constant_false;
            std::memcpy(words.data(), &chosen, sizeof chosen); // the word count is after it
            return;
        }
        std::memset(literal.data(), 0, literal.size());
        std::memcpy(literal.data(), value.data(), size);
    });
    return code;
}

} // namespace rivulet::spirv
