// SPDX-License-Identifier: Apache-2.0
// The library's own sources, compiled for this machine, against MPFR; RVL_POINTS sets how many
// points per function. Some float functions also over every RVL_STRIDE-th value there is (1: all)
// against double. accuracy_device_test.cpp holds the device to the very bits that come out here.
#include "compiler/library/test/measure.h"

#include <optional>
#include <utility>

namespace rivulet::library {
namespace {

template <typename T> void check_all() {
    for (auto &subject : subjects<T>()) {
        auto inputs = inputs_for(subject, points(4000));
        expect_accurate(subject, inputs, results_here(subject, inputs));
    }
}
TEST(Accuracy, HalfIsRoundedOnce) { check_all<half>(); }
TEST(Accuracy, FloatIsWithinFullProfile) { check_all<float>(); }
TEST(Accuracy, DoubleIsWithinFullProfile) { check_all<double>(); }

// How many units of the last place of a float of this size make 1; by bits, for billions of them.
double units_per_one(double size) {
    auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52 & 0x7ff);
    exponent = std::max(exponent, 1023 - 126);
    return std::bit_cast<double>(static_cast<std::uint64_t>(2 * 1023 + 23 - exponent) << 52);
}

// A double is 2^29 times finer than a float: its own error doesn't count.
struct Stepped {
    const char *name;
    double (*in_double)(double);
    // Where the limit holds, if not everywhere.
    std::optional<std::pair<double, double>> range = {};
};
class EveryValue : public testing::TestWithParam<Stepped> {};

TEST_P(EveryValue, IsWithinItsLimit) {
    const char *wanted = std::getenv("RVL_STRIDE");
    const std::uint64_t stride = wanted ? std::strtoull(wanted, nullptr, 10) : 65521;
    auto rows = subjects<float>();
    auto subject = std::ranges::find_if(
        rows, [](auto &row) { return std::string_view(row.name) == GetParam().name; });
    auto range = GetParam().range;
    double worst = 0;
    float at = 0;
    std::uint64_t tried = 0;
    for (std::uint64_t bits = 0; bits < std::uint64_t(1) << 32; bits += stride) {
        float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        if (range && !(range->first <= x && x <= range->second))
            continue;
        ++tried;
        float result = subject->one(x);
        double exact = GetParam().in_double(x);
        if (std::isnan(exact) || std::isinf(static_cast<float>(exact)) || std::isinf(result)) {
            ASSERT_EQ(std::isnan(exact), std::isnan(result)) << fmt::format("{:a}", x);
            ASSERT_TRUE(std::isnan(exact) || static_cast<float>(exact) == result)
                << fmt::format("{:a} gives {:a}", x, result);
            continue;
        }
        double error = std::fabs(result - exact) * units_per_one(exact);
        if (error > worst)
            worst = error, at = x;
    }
    EXPECT_LE(worst, subject->ulps) << fmt::format("at {:a}", at);
    EXPECT_GT(tried, 0u);
    report(subject->name, "float", tried, worst, subject->ulps);
}
constexpr std::pair<double, double> normal = {0x1p-126, 0x1.fffffep127};
INSTANTIATE_TEST_SUITE_P(
    Float, EveryValue,
    testing::Values(
        Stepped{"sin", std::sin}, Stepped{"exp", std::exp}, Stepped{"log", std::log},
        Stepped{"sqrt", std::sqrt}, Stepped{"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
        Stepped{"cbrt", std::cbrt}, Stepped{"half_sin", std::sin, {{-0x1p16, 0x1p16}}},
        Stepped{"half_cos", std::cos, {{-0x1p16, 0x1p16}}},
        Stepped{"half_tan", std::tan, {{-0x1p16, 0x1p16}}},
        Stepped{"native_sin", std::sin, {{-0x1p13, 0x1p13}}},
        Stepped{"native_cos", std::cos, {{-0x1p13, 0x1p13}}},
        Stepped{"native_tan", std::tan, {{-0x1p13, 0x1p13}}}, Stepped{"atan", std::atan},
        Stepped{"half_log", std::log, normal}, Stepped{"half_log2", std::log2, normal},
        Stepped{"half_log10", std::log10, normal}, Stepped{"native_log", std::log, normal},
        Stepped{"native_log2", std::log2, normal}, Stepped{"native_log10", std::log10, normal}),
    [](auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace rivulet::library
