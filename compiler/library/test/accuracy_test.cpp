// SPDX-License-Identifier: Apache-2.0
// The library's own sources, compiled for this machine, against MPFR: random bits over all
// exponents, and the range where a function moves. RVL_POINTS sets how many points per function;
// RVL_ULP_TABLE names a file to which the worst errors are appended.
#include "compiler/library/test/reference.h"
#include "compiler/library/test/subject.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <random>

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
        if (random_() % 2)
            return range_(random_);
        return std::bit_cast<T>(static_cast<Bits>(random_()));
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

} // namespace
} // namespace rivulet::library
