// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstring>
#include <fstream>
#include <thread>

#include "base/data_directory.h"
#include "base/read_file.h"
#include "hal/conformance/session.h"
#include "hal/core/config.h"
#include "hal/core/firmware_file.h"
#include "hal/tests/scratch.h"

namespace rivulet::hal::conformance {
namespace {

std::string firmware_path(const Device &device) {
    const Config config = configuration();
    const auto &description = device.description();
    const auto folder =
        find_board_directory(description.board, config.get("data", find_data_directory()));
    return config.get("firmware", text({folder, "/firmware/", description.board, "-rv",
                                        description.xlen, ".elf"}));
}

/// A device that will be started with the firmware `elf`.
std::unique_ptr<Device> device_with_firmware(std::span<const std::byte> elf,
                                             const std::string &name) {
    const auto path = test::scratch(name);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(elf.data()),
               static_cast<std::streamsize>(elf.size()));
    Config config = configuration();
    config.set("firmware", path);
    auto device = Device::open(config, log_line);
    return device ? std::move(*device) : nullptr;
}

TEST(Open, DescribesTheDeviceWithoutStartingIt) {
    const auto device = open_device();
    ASSERT_TRUE(device) << device.error().message;
    const auto &description = (*device)->description();
    EXPECT_NE(description.name[0], 0);
    EXPECT_NE(description.board[0], 0);
    EXPECT_NE(description.isa[0], 0);
    EXPECT_GE(description.harts, 1u);
    EXPECT_TRUE(description.xlen == 32 || description.xlen == 64);
    EXPECT_GT(description.memory_bytes, 0u);
    EXPECT_FALSE((*device)->alive());
    EXPECT_EQ(driver_processes(getpid()), std::vector<int>{});
}

TEST(Open, DeviceThatIsNotStartedSaysSo) {
    const auto device = open_device();
    ASSERT_TRUE(device) << device.error().message;
    const auto slot = Session::ping(1);
    const auto submitted = (*device)->submit({&slot, 1});
    ASSERT_FALSE(submitted);
    EXPECT_NE(submitted.error().message, "");
    EXPECT_FALSE((*device)->completions(0ns));
}

TEST(Start, HelloAgreesWithDescription) {
    Session session;
    const auto &description = session->description();
    const auto &hello = session->hello();
    EXPECT_EQ(hello.harts, description.harts);
    EXPECT_EQ(hello.xlen, description.xlen);
    EXPECT_EQ(hello.vlen, description.vlen);
    EXPECT_GE(hello.local_memory_bytes, session->promised_local_memory());
    EXPECT_GE(hello.heap_base, description.memory_base);
    EXPECT_LE(hello.heap_base + hello.heap_bytes,
              description.memory_base + description.memory_bytes);
    EXPECT_TRUE(session->alive());
}

TEST(Start, IsRefusedWhileItRuns) {
    Session session;
    EXPECT_FALSE(session->start());
    EXPECT_TRUE(session->alive());
    EXPECT_TRUE(session.run({.kernel = Kernel::iota, .buffer = session.allocate(4)}));
}

TEST(Start, WorksAgainAfterStop) {
    Session session;
    for (int i = 0; i < 3; ++i) {
        session->stop();
        EXPECT_FALSE(session->alive());
        const auto slot = Session::ping(1);
        EXPECT_FALSE(session->submit({&slot, 1}));
        const auto started = session->start();
        ASSERT_TRUE(started) << started.error().message;
        session.load_kernels();
        const auto buffer = session.allocate(16);
        ASSERT_TRUE(
            session.run({.kernel = Kernel::iota, .groups = 4, .buffer = buffer, .value = 7}));
        EXPECT_EQ(session.words(buffer, 4), (std::vector<uint32_t>{7, 8, 9, 10}));
    }
}

TEST(Start, MapSurvivesRestart) {
    Session session;
    SKIP_UNLESS(session.has(RVL_DEVICE_MAPS), "the driver does not map");
    const auto heap = session->hello().heap_base;
    std::byte *before = session->map(heap, 4096);
    ASSERT_NE(before, nullptr);
    session->stop();
    before[0] = std::byte{1}; // still accessible memory, even without a device
    ASSERT_TRUE(session->start());
    EXPECT_EQ(session->map(heap, 4096), before);
}

TEST(Start, MayHappenWhileOthersUseTheDevice) {
    Session session;
    std::atomic<bool> over = false;
    std::vector<std::thread> users;
    for (int i = 0; i < 2; ++i)
        users.emplace_back([&] {
            const auto slot = Session::ping(1);
            while (!over) { // each call must succeed or be rejected
                static_cast<void>(session->submit({&slot, 1}));
                session->wake();
                std::this_thread::sleep_for(100us);
            }
        });
    users.emplace_back([&] {
        while (!over)
            if (!session->completions(10ms))
                std::this_thread::sleep_for(100us);
    });
    for (int i = 0; i < 5; ++i) {
        session->stop();
        const auto started = session->start();
        EXPECT_TRUE(started) << started.error().message;
    }
    over = true;
    for (auto &user : users)
        user.join();
    session.load_kernels();
    EXPECT_TRUE(session.run({.kernel = Kernel::iota, .buffer = session.allocate(4)}));
}

TEST(Start, TwoDevicesRunSideBySide) {
    Session first;
    SKIP_UNLESS(!first.has(RVL_DEVICE_RUNNING) || first.has(RVL_DEVICE_SHARED),
                "there is one device, which runs");
    Session second;
    const auto one = first.allocate(4096);
    const auto two = second.allocate(4096);
    ASSERT_TRUE(first.run({.kernel = Kernel::iota, .groups = 3, .buffer = one, .value = 10}));
    ASSERT_TRUE(second.run({.kernel = Kernel::iota, .groups = 3, .buffer = two, .value = 20}));
    EXPECT_EQ(first.words(one, 3), (std::vector<uint32_t>{10, 11, 12}));
    EXPECT_EQ(second.words(two, 3), (std::vector<uint32_t>{20, 21, 22}));
    first->stop();
    EXPECT_TRUE(second->alive());
    ASSERT_TRUE(second.run({.kernel = Kernel::iota, .groups = 3, .buffer = two, .value = 30}));
    EXPECT_EQ(second.words(two, 3), (std::vector<uint32_t>{30, 31, 32}));
}

TEST(Start, RefusesFirmwareOfOtherProtocol) {
    auto device = open_device();
    ASSERT_TRUE(device) << device.error().message;
    SKIP_UNLESS(
        ((*device)->description().flags & (RVL_DEVICE_BUILT_IN_FIRMWARE | RVL_DEVICE_RUNNING)) == 0,
        "the firmware is built in, or runs");
    const auto path = firmware_path(**device);
    device->reset(); // some devices serve one host at a time
    auto elf = read_file(path);
    ASSERT_TRUE(elf) << elf.error().message;
    const uint32_t owner = RVL_FIRMWARE_NOTE;
    bool patched = false;
    for (size_t i = 0; i + 16 < elf->size() && !patched; i += 4)
        if (std::memcmp(elf->data() + i, &owner, 4) == 0 &&
            std::memcmp(elf->data() + i + 4, "Rivulet", 8) == 0) {
            const uint32_t version = RVL_VERSION(RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION) + 1, 0);
            std::memcpy(elf->data() + i + 12, &version, 4);
            patched = true;
        }
    ASSERT_TRUE(patched);
    const auto other = device_with_firmware(*elf, "other-protocol");
    ASSERT_NE(other, nullptr);
    const auto started = other->start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().status, RVL_BAD_VERSION);
    EXPECT_NE(started.error().message.find("2.0"), std::string::npos) << started.error().message;
    EXPECT_FALSE(other->alive());
    EXPECT_EQ(driver_processes(getpid()), std::vector<int>{}); // before anything was started
}

TEST(Start, RefusesDamagedFirmware) {
    auto device = open_device();
    ASSERT_TRUE(device) << device.error().message;
    SKIP_UNLESS(
        ((*device)->description().flags & (RVL_DEVICE_BUILT_IN_FIRMWARE | RVL_DEVICE_RUNNING)) == 0,
        "the firmware is built in, or runs");
    const auto path = firmware_path(**device);
    device->reset(); // some devices serve one host at a time
    const auto elf = read_file(path);
    ASSERT_TRUE(elf) << elf.error().message;
    const std::span<const std::byte> all(*elf);
    const auto firmware = parse_firmware(*elf, "the firmware");
    ASSERT_TRUE(firmware) << firmware.error().message;
    size_t loaded = 0; // size of the part that is needed; debug information may follow
    for (const auto &segment : firmware->segments)
        loaded = std::max(loaded, static_cast<size_t>(segment.contents.data() - all.data()) +
                                      segment.contents.size());
    for (const size_t bytes : {size_t{0}, size_t{7}, size_t{100}, loaded / 2, loaded - 1}) {
        const auto other = device_with_firmware(all.first(bytes), "damaged");
        ASSERT_NE(other, nullptr);
        const auto started = other->start();
        ASSERT_FALSE(started) << bytes;
        EXPECT_NE(started.error().message.find("damaged"), std::string::npos)
            << started.error().message;
    }
    EXPECT_EQ(driver_processes(getpid()), std::vector<int>{});
}

TEST(Start, FirmwareRefusesHostOfOtherProtocol) {
    // Bypasses the common code, which would never write such a boot block.
    auto opened = open_device();
    ASSERT_TRUE(opened) << opened.error().message;
    SKIP_UNLESS(((*opened)->description().flags & RVL_DEVICE_RUNNING) == 0,
                "the firmware was started by others");
    const rvl_driver &driver = driver_under_test();
    const auto path = firmware_path(**opened);
    const auto description = (*opened)->description();
    opened->reset(); // some devices serve one host at a time
    Config config = configuration();

    static uint32_t lie;
    lie = RVL_VERSION(RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION) + 1, 0);
    static const rvl_driver *original;
    original = &driver;
    static uint64_t mailbox;
    mailbox = description.mailbox;
    if ((description.flags & RVL_DEVICE_BUILT_IN_FIRMWARE) == 0) {
        const auto elf = read_file(path);
        ASSERT_TRUE(elf) << elf.error().message;
        const auto firmware = parse_firmware(*elf, path);
        ASSERT_TRUE(firmware) << firmware.error().message;
        mailbox = firmware->note.mailbox;
    }
    rvl_driver liar = driver;
    liar.describe = [](rvl_device *device, rvl_device_desc *description) {
        if (original->describe != nullptr)
            original->describe(device, description);
        if (description->mailbox != 0)
            mailbox = description->mailbox;
        return RVL_OK;
    };
    liar.start = [](rvl_device *device) {
        const auto address = mailbox + offsetof(rvl_mailbox, boot) + offsetof(rvl_boot, protocol);
        original->write(device, address, &lie, sizeof lie);
        return original->start(device);
    };
    const auto device = open_device(&liar);
    ASSERT_TRUE(device) << device.error().message;
    const auto started = (*device)->start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().status, RVL_BAD_VERSION) << started.error().message;
    EXPECT_NE(log_text().find("refused"), std::string::npos) << log_text();
}

TEST(Start, ResetsADeviceWhoseLastResetFailed) {
    static const rvl_driver *original;
    original = &driver_under_test();
    static int starts, resets;
    starts = resets = 0;
    rvl_driver broken = *original; // its first start and first reset fail
    broken.start = [](rvl_device *device) {
        return starts++ == 0 ? RVL_IO : original->start(device);
    };
    broken.reset = [](rvl_device *device) {
        return resets++ == 0 ? RVL_IO : original->reset(device);
    };
    const auto device = open_device(&broken);
    ASSERT_TRUE(device) << device.error().message;
    SKIP_UNLESS(((*device)->description().flags & RVL_DEVICE_RUNNING) == 0,
                "the firmware was started by others");
    EXPECT_FALSE((*device)->start());
    EXPECT_EQ(resets, 1) << "the half-started device was not reset";
    const auto again = (*device)->start();
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(resets, 2);
}

/// Submits a launch without a number, which is rejected with a log line.
void be_refused(Session &session) {
    rvl_slot slot = session.command({.kernel = Kernel::iota, .buffer = session.allocate(4)});
    slot.launch.launch = 0;
    session.submit({&slot, 1});
    const auto refused = session.await(slot.header.token);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->result, RVL_RESULT_INVALID);
}

TEST(Log, FirmwareLinesArrive) {
    Session session;
    EXPECT_NE(log_text().find("firmware:"), std::string::npos) << log_text();
    be_refused(session);
    EXPECT_NE(log_text().find("refused"), std::string::npos) << log_text();
}

TEST(Log, LinesComeBeforeTheCompletionsThatFollowThem) {
    SKIP_UNLESS(driver_under_test().map == nullptr, "memory is read without the driver");
    static const rvl_driver *original;
    original = &driver_under_test();
    rvl_driver slow = *original; // so that the device makes progress between two reads
    slow.read = [](rvl_device *device, uint64_t address, void *to, size_t bytes) {
        const auto status = original->read(device, address, to, bytes);
        std::this_thread::sleep_for(1ms);
        return status;
    };
    auto opened = open_device(&slow);
    ASSERT_TRUE(opened) << opened.error().message;
    Session session(std::move(*opened));
    for (int i = 0; i < 20; ++i) {
        clear_log();
        be_refused(session);
        ASSERT_NE(log_text().find("refused"), std::string::npos) << log_text();
    }
}

TEST(Clock, DeviceTimesLieBetweenSubmitAndCompletion) {
    const auto now = [] {
        return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    };
    // The clocks are correlated as precisely as the best ping at startup was; a millisecond is a
    // hundred times worse. On a busy machine all pings of one startup may be slow.
    constexpr uint64_t slack = 5'000'000;
    bool precise = false;
    for (int start = 0; start < 10 && !precise; ++start) {
        Session session;
        SKIP_UNLESS(!session.has(RVL_DEVICE_VIRTUAL_TIME), "device time follows instructions");
        const auto buffer = session.allocate(4096);
        precise = true;
        for (int i = 0; i < 20; ++i) {
            const uint64_t before = now();
            const auto done = session.run({.kernel = Kernel::iota, .groups = 64, .buffer = buffer});
            const uint64_t after = now();
            ASSERT_TRUE(done);
            EXPECT_LE(done->start, done->end);
            precise &= session->host_time(done->start) + slack >= before &&
                       session->host_time(done->end) <= after + slack;
        }
    }
    EXPECT_TRUE(precise) << "device times are more than 5 ms away from the host's";
}

} // namespace
} // namespace rivulet::hal::conformance
