// SPDX-License-Identifier: Apache-2.0
// Images on this machine: sampling against chapter 8's formulas in double precision, formats by
// known bytes and by writing and reading back. An opaque image is a pointer to its descriptor.
#include "hal/protocol/launch.h"

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef int int2 __attribute__((ext_vector_type(2)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef unsigned uint4 __attribute__((ext_vector_type(4)));

using Image = const rvl_image_descriptor *;
using Sampler = std::uintptr_t;

// The library's functions, and the conversions that the compiler takes away, by mangled name.
extern "C" {
#define CONVERSION(type)                                                                           \
    Image _Z15__rivulet_image##type(Image image) { return image; }
#define CONVERSIONS(access)                                                                        \
    CONVERSION(14ocl_image1d_##access)                                                             \
    CONVERSION(14ocl_image2d_##access)                                                             \
    CONVERSION(14ocl_image3d_##access)                                                             \
    CONVERSION(20ocl_image1d_array_##access)                                                       \
    CONVERSION(20ocl_image2d_array_##access)                                                       \
    CONVERSION(20ocl_image2d_depth_##access)                                                       \
    CONVERSION(21ocl_image1d_buffer_##access)                                                      \
    CONVERSION(26ocl_image2d_array_depth_##access)
// clang-format off
CONVERSIONS(ro)
CONVERSIONS(wo)
CONVERSIONS(rw)
// clang-format on
unsigned _Z17__rivulet_sampler11ocl_sampler(Sampler s) { return static_cast<unsigned>(s); }

float4 read_1d(Image, Sampler, float) asm("_Z11read_imagef14ocl_image1d_ro11ocl_samplerf");
float4 read_2d(Image, Sampler, float2) asm("_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f");
float4 read_3d(Image, Sampler, float4) asm("_Z11read_imagef14ocl_image3d_ro11ocl_samplerDv4_f");
float4 read_2d_array(Image, Sampler,
                     float4) asm("_Z11read_imagef20ocl_image2d_array_ro11ocl_samplerDv4_f");
float4 read_2d_at(Image, int2) asm("_Z11read_imagef14ocl_image2d_roDv2_i");
int4 read_2d_int(Image, int2) asm("_Z11read_imagei14ocl_image2d_roDv2_i");
uint4 read_2d_uint(Image, int2) asm("_Z12read_imageui14ocl_image2d_roDv2_i");
void write_2d(Image, int2, float4) asm("_Z12write_imagef14ocl_image2d_woDv2_iDv4_f");
void write_2d_int(Image, int2, int4) asm("_Z12write_imagei14ocl_image2d_woDv2_iDv4_i");
void write_2d_uint(Image, int2, uint4) asm("_Z13write_imageui14ocl_image2d_woDv2_iDv4_j");
int width_of(Image) asm("_Z15get_image_width14ocl_image2d_ro");
int2 dimensions_of(Image) asm("_Z13get_image_dim14ocl_image2d_ro");
}

namespace rivulet::library {
namespace {

enum Addressing { none = 0, clamp_to_edge = 2, clamp = 4, repeat = 6, mirrored = 8 };
constexpr unsigned normalized = RVL_SAMPLER_NORMALIZED, linear = RVL_SAMPLER_LINEAR,
                   nearest = RVL_SAMPLER_NEAREST;

struct TestImage {
    std::vector<std::uint8_t> bytes;
    rvl_image_descriptor descriptor{};
    TestImage(unsigned order, unsigned type, unsigned element_bytes, unsigned width = 1,
              unsigned height = 1, unsigned depth = 1, unsigned layers = 1)
        : bytes(element_bytes * (width + 3) * height * std::max(depth, layers)) {
        descriptor = {.data = reinterpret_cast<std::uint64_t>(bytes.data()),
                      .row_pitch = element_bytes * (width + 3), // padded
                      .slice_pitch = element_bytes * (width + 3) * height,
                      .width = width,
                      .height = height,
                      .depth = depth,
                      .array_size = layers,
                      .channel_order = order,
                      .channel_data_type = type,
                      .element_bytes = element_bytes,
                      .mip_levels = 1,
                      .reserved = 0};
    }
    operator Image() const { return &descriptor; }
};

// ---- chapter 8 in double precision, one coordinate at a time ----

struct Taps {
    int at[2];
    double weight[2];
};
int folded(int i, int size, unsigned addressing) {
    switch (addressing) {
    case clamp:
        return std::clamp(i, -1, size);
    case repeat:
        return ((i % size) + size) % size;
    default:
        return std::clamp(i, 0, size - 1);
    }
}
Taps taps(double c, int size, unsigned sampler) {
    unsigned addressing = sampler & RVL_SAMPLER_ADDRESS_MASK;
    if (addressing == repeat)
        c -= std::floor(c);
    if (addressing == mirrored)
        c = std::fabs(c - 2 * std::nearbyint(0.5 * c));
    if (sampler & normalized)
        c *= size;
    if (!(sampler & linear))
        return {{folded(static_cast<int>(std::floor(c)), size, addressing), 0}, {1, 0}};
    int i = static_cast<int>(std::floor(c - 0.5));
    double fraction = c - 0.5 - i;
    return {{folded(i, size, addressing), folded(i + 1, size, addressing)},
            {1 - fraction, fraction}};
}
// Nearest sampling jumps there: float and double may differ.
bool at_a_jump(double c, int size, unsigned sampler) {
    double u = sampler & normalized ? c * size : c;
    return !(sampler & linear) && std::fabs(u - std::nearbyint(u)) < 1e-3;
}

class Sampling : public testing::TestWithParam<unsigned> {
protected:
    static constexpr unsigned width = 7, height = 5, depth = 3;
    TestImage image{CL_RGBA, CL_FLOAT, 16, width, height, depth, depth};
    std::mt19937 random{7};

    Sampling() {
        std::uniform_real_distribution<float> values(0, 1);
        for (std::size_t i = 0; i + 4 <= image.bytes.size(); i += 4) {
            float value = values(random);
            std::memcpy(&image.bytes[i], &value, 4);
        }
    }
    double element(int x, int y, int z, int channel) const {
        if (x < 0 || y < 0 || z < 0 || x >= int(width) || y >= int(height) || z >= int(depth))
            return 0;
        float value;
        std::memcpy(&value,
                    &image.bytes[static_cast<std::size_t>(x) * 16 +
                                 static_cast<std::size_t>(y) * image.descriptor.row_pitch +
                                 static_cast<std::size_t>(z) * image.descriptor.slice_pitch +
                                 static_cast<std::size_t>(channel) * 4],
                    4);
        return value;
    }
    double coordinate(unsigned size) {
        bool is_normalized = GetParam() & normalized;
        bool inside = (GetParam() & RVL_SAMPLER_ADDRESS_MASK) == none;
        double low = inside ? 0.51 / size : -1.6, high = inside ? 1 - 0.51 / size : 2.7;
        double scale = is_normalized ? 1 : size;
        return static_cast<float>(
            std::uniform_real_distribution<double>(low * scale, high * scale)(random));
    }
    void expect(float4 result, const Taps &x, const Taps &y, const Taps &z) {
        for (int channel = 0; channel < 4; ++channel) {
            double sum = 0;
            for (int t = 0; t < 8; ++t) {
                int i = t & 1, j = t >> 1 & 1, k = t >> 2;
                double weight = x.weight[i] * y.weight[j] * z.weight[k];
                if (weight != 0)
                    sum += weight * element(x.at[i], y.at[j], z.at[k], channel);
            }
            ASSERT_NEAR(result[channel], sum, 2e-5) << "channel " << channel;
        }
    }
};

TEST_P(Sampling, IsAsChapterEightSays) {
    constexpr Taps first{{0, 0}, {1, 0}};
    for (int i = 0; i < 3000; ++i) {
        double x = coordinate(width), y = coordinate(height), z = coordinate(depth);
        if (at_a_jump(x, width, GetParam()) || at_a_jump(y, height, GetParam()) ||
            at_a_jump(z, depth, GetParam()))
            continue;
        SCOPED_TRACE(testing::Message() << x << ", " << y << ", " << z);
        float u = static_cast<float>(x), v = static_cast<float>(y), w = static_cast<float>(z);
        Taps tx = taps(x, width, GetParam()), ty = taps(y, height, GetParam()),
             tz = taps(z, depth, GetParam());
        expect(read_1d(image, GetParam(), u), tx, first, first);
        expect(read_2d(image, GetParam(), float2{u, v}), tx, ty, first);
        expect(read_3d(image, GetParam(), float4{u, v, w, 0}), tx, ty, tz);
        float layer = std::uniform_real_distribution<float>(-1, 4)(random);
        int nearest_layer = std::clamp(static_cast<int>(std::nearbyint(layer)), 0, 2);
        expect(read_2d_array(image, GetParam(), float4{u, v, layer, 0}), tx, ty,
               {{nearest_layer, 0}, {1, 0}});
        if (HasFatalFailure())
            return;
    }
}
INSTANTIATE_TEST_SUITE_P(EveryMode, Sampling,
                         testing::Values(nearest | none, nearest | clamp_to_edge, nearest | clamp,
                                         nearest | clamp | normalized,
                                         nearest | repeat | normalized,
                                         nearest | mirrored | normalized, linear | none,
                                         linear | clamp_to_edge, linear | clamp,
                                         linear | clamp_to_edge | normalized,
                                         linear | clamp | normalized, linear | repeat | normalized,
                                         linear | mirrored | normalized));

// ---- formats ----

float4 read_bytes(unsigned order, unsigned type, std::vector<std::uint8_t> bytes) {
    TestImage image(order, type, static_cast<unsigned>(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), image.bytes.begin());
    return read_2d_at(image, int2{0, 0});
}
std::vector<std::uint8_t> written(unsigned order, unsigned type, unsigned size, float4 color) {
    TestImage image(order, type, size);
    write_2d(image, int2{0, 0}, color);
    for (std::size_t i = size; i < image.bytes.size(); ++i)
        EXPECT_EQ(image.bytes[i], 0) << "wrote beyond its element";
    return {image.bytes.begin(), image.bytes.begin() + size};
}
void expect_color(float4 color, float r, float g, float b, float a) {
    EXPECT_FLOAT_EQ(color.x, r);
    EXPECT_FLOAT_EQ(color.y, g);
    EXPECT_FLOAT_EQ(color.z, b);
    EXPECT_FLOAT_EQ(color.w, a);
}
using Bytes = std::vector<std::uint8_t>;

TEST(Format, ChannelOrdersAreTable6_23) {
    constexpr float f = 1 / 255.0f;
    expect_color(read_bytes(CL_R, CL_UNORM_INT8, {51}), 51 * f, 0, 0, 1);
    expect_color(read_bytes(CL_A, CL_UNORM_INT8, {51}), 0, 0, 0, 51 * f);
    expect_color(read_bytes(CL_RG, CL_UNORM_INT8, {51, 102}), 51 * f, 102 * f, 0, 1);
    expect_color(read_bytes(CL_RA, CL_UNORM_INT8, {51, 102}), 51 * f, 0, 0, 102 * f);
    expect_color(read_bytes(CL_RGBA, CL_UNORM_INT8, {0, 51, 102, 255}), 0, 51 * f, 102 * f, 1);
    expect_color(read_bytes(CL_BGRA, CL_UNORM_INT8, {0, 51, 102, 255}), 102 * f, 51 * f, 0, 1);
    expect_color(read_bytes(CL_ARGB, CL_UNORM_INT8, {0, 51, 102, 255}), 51 * f, 102 * f, 1, 0);
    expect_color(read_bytes(CL_INTENSITY, CL_UNORM_INT8, {51}), 51 * f, 51 * f, 51 * f, 51 * f);
    expect_color(read_bytes(CL_LUMINANCE, CL_UNORM_INT8, {51}), 51 * f, 51 * f, 51 * f, 1);
    expect_color(read_bytes(CL_sRGBA, CL_UNORM_INT8, {0, 255, 255, 51}), 0, 1, 1, 51 * f);

    constexpr float4 color = {0.2f, 0.4f, 0.6f, 0.8f};
    EXPECT_EQ(written(CL_A, CL_UNORM_INT8, 1, color), Bytes{204});
    EXPECT_EQ(written(CL_RA, CL_UNORM_INT8, 2, color), (Bytes{51, 204}));
    EXPECT_EQ(written(CL_RG, CL_UNORM_INT8, 2, color), (Bytes{51, 102}));
    EXPECT_EQ(written(CL_RGBA, CL_UNORM_INT8, 4, color), (Bytes{51, 102, 153, 204}));
    EXPECT_EQ(written(CL_BGRA, CL_UNORM_INT8, 4, color), (Bytes{153, 102, 51, 204}));
    EXPECT_EQ(written(CL_ARGB, CL_UNORM_INT8, 4, color), (Bytes{204, 51, 102, 153}));
}

TEST(Format, ChannelTypesAreSection8_3) {
    expect_color(read_bytes(CL_RG, CL_SNORM_INT8, {0x80, 0x7f}), -1, 1, 0, 1);
    expect_color(read_bytes(CL_RG, CL_SNORM_INT16, {1, 0x80, 0xff, 0x7f}), -1, 1, 0, 1);
    expect_color(read_bytes(CL_RG, CL_UNORM_INT16, {0xff, 0xff, 0, 0}), 1, 0, 0, 1);
    expect_color(read_bytes(CL_RG, CL_HALF_FLOAT, {0, 0x3c, 0, 0xc0}), 1, -2, 0, 1);
    expect_color(read_bytes(CL_R, CL_FLOAT, {0, 0, 0x80, 0x3f}), 1, 0, 0, 1);
    expect_color(read_bytes(CL_RGB, CL_UNORM_SHORT_565, {0xff, 0x07}), 0, 1, 1, 1);
    expect_color(read_bytes(CL_RGB, CL_UNORM_SHORT_555, {0, 0x7c}), 1, 0, 0, 1);
    expect_color(read_bytes(CL_RGB, CL_UNORM_INT_101010, {0xff, 0x03, 0xf0, 0x3f}), 1, 0, 1, 1);

    constexpr float4 beyond = {-0.5f, 1.5f, 0.5f, NAN};
    EXPECT_EQ(written(CL_RGBA, CL_UNORM_INT8, 4, beyond), (Bytes{0, 255, 128, 0}));
    EXPECT_EQ(written(CL_RG, CL_SNORM_INT8, 2, float4{-2, 2, 0, 0}), (Bytes{0x80, 0x7f}));
    EXPECT_EQ(written(CL_RG, CL_SNORM_INT8, 2, float4{NAN, -NAN, 0, 0}), (Bytes{0, 0}));
    EXPECT_EQ(written(CL_RG, CL_SNORM_INT16, 4, float4{NAN, -1, 0, 0}), (Bytes{0, 0, 1, 0x80}));
    EXPECT_EQ(written(CL_RG, CL_UNORM_INT16, 4, beyond), (Bytes{0, 0, 255, 255}));
    EXPECT_EQ(written(CL_RG, CL_HALF_FLOAT, 4, float4{1, -2, 0, 0}), (Bytes{0, 0x3c, 0, 0xc0}));
    EXPECT_EQ(written(CL_RGB, CL_UNORM_SHORT_565, 2, float4{0, 1, 1, 0}), (Bytes{0xff, 0x07}));
    EXPECT_EQ(written(CL_RGB, CL_UNORM_SHORT_555, 2, float4{1, 0, 0, 0}), (Bytes{0, 0x7c}));
    EXPECT_EQ(written(CL_RGB, CL_UNORM_INT_101010, 4, float4{1, 0, 1, 0}),
              (Bytes{0xff, 3, 0xf0, 0x3f}));
}

// 6.12.14.1.1
TEST(Format, BorderIsTransparentUnlessTheOrderHasNoAlpha) {
    const auto outside = [](unsigned order, unsigned type, unsigned bytes) {
        TestImage image(order, type, bytes);
        return read_2d(image, nearest | clamp, float2{-1, 0});
    };
    for (unsigned order : {CL_R, CL_RG, CL_LUMINANCE})
        expect_color(outside(order, CL_UNORM_INT16, order == CL_RG ? 4 : 2), 0, 0, 0, 1);
    for (unsigned order : {CL_A, CL_INTENSITY, CL_RA})
        expect_color(outside(order, CL_UNORM_INT16, order == CL_RA ? 4 : 2), 0, 0, 0, 0);
    for (unsigned order : {CL_RGBA, CL_BGRA, CL_ARGB})
        expect_color(outside(order, CL_SNORM_INT8, 4), 0, 0, 0, 0);
    for (unsigned type : {CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010}) {
        const unsigned bytes = type == CL_UNORM_INT_101010 ? 4 : 2;
        expect_color(outside(CL_RGB, type, bytes), 0, 0, 0, 1);
        expect_color(outside(CL_RGBx, type, bytes), 0, 0, 0, 0);
    }
    TestImage image(CL_RGBx, CL_UNORM_SHORT_565, 2);
    expect_color(read_2d(image, nearest | clamp, float2{0.5f, 0.5f}), 0, 0, 0, 1);
    expect_color(read_2d(image, linear | clamp, float2{0, 0.5f}), 0, 0, 0, 0.5f);
    expect_color(read_2d(image, nearest | clamp_to_edge, float2{-1, 0}), 0, 0, 0, 1);
}

TEST(Format, EveryUnormValueReadsWithinOneAndAHalfUlps) {
    for (unsigned i = 0; i < 65536; ++i) {
        auto low = static_cast<std::uint8_t>(i), high = static_cast<std::uint8_t>(i >> 8);
        ASSERT_NEAR(read_bytes(CL_R, CL_UNORM_INT16, {low, high}).x, i / 65535.0, 9e-8);
        if (i < 256)
            ASSERT_NEAR(read_bytes(CL_R, CL_UNORM_INT8, {low}).x, i / 255.0, 9e-8);
    }
    EXPECT_EQ(read_bytes(CL_R, CL_UNORM_INT16, {255, 255}).x, 1.0f);
    EXPECT_EQ(read_bytes(CL_R, CL_UNORM_INT8, {255}).x, 1.0f);
}

TEST(Format, IntegersSaturateAndKeepTheirSign) {
    TestImage bytes(CL_RGBA, CL_SIGNED_INT8, 4, 2);
    write_2d_int(bytes, int2{1, 0}, int4{-300, 300, -5, 5});
    int4 read = read_2d_int(bytes, int2{1, 0});
    EXPECT_TRUE(read.x == -128 && read.y == 127 && read.z == -5 && read.w == 5);
    TestImage shorts(CL_RG, CL_UNSIGNED_INT16, 4, 2);
    write_2d_uint(shorts, int2{1, 0}, uint4{70000, 40000, 0, 0});
    uint4 unsigned_read = read_2d_uint(shorts, int2{1, 0});
    EXPECT_TRUE(unsigned_read.x == 65535 && unsigned_read.y == 40000 && unsigned_read.z == 0 &&
                unsigned_read.w == 1);
    TestImage ints(CL_R, CL_SIGNED_INT32, 4, 2);
    write_2d_int(ints, int2{0, 0}, int4{-2147483647 - 1, 0, 0, 0});
    EXPECT_EQ(read_2d_int(ints, int2{0, 0}).x, -2147483647 - 1);
    EXPECT_TRUE(width_of(ints) == 2 && dimensions_of(ints).y == 1);
}

} // namespace
} // namespace rivulet::library
