// SPDX-License-Identifier: Apache-2.0
// 6.2.3: every pair of types in every rounding mode, saturated and not, against exact arithmetic
// (long double holds every value of every type here).
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
    F(uchar, __VA_ARGS__) F(short, __VA_ARGS__) F(ushort, __VA_ARGS__) F(int, __VA_ARGS__)         \
        F(uint, __VA_ARGS__) F(long, __VA_ARGS__) F(ulong, __VA_ARGS__) F(float, __VA_ARGS__)      \
            F(double, __VA_ARGS__) F(half, __VA_ARGS__)
#define MODES(F, To)                                                                               \
    EACH_SOURCE(F, To, )                                                                           \
    EACH_SOURCE(F, To, _rte) EACH_SOURCE(F, To, _rtz) EACH_SOURCE(F, To, _rtp)                     \
        EACH_SOURCE(F, To, _rtn)
#define SATURATED_MODES(F, To)                                                                     \
    EACH_SOURCE(F, To, _sat)                                                                       \
    EACH_SOURCE(F, To, _sat_rte) EACH_SOURCE(F, To, _sat_rtz) EACH_SOURCE(F, To, _sat_rtp)         \
        EACH_SOURCE(F, To, _sat_rtn)

#define DECLARE(From, To, suffix) To convert_##To##suffix(From);
#define DECLARE_INTEGER(To) MODES(DECLARE, To) SATURATED_MODES(DECLARE, To)
DECLARE_INTEGER(char)
DECLARE_INTEGER(uchar)
DECLARE_INTEGER(short)
DECLARE_INTEGER(ushort)
DECLARE_INTEGER(int)
DECLARE_INTEGER(uint)
DECLARE_INTEGER(long)
DECLARE_INTEGER(ulong)
MODES(DECLARE, float)
MODES(DECLARE, double)
MODES(DECLARE, half)

namespace rivulet::library {
namespace {

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

template <typename To, typename From>
void check(To (*convert)(From), std::string_view mode, const char *name) {
    for (From x : values<From>()) {
        Exact exact = static_cast<Exact>(x);
        if constexpr (floating<To>) {
            auto result = std::bit_cast<Bits<To>>(convert(x));
            if (std::isnan(exact)) {
                ASSERT_TRUE(std::isnan(static_cast<float>(convert(x)))) << name;
            } else if (std::isinf(exact)) {
                ASSERT_EQ(static_cast<Exact>(convert(x)), exact) << name;
            } else {
                ASSERT_EQ(result, rounded<To>(exact, mode)) << name << "(" << exact << ")";
            }
        } else {
            constexpr Exact lowest = std::numeric_limits<To>::min();
            constexpr Exact highest = std::numeric_limits<To>::max();
            bool saturating = mode.starts_with("_sat");
            Exact whole = floating<From> ? integral(exact, mode) : exact;
            if (saturating)
                whole = std::isnan(whole) ? 0 : std::clamp(whole, lowest, highest);
            if (whole >= lowest && whole <= highest) {
                ASSERT_EQ(convert(x), static_cast<To>(whole)) << name << "(" << exact << ")";
            } else if constexpr (!floating<From>) {
                ASSERT_EQ(convert(x), static_cast<To>(x)) << name << "(" << exact << ")";
            } // else undefined
        }
    }
}

#define CHECK(From, To, suffix)                                                                    \
    check<To, From>(convert_##To##suffix, #suffix, "convert_" #To #suffix " of " #From);
#define INTEGER_TEST(To)                                                                           \
    TEST(Conversion, To##IsExact) { MODES(CHECK, To) SATURATED_MODES(CHECK, To) }
#define FLOATING_TEST(To)                                                                          \
    TEST(Conversion, To##IsExact) { MODES(CHECK, To) }
INTEGER_TEST(char)
INTEGER_TEST(uchar)
INTEGER_TEST(short)
INTEGER_TEST(ushort)
INTEGER_TEST(int)
INTEGER_TEST(uint)
INTEGER_TEST(long)
INTEGER_TEST(ulong)
FLOATING_TEST(float)
FLOATING_TEST(double)
FLOATING_TEST(half)

} // namespace
} // namespace rivulet::library
