// SPDX-License-Identifier: Apache-2.0
// Exact references for the built-in math functions, and errors in ulps as 7.4 defines them.
#ifndef RIVULET_LIBRARY_TEST_REFERENCE_H
#define RIVULET_LIBRARY_TEST_REFERENCE_H

#include <mpfr.h>

#include <string_view>

namespace rivulet::library {

// Far more than a double's worth, so that no decision about half a unit is wrong.
constexpr mpfr_prec_t reference_precision = 160;

struct Number {
    mpfr_t value;
    Number() { mpfr_init2(value, reference_precision); }
    ~Number() { mpfr_clear(value); }
    Number(const Number &) = delete;
    Number &operator=(const Number &) = delete;
    operator mpfr_ptr() { return value; }
};

struct Format {            // of the result
    int digits;            // of the significand
    int smallest, largest; // binary exponents of normal numbers, significand in [½, 1)
};

// The exact function by the built-in's name; y and z are idle for functions of one argument, y is
// an integer for those that take one.
using Exactly = void (*)(mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, mpfr_ptr z, const Format &format);
struct Reference {
    Exactly value;
    Exactly scale = nullptr; // errors are in units of its last place where it is the larger one
};
Reference reference(std::string_view name);

template <typename T> constexpr Format format_of{};
template <> inline constexpr Format format_of<__fp16> = {11, -13, 16};
template <> inline constexpr Format format_of<float> = {24, -125, 128};
template <> inline constexpr Format format_of<double> = {53, -1021, 1024};

// |result - exact| in units of the last place of `exact`, or of `scale` if that is larger; 0 for
// two NaNs or two equal infinities, infinite where only one is. An overflow to infinity counts as
// the next power of two.
double error_in_ulps(double result, mpfr_ptr exact, const Format &format, mpfr_ptr scale = nullptr);

} // namespace rivulet::library

#endif
