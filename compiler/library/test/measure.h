// SPDX-License-Identifier: Apache-2.0
// Results against the exact ones, and the lines from which docs/conformance.py makes its table.
#ifndef RIVULET_LIBRARY_TEST_MEASURE_H
#define RIVULET_LIBRARY_TEST_MEASURE_H

#include "compiler/library/test/inputs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <type_traits>

namespace rivulet::library {

template <typename T>
constexpr const char *type_name = sizeof(T) == 2   ? "half"
                                  : sizeof(T) == 4 ? "float"
                                                   : "double";

// half mostly goes by way of float and is rounded: half a unit, and a little.
template <typename T> double allowed(const Subject<T> &subject) {
    return sizeof(T) == 2 && !subject.limited ? std::min(subject.ulps, 0.505) : subject.ulps;
}

inline void report(std::string_view function, std::string_view type, std::uint64_t inputs,
                   double worst, double allowed) {
    fmt::print("accuracy,{},{},{},{:.4f},{}\n", function, type, inputs, worst, allowed);
}

template <typename T>
std::string describe(const Subject<T> &subject, const Inputs<T> &in, std::size_t i, T result) {
    auto number = [](T value) { return static_cast<double>(value); };
    return fmt::format("{} of {}: ({:a}, {:a}, {:a}, {}) = {:a}", subject.name, type_name<T>,
                       number(in.x[i]), number(in.y[i]), number(in.z[i]), in.n[i], number(result));
}

// 6.12.2: half_ functions may give what 7.5.3 allows where denormals are flushed; these do.
inline bool takes_denormals_as_zeros(std::string_view function) {
    return function.starts_with("half_log") || function == "half_powr";
}

// Exact results, and errors in units of their last place.
template <typename T> class Exact {
public:
    explicit Exact(const Subject<T> &subject)
        : with_int_(subject.with_int), flushes_(takes_denormals_as_zeros(subject.name)),
          exactly_(reference(subject.name)) {}

    double error(const Inputs<T> &in, std::size_t i, T result) {
        const double x = static_cast<double>(in.x[i]);
        const bool flushed =
            flushes_ && x != 0 && std::fabs(x) < double{std::numeric_limits<float>::min()};
        const double error_of_zero = flushed ? error_at(std::copysign(0, x), in, i, result)
                                             : std::numeric_limits<double>::infinity();
        return std::min(error_at(x, in, i, result), error_of_zero);
    }
    // The exact value of the last call.
    double value() { return mpfr_get_d(exact_, MPFR_RNDN); }

private:
    double error_at(double x, const Inputs<T> &in, std::size_t i, T result) {
        mpfr_set_d(x_, x, MPFR_RNDN);
        mpfr_set_d(y_, with_int_ ? in.n[i] : static_cast<double>(in.y[i]), MPFR_RNDN);
        mpfr_set_d(z_, static_cast<double>(in.z[i]), MPFR_RNDN);
        exactly_.value(exact_, x_, y_, z_, format_of<T>);
        if (exactly_.scale)
            exactly_.scale(scale_, x_, y_, z_, format_of<T>);
        return error_in_ulps(static_cast<double>(result), exact_, format_of<T>,
                             exactly_.scale ? scale_ : nullptr);
    }

    const bool with_int_, flushes_;
    const Reference exactly_;
    Number exact_, scale_, x_, y_, z_;
};

template <typename T>
void expect_accurate(const Subject<T> &subject, const Inputs<T> &in, const std::vector<T> &out) {
    Exact<T> exact(subject);
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (double error = exact.error(in, i, out[i]); error > worst)
            worst = error, at = i;
    EXPECT_LE(worst, allowed(subject)) << describe(subject, in, at, out[at]);
    report(subject.name, type_name<T>, out.size(), worst, allowed(subject));
}

// Two NaNs are identical, and to exact functions two zeros: fmax and its like may take either.
template <typename T>
void expect_identical(const Subject<T> &subject, const Inputs<T> &in, const std::vector<T> &out,
                      const std::vector<T> &other, std::string_view what) {
    auto identical = [&](T a, T b) {
        return std::bit_cast<BitsOf<T>>(a) == std::bit_cast<BitsOf<T>>(b) || (a != a && b != b) ||
               (subject.ulps == 0 && a == b);
    };
    for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_TRUE(identical(out[i], other[i]))
            << describe(subject, in, i, out[i])
            << fmt::format(", {}: {:a}", what, static_cast<double>(other[i]));
}

// Measures the library as compiled for this machine.
template <typename T> std::vector<T> results_here(const Subject<T> &subject, const Inputs<T> &in) {
    std::vector<T> out;
    for (std::size_t i = 0; i < in.x.size(); ++i)
        out.push_back(subject.one     ? subject.one(in.x[i])
                      : subject.two   ? subject.two(in.x[i], in.y[i])
                      : subject.three ? subject.three(in.x[i], in.y[i], in.z[i])
                                      : subject.with_int(in.x[i], in.n[i]));
    return out;
}

// RVL_FUNCTIONS names the functions to measure, separated by commas; unset means all.
inline bool is_wanted(std::string_view function) {
    const char *wanted = std::getenv("RVL_FUNCTIONS");
    return !wanted || fmt::format(",{},", wanted).contains(fmt::format(",{},", function));
}

inline std::size_t points(int otherwise) {
    const char *wanted = std::getenv("RVL_POINTS");
    return static_cast<std::size_t>(wanted ? std::atoi(wanted) : otherwise);
}

} // namespace rivulet::library

#endif
