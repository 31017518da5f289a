// SPDX-License-Identifier: Apache-2.0
#include "hal/conformance/session.h"

namespace rivulet::hal::conformance {
namespace {

class Fault : public testing::Test {
protected:
    void SetUp() override {
        auto device = open_device();
        ASSERT_TRUE(device) << device.error().message;
        SKIP_UNLESS(((*device)->description().flags & RVL_DEVICE_ISOLATES) != 0,
                    "the device does not isolate");
        device->reset(); // some devices serve only one host at a time
        session.emplace();
        buffer = session->allocate(4096);
    }

    /// The kernel ends with a report of that kind, and the device continues to work.
    rvl_fault faults(Kernel kernel, uint64_t value, rvl_fault_kind kind,
                     rvl_result result = RVL_RESULT_FAULT, uint32_t time_limit = 0) {
        const rvl_slot slot = session->command({.kernel = kernel,
                                                .groups = 3,
                                                .buffer = buffer,
                                                .value = value,
                                                .time_limit = time_limit});
        session->submit({&slot, 1});
        const auto done = session->await(slot.header.token);
        EXPECT_TRUE(done);
        if (!done)
            return {};
        EXPECT_EQ(done->result, uint32_t{result});
        const auto report = (*session)->fault(done->fault, slot.launch.launch);
        EXPECT_TRUE(report);
        if (!report)
            return {};
        EXPECT_EQ(report->kind, uint32_t{kind});
        EXPECT_EQ(report->launch, slot.launch.launch);
        EXPECT_LT(report->hart, (*session)->hello().harts);
        EXPECT_FALSE((*session)->fault(done->fault, slot.launch.launch + 1000));

        const auto after = session->allocate(4096);
        const auto next =
            session->run({.kernel = Kernel::iota, .groups = 5, .buffer = after, .value = 40});
        EXPECT_TRUE(next);
        EXPECT_EQ(session->words(after, 5), (std::vector<uint32_t>{40, 41, 42, 43, 44}));
        return *report;
    }

    std::optional<Session> session;
    uint64_t buffer = 0;
};

TEST_F(Fault, StoreOutsideArenaEndsLaunchOnly) {
    const auto outside = session->arena_end() + 64;
    const auto before = session->words(outside, 1)[0];
    const auto report = faults(Kernel::store, outside, RVL_FAULT_STORE);
    EXPECT_EQ(report.value, outside);
    EXPECT_EQ(session->words(outside, 1)[0], before);
}

TEST_F(Fault, StoreToFirmwareEndsLaunchOnly) {
    const auto start = (*session)->description().memory_base;
    const auto before = session->words(start, 64);
    faults(Kernel::store, start, RVL_FAULT_STORE);
    EXPECT_EQ(session->words(start, 64), before);
}

TEST_F(Fault, StoreToMailboxEndsLaunchOnly) {
    faults(Kernel::store, (*session)->hello().command_ring, RVL_FAULT_STORE);
}

TEST_F(Fault, StoreToNullEndsLaunchOnly) { faults(Kernel::store, 0, RVL_FAULT_STORE); }

TEST_F(Fault, LoadOutsideArenaEndsLaunchOnly) {
    faults(Kernel::load, (*session)->description().memory_base, RVL_FAULT_LOAD);
    faults(Kernel::load, session->arena_end(), RVL_FAULT_LOAD);
}

TEST_F(Fault, IllegalInstructionEndsLaunchOnly) { faults(Kernel::illegal, 0, RVL_FAULT_ILLEGAL); }

TEST_F(Fault, JumpIntoDataEndsLaunchOnly) { faults(Kernel::jump, buffer, RVL_FAULT_FETCH); }

TEST_F(Fault, StackOverflowEndsLaunchOnly) { faults(Kernel::deep, 0, RVL_FAULT_STACK); }

TEST_F(Fault, EndlessLoopMeetsItsTimeLimit) {
    faults(Kernel::spin, 0, RVL_FAULT_TIME_LIMIT, RVL_RESULT_TIME_LIMIT, 20);
}

TEST_F(Fault, ReportSaysWhere) {
    const auto report = faults(Kernel::store, 16, RVL_FAULT_STORE);
    EXPECT_EQ(report.value, 16u);
    EXPECT_GT(report.pc, report.image_base);
    EXPECT_LT(report.pc - report.image_base, 4096u);
    EXPECT_EQ(report.first_group, 0u);
    EXPECT_EQ(report.groups, 1u);
    EXPECT_EQ(report.x[0], 0u);
}

TEST_F(Fault, ManyInARowLeaveTheDeviceWell) {
    for (uint32_t i = 0; i < 2 * (*session)->hello().fault_slots; ++i) {
        const auto done =
            session->run({.kernel = Kernel::store, .buffer = buffer, .value = uint64_t{i} * 4096});
        ASSERT_TRUE(done);
        ASSERT_EQ(done->result, RVL_RESULT_FAULT);
    }
    EXPECT_TRUE(session->run({.kernel = Kernel::iota, .buffer = buffer}));
}

} // namespace
} // namespace rivulet::hal::conformance
