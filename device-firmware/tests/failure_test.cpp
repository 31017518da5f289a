// SPDX-License-Identifier: Apache-2.0
#include "device-firmware/tests/firmware_fixture.h"

namespace rivulet::firmware {
namespace {

// The harts that are too late to stop serve a new host.
TEST(Failure, IsNotHiddenByHartsThatAreLate) {
    Machine m(2);
    m.fail();
    EXPECT_EQ(m.state(), RVL_STATE_CRASHED);
    ASSERT_TRUE(m.attach(7));
    EXPECT_TRUE(m.wait_for([&] { return m.state() == RVL_STATE_CRASHED; }));
}

} // namespace
} // namespace rivulet::firmware
