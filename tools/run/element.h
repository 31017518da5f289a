// SPDX-License-Identifier: Apache-2.0
//
// The element types of OpenCL C: sizes, names, conversion from and to text.
#pragma once

#include <cstddef>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace rivulet::run {

/// A scalar type or a vector of 2, 3, 4, 8 or 16 components.
struct Element {
    enum class Kind { signed_integer, unsigned_integer, floating };
    Kind kind = Kind::unsigned_integer;
    size_t component_bytes = 1;
    size_t components = 1;

    /// Parses a kernel argument type such as "float4" or "uchar"; nullopt for other types.
    static std::optional<Element> named(std::string_view name);

    /// OpenCL C, 5.2.1.1: a three-component vector has the size of a four-component one.
    [[nodiscard]] size_t bytes() const {
        return component_bytes * (components == 3 ? 4 : components);
    }
    bool operator==(const Element &) const = default;
};

// A component is at the start of `at`, which has at least component_bytes.

/// False if the text is not a number that the type can represent.
bool parse(const Element &element, std::string_view text, std::span<std::byte> at);
/// Rounds to the type; integers wrap around.
void store(const Element &element, double value, std::span<std::byte> at);
/// For integers, arbitrary bits; for floating point, a number from -1 to 1.
void store_random(const Element &element, std::mt19937_64 &random, std::span<std::byte> at);
std::string to_text(const Element &element, std::span<const std::byte> at);
/// The distance in representable numbers: 0 for equal ones, two NaNs, and 0 and -0.
double distance(const Element &element, std::span<const std::byte> a, std::span<const std::byte> b);

} // namespace rivulet::run
