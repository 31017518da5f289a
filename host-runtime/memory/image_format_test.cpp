// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/image_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace rivulet {
namespace {

uint16_t half_of(double real) {
    const float color[4] = {static_cast<float>(real), 0, 0, 1};
    const auto element = encoded({CL_R, CL_HALF_FLOAT}, color);
    uint16_t half = 0;
    std::memcpy(&half, element.data(), sizeof half);
    return half;
}

/// The value of a half without infinities and NaN, i.e. exponent 31 is an ordinary one.
double value_of(uint32_t half) {
    const int exponent = static_cast<int>(half >> 10), fraction = static_cast<int>(half & 0x3ff);
    return exponent == 0 ? std::ldexp(fraction, -24)
                         : std::ldexp(fraction + 1024, exponent - 15 - 10);
}

TEST(ImageFormat, HalvesAreRoundedToNearestEven) {
    for (uint32_t half = 0; half < 0x7c00; ++half) {
        const auto middle = static_cast<float>((value_of(half) + value_of(half + 1)) / 2);
        const uint32_t even = half + (half & 1);
        for (const uint32_t sign : {0u, 0x8000u}) {
            const double factor = sign != 0 ? -1 : 1;
            ASSERT_EQ(half_of(factor * value_of(half)), sign | half);
            ASSERT_EQ(half_of(factor * middle), sign | even) << half;
            ASSERT_EQ(half_of(factor * std::nextafter(middle, 0.0f)), sign | half);
            ASSERT_EQ(half_of(factor * std::nextafter(middle, 1e9f)), sign | (half + 1));
        }
    }
}

TEST(ImageFormat, HalvesBeyondTheLargestAreInfiniteAndNanStays) {
    const auto infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(half_of(1e6), 0x7c00);
    EXPECT_EQ(half_of(-infinite), 0xfc00);
    EXPECT_EQ(half_of(std::numeric_limits<float>::max()), 0x7c00);
    EXPECT_GT(half_of(std::numeric_limits<float>::quiet_NaN()) & 0x7fff, 0x7c00);
    EXPECT_EQ(half_of(std::numeric_limits<float>::denorm_min()), 0);
}

// 8.3.1.2, 6.2.3.3
TEST(ImageFormat, NormalisedChannelsSaturateAndNanBecomesZero) {
    const float color[4] = {-2, 2, std::numeric_limits<float>::quiet_NaN(), -1};
    const auto element = [&](cl_channel_type type) {
        uint32_t bytes = 0;
        std::memcpy(&bytes, encoded({CL_RGBA, type}, color).data(), sizeof bytes);
        return bytes;
    };
    EXPECT_EQ(element(CL_SNORM_INT8), 0x81007f80);
    EXPECT_EQ(element(CL_UNORM_INT8), 0x0000ff00);
    EXPECT_EQ(element(CL_SNORM_INT16), 0x7fff8000);
}

} // namespace
} // namespace rivulet
