// SPDX-License-Identifier: Apache-2.0
// 6.2.3: what is converted, and what becomes of it by exact arithmetic (long double holds every
// value of every type here).
#ifndef RIVULET_LIBRARY_TEST_CONVERSION_H
#define RIVULET_LIBRARY_TEST_CONVERSION_H

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string_view>
#include <type_traits>
#include <vector>

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using half = __fp16; // mangles as OpenCL C's half does

#define EACH_SOURCE(F, ...)                                                                        \
    F(char, __VA_ARGS__)                                                                           \
    F(uchar, __VA_ARGS__)                                                                          \
    F(short, __VA_ARGS__)                                                                          \
    F(ushort, __VA_ARGS__)                                                                         \
    F(int, __VA_ARGS__)                                                                            \
    F(uint, __VA_ARGS__)                                                                           \
    F(long, __VA_ARGS__)                                                                           \
    F(ulong, __VA_ARGS__)                                                                          \
    F(float, __VA_ARGS__)                                                                          \
    F(double, __VA_ARGS__)                                                                         \
    F(half, __VA_ARGS__)
#define MODES(F, To)                                                                               \
    EACH_SOURCE(F, To, )                                                                           \
    EACH_SOURCE(F, To, _rte)                                                                       \
    EACH_SOURCE(F, To, _rtz) EACH_SOURCE(F, To, _rtp) EACH_SOURCE(F, To, _rtn)
#define SATURATED_MODES(F, To)                                                                     \
    EACH_SOURCE(F, To, _sat)                                                                       \
    EACH_SOURCE(F, To, _sat_rte)                                                                   \
    EACH_SOURCE(F, To, _sat_rtz) EACH_SOURCE(F, To, _sat_rtp) EACH_SOURCE(F, To, _sat_rtn)

// F(TO): with the modes of integers, and of the others.
#define EACH_INTEGER_TARGET(F) F(char) F(uchar) F(short) F(ushort) F(int) F(uint) F(long) F(ulong)
#define EACH_FLOATING_TARGET(F) F(float) F(double) F(half)

namespace rivulet::library {

using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

template <typename T> constexpr bool floating = !std::is_integral_v<T>;
template <typename T>
using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;

// Neighbouring values of T below (or at) and above (or at) a finite x; infinity counts as the next
// power of two.
template <typename T> struct Around {
    Bits<T> low, high; // as T's bits
    Exact below, above;
};
template <typename T> Exact value_of(Bits<T> bits) {
    Exact value = std::bit_cast<T>(bits);
    if (!std::isinf(value))
        return value;
    Exact largest = std::bit_cast<T>(static_cast<Bits<T>>(bits - 1));
    Exact previous = std::bit_cast<T>(static_cast<Bits<T>>(bits - 2));
    return largest + (largest - previous);
}
// T's bits in order of value: a search over them needs no arithmetic in T.
template <typename T> Around<T> around(Exact x) {
    constexpr auto sign = static_cast<Bits<T>>(Bits<T>(1) << (8 * sizeof(T) - 1));
    Exact size = std::fabs(x);
    Bits<T> low = 0,
            high = std::bit_cast<Bits<T>>(static_cast<T>(std::numeric_limits<float>::infinity()));
    while (high - low > 1) {
        auto middle = static_cast<Bits<T>>(low + (high - low) / 2);
        (value_of<T>(middle) <= size ? low : high) = middle;
    }
    if (value_of<T>(low) == size)
        high = low;
    if (std::signbit(x))
        return {static_cast<Bits<T>>(high | sign), static_cast<Bits<T>>(low | sign),
                -value_of<T>(high), -value_of<T>(low)};
    return {low, high, value_of<T>(low), value_of<T>(high)};
}

template <typename T> Bits<T> rounded(Exact x, std::string_view mode) {
    auto [low, high, below, above] = around<T>(x);
    if (mode.ends_with("_rtp"))
        return high;
    if (mode.ends_with("_rtn"))
        return low;
    if (mode.ends_with("_rtz"))
        return std::signbit(x) ? high : low;
    if (x - below == above - x)
        return low & 1 ? high : low;
    return x - below < above - x ? low : high;
}

Exact integral(Exact x, std::string_view mode) {
    return mode.ends_with("_rte")   ? std::nearbyint(x)
           : mode.ends_with("_rtp") ? std::ceil(x)
           : mode.ends_with("_rtn") ? std::floor(x)
                                    : std::trunc(x);
}

template <typename T> std::vector<T> values() {
    std::mt19937_64 random(3);
    std::vector<T> result;
    if constexpr (sizeof(T) == 1) {
        for (int i = 0; i < 256; ++i)
            result.push_back(static_cast<T>(i));
    } else if constexpr (floating<T>) {
        for (int i = 0; i < (sizeof(T) == 2 ? 65536 : 3000); ++i)
            result.push_back(std::bit_cast<T>(static_cast<Bits<T>>(sizeof(T) == 2 ? i : random())));
        // near the bounds and halves of every integer type
        for (int exponent = -26; exponent < 66; ++exponent)
            for (double fraction : {1.0, 1.25, 1.5, 1.75, 0.99999999999, 1.00000000001, 1.999999})
                for (double sign : {1.0, -1.0})
                    result.push_back(static_cast<T>(std::ldexp(sign * fraction, exponent)));
    } else {
        for (int i = 0; i < 600; ++i) {
            auto bits = random() >> random() % 64;
            result.push_back(static_cast<T>(bits));
            result.push_back(static_cast<T>(~bits));
        }
        for (int i = 0; i < 8 * static_cast<int>(sizeof(T)); ++i)
            for (int by : {-1, 0, 1})
                result.push_back(static_cast<T>((std::uint64_t(1) << i) + std::uint64_t(by)));
    }
    return result;
}

// Checks that `result` is what convert_TO`mode`(x) has to be; what is undefined may be anything.
template <typename To, typename From> bool is_converted(From x, To result, std::string_view mode) {
    const Exact exact = static_cast<Exact>(x);
    if constexpr (floating<To>) {
        if (std::isnan(exact))
            return std::isnan(static_cast<float>(result));
        return std::isinf(exact) ? static_cast<Exact>(result) == exact
                                 : std::bit_cast<Bits<To>>(result) == rounded<To>(exact, mode);
    } else {
        constexpr Exact lowest = std::numeric_limits<To>::min();
        constexpr Exact highest = std::numeric_limits<To>::max();
        Exact whole = floating<From> ? integral(exact, mode) : exact;
        if (mode.starts_with("_sat"))
            whole = std::isnan(whole) ? 0 : std::clamp(whole, lowest, highest);
        if (whole >= lowest && whole <= highest)
            return result == static_cast<To>(whole);
        if constexpr (!floating<From>)
            return result == static_cast<To>(x);
        return true;
    }
}

} // namespace rivulet::library

#endif
