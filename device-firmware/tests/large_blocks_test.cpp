// SPDX-License-Identifier: Apache-2.0
//
// Where the device's words are if cache blocks are larger than RVL_CACHE_BLOCK.
#include "device-firmware/tests/firmware_fixture.h"

namespace rivulet::firmware {
namespace {

TEST(LargeCacheBlocks, AreRefusedWithALineIfTheHostDoesNotKnowThem) {
    if (cache_block() <= RVL_CACHE_BLOCK)
        GTEST_SKIP() << "RIVULET_TEST_NONCOHERENT is not set to more than 64";
    Machine machine(1, RVL_PROTOCOL_VERSION, true, RVL_BOOT_NONCOHERENT);
    EXPECT_EQ(machine.state(), RVL_STATE_CRASHED);
    EXPECT_NE(machine.log().find("whose blocks have more than"), std::string::npos);
}

// Each word has one place at a time; the other place is not touched.
TEST(LargeCacheBlocks, MoveTheWordsOfTheDeviceAndNothingElse) {
    Machine machine(1);
    EXPECT_EQ(machine.has_large_blocks(), noncoherent() && cache_block() > RVL_CACHE_BLOCK);
    machine.ping(1);
    EXPECT_EQ(machine.completion().header.token, 1);
    const rvl_mailbox &mailbox = machine.mailbox();
    const bool large = machine.has_large_blocks();
    EXPECT_TRUE(machine.wait_for([&] { return shared_word(machine.notify_enabled()) != 0; }));
    EXPECT_EQ(mailbox.completions.tail.value, large ? 0u : 1u);
    EXPECT_EQ(mailbox.commands.head.value, large ? 0u : 1u);
    EXPECT_EQ(mailbox.device_notify_enabled.value, large ? 0u : 1u);
    EXPECT_EQ(mailbox.device_words.completion_tail, large ? 1u : 0u);
    EXPECT_EQ(mailbox.device_words.command_head, large ? 1u : 0u);
    EXPECT_EQ(mailbox.device_words.notify_enabled, large ? 1u : 0u);
}

// The completion ring continues from its current position for every host.
TEST(LargeCacheBlocks, StayWithTheNextHost) {
    if (cache_block() <= RVL_CACHE_BLOCK)
        GTEST_SKIP() << "RIVULET_TEST_NONCOHERENT is not set to more than 64";
    Machine machine(1);
    for (uint16_t token = 1; token <= 3; ++token)
        machine.ping(token);
    for (uint16_t token = 1; token <= 3; ++token)
        EXPECT_EQ(machine.completion().header.token, token);
    for (const uint32_t session : {7u, 8u}) {
        ASSERT_TRUE(machine.attach(session));
        EXPECT_TRUE(machine.has_large_blocks());
        machine.ping(9);
        EXPECT_EQ(machine.completion().header.token, 9);
    }
}

} // namespace
} // namespace rivulet::firmware
