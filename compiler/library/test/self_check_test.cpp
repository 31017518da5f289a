// SPDX-License-Identifier: Apache-2.0
// Runs the kernels of self_check.cl on this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace rivulet::library {
namespace {

using Kernel = void(int *failures, int zero);
extern "C" Kernel relational, common_and_geometric, shuffles, loads_and_stores, parts_of_numbers,
    bits_and_dot_products, atomics;

// The lines of self_check.cl whose expectation failed.
std::vector<int> failed_lines(Kernel *kernel) {
    alignas(64) std::array<int, 32> failures{};
    kernel(failures.data(), 0);
    return {failures.begin() + 1, failures.begin() + 1 + failures[0]};
}

TEST(SelfCheck, Relational) { EXPECT_THAT(failed_lines(relational), testing::IsEmpty()); }
TEST(SelfCheck, CommonAndGeometric) {
    EXPECT_THAT(failed_lines(common_and_geometric), testing::IsEmpty());
}
TEST(SelfCheck, Shuffles) { EXPECT_THAT(failed_lines(shuffles), testing::IsEmpty()); }
TEST(SelfCheck, LoadsAndStores) { EXPECT_THAT(failed_lines(loads_and_stores), testing::IsEmpty()); }
TEST(SelfCheck, PartsOfNumbers) { EXPECT_THAT(failed_lines(parts_of_numbers), testing::IsEmpty()); }
TEST(SelfCheck, BitsAndDotProducts) {
    EXPECT_THAT(failed_lines(bits_and_dot_products), testing::IsEmpty());
}
TEST(SelfCheck, Atomics) { EXPECT_THAT(failed_lines(atomics), testing::IsEmpty()); }

} // namespace
} // namespace rivulet::library
