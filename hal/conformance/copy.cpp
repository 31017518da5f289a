// SPDX-License-Identifier: Apache-2.0
//
// Large copies by the device's own DMA engine.
#include <atomic>
#include <thread>

#include "hal/conformance/session.h"

namespace rivulet::hal::conformance {
namespace {

const rvl_driver *original = nullptr;
std::atomic<int> copies = 0;

/// The driver under test, counting its copies; skips the test if it has no engine.
class Copy : public testing::Test {
protected:
    void SetUp() override {
        original = &driver_under_test();
        SKIP_UNLESS(original->size > offsetof(rvl_driver, copy_wait) &&
                        original->copy_begin != nullptr,
                    "the driver has no copy engine");
        static rvl_driver counting;
        counting = *original;
        counting.copy_begin = [](rvl_device *device, const rvl_copy *copy, uint64_t *ticket) {
            ++copies;
            return original->copy_begin(device, copy, ticket);
        };
        auto device = open_device(&counting);
        ASSERT_TRUE(device) << device.error().message;
        session.emplace(std::move(*device));
        bytes = std::max<uint64_t>((*session)->description().copy_least_bytes, 1 << 20);
        copies = 0;
    }

    std::vector<std::byte> pattern(uint32_t seed) const {
        std::vector<std::byte> data(bytes);
        for (size_t i = 0; i < bytes; ++i)
            data[i] = static_cast<std::byte>(i * 7 + i / 4096 + seed);
        return data;
    }

    std::optional<Session> session;
    size_t bytes = 0;
};

TEST_F(Copy, LargeOnesGoThroughTheEngine) {
    const auto buffer = session->allocate(bytes);
    copies = 0;
    const auto there = pattern(1);
    ASSERT_TRUE((*session)->write(buffer, there));
    EXPECT_EQ(copies, 1);
    std::vector<std::byte> back(bytes);
    ASSERT_TRUE((*session)->read(buffer, back));
    EXPECT_EQ(copies, 2);
    EXPECT_EQ(back, there);
}

TEST_F(Copy, HartsSeeWhatArrivedAndTheHostWhatTheyWrote) {
    const auto from = session->allocate(bytes);
    const auto to = session->allocate(bytes);
    const auto there = pattern(2);
    ASSERT_TRUE((*session)->write(from, there));
    const auto done = session->run({.kernel = Kernel::copy,
                                    .groups = static_cast<uint32_t>(bytes),
                                    .chunk = 65536,
                                    .buffer = to,
                                    .value = from});
    ASSERT_TRUE(done);
    std::vector<std::byte> back(bytes);
    ASSERT_TRUE((*session)->read(to, back));
    EXPECT_EQ(back, there);
}

TEST_F(Copy, SeveralAtATimeBesideCommands) {
    std::vector<uint64_t> buffers;
    for (int i = 0; i < 3; ++i)
        buffers.push_back(session->allocate(bytes));
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < buffers.size(); ++i)
        threads.emplace_back([&, i] {
            const auto there = pattern(i);
            std::vector<std::byte> back(bytes);
            for (int round = 0; round < 3; ++round) {
                EXPECT_TRUE((*session)->write(buffers[i], there));
                EXPECT_TRUE((*session)->read(buffers[i], back));
                EXPECT_EQ(back, there);
            }
        });
    for (uint16_t token = 1; token < 50; ++token) {
        const auto slot = Session::ping(token);
        session->submit({&slot, 1});
        EXPECT_TRUE(session->await(token));
    }
    for (auto &thread : threads)
        thread.join();
}

} // namespace
} // namespace rivulet::hal::conformance
