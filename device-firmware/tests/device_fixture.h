// SPDX-License-Identifier: Apache-2.0
//
// A device with the kernels of kernels.S on it. RIVULET_MACHINE names the machine.
#pragma once

#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "hal/device.h"
#include "hal/protocol/launch.h"

namespace rivulet::firmware {

enum Kernel : uint64_t {
#define KERNEL(name) name,
#include "device-firmware/tests/kernels.def"
#undef KERNEL
};
inline constexpr uint64_t kernel_bytes = 256;

class Device : public testing::Test {
protected:
    static constexpr uint64_t arena_bytes = 8 << 20;
    static constexpr uint64_t code_bytes = 8 << 20; // image, a page of data, records

    void SetUp() override { start(hal::Config::from_environment().front()); }

    void start(const hal::Config &config) {
        auto opened = hal::Device::open(config, [this](int level, std::string_view text) {
            if (level == 0)
                errors += text;
        });
        ASSERT_TRUE(opened) << opened.error().message;
        device = std::move(*opened);
        begin();
    }
    void begin() {
        auto started = device->start();
        ASSERT_TRUE(started) << started.error().message;
        before_arena = device->hello().heap_base; // a page that belongs to no context
        arena = before_arena + RVL_PAGE_BYTES;
        code = arena + arena_bytes;
        next = arena;
        out = allocate(RVL_PAGE_BYTES);
        load_kernels();
    }

    void load_kernels() {
        std::ifstream file(RIVULET_TEST_KERNELS, std::ios::binary);
        std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
        ASSERT_FALSE(image.empty());
        image_bytes = (image.size() / RVL_PAGE_BYTES + 1) * RVL_PAGE_BYTES;
        data = code + image_bytes;
        next_record = data + RVL_PAGE_BYTES;
        uint64_t staging = allocate(image.size());
        ASSERT_TRUE(device->write(staging, std::as_bytes(std::span(image))));
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_MEMORY, RVL_MEMORY_LOAD_CODE, 0, sizeof(rvl_load_code), 0};
        slot.load_code = {code, staging, image.size(), 0};
        submit(slot);
        ASSERT_EQ(completion().result, RVL_RESULT_OK);
    }

    uint64_t allocate(uint64_t bytes) {
        uint64_t address = next;
        next += (bytes + RVL_PAGE_BYTES - 1) & -uint64_t{RVL_PAGE_BYTES};
        return address;
    }

    struct Task {
        Kernel kernel;
        uint32_t groups = 1;
        uint32_t chunk = 1;
        uint64_t p = 0;
        uint64_t q = 0;
        uint32_t stream = 1;
        uint64_t harts = 0;
        uint32_t time_limit = 0;
        uint32_t context = 0;
        uint32_t stack_bytes = 1024;
        uint8_t priority = 0; // RVL_FLAG_LOW or RVL_FLAG_HIGH
    };
    rvl_slot command(const Task &task) {
        rvl_launch_record record = {};
        record.version = RVL_PROTOCOL_VERSION;
        record.start = record.image_base = code;
        record.kernel = code + task.kernel * kernel_bytes;
        record.total_groups = task.groups;
        record.chunk = task.chunk;
        record.stack_bytes = task.stack_bytes;
        record.words = allocate(RVL_PAGE_BYTES);
        record.data = data;
        record.data_bytes = RVL_PAGE_BYTES;
        std::memcpy(record.arguments, &task.p, 8);
        std::memcpy(record.arguments + 8, &task.q, 8);
        uint64_t address = std::exchange(next_record, next_record + RVL_PAGE_BYTES);
        EXPECT_LE(next_record, code + code_bytes);
        EXPECT_TRUE(device->write(address, std::as_bytes(std::span(&record, 1))));
        return command(task, address);
    }
    rvl_slot command(const Task &task, uint64_t record) {
        rvl_slot slot = {};
        slot.header = {.group = RVL_GROUP_LAUNCH,
                       .service = RVL_LAUNCH_NDRANGE,
                       .flags = static_cast<uint8_t>(RVL_FLAG_BARRIER | task.priority),
                       .length = sizeof(rvl_launch),
                       .token = 0};
        slot.launch = {.launch = ++launches,
                       .stream = task.stream,
                       .record = record,
                       .hart_mask = task.harts,
                       .arena_page = static_cast<uint32_t>(arena / RVL_PAGE_BYTES),
                       .arena_pages = arena_bytes / RVL_PAGE_BYTES,
                       .code_page = static_cast<uint32_t>(code / RVL_PAGE_BYTES),
                       .code_pages = code_bytes / RVL_PAGE_BYTES,
                       .time_limit = task.time_limit,
                       .context = task.context,
                       .second_page = 0,
                       .second_pages = 0};
        return slot;
    }
    /// Holds a stream until a launch has ended.
    rvl_slot wait_for(uint32_t launch, uint32_t stream) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_LAUNCH, RVL_LAUNCH_WAIT, RVL_FLAG_BARRIER, sizeof(rvl_wait), 0};
        slot.wait.number = ++launches;
        slot.wait.stream = stream;
        slot.wait.count = slot.wait.needs_success = 1;
        slot.wait.launch[0] = launch;
        return slot;
    }
    void submit(const rvl_slot &slot) {
        for (;;) {
            auto sent = device->submit({&slot, 1});
            ASSERT_TRUE(sent) << sent.error().message;
            if (*sent)
                return;
        }
    }
    void kill(uint32_t launch) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_LAUNCH, RVL_LAUNCH_KILL, RVL_FLAG_SILENT, sizeof(rvl_kill), 0};
        slot.kill.launch = launch;
        submit(slot);
    }
    rvl_completion completion() {
        while (arrived.empty()) {
            auto slots = device->completions(std::chrono::seconds(20));
            if (!slots || slots->empty()) {
                ADD_FAILURE() << (slots ? "no completion came" : slots.error().message);
                return {};
            }
            for (const rvl_slot &slot : *slots)
                arrived.push_back(slot.completion);
        }
        rvl_completion first = arrived.front();
        arrived.erase(arrived.begin());
        return first;
    }
    rvl_completion run(const Task &task) {
        submit(command(task));
        return completion();
    }

    template <class T = uint64_t> T value(uint64_t address) {
        T result{};
        EXPECT_TRUE(device->read(address, std::as_writable_bytes(std::span(&result, 1))));
        return result;
    }
    void clear(uint64_t address) {
        uint64_t zero = 0;
        EXPECT_TRUE(device->write(address, std::as_bytes(std::span(&zero, 1))));
    }
    void set(uint64_t address) {
        uint64_t one = 1;
        EXPECT_TRUE(device->write(address, std::as_bytes(std::span(&one, 1))));
    }
    /// The end of hart 0's memory, which holds its frame.
    uint64_t hart_memory_end() {
        const rvl_hello &hello = device->hello();
        return hello.heap_base - (hello.harts - 1) * hello.hart_memory_bytes;
    }
    void wait_until_running() {
        while (value<uint32_t>(out) == 0)
            std::this_thread::yield();
    }

    std::string errors; // from the log
    std::unique_ptr<hal::Device> device;
    uint64_t before_arena = 0, arena = 0, code = 0, next = 0, out = 0;
    uint64_t image_bytes = 0, data = 0, next_record = 0;
    uint32_t launches = 0;
    std::vector<rvl_completion> arrived;
};

} // namespace rivulet::firmware
