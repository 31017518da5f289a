// SPDX-License-Identifier: Apache-2.0
// docs/cl_rivulet_bfloat.md on the device: every bfloat that is extended, every bfloat and what is
// near it that is rounded to, for the vector widths that RVL_WIDTHS names.
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>

#include "compiler/library/test/device.h"

namespace rivulet::library {
namespace {

using Bits = std::uint16_t;

float extended(Bits bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
bool is_nan(Bits bits) { return (bits & 0x7fff) > 0x7f80; }
bool is_quiet_nan(Bits bits) { return is_nan(bits) && (bits & 0x40) != 0; }

enum class Mode { rte, rtz, rtp, rtn };

/// Rounds a value that isn't NaN, by comparison with the bfloats around it: doubles hold both and
/// their mean.
Bits nearest(double value, Mode mode) {
    const Bits sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::fabs(value);
    const auto value_of = [](unsigned bits) { // infinity as if exponents went on
        return bits == 0x7f80 ? 0x1p128 : double{extended(static_cast<Bits>(bits))};
    };
    unsigned below = 0, above = 0x7f80;
    while (above - below > 1)
        (value_of((below + above) / 2) <= size ? below : above) = (below + above) / 2;
    if (size == 0 || size == value_of(below))
        return static_cast<Bits>(sign | below);
    if (std::isinf(value))
        return static_cast<Bits>(sign | 0x7f80);
    if (size >= value_of(above)) // finite, and beyond 2^128
        below = 0x7f7f;
    bool up = false;
    switch (mode) {
    case Mode::rte: {
        const double middle = value_of(below) + (value_of(above) - value_of(below)) / 2;
        up = size > middle || (size == middle && (below & 1) != 0);
        break;
    }
    case Mode::rtz:
        break;
    case Mode::rtp:
        up = sign == 0;
        break;
    case Mode::rtn:
        up = sign != 0;
        break;
    }
    return static_cast<Bits>(sign | (up ? above : below));
}

constexpr std::pair<const char *, Mode> modes[] = {{"", Mode::rte},
                                                   {"_rte", Mode::rte},
                                                   {"_rtz", Mode::rtz},
                                                   {"_rtp", Mode::rtp},
                                                   {"_rtn", Mode::rtn}};

/// Each bfloat, what is next to it and to the middle of its gap, and random values.
template <typename T> std::vector<T> values_to_round(std::mt19937 &random) {
    std::vector<T> values;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
        for (const std::uint32_t low : {0x0u, 0x1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
            values.push_back(static_cast<T>(std::bit_cast<float>(bits << 16 | low)));
    if constexpr (sizeof(T) == 8) { // less than a float's last digit away, too
        for (std::size_t i = 0; i < values.size(); ++i)
            if (i % 4 != 0)
                values[i] = std::nextafter(values[i], i % 4 == 1 ? INFINITY : -INFINITY);
        for (int i = 0; i < 20'000; ++i)
            values.push_back(std::bit_cast<double>(std::uint64_t{random()} << 32 | random()));
    } else {
        for (int i = 0; i < 50'000; ++i)
            values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    }
    values.resize(values.size() / 48 * 48); // whole vectors of each width
    return values;
}

class Bfloat : public Device {
protected:
    void SetUp() override {
        if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_rivulet_bfloat") == std::string::npos)
            GTEST_SKIP() << "no registers for floats";
    }
    bool has_double() const {
        return device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_khr_fp64") != std::string::npos;
    }
    static std::string suffix(int width) { return width == 1 ? "" : std::to_string(width); }
    static std::string loaded(const std::string &from, int width) {
        return width == 1 ? from + "[i]" : "vload" + suffix(width) + "(i, " + from + ")";
    }
    static std::string stored(const std::string &value, int width) { // to y; ends the kernel
        return width == 1 ? "y[i] = " + value + ";\n}\n"
                          : "vstore" + suffix(width) + "(" + value + ", i, y);\n}\n";
    }

    template <typename In, typename Out>
    std::vector<Out> run(cl::Program &program, const std::string &name, std::vector<In> &in,
                         int width) {
        cl::Kernel kernel(program, name.c_str());
        std::vector<Out> out(in.size());
        auto from = buffer(in), to = buffer(out);
        kernel.setArg(0, from);
        kernel.setArg(1, to);
        queue.enqueueNDRangeKernel(kernel, {}, in.size() / static_cast<std::size_t>(width));
        queue.enqueueReadBuffer(to, CL_TRUE, 0, out.size() * sizeof(Out), out.data());
        return out;
    }

    template <typename T> void check_narrowing(const char *type) {
        std::mt19937 random(testing::UnitTest::GetInstance()->random_seed());
        SCOPED_TRACE(fmt::format("seed {}", testing::UnitTest::GetInstance()->random_seed()));
        std::vector<T> values = values_to_round<T>(random);
        std::map<Mode, std::vector<Bits>> expected;
        for (const Mode mode : {Mode::rte, Mode::rtz, Mode::rtp, Mode::rtn})
            for (const T value : values)
                expected[mode].push_back(std::isnan(value) ? 0x7fc0 : nearest(value, mode));
        for (const int width : widths()) {
            const std::string n = suffix(width), wide = type + n;
            std::string text = "#pragma OPENCL EXTENSION cl_rivulet_bfloat : enable\n";
            for (const auto &[suffix, mode] : modes) {
                const std::string arguments = fmt::format(
                    "{}(global {} *x, global bfloat *y) {{\n    size_t i = get_global_id(0);\n    ",
                    suffix, type);
                text +=
                    "kernel void convert" + arguments +
                    stored("convert_bfloat" + n + suffix + "(" + loaded("x", width) + ")", width);
                text += "kernel void store" + arguments + "vstore_bfloat" + n + suffix + "(" +
                        loaded("x", width) + ", i, y);\n}\n";
            }
            cl::Program program = build(text);
            for (const auto &[suffix, mode] : modes)
                for (const char *way : {"convert", "store"})
                    compare(values, run<T, Bits>(program, std::string(way) + suffix, values, width),
                            expected.at(mode), fmt::format("{}{} of {}", way, suffix, wide));
        }
    }
    template <typename T>
    static void compare(const std::vector<T> &values, const std::vector<Bits> &results,
                        const std::vector<Bits> &expected, const std::string &what) {
        int failures = 0;
        for (std::size_t i = 0; i < values.size() && failures < 10; ++i) {
            const bool fine =
                is_nan(expected[i]) ? is_quiet_nan(results[i]) : results[i] == expected[i];
            failures += !fine;
            EXPECT_TRUE(fine) << fmt::format("{}: {:a} gives {:#x}", what, values[i], results[i]);
        }
    }
};

TEST_F(Bfloat, EveryValueIsExtended) {
    std::vector<Bits> all(0x10000 + 32); // whole vectors of each width
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<Bits>(i);
    for (const int width : widths()) {
        const std::string n = suffix(width);
        const std::string arguments = "(global bfloat *x, global float *y) {\n"
                                      "    size_t i = get_global_id(0);\n    ";
        cl::Program program =
            build("#pragma OPENCL EXTENSION cl_rivulet_bfloat : enable\n"
                  "kernel void convert" +
                  arguments + stored("convert_float" + n + "(" + loaded("x", width) + ")", width) +
                  "kernel void load" + arguments + stored("vload_bfloat" + n + "(i, x)", width));
        for (const char *way : {"convert", "load"}) {
            const auto results = run<Bits, float>(program, way, all, width);
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (is_nan(all[i]))
                    ASSERT_TRUE(std::isnan(results[i])) << way << width << ": " << all[i];
                else
                    ASSERT_EQ(std::bit_cast<std::uint32_t>(results[i]), all[i] << 16)
                        << way << width << ": " << all[i];
            }
        }
    }
}

TEST_F(Bfloat, FloatsAreRoundedInEveryMode) { check_narrowing<float>("float"); }

TEST_F(Bfloat, DoublesAreRoundedOnceInEveryMode) {
    if (!has_double())
        GTEST_SKIP() << "no double";
    check_narrowing<double>("double");
}

// A product of two bfloats has 16 digits: fma of floats, rounded once, is what is wanted.
TEST_F(Bfloat, MultiplyAddRoundsOnce) {
    std::mt19937 random(testing::UnitTest::GetInstance()->random_seed());
    SCOPED_TRACE(fmt::format("seed {}", testing::UnitTest::GetInstance()->random_seed()));
    constexpr std::size_t count = 48 * 1024;
    std::vector<Bits> a(count), b(count);
    std::vector<float> c(count);
    for (std::size_t i = 0; i < count; ++i) {
        a[i] = static_cast<Bits>(random()), b[i] = static_cast<Bits>(random());
        c[i] = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (i % 4 != 0) // near the product, mostly
            c[i] = extended(a[i]) * extended(b[i]) *
                   static_cast<float>(static_cast<std::int32_t>(random())) * 0x1p-35f;
    }
    for (const int width : widths()) {
        cl::Program program = build("#pragma OPENCL EXTENSION cl_rivulet_bfloat : enable\n"
                                    "kernel void test(global float *y, global bfloat *a, "
                                    "global bfloat *b) {\n    size_t i = get_global_id(0);\n    " +
                                    stored("bfloat_fma(" + loaded("a", width) + ", " +
                                               loaded("b", width) + ", " + loaded("y", width) + ")",
                                           width));
        cl::Kernel kernel(program, "test");
        auto first = buffer(a), second = buffer(b), sum = buffer(c);
        std::vector<float> results(count);
        kernel.setArg(0, sum);
        kernel.setArg(1, first);
        kernel.setArg(2, second);
        queue.enqueueNDRangeKernel(kernel, {}, count / static_cast<std::size_t>(width));
        queue.enqueueReadBuffer(sum, CL_TRUE, 0, count * sizeof(float), results.data());
        for (std::size_t i = 0; i < count; ++i) {
            const float expected = std::fma(extended(a[i]), extended(b[i]), c[i]);
            ASSERT_TRUE(std::bit_cast<std::uint32_t>(results[i]) ==
                            std::bit_cast<std::uint32_t>(expected) ||
                        (std::isnan(results[i]) && std::isnan(expected)))
                << fmt::format("{:a} * {:a} + {:a}: {:a}", extended(a[i]), extended(b[i]), c[i],
                               results[i]);
        }
    }
}

// Operators compute as float, and round each result.
TEST_F(Bfloat, OperatorsRoundToNearestEven) {
    std::mt19937 random(testing::UnitTest::GetInstance()->random_seed());
    SCOPED_TRACE(fmt::format("seed {}", testing::UnitTest::GetInstance()->random_seed()));
    constexpr std::size_t count = 4096;
    std::vector<Bits> values(count + 1), results(4 * count);
    for (Bits &value : values)
        value = static_cast<Bits>(random());
    cl::Kernel kernel(build(R"(#pragma OPENCL EXTENSION cl_rivulet_bfloat : enable
kernel void test(global bfloat *x, global bfloat *y) {
    size_t i = get_global_id(0);
    bfloat2 both = vload2(0, x + i);
    vstore4((bfloat4)(both.x + both.y, both.x - both.y, both.x * both.y, both.x / both.y), i, y);
})"),
                      "test");
    auto from = buffer(values), to = buffer(results);
    kernel.setArg(0, from);
    kernel.setArg(1, to);
    queue.enqueueNDRangeKernel(kernel, {}, count);
    queue.enqueueReadBuffer(to, CL_TRUE, 0, results.size() * sizeof(Bits), results.data());
    for (std::size_t i = 0; i < count; ++i) {
        const float x = extended(values[i]), y = extended(values[i + 1]);
        const float expected[] = {x + y, x - y, x * y, x / y};
        for (std::size_t k = 0; k < 3; ++k) { // the quotient may be 2.5 ulp off, as of float
            const Bits result = results[4 * i + k];
            ASSERT_TRUE(std::isnan(expected[k]) ? is_nan(result)
                                                : result == nearest(expected[k], Mode::rte))
                << fmt::format("{:a}, {:a}, operator {}: {:#x}", x, y, k, result);
        }
    }
}

// Of three components, those of vload3 follow each other, and those of vloada_bfloat3 are four
// apart.
TEST_F(Bfloat, VectorsOfThreeComponentsAreWhereTheyShouldBe) {
    std::vector<Bits> values(64);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = nearest(static_cast<double>(i), Mode::rte);
    cl::Kernel kernel(build(R"(#pragma OPENCL EXTENSION cl_rivulet_bfloat : enable
constant ushort in_program[8] = {0, 0, 0, 0x3f80, 0x4000, 0x4040, 0x4080, 0};
kernel void test(global bfloat *x, local bfloat *shared) {
    for (int i = 0; i < 64; ++i)
        shared[i] = x[i];
    vstore3(vload3(1, shared), 0, x);            // 3, 4, 5
    vstore_bfloat3(vloada_bfloat3(1, shared), 1, x); // 4, 5, 6
    vstorea_bfloat3(vload_bfloat3(3, x), 2, x);  // 9, 10, 11 at 8
    private bfloat own[6] = {x[20], x[21], x[22], x[23], x[24], x[25]};
    vstore3(vload3(1, own), 4, x);               // 23, 24, 25 at 12
    vstore_bfloat3(vload_bfloat3(1, (constant bfloat *)in_program), 5, x); // 1, 2, 3 at 15
    x[18] = vload_bfloat(30, x) == 30 ? convert_bfloat(-1.0f) : x[0];
})"),
                      "test");
    auto memory = buffer(values);
    kernel.setArg(0, memory);
    kernel.setArg(1, cl::Local(128));
    queue.enqueueNDRangeKernel(kernel, {}, 1);
    queue.enqueueReadBuffer(memory, CL_TRUE, 0, values.size() * sizeof(Bits), values.data());
    std::vector<int> first;
    for (std::size_t i = 0; i < 20; ++i)
        first.push_back(static_cast<int>(extended(values[i])));
    EXPECT_THAT(first, testing::ElementsAre(3, 4, 5, 4, 5, 6, 6, 7, 9, 10, 11, 11, 23, 24, 25, 1, 2,
                                            3, -1, 19));
}

} // namespace
} // namespace rivulet::library
