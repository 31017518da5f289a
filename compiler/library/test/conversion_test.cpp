// SPDX-License-Identifier: Apache-2.0
// 6.2.3: every pair of types in every rounding mode, saturated and not, against exact arithmetic.
#include "compiler/library/test/conversion.h"

#define DECLARE(From, To, suffix) To convert_##To##suffix(From);
#define DECLARE_INTEGER(To) MODES(DECLARE, To) SATURATED_MODES(DECLARE, To)
#define DECLARE_FLOATING(To) MODES(DECLARE, To)
EACH_INTEGER_TARGET(DECLARE_INTEGER)
EACH_FLOATING_TARGET(DECLARE_FLOATING)

namespace rivulet::library {
namespace {

template <typename To, typename From>
void check(To (*convert)(From), std::string_view mode, const char *name) {
    for (From x : values<From>())
        ASSERT_TRUE(is_converted(x, convert(x), mode)) << name << "(" << Exact(x) << ")";
}

#define CHECK(From, To, suffix)                                                                    \
    check<To, From>(convert_##To##suffix, #suffix, "convert_" #To #suffix " of " #From);
#define INTEGER_TEST(To)                                                                           \
    TEST(Conversion, To##IsExact) { MODES(CHECK, To) SATURATED_MODES(CHECK, To) }
#define FLOATING_TEST(To)                                                                          \
    TEST(Conversion, To##IsExact) { MODES(CHECK, To) }
EACH_INTEGER_TARGET(INTEGER_TEST)
EACH_FLOATING_TARGET(FLOATING_TEST)

} // namespace
} // namespace rivulet::library
