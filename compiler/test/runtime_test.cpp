// SPDX-License-Identifier: Apache-2.0
//
// runtime/runtime.c against this machine's own conversions.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

extern "C" { // runtime.c, renamed when it is compiled for this test
float runtime_extendhfsf2(_Float16 value);
_Float16 runtime_truncsfhf2(float value);
_Float16 runtime_truncdfhf2(double value);
__bf16 runtime_truncsfbf2(float value);
__bf16 runtime_truncdfbf2(double value);
float runtime_fmaxf(float x, float y);
float runtime_fminf(float x, float y);
void *runtime_memcpy(void *to, const void *from, size_t bytes);
void *runtime_memmove(void *to, const void *from, size_t bytes);
void *runtime_memset(void *to, int value, size_t bytes);
}

namespace {

template <class To, class From> To bits(From value) {
    To result;
    memcpy(&result, &value, sizeof result);
    return result;
}

bool is_same(_Float16 first, _Float16 second) {
    return bits<uint16_t>(first) == bits<uint16_t>(second) ||
           (std::isnan(static_cast<float>(first)) && std::isnan(static_cast<float>(second)));
}

TEST(RuntimeHalf, EveryHalfWidensExactly) {
    for (unsigned i = 0; i < 65536; ++i) {
        auto half = bits<_Float16>(static_cast<uint16_t>(i));
        float expected = static_cast<float>(half);
        float value = runtime_extendhfsf2(half);
        if (std::isnan(expected))
            EXPECT_TRUE(std::isnan(value)) << i;
        else
            EXPECT_EQ(bits<uint32_t>(value), bits<uint32_t>(expected)) << i;
    }
}

TEST(RuntimeHalf, NarrowingRoundsToNearestEven) {
    const uint32_t seed = 1;
    std::mt19937_64 random(seed);
    for (int i = 0; i < 2'000'000; ++i) {
        // Values around half's range, and of all magnitudes.
        auto single = bits<float>(static_cast<uint32_t>(random()));
        auto wide = bits<double>(random());
        if (i % 2) {
            single = std::ldexp(static_cast<float>(random() % 0x800000 + 0x800000),
                                static_cast<int>(random() % 48) - 54);
            wide = single + (i % 4 == 1 ? 0 : std::ldexp(1.0, -60));
        }
        ASSERT_TRUE(is_same(runtime_truncsfhf2(single), static_cast<_Float16>(single)))
            << single << " seed " << seed;
        ASSERT_TRUE(is_same(runtime_truncdfhf2(wide), static_cast<_Float16>(wide)))
            << wide << " seed " << seed;
    }
    // The middle of every two neighbours, and values beside it.
    for (uint16_t i = 0; i < 0x7c00; ++i) {
        auto low = static_cast<float>(bits<_Float16>(i));
        auto high = i == 0x7bff ? 65536.0f
                                : static_cast<float>(bits<_Float16>(static_cast<uint16_t>(i + 1)));
        float middle = (low + high) / 2;
        for (float value : {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)}) {
            ASSERT_TRUE(is_same(runtime_truncsfhf2(value), static_cast<_Float16>(value))) << value;
            ASSERT_TRUE(is_same(runtime_truncdfhf2(-value), static_cast<_Float16>(-value)));
        }
    }
}

// In both directions from the middle of every two neighbours, and from doubles that a float would
// take for the middle.
TEST(RuntimeBfloat, NarrowingRoundsToNearestEven) {
    const auto float_of = [](uint32_t upper) { return bits<float>(upper << 16); };
    for (uint32_t i = 0; i < 0x7f7f; ++i) {
        const float low = float_of(i), middle = bits<float>(i << 16 | 0x8000);
        const auto even = static_cast<uint16_t>(i + (i & 1));
        const auto is = [&](double value, uint16_t expected) {
            ASSERT_EQ(bits<uint16_t>(runtime_truncdfbf2(value)), expected) << value;
            ASSERT_EQ(bits<uint16_t>(runtime_truncdfbf2(-value)), expected | 0x8000) << value;
        };
        is(low, static_cast<uint16_t>(i));
        is(middle, even);
        is(middle * (1 + 0x1p-40), static_cast<uint16_t>(i + 1));
        is(middle * (1 - 0x1p-40), static_cast<uint16_t>(i));
        ASSERT_EQ(bits<uint16_t>(runtime_truncsfbf2(middle)), even) << middle;
        ASSERT_EQ(bits<uint16_t>(runtime_truncsfbf2(std::nextafter(middle, INFINITY))), i + 1);
        ASSERT_EQ(bits<uint16_t>(runtime_truncsfbf2(std::nextafter(middle, 0.0f))), i);
    }
    EXPECT_EQ(bits<uint16_t>(runtime_truncsfbf2(INFINITY)), 0x7f80);
    EXPECT_EQ(bits<uint16_t>(runtime_truncsfbf2(3.4e38f)), 0x7f80);
    EXPECT_EQ(bits<uint16_t>(runtime_truncdfbf2(1e300)), 0x7f80);
    EXPECT_TRUE(std::isnan(static_cast<float>(runtime_truncsfbf2(bits<float>(0x7f800001u)))));
    EXPECT_TRUE(std::isnan(static_cast<float>(runtime_truncdfbf2(NAN))));
}

TEST(RuntimeHalf, MinimumAndMaximumPassOverNan) {
    EXPECT_EQ(runtime_fmaxf(1, 2), 2);
    EXPECT_EQ(runtime_fminf(1, 2), 1);
    for (float x : {-1.0f, 0.0f, INFINITY}) {
        EXPECT_EQ(runtime_fmaxf(NAN, x), x);
        EXPECT_EQ(runtime_fmaxf(x, NAN), x);
        EXPECT_EQ(runtime_fminf(NAN, x), x);
        EXPECT_EQ(runtime_fminf(x, NAN), x);
    }
}

TEST(RuntimeMemory, CopiesMovesAndSets) {
    alignas(8) char from[64], to[64], expected[64];
    for (int i = 0; i < 64; ++i)
        from[i] = static_cast<char>(i * 7);
    for (size_t offset = 0; offset < 9; ++offset)
        for (size_t bytes = 0; bytes < 40; ++bytes) {
            memset(to, 0, sizeof to);
            memset(expected, 0, sizeof expected);
            EXPECT_EQ(runtime_memcpy(to + offset, from + 8, bytes), to + offset);
            memcpy(expected + offset, from + 8, bytes);
            EXPECT_EQ(memcmp(to, expected, sizeof to), 0);
            EXPECT_EQ(runtime_memset(to + offset, -3, bytes), to + offset);
            memset(expected + offset, -3, bytes);
            EXPECT_EQ(memcmp(to, expected, sizeof to), 0);
            for (size_t target : {offset, 16 - offset}) {
                memcpy(to, from, sizeof to);
                memcpy(expected, from, sizeof to);
                runtime_memmove(to + target, to + 8, bytes);
                memmove(expected + target, expected + 8, bytes);
                EXPECT_EQ(memcmp(to, expected, sizeof to), 0);
            }
        }
}

} // namespace
