// SPDX-License-Identifier: Apache-2.0
#include "compiler/library/test/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace rivulet::library {

double error_in_ulps(double result, mpfr_ptr exact, const Format &format, mpfr_ptr scale) {
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
    if (scale && mpfr_regular_p(scale))
        exponent = std::max<long>(exponent, mpfr_get_exp(scale));
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

void reciprocal(mpfr_ptr result, mpfr_ptr x, mpfr_rnd_t rounding) {
    mpfr_ui_div(result, 1, x, rounding);
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

// The fraction: the distance to an integral value, below 1 in the format.
void fraction(mpfr_ptr result, mpfr_ptr x, const Format &format) {
    Number below_one;
    mpfr_set_ui_2exp(below_one, 1, -format.digits, nearest);
    mpfr_ui_sub(below_one, 1, below_one, nearest);
    mpfr_floor(result, x);
    mpfr_sub(result, x, result, nearest);
    if (mpfr_inf_p(x))
        mpfr_set_zero(result, mpfr_sgn(x));
    else if (mpfr_greater_p(result, below_one))
        mpfr_set(result, below_one, nearest);
}

template <bool of_exponent> void split(mpfr_ptr result, mpfr_ptr x, mpfr_rnd_t rounding) {
    mpfr_exp_t exponent = 0;
    mpfr_set(result, x, rounding);
    if (mpfr_regular_p(x))
        mpfr_frexp(&exponent, result, x, rounding);
    if (of_exponent)
        mpfr_set_si(result, exponent, rounding);
}
void bounded_exponent(mpfr_ptr result, mpfr_ptr x, mpfr_rnd_t rounding) {
    const long otherwise = mpfr_zero_p(x) ? -2048 : 2048;
    mpfr_set_si(result, mpfr_regular_p(x) ? mpfr_get_exp(x) - 1 : otherwise, rounding);
}
void not_a_number(mpfr_ptr result, mpfr_ptr, mpfr_rnd_t) { mpfr_set_nan(result); }

bool is_pole(mpfr_ptr x) { // of the gamma function
    return mpfr_zero_p(x) ||
           (!mpfr_nan_p(x) && mpfr_sgn(x) < 0 && (mpfr_inf_p(x) || mpfr_integer_p(x)));
}
void log_gamma(mpfr_ptr result, mpfr_ptr x, mpfr_rnd_t rounding) {
    int sign;
    mpfr_lgamma(result, &sign, x, rounding);
}
void sign_of_gamma(mpfr_ptr result, mpfr_ptr x, mpfr_rnd_t rounding) {
    int sign = 1;
    if (!mpfr_nan_p(x))
        mpfr_lgamma(result, &sign, x, rounding);
    mpfr_set_si(result, is_pole(x) ? 0 : sign, rounding);
}
// Below zero log Γ is a difference: errors are in units of the term that is subtracted, if that is
// larger.
void scale_of_log_gamma(mpfr_ptr result, mpfr_ptr x, mpfr_ptr, mpfr_ptr, const Format &) {
    mpfr_set_ui(result, 0, nearest);
    if (mpfr_sgn(x) >= 0)
        return;
    mpfr_neg(result, x, nearest);
    log_gamma(result, result, nearest);
    if (mpfr_cmp_ui(result, 1) < 0)
        mpfr_set_ui(result, 1, nearest);
}

// The neighbour of x in the format, on the side of y.
void next(mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, mpfr_ptr, const Format &format) {
    if (mpfr_nan_p(x) || mpfr_nan_p(y) || mpfr_equal_p(x, y)) {
        mpfr_add(result, x, y, nearest);
        return mpfr_nan_p(result) ? void() : void(mpfr_set(result, y, nearest));
    }
    const bool outwards = mpfr_zero_p(x) || mpfr_less_p(x, y) == (mpfr_sgn(x) > 0);
    const bool upwards = mpfr_less_p(x, y);
    const long least = format.smallest - format.digits;
    Number unit;
    if (mpfr_inf_p(x)) { // as if 2^largest followed
        mpfr_set_si_2exp(result, mpfr_sgn(x), format.largest, nearest);
        mpfr_set_si_2exp(unit, 1, format.largest - format.digits, nearest);
    } else {
        mpfr_set(result, x, nearest);
        long exponent = mpfr_zero_p(x) ? least : mpfr_get_exp(x) - format.digits;
        mpfr_set_si_2exp(unit, mpfr_sgn(x), exponent + format.digits - 1, nearest);
        exponent -= !outwards && mpfr_equal_p(unit, x); // from a power of two downwards
        mpfr_set_si_2exp(unit, 1, std::max(exponent, least), nearest);
    }
    upwards ? mpfr_add(result, result, unit, nearest) : mpfr_sub(result, result, unit, nearest);
}

// 6.12.2: the low seven bits of the quotient, with its sign.
void quotient(mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, mpfr_rnd_t rounding) {
    long bits = 0;
    if (mpfr_number_p(x) && !mpfr_zero_p(y) && mpfr_number_p(y))
        mpfr_remquo(result, &bits, x, y, rounding);
    mpfr_set_si(result, bits % 128, rounding);
}

// ---- 6.12.4 ----

template <int half_turn_of_result> void turned(mpfr_ptr result, mpfr_ptr x, mpfr_rnd_t rounding) {
    Number pi;
    mpfr_const_pi(pi, rounding);
    if (half_turn_of_result) {
        mpfr_mul_ui(result, x, half_turn_of_result, rounding);
        mpfr_div(result, result, pi, rounding);
    } else {
        mpfr_mul(result, x, pi, rounding);
        mpfr_div_ui(result, result, 180, rounding);
    }
}
void sign(mpfr_ptr result, mpfr_ptr x, mpfr_rnd_t rounding) {
    mpfr_set_si(result, mpfr_sgn(x), rounding);
}
void step(mpfr_ptr result, mpfr_ptr edge, mpfr_ptr x, mpfr_rnd_t rounding) {
    mpfr_set_ui(result, !mpfr_less_p(x, edge), rounding);
}
void clamp(mpfr_ptr result, mpfr_ptr x, mpfr_ptr low, mpfr_ptr high, mpfr_rnd_t rounding) {
    mpfr_max(result, x, low, rounding);
    mpfr_min(result, result, high, rounding);
}
void mix(mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, mpfr_ptr a, mpfr_rnd_t rounding) {
    mpfr_sub(result, y, x, rounding);
    mpfr_fma(result, result, a, x, rounding);
}
void scale_of_mix(mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, mpfr_ptr a, const Format &) {
    mpfr_sub(result, y, x, nearest);
    mpfr_mul(result, result, a, nearest);
    if (mpfr_cmpabs(x, result) > 0)
        mpfr_set(result, x, nearest);
}
void smoothstep(mpfr_ptr result, mpfr_ptr low, mpfr_ptr high, mpfr_ptr x, mpfr_rnd_t rounding) {
    Number t;
    mpfr_sub(t, x, low, rounding);
    mpfr_sub(result, high, low, rounding);
    mpfr_div(t, t, result, rounding);
    if (mpfr_nan_p(t.value)) // undefined: no distance, and x is there; the library takes it for 0
        mpfr_set_ui(t, 0, rounding);
    else if (mpfr_sgn(t.value) < 0 || mpfr_cmp_ui(t.value, 1) > 0)
        mpfr_set_ui(t, mpfr_sgn(t.value) > 0, rounding);
    mpfr_mul_ui(result, t, 2, rounding);
    mpfr_ui_sub(result, 3, result, rounding);
    mpfr_mul(result, result, t, rounding);
    mpfr_mul(result, result, t, rounding);
}

const std::map<std::string_view, Reference> &references() {
#define ENTRY(name, second, third, format, call, ...)                                              \
    {                                                                                              \
        name, {                                                                                    \
            [](mpfr_ptr result, mpfr_ptr x, second, third, format) { call; }, __VA_ARGS__          \
        }                                                                                          \
    }
#define ONE(name, function, ...)                                                                   \
    ENTRY(name, mpfr_ptr, mpfr_ptr, const Format &, function(result, x, nearest), __VA_ARGS__)
#define WHOLE(name, function) ENTRY(name, mpfr_ptr, mpfr_ptr, const Format &, function(result, x), )
#define TWO(name, function)                                                                        \
    ENTRY(name, mpfr_ptr y, mpfr_ptr, const Format &, function(result, x, y, nearest), )
#define THREE(name, function, ...)                                                                 \
    ENTRY(name, mpfr_ptr y, mpfr_ptr z, const Format &, function(result, x, y, z, nearest),        \
          __VA_ARGS__)
#define WITH_INT(name, function)                                                                   \
    ENTRY(name, mpfr_ptr y, mpfr_ptr, const Format &,                                              \
          function(result, x, mpfr_get_si(y, nearest), nearest), )
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
        WHOLE("fract_floor", mpfr_floor),
        ENTRY("fract_rest", mpfr_ptr, mpfr_ptr, const Format &format,
              fraction(result, x, format), ),
        ONE("frexp_exponent", split<true>),
        ONE("frexp_fraction", split<false>),
        ONE("ilogb_bounded", bounded_exponent),
        ONE("lgamma", log_gamma, scale_of_log_gamma),
        ONE("lgamma_r_logarithm", log_gamma, scale_of_log_gamma),
        ONE("lgamma_r_sign", sign_of_gamma),
        ONE("log", mpfr_log),
        ONE("log10", mpfr_log10),
        ONE("log1p", mpfr_log1p),
        ONE("log2", mpfr_log2),
        ONE("logb", exponent),
        WHOLE("modf_integral", mpfr_trunc),
        ONE("modf_rest", mpfr_frac),
        ONE("nan_any", not_a_number),
        ONE("rint", mpfr_rint),
        WHOLE("round", mpfr_round),
        ONE("rsqrt", inverse_root),
        ONE("sin", mpfr_sin),
        ONE("sincos_cosine", mpfr_cos),
        ONE("sincos_sine", mpfr_sin),
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
        {"nextafter", {next}},
        TWO("pow", mpfr_pow),
        TWO("powr", power),
        TWO("remainder", mpfr_remainder),
        TWO("remquo_quotient", quotient),
        TWO("remquo_remainder", mpfr_remainder),
        THREE("fma", mpfr_fma),
        THREE("mad", mpfr_fma),
        WITH_INT("ldexp", mpfr_mul_2si),
        WITH_INT("pown", mpfr_pow_si),
        WITH_INT("rootn", mpfr_rootn_si),
        ONE("degrees", turned<180>),
        ONE("radians", turned<0>),
        ONE("sign", sign),
        TWO("copysign", mpfr_copysign),
        TWO("max", mpfr_max),
        TWO("min", mpfr_min),
        TWO("step", step),
        THREE("clamp", clamp),
        THREE("mix", mix, scale_of_mix),
        THREE("smoothstep", smoothstep),
        TWO("divide", mpfr_div),
        ONE("recip", reciprocal)};
    return table;
}

} // namespace

Reference reference(std::string_view name) {
    for (std::string_view prefix : {"half_", "native_"})
        if (name.starts_with(prefix))
            name.remove_prefix(prefix.size());
    return references().at(name);
}

} // namespace rivulet::library
