// SPDX-License-Identifier: Apache-2.0
#include "tools/run/element.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace rivulet::run {
namespace {

using enum Element::Kind;

template <class T> T load_as(std::span<const std::byte> at) {
    T value;
    std::memcpy(&value, at.data(), sizeof value);
    return value;
}
template <class T> void store_as(T value, std::span<std::byte> at) {
    std::memcpy(at.data(), &value, sizeof value);
}

// IEEE 754 binary16, which not every host supports: sign, 5 exponent bits, 10 fraction bits.
constexpr int half_fraction_bits = 10;
constexpr int half_least_exponent = -14;
constexpr double half_overflow = 65520; // rounds to infinity, as everything above it
constexpr uint16_t half_infinity = 0x7c00;
constexpr uint16_t half_nan = 0x7e00;

double from_half(uint16_t bits) {
    const int exponent = bits >> half_fraction_bits & 31;
    const int fraction = bits & 0x3ff;
    double value;
    if (exponent == 31)
        value = fraction != 0 ? NAN : INFINITY;
    else if (exponent == 0)
        value = std::ldexp(fraction, half_least_exponent - half_fraction_bits);
    else
        value = std::ldexp(fraction | 0x400, exponent - 15 - half_fraction_bits);
    return (bits & 0x8000) != 0 ? -value : value;
}

uint16_t to_half(double value) {
    const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const double size = std::fabs(value);
    if (std::isnan(value))
        return half_nan;
    if (size >= half_overflow)
        return sign | half_infinity;
    const int exponent =
        size == 0 ? half_least_exponent : std::max(std::ilogb(size), half_least_exponent);
    // In units of the last place; a carry out of the fraction increments the exponent.
    const auto units = std::lrint(std::ldexp(size, half_fraction_bits - exponent));
    const int biased = (exponent - half_least_exponent) << half_fraction_bits;
    return static_cast<uint16_t>(sign | (biased + units));
}

int64_t load_signed(const Element &element, std::span<const std::byte> at) {
    switch (element.component_bytes) {
    case 1:
        return load_as<int8_t>(at);
    case 2:
        return load_as<int16_t>(at);
    case 4:
        return load_as<int32_t>(at);
    default:
        return load_as<int64_t>(at);
    }
}

uint64_t mask_of(const Element &element) {
    return UINT64_MAX >> (64 - 8 * element.component_bytes);
}

double load_floating(const Element &element, std::span<const std::byte> at) {
    switch (element.component_bytes) {
    case 2:
        return from_half(load_as<uint16_t>(at));
    case 4:
        return static_cast<double>(load_as<float>(at));
    default:
        return load_as<double>(at);
    }
}

/// The bits of an integer, little endian like host and device.
void store_bits(const Element &element, uint64_t bits, std::span<std::byte> at) {
    std::memcpy(at.data(), &bits, element.component_bytes);
}

template <class T> bool read_number(std::string_view text, T &value) {
    if (text.starts_with('+'))
        text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// A floating-point number's rank among all numbers of its type.
int64_t ordinal(const Element &element, std::span<const std::byte> at) {
    const int64_t bits = load_signed(element, at);
    const auto magnitude =
        static_cast<int64_t>(static_cast<uint64_t>(bits) & (mask_of(element) >> 1));
    return bits < 0 ? -magnitude : magnitude;
}

/// Subtracts before rounding: as doubles, neighbouring large integers would be equal.
template <class T> double difference(T a, T b) {
    const auto less = static_cast<uint64_t>(std::min(a, b));
    return static_cast<double>(static_cast<uint64_t>(std::max(a, b)) - less);
}

} // namespace

std::optional<Element> Element::named(std::string_view name) {
    struct Scalar {
        std::string_view name;
        Kind kind;
        size_t bytes;
    };
    static constexpr Scalar scalars[] = {
        {"char", signed_integer, 1},  {"uchar", unsigned_integer, 1},
        {"short", signed_integer, 2}, {"ushort", unsigned_integer, 2},
        {"int", signed_integer, 4},   {"uint", unsigned_integer, 4},
        {"long", signed_integer, 8},  {"ulong", unsigned_integer, 8},
        {"half", floating, 2},        {"float", floating, 4},
        {"double", floating, 8},      {"void", unsigned_integer, 1},
    };
    for (const Scalar &scalar : scalars) {
        if (!name.starts_with(scalar.name))
            continue;
        const auto rest = name.substr(scalar.name.size());
        if (rest.empty())
            return Element{scalar.kind, scalar.bytes, 1};
        for (const size_t width : {2, 3, 4, 8, 16})
            if (rest == std::to_string(width))
                return Element{scalar.kind, scalar.bytes, width};
    }
    return std::nullopt;
}

bool parse(const Element &element, std::string_view text, std::span<std::byte> at) {
    const uint64_t mask = mask_of(element);
    if (element.kind == floating) {
        double value = 0;
        if (!read_number(text, value))
            return false;
        store(element, value, at);
        return std::isinf(load_floating(element, at)) == std::isinf(value); // false: too large
    }
    if (text.starts_with("0x")) {
        uint64_t bits = 0;
        const auto [end, error] =
            std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
        store_bits(element, bits, at);
        return error == std::errc() && end == text.data() + text.size() && bits <= mask;
    }
    if (element.kind == unsigned_integer) {
        uint64_t value = 0;
        if (!read_number(text, value) || value > mask)
            return false;
        store_bits(element, value, at);
        return true;
    }
    int64_t value = 0;
    const auto most = static_cast<int64_t>(mask >> 1);
    if (!read_number(text, value) || value > most || value < -most - 1)
        return false;
    store_bits(element, static_cast<uint64_t>(value), at);
    return true;
}

void store(const Element &element, double value, std::span<std::byte> at) {
    if (element.kind != floating)
        store_bits(element, static_cast<uint64_t>(static_cast<int64_t>(value)), at);
    else if (element.component_bytes == 2)
        store_as(to_half(value), at);
    else if (element.component_bytes == 4)
        store_as(static_cast<float>(value), at);
    else
        store_as(value, at);
}

void store_random(const Element &element, std::mt19937_64 &random, std::span<std::byte> at) {
    const uint64_t bits = random();
    if (element.kind == floating)
        store(element, std::ldexp(static_cast<double>(static_cast<int64_t>(bits)), -63), at);
    else
        store_bits(element, bits, at);
}

std::string to_text(const Element &element, std::span<const std::byte> at) {
    char text[64];
    const auto printed = [&](auto value) {
        return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
    };
    if (element.kind == signed_integer)
        return printed(load_signed(element, at));
    if (element.kind == unsigned_integer)
        return printed(static_cast<uint64_t>(load_signed(element, at)) & mask_of(element));
    if (element.component_bytes == 4)
        return printed(load_as<float>(at));
    return printed(load_floating(element, at));
}

double distance(const Element &element, std::span<const std::byte> a,
                std::span<const std::byte> b) {
    if (element.kind != floating) {
        const int64_t p = load_signed(element, a);
        const int64_t q = load_signed(element, b);
        if (element.kind == signed_integer)
            return difference(p, q);
        return difference(static_cast<uint64_t>(p) & mask_of(element),
                          static_cast<uint64_t>(q) & mask_of(element));
    }
    const double x = load_floating(element, a);
    const double y = load_floating(element, b);
    if (std::isnan(x) || std::isnan(y))
        return std::isnan(x) && std::isnan(y) ? 0 : INFINITY;
    return difference(ordinal(element, a), ordinal(element, b));
}

} // namespace rivulet::run
