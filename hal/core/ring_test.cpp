// SPDX-License-Identifier: Apache-2.0
//
// Both ends of a ring, in the null driver's memory.
#include "hal/core/ring.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "hal/core/log_reader.h"

namespace rivulet::hal {
namespace {

const rvl_driver &null_driver = *rvl_driver_named("null");

class RingEnds : public testing::Test {
protected:
    RingEnds() {
        const rvl_host host{.size = sizeof host, .user = nullptr, .log = nullptr, .died = nullptr};
        const rvl_config config{.size = sizeof config, .entries = nullptr};
        size_t count = 0;
        description.size = sizeof description;
        null_driver.enumerate(&config, &host, &description, 1, &count);
        null_driver.open(&config, &description, &host, &device);
        memory.emplace(null_driver, device, description);
        layout = {.head = description.memory_base + offsetof(rvl_ring, head),
                  .tail = description.memory_base + offsetof(rvl_ring, tail),
                  .elements = description.memory_base + 4096,
                  .count = 8,
                  .element_bytes = sizeof(rvl_slot)};
        producer = Producer(*memory, layout);
        consumer = Consumer(*memory, layout);
    }
    ~RingEnds() override { null_driver.close(device); }

    static std::vector<rvl_slot> slots(uint16_t first, size_t count) {
        std::vector<rvl_slot> slots(count);
        for (auto &slot : slots)
            slot.header.token = first++;
        return slots;
    }
    std::vector<uint16_t> pop(size_t most) {
        std::vector<rvl_slot> to(most);
        const auto count = consumer.pop(std::as_writable_bytes(std::span(to)));
        EXPECT_TRUE(count);
        std::vector<uint16_t> tokens;
        for (size_t i = 0; i < count.value_or(0); ++i)
            tokens.push_back(to[i].header.token);
        return tokens;
    }

    rvl_device_desc description{};
    rvl_device *device = nullptr;
    std::optional<Memory> memory;
    RingLayout layout;
    Producer producer;
    Consumer consumer;
};

TEST_F(RingEnds, KeepOrderAroundTheEnd) {
    uint16_t next = 0;
    for (int round = 0; round < 50; ++round) {
        const auto some = slots(next, 5);
        EXPECT_EQ(producer.push(some), 5u);
        EXPECT_EQ(pop(5), (std::vector<uint16_t>{next, static_cast<uint16_t>(next + 1),
                                                 static_cast<uint16_t>(next + 2),
                                                 static_cast<uint16_t>(next + 3),
                                                 static_cast<uint16_t>(next + 4)}));
        next = static_cast<uint16_t>(next + 5);
    }
}

TEST_F(RingEnds, TakeNoMoreThanFits) {
    EXPECT_EQ(producer.push(slots(0, 20)), 8u);
    EXPECT_EQ(producer.room(), 0u);
    EXPECT_EQ(producer.push(slots(8, 1)), 0u);
    EXPECT_EQ(consumer.available(), 8u);
    EXPECT_TRUE(consumer.was_full());
    EXPECT_EQ(pop(3), (std::vector<uint16_t>{0, 1, 2}));
    EXPECT_EQ(producer.room(), 3u);
    EXPECT_EQ(consumer.available(), 5u);
    EXPECT_FALSE(consumer.was_full());
}

TEST_F(RingEnds, RefuseIndicesThatMakeNoSense) {
    ASSERT_TRUE(memory->store(layout.tail, 9)); // more than the ring holds
    EXPECT_FALSE(consumer.available());
    ASSERT_TRUE(memory->store(layout.head, 1)); // before anything was written
    EXPECT_FALSE(producer.room());
    EXPECT_FALSE(producer.push(slots(0, 1)));
}

TEST_F(RingEnds, CutsALineOfTheLogThatDoesNotEnd) {
    constexpr uint32_t bytes = 1 << 15;
    std::vector<size_t> lines;
    DriverCallbacks host([&](int, std::string_view line) { lines.push_back(line.size()); });
    layout.count = bytes;
    layout.element_bytes = 1;
    LogReader log(*memory, host, layout, description.memory_base + 1024);
    const std::vector<char> text(bytes, 'x');
    ASSERT_TRUE(memory->write(layout.elements, text.data(), text.size()));
    for (uint32_t tail = bytes; tail <= 8 * bytes; tail += bytes) {
        ASSERT_TRUE(memory->store(layout.tail, tail));
        ASSERT_TRUE(log.drain());
    }
    EXPECT_GE(lines.size(), 64u);
    for (const size_t length : lines)
        EXPECT_LE(length, 5000u);
}

} // namespace
} // namespace rivulet::hal
