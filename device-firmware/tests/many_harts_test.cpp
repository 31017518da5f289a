// SPDX-License-Identifier: Apache-2.0
//
// More harts than a mask of 64 bits has bits.
#include "device-firmware/tests/firmware_fixture.h"

namespace rivulet::firmware {
namespace {

TEST(Harts, BeyondTheSixtyFourthAreNamedByRanges) {
    Machine machine(100);
    constexpr uint8_t range = RVL_FLAG_BARRIER | RVL_FLAG_HART_RANGE;
    constexpr auto harts = [](uint64_t first, uint64_t count) { return first | count << 32; };
    const struct {
        uint8_t flags;
        uint64_t harts;
        uint32_t entered;
        uint64_t in_mask;
    } cases[] = {
        {range, harts(70, 30), 30, 0},
        {range, harts(60, 10), 10, uint64_t{15} << 60},
        {range, harts(99, 0xffffffff), 1, 0},
        {range, harts(0, 1), 1, 1},
        {range, 0, 100, ~uint64_t{0}},
        {RVL_FLAG_BARRIER, 0, 100, ~uint64_t{0}},
        {RVL_FLAG_BARRIER, uint64_t{1} << 63 | 2, 2, uint64_t{1} << 63 | 2},
    };
    for (const auto &[flags, named, entered, in_mask] : cases) {
        Gate gate;
        machine.launch(machine.record(wait_at_gate, 200, &gate), {.flags = flags, .harts = named});
        EXPECT_TRUE(machine.wait_for([&] { return gate.entered == entered; }));
        gate.open = true;
        const rvl_completion completion = machine.launch_completion();
        EXPECT_EQ(completion.result, RVL_RESULT_OK);
        EXPECT_EQ(completion.harts, in_mask);
    }
    EXPECT_EQ(
        machine.run(machine.record(count_groups, 1), {.flags = range, .harts = harts(100, 1)}),
        RVL_RESULT_INVALID);
}

TEST(Harts, BeyondTheSixtyFourthAreInterrupted) {
    Machine machine(100);
    Count count = 0;
    const uint32_t spinning =
        machine.launch(machine.record(spin, 100, &count),
                       {.flags = RVL_FLAG_HART_RANGE, .harts = uint64_t{64} | uint64_t{36} << 32});
    EXPECT_TRUE(machine.wait_for([&] { return count == 36; }));
    Count ran = 0;
    EXPECT_EQ(machine.run(machine.record(count_groups, 500, &ran), {.stream = 2}), RVL_RESULT_OK);
    EXPECT_EQ(ran, 500u);
    machine.kill(spinning);
    EXPECT_EQ(machine.launch_completion().result, RVL_RESULT_KILLED);
}

} // namespace
} // namespace rivulet::firmware
