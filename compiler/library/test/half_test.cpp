// SPDX-License-Identifier: Apache-2.0
// The half functions of one argument against MPFR: every RVL_HALF_STRIDE-th value there is (1:
// all). They are float's, rounded: half a unit, and a little.
#include "compiler/library/test/functions.h"
#include "compiler/library/test/reference.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>

using half = __fp16; // mangles as OpenCL C's half does
#define DECLARE(name, ...) half name(half);
RVL_FUNCTIONS_1(DECLARE)

namespace rivulet::library {
namespace {

constexpr Format half_format = {11, -13, 16};

void check(half (*function)(half), const char *name) {
    const char *wanted = std::getenv("RVL_HALF_STRIDE");
    const unsigned stride = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 29;
    auto exactly = reference(name);
    Number x_exact, exact, none;
    for (unsigned bits = 0; bits < 0x10000; bits += stride) {
        auto x = std::bit_cast<half>(static_cast<std::uint16_t>(bits));
        mpfr_set_d(x_exact, x, MPFR_RNDN);
        exactly(exact, x_exact, none);
        ASSERT_LE(error_in_ulps(function(x), exact, half_format), 0.505)
            << name << "(" << static_cast<double>(x) << ")";
    }
}

#define TEST_ONE(name, ...)                                                                        \
    TEST(Half, name##IsRoundedOnce) { check(::name, #name); }
RVL_FUNCTIONS_1(TEST_ONE)

} // namespace
} // namespace rivulet::library
