// SPDX-License-Identifier: Apache-2.0
// Edge cases: where the C library of this machine (annex F of C99) or 7.5.1 prescribes a zero, an
// infinity or a NaN, the built-ins give exactly it, with its sign.
#include "compiler/library/test/subject.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace rivulet::library {
namespace {

template <typename T> constexpr T infinity = std::numeric_limits<T>::infinity();
template <typename T> constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

template <typename T> const Subject<T> &subject(std::string_view name) {
    for (auto &candidate : subjects<T>())
        if (name == candidate.name)
            return candidate;
    throw std::out_of_range(std::string(name));
}

template <typename T> std::vector<T> special_values() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values;
    for (T x : {T(0), T(0.25), T(0.5), T(1), T(1.5), T(2), T(2.5), T(3), T(4), T(1e6), T(16777216),
                T(16777217), Limits::min(), Limits::denorm_min(), Limits::max(), Limits::infinity(),
                Limits::quiet_NaN()}) {
        values.push_back(x);
        values.push_back(-x);
    }
    return values;
}

template <typename T> bool identical(T a, T b) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}
template <typename T> bool is_prescribed(T x) { return x == 0 || !std::isfinite(x); }

template <typename T> void expect_as_c(const char *name, T (*c)(T)) {
    for (T x : special_values<T>())
        if (T expected = c(x); is_prescribed(expected)) {
            T result = subject<T>(name).one(x);
            EXPECT_TRUE(identical(result, expected))
                << fmt::format("{}({:a}) = {:a}, not {:a}", name, x, result, expected);
        }
}
template <typename T> void expect_as_c(const char *name, T (*c)(T, T)) {
    for (T x : special_values<T>())
        for (T y : special_values<T>())
            if (T expected = c(x, y); is_prescribed(expected)) {
                T result = subject<T>(name).two(x, y);
                EXPECT_TRUE(identical(result, expected))
                    << fmt::format("{}({:a}, {:a}) = {:a}, not {:a}", name, x, y, result, expected);
            }
}

template <typename T> class Edge : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Edge, Types);

TYPED_TEST(Edge, OneArgumentIsAsC99Says) {
    using T = TypeParam;
#define AS_C(name) expect_as_c<T>(#name, static_cast<T (*)(T)>(std::name))
    AS_C(acos);
    AS_C(acosh);
    AS_C(asin);
    AS_C(asinh);
    AS_C(atan);
    AS_C(atanh);
    AS_C(cbrt);
    AS_C(cos);
    AS_C(cosh);
    AS_C(erf);
    AS_C(erfc);
    AS_C(exp);
    AS_C(exp2);
    AS_C(expm1);
    AS_C(log);
    AS_C(log10);
    AS_C(log1p);
    AS_C(log2);
    AS_C(sin);
    AS_C(sinh);
    AS_C(sqrt);
    AS_C(tan);
    AS_C(tanh);
    AS_C(tgamma);
#undef AS_C
}

TYPED_TEST(Edge, TwoArgumentsAreAsC99Says) {
    using T = TypeParam;
#define AS_C(name) expect_as_c<T>(#name, static_cast<T (*)(T, T)>(std::name))
    AS_C(atan2);
    AS_C(fmod);
    AS_C(hypot);
    AS_C(pow);
    AS_C(remainder);
#undef AS_C
}

TYPED_TEST(Edge, OpenClFunctionsAreAsTheSpecificationLists) {
    using T = TypeParam;
    constexpr T inf = infinity<T>, nan = not_a_number<T>;
    struct Case {
        const char *name;
        T x, y, expected;
    };
    const Case cases[] = {
        {"acospi", 1, 0, 0},           {"acospi", 2, 0, nan},     {"asinpi", -0.0, 0, -0.0},
        {"asinpi", -2, 0, nan},        {"atanpi", -0.0, 0, -0.0}, {"atanpi", inf, 0, 0.5},
        {"atanpi", -inf, 0, -0.5},     {"atan2pi", 0, -0.0, 1},   {"atan2pi", -0.0, -0.0, -1},
        {"atan2pi", -0.0, 0, -0.0},    {"atan2pi", 0.0, -3, 1},   {"atan2pi", -0.0, 3, -0.0},
        {"atan2pi", -2, 0, -0.5},      {"atan2pi", 2, -0.0, 0.5}, {"atan2pi", 2, -inf, 1},
        {"atan2pi", -2, inf, -0.0},    {"atan2pi", inf, 3, 0.5},  {"atan2pi", inf, -inf, 0.75},
        {"atan2pi", -inf, inf, -0.25}, {"cospi", -0.0, 0, 1},     {"cospi", 0.5, 0, 0},
        {"cospi", -1.5, 0, 0},         {"cospi", 2.5, 0, 0},      {"cospi", inf, 0, nan},
        {"exp10", -0.0, 0, 1},         {"exp10", -inf, 0, 0},     {"exp10", inf, 0, inf},
        {"pow", -0.0, -inf, inf},      {"powr", 3, -0.0, 1},      {"powr", -0.0, -3, inf},
        {"powr", 0, -inf, inf},        {"powr", -0.0, 3, 0},      {"powr", 1, 7, 1},
        {"powr", -1, 2, nan},          {"powr", 0, 0, nan},       {"powr", inf, 0, nan},
        {"powr", 1, inf, nan},         {"powr", 2, nan, nan},     {"powr", nan, 0, nan},
        {"sinpi", -0.0, 0, -0.0},      {"sinpi", 3, 0, 0},        {"sinpi", -3, 0, -0.0},
        {"sinpi", -inf, 0, nan},       {"tanpi", -0.0, 0, -0.0},  {"tanpi", 2, 0, 0},
        {"tanpi", -2, 0, -0.0},        {"tanpi", 3, 0, -0.0},     {"tanpi", -3, 0, 0},
        {"tanpi", 0.5, 0, inf},        {"tanpi", 1.5, 0, -inf},   {"tanpi", -0.5, 0, -inf},
        {"tanpi", 2.5, 0, inf},        {"tanpi", inf, 0, nan},    {"rsqrt", 0, 0, inf},
        {"rsqrt", -0.0, 0, -inf},      {"rsqrt", inf, 0, 0},      {"rsqrt", -1, 0, nan}};
    for (auto &[name, x, y, expected] : cases) {
        auto &row = subject<T>(name);
        T result = row.one ? row.one(x) : row.two(x, y);
        EXPECT_TRUE(identical(result, expected))
            << fmt::format("{}({:a}, {:a}) = {:a}, not {:a}", name, x, y, result, expected);
    }
}

TYPED_TEST(Edge, IntegerPowersAndRootsAreAsTheSpecificationLists) {
    using T = TypeParam;
    constexpr T inf = infinity<T>, nan = not_a_number<T>;
    struct Case {
        const char *name;
        T x;
        int n;
        T expected;
    };
    const Case cases[] = {{"pown", nan, 0, 1},           {"pown", -inf, 0, 1},
                          {"pown", -0.0, -3, -inf},      {"pown", -0.0, -2, inf},
                          {"pown", -0.0, 2, 0},          {"pown", -0.0, 3, -0.0},
                          {"rootn", -0.0, -3, -inf},     {"rootn", -0.0, -2, inf},
                          {"rootn", -0.0, 2, 0},         {"rootn", -0.0, 3, -0.0},
                          {"rootn", -2, 2, nan},         {"rootn", 5, 0, nan},
                          {"rootn", -8, 3, -2},          {"rootn", inf, -2, 0},
                          {"rootn", -inf, 3, -inf},      {"ldexp", -0.0, 3, -0.0},
                          {"ldexp", -inf, 3, -inf},      {"ldexp", nan, 3, nan},
                          {"ldexp", 1, 2147483647, inf}, {"ldexp", -1, -2147483647 - 1, -0.0}};
    for (auto &[name, x, n, expected] : cases) {
        T result = subject<T>(name).with_int(x, n);
        EXPECT_TRUE(identical(result, expected))
            << fmt::format("{}({:a}, {}) = {:a}, not {:a}", name, x, n, result, expected);
    }
}

// Table 6.9: up to 2^16, where a float comes as near to a zero or a pole as it can.
TEST(HalfPrecision, CircularFunctionsHoldBesideTheirZeros) {
    struct Case {
        const char *name;
        float x;
        double exact;
    };
    for (auto &[name, x, exact] : {Case{"half_sin", 35814.15625f, std::sin(35814.15625)},
                                   Case{"half_cos", 52516.43359375f, std::cos(52516.43359375)},
                                   Case{"half_tan", -52516.43359375f, std::tan(-52516.43359375)}})
        EXPECT_NEAR(subject<float>(name).one(x) / exact, 1, 8192 * 0x1p-24) << name;
}

// Denormals count as zeros or as what they are.
TEST(HalfPrecision, LogarithmsOfDenormalsAreBelowThoseOfNormalNumbers) {
    for (const char *name : {"half_log", "half_log2", "half_log10"})
        for (float x : {0x1p-149f, 0x1p-130f, 0x1.fffffcp-127f})
            EXPECT_LE(subject<float>(name).one(x), -37.9f) << name;
}

// Their results are finite, but programs rely on e^-x² being next to nothing for large x.
TEST(NativePrecision, ExponentialsEndWhereNormalNumbersDo) {
    for (const char *name : {"native_exp", "native_exp2", "native_exp10"})
        for (float x : {300.0f, 1e10f, INFINITY}) {
            EXPECT_LE(subject<float>(name).one(-x), 0x1p-126f) << name;
            EXPECT_GE(subject<float>(name).one(-x), 0.0f) << name;
            EXPECT_GE(subject<float>(name).one(x), 0x1.ffp127f) << name;
        }
    for (const char *name : {"native_log", "native_log2", "native_log10"})
        for (float x : {0.0f, -0.0f, 0x1p-130f})
            EXPECT_EQ(subject<float>(name).one(x), -INFINITY) << name;
}

} // namespace
} // namespace rivulet::library
