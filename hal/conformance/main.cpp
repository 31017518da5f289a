// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite: every promise of hal/hal.h and hal/device.h, by name, on the device that
// RIVULET_MACHINE and RIVULET_DRIVER name.
#include <cstdio>

#include "hal/conformance/advice.h"
#include "hal/conformance/session.h"

using namespace rivulet::hal;
using namespace rivulet::hal::conformance;

namespace {

/// After a failure: what a porter should look at, and what the device said.
class Porter : public testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo &) override { clear_log(); }
    void OnTestEnd(const testing::TestInfo &info) override {
        if (!info.result()->Failed())
            return;
        const auto name = std::string(info.test_suite_name()) + "." + info.name();
        const auto text = advice(name);
        std::printf("[  PORTER  ] %s: look at %.*s.\n", name.c_str(), static_cast<int>(text.size()),
                    text.data());
        std::printf("[   LOG    ]\n%s", log_text().c_str());
    }
};

} // namespace

TEST(Advice, IsThereForEveryTest) {
    const auto &all = *testing::UnitTest::GetInstance();
    for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
        const auto &tests = *all.GetTestSuite(suite);
        if (std::string_view(tests.name()) != "Advice")
            EXPECT_NE(advice(tests.name()), "") << tests.name();
    }
}

int main(int argc, char **argv) {
    testing::InitGoogleTest(&argc, argv);
    testing::UnitTest::GetInstance()->listeners().Append(new Porter);
    return RUN_ALL_TESTS();
}
