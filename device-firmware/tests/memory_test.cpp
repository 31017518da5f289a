// SPDX-License-Identifier: Apache-2.0
//
// The firmware's memset, memcpy and memmove: all small sizes, alignments and overlaps.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

extern "C" { // memory_as_tested.c
void *firmware_memset(void *to, int value, size_t bytes);
void *firmware_memcpy(void *to, const void *from, size_t bytes);
void *firmware_memmove(void *to, const void *from, size_t bytes);
}

namespace {

constexpr size_t most = 200, window = 512;

std::vector<uint8_t> numbers() {
    std::vector<uint8_t> bytes(window);
    std::iota(bytes.begin(), bytes.end(), uint8_t{1});
    return bytes;
}

TEST(Memory, IsSetInAllSizesAtAllAlignments) {
    for (size_t at = 64; at < 64 + 16; ++at)
        for (size_t bytes = 0; bytes <= most; ++bytes) {
            auto expected = numbers(), got = expected;
            std::memset(&expected[at], 0x1a5, bytes);
            ASSERT_EQ(firmware_memset(&got[at], 0x1a5, bytes), &got[at]);
            ASSERT_EQ(got, expected) << bytes << " bytes at " << at;
        }
}

TEST(Memory, IsCopiedInAllSizesAtAllAlignments) {
    const auto source = numbers();
    for (size_t from = 0; from < 9; ++from)
        for (size_t to = 0; to < 9; ++to)
            for (size_t bytes = 0; bytes <= most; ++bytes) {
                std::vector<uint8_t> expected(window), got(window);
                std::memcpy(&expected[to], &source[from], bytes);
                ASSERT_EQ(firmware_memcpy(&got[to], &source[from], bytes), &got[to]);
                ASSERT_EQ(got, expected) << bytes << " bytes from " << from << " to " << to;
            }
}

TEST(Memory, IsMovedOverItselfByAllDistances) {
    constexpr size_t from = 128;
    for (size_t to = from - 40; to <= from + 40; ++to)
        for (size_t bytes = 0; bytes <= 130; ++bytes) {
            auto expected = numbers(), got = expected;
            std::memmove(&expected[to], &expected[from], bytes);
            ASSERT_EQ(firmware_memmove(&got[to], &got[from], bytes), &got[to]);
            ASSERT_EQ(got, expected) << bytes << " bytes from " << from << " to " << to;
        }
}

} // namespace
