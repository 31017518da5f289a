// SPDX-License-Identifier: Apache-2.0
//
// The firmware's snprintf prints what the C library's does, as far as the firmware uses it.
#include <climits>
#include <cstddef>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

extern "C" // format_as_tested.c
    __attribute__((format(printf, 3, 4))) int firmware_snprintf(char *to, size_t bytes,
                                                                const char *format, ...);

namespace {

template <typename... Arguments> void expect_same(const char *format, Arguments... arguments) {
    for (size_t bytes : {0u, 1u, 2u, 7u, 100u}) {
        std::string expected(128, '#'), got = expected;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
        const int length = std::snprintf(expected.data(), bytes, format, arguments...);
        EXPECT_EQ(firmware_snprintf(got.data(), bytes, format, arguments...), length) << format;
#pragma clang diagnostic pop
        EXPECT_EQ(got, expected) << format;
    }
}

TEST(Format, IsThatOfTheCLibrary) {
    expect_same("");
    expect_same("hart");
    expect_same("100 %%");
    expect_same("%s%s", "", "hart");
    expect_same("%c%c", 'x', 'y');
    for (int number : {0, 1, -1, 10, INT_MAX, INT_MIN})
        expect_same("(%d)", number);
    for (long number : {0L, -10L, LONG_MAX, LONG_MIN})
        expect_same("(%ld)", number);
    for (unsigned number : {0u, 9u, 10u, 16u, UINT_MAX})
        expect_same("%u 0x%x", number, number);
    for (unsigned long number : {0ul, 0xabcdef0123456789ul, ULONG_MAX})
        expect_same("%lu 0x%lx, %s", number, number, "end");
}

} // namespace
