// SPDX-License-Identifier: Apache-2.0
#include "compiler/library/test/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace rivulet::library {

double error_in_ulps(double result, mpfr_ptr exact, const Format &format) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (mpfr_nan_p(exact))
        return std::isnan(result) ? 0 : infinite;
    if (std::isnan(result))
        return infinite;
    if (mpfr_inf_p(exact))
        return std::isinf(result) && std::signbit(result) == (mpfr_sgn(exact) < 0) ? 0 : infinite;

    Number got, difference;
    if (std::isinf(result)) {
        mpfr_set_si_2exp(got, result < 0 ? -1 : 1, format.largest, MPFR_RNDN);
        // Beyond the largest finite value there is nothing better than infinity.
        if (mpfr_cmpabs(exact, got) >= 0)
            return std::signbit(result) == (mpfr_sgn(exact) < 0) ? 0 : infinite;
    } else {
        mpfr_set_d(got, result, MPFR_RNDN);
    }
    mpfr_sub(difference, got, exact, MPFR_RNDN);
    if (mpfr_zero_p(difference.value))
        return 0;
    long exponent = mpfr_zero_p(exact) ? format.smallest : mpfr_get_exp(exact);
    exponent = std::clamp<long>(exponent, format.smallest, format.largest) - format.digits;
    mpfr_mul_2si(difference, difference, -exponent, MPFR_RNDN);
    return std::fabs(mpfr_get_d(difference, MPFR_RNDN));
}

namespace {

constexpr mpfr_rnd_t nearest = MPFR_RNDN;

// mpfr_rec_sqrt(-0) is +infinity; 1 / sqrt(-0) isn't.
void inverse_root(mpfr_ptr result, mpfr_ptr x, mpfr_rnd_t rounding) {
    mpfr_sqrt(result, x, rounding);
    mpfr_ui_div(result, 1, result, rounding);
}

// 7.5.1: powr(x, NaN) is NaN for every x; mpfr_powr(1, NaN) is 1.
void power(mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, mpfr_rnd_t rounding) {
    if (mpfr_nan_p(y))
        mpfr_set_nan(result);
    else
        mpfr_powr(result, x, y, rounding);
}

// 6.12.2: the one of larger (smaller) magnitude; of equal ones fmax (fmin).
template <int sign, auto otherwise>
void by_magnitude(mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, mpfr_rnd_t rounding) {
    bool ordered = !mpfr_nan_p(x) && !mpfr_nan_p(y);
    int order = ordered ? sign * mpfr_cmpabs(x, y) : 0;
    if (order == 0)
        otherwise(result, x, y, rounding);
    else
        mpfr_set(result, order > 0 ? x : y, rounding);
}

void exponent(mpfr_ptr result, mpfr_ptr x, mpfr_rnd_t rounding) {
    if (mpfr_regular_p(x))
        mpfr_set_si(result, mpfr_get_exp(x) - 1, rounding);
    else if (mpfr_zero_p(x))
        mpfr_set_inf(result, -1);
    else
        mpfr_abs(result, x, rounding);
}

const std::map<std::string_view, Reference> &references() {
#define ONE(name, function)                                                                        \
    {                                                                                              \
        name,                                                                                      \
            [](mpfr_ptr result, mpfr_ptr x, mpfr_ptr, mpfr_ptr) { function(result, x, nearest); }  \
    }
#define TWO(name, function)                                                                        \
    {                                                                                              \
        name, [](mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, mpfr_ptr) {                              \
            function(result, x, y, nearest);                                                       \
        }                                                                                          \
    }
#define WHOLE(name, function)                                                                      \
    {                                                                                              \
        name, [](mpfr_ptr result, mpfr_ptr x, mpfr_ptr, mpfr_ptr) { function(result, x); }         \
    }
#define THREE(name, function)                                                                      \
    {                                                                                              \
        name, [](mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, mpfr_ptr z) {                            \
            function(result, x, y, z, nearest);                                                    \
        }                                                                                          \
    }
#define WITH_INT(name, function)                                                                   \
    {                                                                                              \
        name, [](mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, mpfr_ptr) {                              \
            function(result, x, mpfr_get_si(y, nearest), nearest);                                 \
        }                                                                                          \
    }
    static const std::map<std::string_view, Reference> table = {
        ONE("acos", mpfr_acos),
        ONE("acosh", mpfr_acosh),
        ONE("acospi", mpfr_acospi),
        ONE("asin", mpfr_asin),
        ONE("asinh", mpfr_asinh),
        ONE("asinpi", mpfr_asinpi),
        ONE("atan", mpfr_atan),
        ONE("atanh", mpfr_atanh),
        ONE("atanpi", mpfr_atanpi),
        ONE("cbrt", mpfr_cbrt),
        WHOLE("ceil", mpfr_ceil),
        ONE("cos", mpfr_cos),
        ONE("cosh", mpfr_cosh),
        ONE("cospi", mpfr_cospi),
        ONE("erf", mpfr_erf),
        ONE("erfc", mpfr_erfc),
        ONE("exp", mpfr_exp),
        ONE("exp10", mpfr_exp10),
        ONE("exp2", mpfr_exp2),
        ONE("expm1", mpfr_expm1),
        ONE("fabs", mpfr_abs),
        WHOLE("floor", mpfr_floor),
        ONE("log", mpfr_log),
        ONE("log10", mpfr_log10),
        ONE("log1p", mpfr_log1p),
        ONE("log2", mpfr_log2),
        ONE("logb", exponent),
        ONE("rint", mpfr_rint),
        WHOLE("round", mpfr_round),
        ONE("rsqrt", inverse_root),
        ONE("sin", mpfr_sin),
        ONE("sinh", mpfr_sinh),
        ONE("sinpi", mpfr_sinpi),
        ONE("sqrt", mpfr_sqrt),
        ONE("tan", mpfr_tan),
        ONE("tanh", mpfr_tanh),
        ONE("tanpi", mpfr_tanpi),
        ONE("tgamma", mpfr_gamma),
        WHOLE("trunc", mpfr_trunc),
        TWO("atan2", mpfr_atan2),
        TWO("atan2pi", mpfr_atan2pi),
        TWO("fdim", mpfr_dim),
        TWO("fmax", mpfr_max),
        TWO("fmin", mpfr_min),
        TWO("fmod", mpfr_fmod),
        TWO("hypot", mpfr_hypot),
        TWO("maxmag", (by_magnitude<1, mpfr_max>)),
        TWO("minmag", (by_magnitude<-1, mpfr_min>)),
        TWO("pow", mpfr_pow),
        TWO("powr", power),
        TWO("remainder", mpfr_remainder),
        THREE("fma", mpfr_fma),
        WITH_INT("ldexp", mpfr_mul_2si),
        WITH_INT("pown", mpfr_pow_si),
        WITH_INT("rootn", mpfr_rootn_si)};
    return table;
}

} // namespace

Reference reference(std::string_view name) { return references().at(name); }

} // namespace rivulet::library
