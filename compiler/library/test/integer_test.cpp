// SPDX-License-Identifier: Apache-2.0
// 6.12.3 against 128-bit arithmetic: bytes exhaustively, wider types at random and at their ends;
// every vector width against the scalar function.
#include "compiler/library/test/integer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#define DECLARE(T, U, letter)                                                                      \
    U abs_of(T) asm("_Z3abs" letter); /* abs is taken */                                           \
    DECLARE_INTEGER_FUNCTIONS(T, U)                                                                \
    DECLARE_VECTOR(T, U, 2)                                                                        \
    DECLARE_VECTOR(T, U, 3) DECLARE_VECTOR(T, U, 4) DECLARE_VECTOR(T, U, 8) DECLARE_VECTOR(T, U, 16)
#define DECLARE_VECTOR(T, U, n)                                                                    \
    typedef T T##n __attribute__((ext_vector_type(n)));                                            \
    typedef U U##of##T##n __attribute__((ext_vector_type(n)));                                     \
    DECLARE_INTEGER_FUNCTIONS(T##n, U##of##T##n)
DECLARE(char, uchar, "c")
DECLARE(uchar, uchar, "h")
DECLARE(short, ushort, "s")
DECLARE(ushort, ushort, "t")
DECLARE(int, uint, "i")
DECLARE(uint, uint, "j")
DECLARE(long, ulong, "l")
DECLARE(ulong, ulong, "m")

namespace rivulet::library {
namespace {

using Wide = __int128;

template <typename T> T saturated(Wide x) {
    return static_cast<T>(
        std::clamp<Wide>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
template <typename T> constexpr int width = 8 * sizeof(T);

template <typename T> class Integer : public testing::Test {
protected:
    // Bytes: all of them; otherwise the ends of the range and random bits of all lengths.
    static std::vector<T> values() {
        std::vector<T> result;
        if constexpr (sizeof(T) == 1) {
            for (int i = 0; i < 256; ++i)
                result.push_back(static_cast<T>(i));
        } else {
            std::mt19937_64 random(1);
            for (T x : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(0), T(1)})
                for (int i : {-1, 0, 1})
                    result.push_back(static_cast<T>(x + static_cast<T>(i)));
            for (int i = 0; i < 120; ++i)
                result.push_back(static_cast<T>(static_cast<T>(random()) >> random() % width<T>));
        }
        return result;
    }
};
using Types = testing::Types<char, uchar, short, ushort, int, uint, long, ulong>;
TYPED_TEST_SUITE(Integer, Types);

TYPED_TEST(Integer, OneArgument) {
    using T = TypeParam;
    using U = std::make_unsigned_t<T>;
    for (T x : this->values()) {
        int leading = 0, trailing = 0, ones = 0;
        U reversed = 0;
        for (int i = 0; i < width<T>; ++i) {
            bool bit = static_cast<U>(x) >> i & 1;
            ones += bit;
            leading = bit ? 0 : leading + 1;
            trailing += trailing == i && !bit;
            reversed = static_cast<U>(reversed | static_cast<U>(U(bit) << (width<T> - 1 - i)));
        }
        ASSERT_EQ(::abs_of(x), static_cast<U>(x < 0 ? -Wide(x) : Wide(x))) << +x;
        ASSERT_EQ(::clz(x), leading) << +x;
        ASSERT_EQ(::ctz(x), trailing) << +x;
        ASSERT_EQ(::popcount(x), ones) << +x;
        ASSERT_EQ(static_cast<U>(::bit_reverse(x)), reversed) << +x;
    }
}

TYPED_TEST(Integer, TwoArguments) {
    using T = TypeParam;
    using U = std::make_unsigned_t<T>;
    for (T x : this->values())
        for (T y : this->values()) {
            ASSERT_EQ(::add_sat(x, y), saturated<T>(Wide(x) + y)) << +x << ", " << +y;
            ASSERT_EQ(::sub_sat(x, y), saturated<T>(Wide(x) - y)) << +x << ", " << +y;
            ASSERT_EQ(::hadd(x, y), static_cast<T>((Wide(x) + y) >> 1)) << +x << ", " << +y;
            ASSERT_EQ(::rhadd(x, y), static_cast<T>((Wide(x) + y + 1) >> 1)) << +x << ", " << +y;
            ASSERT_EQ(::abs_diff(x, y), static_cast<U>(x > y ? Wide(x) - y : Wide(y) - x));
            Wide product = std::is_signed_v<T>
                               ? Wide(x) * y
                               : static_cast<Wide>(static_cast<unsigned __int128>(x) * y);
            ASSERT_EQ(::mul_hi(x, y), static_cast<T>(product >> width<T>)) << +x << ", " << +y;
            int by = static_cast<int>(static_cast<U>(y) % width<T>);
            U bits = static_cast<U>(x);
            U rotated = static_cast<U>(by ? bits << by | bits >> (width<T> - by) : bits);
            ASSERT_EQ(static_cast<U>(::rotate(x, y)), rotated) << +x << ", " << +y;
            ASSERT_EQ(::max(x, y), std::max(x, y));
            ASSERT_EQ(::min(x, y), std::min(x, y));
        }
}

TYPED_TEST(Integer, ThreeArguments) {
    using T = TypeParam;
    auto values = this->values();
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = 0; j < values.size(); ++j) {
            T a = values[i], b = values[j], c = values[(i * 7 + j * 3) % values.size()];
            Wide product;
            bool over = false;
            if constexpr (std::is_signed_v<T>) {
                product = Wide(a) * b + c;
            } else {
                auto sum = static_cast<unsigned __int128>(a) * b + c; // below 2^128
                over = sum > std::numeric_limits<T>::max();
                product = static_cast<Wide>(sum);
            }
            T expected = over ? std::numeric_limits<T>::max() : saturated<T>(product);
            ASSERT_EQ(::mad_sat(a, b, c), expected) << +a << ", " << +b << ", " << +c;
            ASSERT_EQ(::mad_hi(a, b, c), static_cast<T>(::mul_hi(a, b) + c));
            T low = std::min(b, c), high = std::max(b, c);
            ASSERT_EQ(::clamp(a, low, high), std::clamp(a, low, high));
        }
}

template <typename T, int n> void expect_vectors_as_scalars(const std::vector<T> &values) {
    using V = T __attribute__((ext_vector_type(n)));
    V a, b, c;
    for (std::size_t at = 0; at + 3 * n < values.size(); at += n) {
        for (int i = 0; i < n; ++i)
            a[i] = values[at + i], b[i] = values[at + n + i], c[i] = values[at + 2 * n + i];
        auto saturated_sum = ::add_sat(a, b), halved = ::hadd(a, b), high = ::mul_hi(a, b),
             multiplied = ::mad_sat(a, b, c), rotated = ::rotate(a, b), zeros = ::clz(a);
        auto difference = ::abs_diff(a, b);
        for (int i = 0; i < n; ++i) {
            T x = a[i], y = b[i], z = c[i];
            ASSERT_EQ(T(saturated_sum[i]), ::add_sat(x, y));
            ASSERT_EQ(T(halved[i]), ::hadd(x, y));
            ASSERT_EQ(T(high[i]), ::mul_hi(x, y));
            ASSERT_EQ(T(multiplied[i]), ::mad_sat(x, y, z));
            ASSERT_EQ(T(rotated[i]), ::rotate(x, y));
            ASSERT_EQ(T(zeros[i]), ::clz(x));
            ASSERT_EQ(std::make_unsigned_t<T>(difference[i]), ::abs_diff(x, y));
        }
    }
}
TYPED_TEST(Integer, VectorsAreAsScalars) {
    auto values = this->values();
    std::shuffle(values.begin(), values.end(), std::mt19937_64(2));
    expect_vectors_as_scalars<TypeParam, 2>(values);
    expect_vectors_as_scalars<TypeParam, 3>(values);
    expect_vectors_as_scalars<TypeParam, 4>(values);
    expect_vectors_as_scalars<TypeParam, 8>(values);
    expect_vectors_as_scalars<TypeParam, 16>(values);
}

} // namespace
} // namespace rivulet::library
