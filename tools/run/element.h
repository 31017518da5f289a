// SPDX-License-Identifier: Apache-2.0
//
// The element types of OpenCL C as values: sizes, names, conversion from and to text.
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

    /// "float4", "uchar", as kernels' argument types are called; nothing for other types.
    static std::optional<Element> named(std::string_view name);

    /// 5.2.1.1 of OpenCL C: a vector of three takes the room of four.
    [[nodiscard]] size_t bytes() const {
        return component_bytes * (components == 3 ? 4 : components);
    }
    bool operator==(const Element &) const = default;
};

// A component is at the start of `at`, which has at least component_bytes.

/// False where the text is no number, or one that the type doesn't have.
bool parse(const Element &element, std::string_view text, std::span<std::byte> at);
/// Rounds to the type; integers wrap.
void store(const Element &element, double value, std::span<std::byte> at);
/// Any bits of an integer; a floating-point number from -1 to 1.
void store_random(const Element &element, std::mt19937_64 &random, std::span<std::byte> at);
std::string to_text(const Element &element, std::span<const std::byte> at);
/// How many representable numbers lie between two: 0 for equal ones, two NaNs, and 0 and -0.
double distance(const Element &element, std::span<const std::byte> a, std::span<const std::byte> b);

} // namespace rivulet::run
