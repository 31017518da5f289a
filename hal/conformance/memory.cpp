// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <random>

#include "hal/conformance/session.h"

namespace rivulet::hal::conformance {
namespace {

std::vector<std::byte> random_bytes(size_t count, std::mt19937 &random) {
    std::vector<std::byte> bytes(count);
    for (auto &byte : bytes)
        byte = static_cast<std::byte>(random());
    return bytes;
}

TEST(Read, SeesWhatWasWritten) {
    Session session;
    const auto seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    constexpr size_t bytes = 64 << 10;
    const auto buffer = session.allocate(bytes);
    std::vector<std::byte> expected(bytes);
    for (int i = 0; i < 300; ++i) {
        const size_t offset = random() % bytes;
        const size_t count = 1 + random() % std::min<size_t>(bytes - offset, 1 << (random() % 14));
        const auto some = random_bytes(count, random);
        ASSERT_TRUE(session->write(buffer + offset, some));
        std::memcpy(expected.data() + offset, some.data(), count);
    }
    std::vector<std::byte> all(bytes);
    ASSERT_TRUE(session->read(buffer, all));
    EXPECT_EQ(all, expected);
    for (int i = 0; i < 100; ++i) {
        const size_t offset = random() % bytes;
        std::vector<std::byte> part(1 + random() % std::min<size_t>(bytes - offset, 300));
        ASSERT_TRUE(session->read(buffer + offset, part));
        EXPECT_EQ(std::memcmp(part.data(), expected.data() + offset, part.size()), 0);
    }
}

TEST(Read, SeesWhatHartsWrote) {
    Session session;
    const auto buffer = session.allocate(4096);
    for (uint32_t value = 0; value < 50; ++value) { // each time overwriting what the host has
                                                    // already read
        ASSERT_TRUE(session.run(
            {.kernel = Kernel::iota, .groups = 100, .chunk = 7, .buffer = buffer, .value = value}));
        const auto seen = session.words(buffer, 100);
        for (uint32_t i = 0; i < 100; ++i)
            ASSERT_EQ(seen[i], value + i);
    }
}

TEST(Write, IsVisibleToHart) {
    Session session;
    std::mt19937 random(1);
    const auto from = session.allocate(4096);
    const auto to = session.allocate(4096);
    for (int i = 0; i < 20; ++i) {
        const auto content = random_bytes(1000, random);
        ASSERT_TRUE(session->write(from + 3, content));
        ASSERT_TRUE(session.run({.kernel = Kernel::copy,
                                 .groups = 1000,
                                 .chunk = 100,
                                 .buffer = to,
                                 .value = from + 3}));
        std::vector<std::byte> copy(1000);
        ASSERT_TRUE(session->read(to, copy));
        EXPECT_EQ(copy, content);
    }
}

TEST(Write, IsVisibleToHartAfterSync) {
    Session session;
    SKIP_UNLESS(session.has(RVL_DEVICE_MAPS), "the driver does not map");
    std::mt19937 random(2);
    const auto from = session.allocate(4096);
    const auto to = session.allocate(4096);
    std::byte *host_from = session->map(from, 4096);
    std::byte *host_to = session->map(to, 4096);
    ASSERT_NE(host_from, nullptr);
    ASSERT_NE(host_to, nullptr);
    for (int i = 0; i < 20; ++i) {
        const auto content = random_bytes(4096, random);
        std::memcpy(host_from, content.data(), content.size());
        ASSERT_TRUE(session->sync(from, 4096, RVL_SYNC_TO_DEVICE));
        ASSERT_TRUE(session.run(
            {.kernel = Kernel::copy, .groups = 4096, .chunk = 512, .buffer = to, .value = from}));
        ASSERT_TRUE(session->sync(to, 4096, RVL_SYNC_FROM_DEVICE));
        EXPECT_EQ(std::memcmp(host_to, content.data(), content.size()), 0);
    }
}

TEST(Write, ToPartOfABlockKeepsTheRest) {
    Session session;
    const auto buffer = session.allocate(4096);
    for (uint32_t i = 0; i < 20; ++i) {
        ASSERT_TRUE(session.run(
            {.kernel = Kernel::iota, .groups = 64, .chunk = 64, .buffer = buffer, .value = i}));
        session.write_word(buffer + 20, 1000 + i);     // within a block
        session.write_word(buffer + 4 * 31, 2000 + i); // its end
        const uint64_t across = 3000 + i;              // and across a boundary
        ASSERT_TRUE(session->write(buffer + 188, std::as_bytes(std::span(&across, 1))));
        const auto seen = session.words(buffer, 64);
        for (uint32_t word = 0; word < 64; ++word)
            if (word != 5 && word != 31 && word != 47 && word != 48)
                ASSERT_EQ(seen[word], i + word);
        EXPECT_EQ(seen[5], 1000 + i);
        EXPECT_EQ(seen[31], 2000 + i);
        EXPECT_EQ(seen[47], 3000 + i);
    }
}

TEST(Memory, RefusesAddressesOutside) {
    Session session;
    const auto &description = session->description();
    const uint64_t end = description.memory_base + description.memory_bytes;
    std::vector<std::byte> bytes(64);
    const struct {
        uint64_t address;
        size_t count;
    } outside[] = {
        {end, 1}, {end - 32, 64}, {description.memory_base - 1, 1}, {UINT64_MAX - 8, 64}};
    for (const auto &[address, count] : outside) {
        const auto read = session->read(address, std::span(bytes).first(count));
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().status, RVL_INVALID);
        EXPECT_FALSE(session->write(address, std::span(bytes).first(count)));
        EXPECT_EQ(session->map(address, count), nullptr);
    }
    // Of a device that hosts share, each has only its own heap.
    const uint64_t last = session.has(RVL_DEVICE_SHARED)
                              ? session->hello().heap_base + session->hello().heap_bytes
                              : end;
    EXPECT_TRUE(session->read(last - 64, bytes));
}

// The simulated cache exists to expose these mistakes, so it must not hide them.
class Cache : public testing::Test {
protected:
    void SetUp() override {
        const auto device = open_device();
        ASSERT_TRUE(device) << device.error().message;
        SKIP_UNLESS(std::string_view((*device)->description().name) == "loopback-noncoherent",
                    "only the simulated cache fails every time");
        session.emplace();
        buffer = session->allocate(4096);
        host = reinterpret_cast<uint32_t *>((*session)->map(buffer, 4096));
        ASSERT_NE(host, nullptr);
    }
    void run_iota(uint32_t groups, uint32_t value) {
        ASSERT_TRUE(session->run({.kernel = Kernel::iota,
                                  .groups = groups,
                                  .chunk = groups,
                                  .buffer = buffer,
                                  .value = value}));
    }

    std::optional<Session> session;
    uint64_t buffer = 0;
    uint32_t *host = nullptr;
};

TEST_F(Cache, ForgottenInvalidationReadsOldData) {
    run_iota(4, 5);
    EXPECT_EQ(host[0], 0u);
    ASSERT_TRUE((*session)->sync(buffer, 16, RVL_SYNC_FROM_DEVICE));
    EXPECT_EQ(host[0], 5u);
}

TEST_F(Cache, ForgottenCleaningNeverArrives) {
    host[0] = 9;
    const auto copy = session->allocate(4096);
    const Task task{.kernel = Kernel::copy, .groups = 4, .buffer = copy, .value = buffer};
    ASSERT_TRUE(session->run(task));
    EXPECT_EQ(session->words(copy, 1)[0], 0u);
    ASSERT_TRUE((*session)->sync(buffer, 4, RVL_SYNC_TO_DEVICE));
    ASSERT_TRUE(session->run(task));
    EXPECT_EQ(session->words(copy, 1)[0], 9u);
}

TEST_F(Cache, SharedBlockLosesTheOtherSidesBytes) {
    run_iota(16, 1); // one block, which the host has not fetched since
    host[0] = 77;
    ASSERT_TRUE((*session)->sync(buffer, 4, RVL_SYNC_TO_DEVICE));
    EXPECT_EQ(session->words(buffer, 2), (std::vector<uint32_t>{77, 0}));
}

} // namespace
} // namespace rivulet::hal::conformance
