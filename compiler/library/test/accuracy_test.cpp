// SPDX-License-Identifier: Apache-2.0
// The library's own sources, compiled for this machine, against MPFR: random bits over all
// exponents, the range where a function moves, and values beside special ones. RVL_POINTS sets how
// many points per function; RVL_ULP_TABLE names a file to which the worst errors are appended.
// Six float functions also over every RVL_STRIDE-th value there is (1: all) against double.
#include "compiler/library/test/reference.h"
#include "compiler/library/test/subject.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <string_view>

namespace rivulet::library {
namespace {

constexpr std::uint64_t seed = 20121114;

int points() {
    const char *wanted = std::getenv("RVL_POINTS");
    return wanted ? std::atoi(wanted) : 4000;
}

template <typename T> class Points {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    std::mt19937_64 random_{seed};
    std::uniform_real_distribution<T> range_;

public:
    Points(double low, double high) : range_(static_cast<T>(low), static_cast<T>(high)) {}
    T next() {
        auto kind = random_() % 8;
        if (kind < 4)
            return range_(random_);
        if (kind == 4) // a few units beside multiples of 1/4 and of π/4, where much cancels
            return beside(static_cast<T>(static_cast<int>(random_() % 64) - 32) *
                          static_cast<T>(random_() % 2 ? 0.25 : 0.78539816339744830962));
        return std::bit_cast<T>(static_cast<Bits>(random_()));
    }
    T beside(T x) {
        return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(x) + random_() % 9 - 4));
    }
    T near(T x) { // of a similar exponent
        return std::ldexp(x * std::uniform_real_distribution<T>(1, 2)(random_),
                          static_cast<int>(random_() % 64) - 32);
    }
    int next_int() {
        auto bits = random_();
        int small = static_cast<int>(bits >> 32) % 100;
        return bits % 4 ? small : static_cast<int>(bits >> 32);
    }
    bool coin() { return random_() % 2; }
};

struct Worst {
    double ulps = 0;
    std::string at;
};

template <typename T> Worst worst_error(const Subject<T> &subject, int count) {
    Points<T> points(subject.low, subject.high);
    Number exact, x_exact, y_exact;
    auto exactly = reference(subject.name);
    Worst worst;
    for (int i = 0; i < count; ++i) {
        T x = points.next(), y = 0, result;
        if (subject.one) {
            result = subject.one(x);
        } else if (subject.two) {
            y = points.coin() ? points.next() : points.near(x);
            if (points.coin())
                std::swap(x, y);
            result = subject.two(x, y);
        } else {
            int n = points.next_int();
            y = static_cast<T>(n);
            mpfr_set_si(y_exact, n, MPFR_RNDN);
            result = subject.with_int(x, n);
        }
        mpfr_set_d(x_exact, x, MPFR_RNDN);
        if (!subject.with_int)
            mpfr_set_d(y_exact, y, MPFR_RNDN);
        exactly(exact, x_exact, y_exact);
        double error = error_in_ulps(result, exact, format_of<T>);
        if (error > worst.ulps)
            worst = {error, fmt::format("({:a}, {:a}) = {:a}, should be {:a}", x, y, result,
                                        mpfr_get_d(exact, MPFR_RNDN))};
    }
    return worst;
}

template <typename T> void check_all(const char *type) {
    std::ofstream table;
    if (const char *path = std::getenv("RVL_ULP_TABLE"))
        table.open(path, std::ios::app);
    for (auto &subject : subjects<T>()) {
        auto worst = worst_error(subject, points());
        EXPECT_LE(worst.ulps, subject.ulps) << subject.name << worst.at << ", " << type;
        if (table)
            table << fmt::format("{},{},{:.3f},{}\n", subject.name, type, worst.ulps, subject.ulps);
    }
}

TEST(Accuracy, FloatIsWithinFullProfile) { check_all<float>("float"); }
TEST(Accuracy, DoubleIsWithinFullProfile) { check_all<double>("double"); }

// A double is 2^29 times finer than a float: its own error doesn't count.
struct Stepped {
    const char *name;
    double (*in_double)(double);
};
class EveryValue : public testing::TestWithParam<Stepped> {};

TEST_P(EveryValue, IsWithinFullProfile) {
    const char *wanted = std::getenv("RVL_STRIDE");
    const std::uint64_t stride = wanted ? std::strtoull(wanted, nullptr, 10) : 65521;
    auto rows = subjects<float>();
    auto subject = std::ranges::find_if(
        rows, [](auto &row) { return std::string_view(row.name) == GetParam().name; });
    double worst = 0;
    float at = 0;
    for (std::uint64_t bits = 0; bits < std::uint64_t(1) << 32; bits += stride) {
        float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        float result = subject->one(x);
        double exact = GetParam().in_double(x);
        if (std::isnan(exact) || std::isinf(static_cast<float>(exact)) || std::isinf(result)) {
            ASSERT_EQ(std::isnan(exact), std::isnan(result)) << fmt::format("{:a}", x);
            ASSERT_TRUE(std::isnan(exact) || static_cast<float>(exact) == result)
                << fmt::format("{:a} gives {:a}", x, result);
            continue;
        }
        int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
        double error = std::fabs(result - exact) * std::ldexp(1.0, 23 - exponent);
        if (error > worst)
            worst = error, at = x;
    }
    EXPECT_LE(worst, subject->ulps) << fmt::format("at {:a}", at);
    RecordProperty("worst_ulps", fmt::format("{:.3f}", worst));
}
INSTANTIATE_TEST_SUITE_P(Float, EveryValue,
                         testing::Values(Stepped{"sin", std::sin}, Stepped{"exp", std::exp},
                                         Stepped{"log", std::log}, Stepped{"sqrt", std::sqrt},
                                         Stepped{"rsqrt",
                                                 [](double x) { return 1 / std::sqrt(x); }},
                                         Stepped{"cbrt", std::cbrt}),
                         [](auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace rivulet::library
