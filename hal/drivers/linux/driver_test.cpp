// SPDX-License-Identifier: Apache-2.0
//
// The linux driver with files in place of sysfs and device nodes: what it writes where, and its
// messages about invalid settings. The test card.conformance runs it with firmware.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "hal/core/config.h"
#include "hal/core/drivers.h"
#include "hal/protocol/crash.h"
#include "hal/protocol/mailbox.h"
#include "hal/tests/scratch.h"

namespace rivulet::hal {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr uint64_t window_bytes = 1 << 20;
constexpr uint64_t base = 0x80000000;
constexpr uint64_t page = 4096;

/// Each test has a directory of its own, with a file for the window.
class LinuxDriver : public testing::Test {
protected:
    void SetUp() override {
        folder = test::scratch(testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder);
        write("window", std::string(window_bytes, '\0'));
    }

    std::string write(const std::string &name, const std::string &content) const {
        const auto path = folder + "/" + name;
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        std::ofstream(path) << content;
        return path;
    }
    [[nodiscard]] std::string read(const std::string &name) const {
        std::ifstream file(folder + "/" + name);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    [[nodiscard]] uint32_t word(const std::string &name, uint64_t offset) const {
        uint32_t value = 0;
        std::memcpy(&value, read(name).data() + offset, sizeof value);
        return value;
    }

    using Setting = std::pair<std::string, std::string>;
    Config config(std::initializer_list<Setting> settings) {
        Config config;
        config.set("driver", "linux");
        config.set("isa", "rv64imafdcv");
        config.set("board", "virt");
        config.set("doorbell.poll", "1ms");
        for (const auto &[key, value] : settings)
            config.set(key, value);
        return config;
    }
    Config plain(std::initializer_list<Setting> settings = {}) {
        auto result = config({{"window.file", folder + "/window"},
                              {"firmware.remoteproc", "remoteproc0"},
                              {"sysfs", folder},
                              {"mailbox", "0x80001000"}});
        write("class/remoteproc/remoteproc0/state", "offline\n");
        write("class/remoteproc/remoteproc0/firmware", "rproc\n");
        for (const auto &[key, value] : settings)
            result.set(key, value);
        return result;
    }
    Config uio(std::initializer_list<Setting> settings = {}) {
        write("uio3", std::string(3 * page, '\0'));
        write("class/uio/uio3/maps/map1/size", "0x1000\n");
        write("class/uio/uio3/maps/map2/size", "0x1000\n");
        auto result = plain({{"window.uio", "uio3"},
                             {"window.map", "1"},
                             {"dev", folder},
                             {"mailbox", "0x80000000"},
                             {"doorbell.ring.map", "2"},
                             {"doorbell.ring.offset", "8"},
                             {"doorbell.ring.value", "0x10007"}});
        Config without;
        for (const auto &entry : result.entries())
            if (const auto equals = entry.find('='); entry.substr(0, equals) != "window.file")
                without.set(entry.substr(0, equals), entry.substr(equals + 1));
        for (const auto &[key, value] : settings)
            without.set(key, value);
        return without;
    }
    static std::string failure(const Config &config) {
        const auto device = Device::open(config, {});
        return device ? "it opened" : device.error().message;
    }

    /// The driver's own table, bypassing the common code.
    struct Table {
        explicit Table(const Config &config, const rvl_host *host = nullptr)
            : driver(**find_driver(config)), settings(config) {
            rvl_device_desc description{};
            description.size = sizeof description;
            status = driver.open(&settings.get(), &description, host, &device);
        }
        ~Table() {
            if (device != nullptr)
                driver.close(device);
        }
        const rvl_driver &driver;
        DriverConfig settings;
        rvl_device *device = nullptr;
        rvl_status status = RVL_IO;
    };

    std::string folder;
};

TEST_F(LinuxDriver, ReadsSensors) {
    write("cpufreq/policy4/cpuinfo_max_freq", "1600000\n");
    write("cpufreq/policy4/scaling_max_freq", "1600000\n");
    write("cpufreq/policy4/scaling_cur_freq", "614400\n");
    write("hwmon1/temp1_input", "48500\n");
    const auto device = Device::open(plain({{"sensors.clock", "cpufreq/policy4"},
                                            {"sensors.temperature", "hwmon1/temp1_input"}}),
                                     {});
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ((*device)->description().clock_mhz, 1600u);
    auto now = (*device)->conditions();
    ASSERT_TRUE(now) << now.error().message;
    EXPECT_EQ(now->clock_mhz, 614u);
    EXPECT_EQ(now->millidegrees, 48500);
    EXPECT_EQ(now->millidegrees_limit, RVL_NO_TEMPERATURE);
    EXPECT_EQ(now->flags, 0u);

    write("cpufreq/policy4/scaling_max_freq", "1228800\n");
    write("hwmon1/temp1_max", "85000\n");
    now = (*device)->conditions();
    ASSERT_TRUE(now) << now.error().message;
    EXPECT_EQ(now->flags, uint32_t{RVL_CONDITION_THROTTLED});
    EXPECT_EQ(now->millidegrees_limit, 85000);

    std::filesystem::remove(folder + "/hwmon1/temp1_input");
    EXPECT_EQ((*device)->conditions().error().status, RVL_IO);
}

TEST_F(LinuxDriver, SetsTheClockThatTheHartsHave) {
    write("cpufreq/policy4/cpuinfo_max_freq", "1600000\n");
    write("cpufreq/policy4/cpuinfo_min_freq", "614400\n");
    write("cpufreq/policy4/scaling_max_freq", "1600000\n");
    const auto device = Device::open(plain({{"sensors.clock", "cpufreq/policy4"}}), {});
    ASSERT_TRUE(device) << device.error().message;
    const auto failure = [&](uint32_t mhz) {
        const auto set = (*device)->set_clock(mhz);
        return set ? "it is set" : set.error().message;
    };
    EXPECT_EQ(failure(1228), "it is set");
    EXPECT_EQ(read("cpufreq/policy4/scaling_max_freq"), "1228000");
    EXPECT_THAT(failure(613), HasSubstr("no clock of 613 MHz, only 614 to 1600 MHz"));
    EXPECT_THAT(failure(1601), HasSubstr("no clock of 1601 MHz, at most 1600 MHz"));
    EXPECT_THAT(failure(0), HasSubstr("no clock of 0 MHz"));
    EXPECT_EQ(read("cpufreq/policy4/scaling_max_freq"), "1228000");
    EXPECT_EQ(failure(614), "it is set"); // the least, though it has 614.4

    std::filesystem::remove(folder + "/cpufreq/policy4/scaling_max_freq");
    EXPECT_EQ((*device)->set_clock(1228).error().status, RVL_IO);
    EXPECT_THAT(failure(1228), HasSubstr("cannot write 1228000 to"));
    std::filesystem::remove(folder + "/cpufreq/policy4/cpuinfo_min_freq");
    EXPECT_THAT(failure(1228), HasSubstr("cpufreq/policy4/cpuinfo_min_freq"));
}

TEST_F(LinuxDriver, RefusesSensorsThatAreNotThere) {
    EXPECT_THAT(failure(plain({{"sensors.clock", "cpufreq/policy9"}})),
                HasSubstr("cpufreq/policy9/cpuinfo_max_freq"));
    write("words", "hot\n");
    EXPECT_THAT(failure(plain({{"sensors.temperature", "words"}})), HasSubstr("no number: hot"));
    const auto device = Device::open(plain(), {});
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ((*device)->conditions().error().status, RVL_UNSUPPORTED);
    EXPECT_EQ((*device)->set_clock(1000).error().status, RVL_UNSUPPORTED);
}

TEST_F(LinuxDriver, NameTellsDevicesOfOtherVectorLengthsApart) {
    const auto name_of = [&](const char *vlen) {
        const auto device = Device::open(plain({{"vlen", vlen}}), {});
        return device ? std::string((*device)->description().name) : device.error().message;
    };
    EXPECT_EQ(name_of("256"), "linux virt rv64-v256");
    EXPECT_EQ(name_of("512"), "linux virt rv64-v512");
}

TEST_F(LinuxDriver, PciFunctionsTellWhereTheyAre) {
    write("bus/pci/devices/0001:3a:1f.7/config", std::string("\0\0\0\0\2\0", 6));
    write("bus/pci/devices/0001:3a:1f.7/resource2", std::string(window_bytes, '\0'));
    write("class/remoteproc/remoteproc0/state", "offline\n");
    write("class/remoteproc/remoteproc0/firmware", "rproc\n");
    const auto device = Device::open(config({{"window.pci", "0001:3a:1f.7"},
                                             {"window.bar", "2"},
                                             {"firmware.remoteproc", "remoteproc0"},
                                             {"sysfs", folder},
                                             {"mailbox", "0x80001000"}}),
                                     {});
    ASSERT_TRUE(device) << device.error().message;
    const rvl_device_desc &found = (*device)->description();
    EXPECT_TRUE(found.flags & RVL_DEVICE_PCI);
    EXPECT_EQ(found.pci_domain, 1u);
    EXPECT_EQ(found.pci_bus, 0x3au);
    EXPECT_EQ(found.pci_device, 0x1fu);
    EXPECT_EQ(found.pci_function, 7u);
    const auto other = Device::open(plain(), {});
    ASSERT_TRUE(other);
    EXPECT_FALSE((*other)->description().flags & RVL_DEVICE_PCI);
}

TEST_F(LinuxDriver, FileIsTheWindow) {
    const auto config = plain({{"window.offset", "64K"}, {"window.bytes", "128K"}});
    {
        const auto device = Device::open(config, {});
        ASSERT_TRUE(device) << device.error().message;
        EXPECT_EQ((*device)->description().memory_bytes, 128u << 10);
        EXPECT_EQ((*device)->description().memory_base, base);
    }
    // Odd addresses and lengths; the neighbouring bytes must not change.
    const Table table(config);
    ASSERT_EQ(table.status, RVL_OK);
    const std::string text = "seventeen letters";
    ASSERT_EQ(table.driver.write(table.device, base + 3, text.data(), text.size()), RVL_OK);
    EXPECT_EQ(read("window").substr((64 << 10) + 2, text.size() + 2),
              std::string(1, '\0') + text + std::string(1, '\0'));
}

// Of a file, not of what may have registers.
TEST_F(LinuxDriver, MemoryFileOfAPlainFileIsNotLocked) {
    const auto settings = plain({{"window.offset", "64K"}});
    int descriptor = -1;
    uint64_t offset = 0;
    {
        const Table table(settings);
        ASSERT_EQ(table.driver.memory_file(table.device, &descriptor, &offset), RVL_OK);
        EXPECT_EQ(offset, 64u << 10);
        const char byte = 'x';
        ASSERT_EQ(pwrite(descriptor, &byte, 1, static_cast<off_t>(offset + 5)), 1);
        char back = 0;
        ASSERT_EQ(table.driver.read(table.device, base + 5, &back, 1), RVL_OK);
        EXPECT_EQ(back, 'x');
    }
    EXPECT_EQ(failure(settings), "it opened"); // though the file is open elsewhere
    ::close(descriptor);
    const Table table(uio());
    ASSERT_EQ(table.status, RVL_OK);
    EXPECT_EQ(table.driver.memory_file(table.device, &descriptor, &offset), RVL_UNSUPPORTED);
}

TEST_F(LinuxDriver, CopiesInWordsAtAnyAlignment) {
    const Table table(plain());
    ASSERT_EQ(table.status, RVL_OK);
    std::string all(64, ' ');
    for (size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<char>('0' + i);
    for (uint64_t at = 0; at < 9; ++at)
        for (size_t bytes = 0; bytes < 40; ++bytes) {
            ASSERT_EQ(table.driver.write(table.device, base + at, all.data(), bytes), RVL_OK);
            std::string back(bytes, ' ');
            ASSERT_EQ(table.driver.read(table.device, base + at, back.data(), bytes), RVL_OK);
            ASSERT_EQ(back, all.substr(0, bytes)) << at << " " << bytes;
        }
}

TEST_F(LinuxDriver, RingIsAStoreToARegisterOfUio) {
    const Table table(uio());
    ASSERT_EQ(table.status, RVL_OK);
    EXPECT_EQ(word("uio3", 2 * page + 8), 0u);
    table.driver.ring(table.device, 1);
    EXPECT_EQ(word("uio3", 2 * page + 8), 0x10007u);
    const uint32_t value = 42; // map 1 is at page 1 of the node
    table.driver.write(table.device, base + 4, &value, sizeof value);
    EXPECT_EQ(word("uio3", page + 4), 42u);
}

TEST_F(LinuxDriver, MapsOfUioMayBeginWithinAPage) {
    const auto settings = uio();
    write("class/uio/uio3/maps/map1/offset", "0x0\n");
    write("class/uio/uio3/maps/map2/offset", "0x140\n");
    {
        const Table table(settings);
        ASSERT_EQ(table.status, RVL_OK);
        table.driver.ring(table.device, 1);
    }
    EXPECT_EQ(word("uio3", 2 * page + 0x148), 0x10007u);
    EXPECT_EQ(word("uio3", 2 * page + 8), 0u);
    write("class/uio/uio3/maps/map2/offset", "0x1000\n");
    EXPECT_THAT(failure(settings), HasSubstr("the offset of map 2 is 0x1000"));
}

TEST_F(LinuxDriver, RemoteprocIsGivenItsFirmwareAndStarted) {
    const Table table(plain({{"firmware.name", "acme.elf"}}));
    ASSERT_EQ(table.status, RVL_OK);
    ASSERT_EQ(table.driver.start(table.device), RVL_OK);
    EXPECT_EQ(read("class/remoteproc/remoteproc0/firmware"), "acme.elf");
    EXPECT_EQ(read("class/remoteproc/remoteproc0/state"), "start");
    ASSERT_EQ(table.driver.reset(table.device), RVL_OK);
    EXPECT_EQ(read("class/remoteproc/remoteproc0/state"), "stop");
}

TEST_F(LinuxDriver, PollingEndsAWaitEarly) {
    const Table table(plain());
    ASSERT_EQ(table.status, RVL_OK);
    EXPECT_EQ(table.driver.wait(table.device, 3'600'000'000'000), RVL_OK);
    EXPECT_EQ(table.driver.wait(table.device, 1), RVL_TIMEOUT);
}

TEST_F(LinuxDriver, SecondProcessHearsWhoHasTheDevice) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const auto path = folder + "/window";
    const auto child = fork();
    if (child == 0) {
        const int file = open(path.c_str(), O_RDWR);
        const bool locked = flock(file, LOCK_EX) == 0;
        static_cast<void>(!::write(ready[1], &locked, 1));
        pause();
        _exit(0);
    }
    ASSERT_GE(child, 0);
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_THAT(failure(plain()),
                AllOf(HasSubstr("in use by process " + std::to_string(child)), HasSubstr(path)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_EQ(failure(plain()), "it opened");
}

/// A device with running firmware, according to a mailbox in the file.
class RunningFirmware : public LinuxDriver {
protected:
    Config device(const std::string &window = "window") {
        return config({{"window.file", folder + "/" + window},
                       {"firmware.running", "true"},
                       {"mailbox", "0x80000000"}});
    }
    static rvl_hello hello_of(const char *board) {
        rvl_hello hello{};
        hello.magic = RVL_MAILBOX_MAGIC;
        hello.bytes = sizeof hello;
        hello.state = RVL_STATE_RUNNING;
        hello.harts = 1;
        hello.xlen = 64;
        std::strcpy(hello.board, board);
        return hello;
    }
    void boot(const std::string &window, const char *board) { boot(window, hello_of(board)); }
    void boot(const std::string &window, const rvl_hello &hello) {
        std::string content(window_bytes, '\0');
        std::memcpy(content.data(), &hello, sizeof hello);
        write(window, content);
    }
};

TEST_F(RunningFirmware, SaysNothingThatATerminalObeys) {
    boot("window", "vi\x1b[31mrt");
    const auto opened = Device::open(device(), {});
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_STREQ((*opened)->description().board, "vi?[31mrt");
}

TEST_F(RunningFirmware, IsWaitedForOnceForAllDevices) {
    constexpr int devices = 4;
    using Clock = std::chrono::steady_clock;
    const auto before = Clock::now();
    for (int i = 0; i < devices; ++i) {
        write("dead", std::string(window_bytes, '\0'));
        EXPECT_THAT(failure(device("dead")), HasSubstr("no firmware runs"));
    }
    // The timeout for one device is 10 s.
    EXPECT_LT(Clock::now() - before, std::chrono::seconds(10 * devices - 5));
    boot("alive", "virt");
    EXPECT_EQ(failure(device("alive")), "it opened");
}

// It failed when a host had just attached, and hung then.
TEST_F(RunningFirmware, IsFoundThoughItFailedBeforeItServed) {
    using Clock = std::chrono::steady_clock;
    rvl_hello hello = hello_of("virt");
    hello.state = RVL_STATE_BOOTING;
    hello.crash = 0x80000000 + sizeof(rvl_mailbox);
    std::string content(window_bytes, '\0');
    std::memcpy(content.data(), &hello, sizeof hello);
    const uint32_t magic = RVL_CRASH_MAGIC;
    std::memcpy(&content[sizeof(rvl_mailbox)], &magic, sizeof magic);
    write("window", content);
    const auto before = Clock::now();
    EXPECT_EQ(failure(device()), "it opened");
    EXPECT_LT(Clock::now() - before, std::chrono::seconds(10)) << "as long as for one that boots";
}

// The former host named a scratchpad of 512 KiB for each hart. This one doesn't.
TEST_F(RunningFirmware, LocalMemoryIsNotThatOfTheFormerHost) {
    rvl_hello hello = hello_of("virt");
    hello.local_memory_bytes = 512 << 10;
    hello.least_local_memory_bytes = 16 << 10;
    const auto size = [&] {
        boot("window", hello);
        const auto opened = Device::open(device(), {});
        return opened ? (*opened)->promised_local_memory() : 0;
    };
    EXPECT_EQ(size(), 16u << 10);
    hello.state = RVL_STATE_DETACHED;
    EXPECT_EQ(size(), 16u << 10);
    // Older firmware has 64 KiB or more, and something else behind its hello.
    hello.bytes = offsetof(rvl_hello, least_local_memory_bytes);
    EXPECT_EQ(size(), 64u << 10);
    hello.bytes = RVL_HELLO_LEAST_BYTES;
    std::strcpy(hello.core, "nonsense");
    EXPECT_EQ(size(), 64u << 10);
    EXPECT_STREQ((*Device::open(device(), {}))->description().core, "");
}

// The mailbox counts the wake-ups of 64 harts. The statistics count those of the others, so the
// host must not use them before it has checked where they are.
TEST_F(RunningFirmware, OfManyHartsHasTheirStatistics) {
    rvl_hello hello = hello_of("virt");
    hello.harts = RVL_MASK_HARTS + 1;
    hello.timebase = 10'000'000;
    for (const uint64_t statistics : {0, 1}) {
        hello.statistics = statistics;
        hello.crash = statistics;
        boot("window", hello);
        auto opened = Device::open(device(), {});
        ASSERT_TRUE(opened) << opened.error().message;
        const auto started = (*opened)->start();
        ASSERT_FALSE(started);
        EXPECT_THAT(started.error().message, HasSubstr("no statistics of its harts"));
    }
}

/// A window whose file becomes shorter while it is open.
class LostWindow : public LinuxDriver {
protected:
    void SetUp() override {
        LinuxDriver::SetUp();
        host.died = [](void *test, const char *reason) {
            static_cast<LostWindow *>(test)->reason = reason;
        };
    }
    rvl_host host{.size = sizeof host,
                  .user = this,
                  .log = [](void *test, int,
                            const char *text) { static_cast<LostWindow *>(test)->log = text; },
                  .died = nullptr};
    std::string log, reason;
};

TEST_F(LostWindow, IsALostDeviceAndNoSignal) {
    const Table table(plain(), &host);
    ASSERT_EQ(table.status, RVL_OK);
    void *mapped = nullptr;
    ASSERT_EQ(table.driver.map(table.device, base, window_bytes, &mapped), RVL_OK);
    std::filesystem::resize_file(folder + "/window", 0);
    uint32_t word = 1;
    EXPECT_EQ(table.driver.read(table.device, base + page, &word, sizeof word), RVL_DEAD);
    EXPECT_EQ(table.driver.write(table.device, base, &word, sizeof word), RVL_DEAD);
    EXPECT_THAT(log, AllOf(HasSubstr(folder + "/window"), HasSubstr("no longer fully accessible")));
    EXPECT_EQ(static_cast<volatile char *>(mapped)[window_bytes - 1], 0);
    EXPECT_EQ(table.driver.wait(table.device, 3'600'000'000'000), RVL_DEAD);
    EXPECT_THAT(reason, HasSubstr("no longer fully accessible"));
    EXPECT_EQ(table.driver.wait(table.device, 3'600'000'000'000), RVL_DEAD);
}

TEST_F(LostWindow, IsAnErrorOfTheNextStartUntilItIsThereAgain) {
    const Table table(plain(), &host);
    ASSERT_EQ(table.status, RVL_OK);
    std::filesystem::resize_file(folder + "/window", 0);
    uint32_t word = 1;
    ASSERT_EQ(table.driver.read(table.device, base, &word, sizeof word), RVL_DEAD);
    std::filesystem::resize_file(folder + "/window", window_bytes - page);
    EXPECT_NE(table.driver.reset(table.device), RVL_OK);
    EXPECT_THAT(log, HasSubstr("less than when it was opened"));
    EXPECT_NE(table.driver.start(table.device), RVL_OK);
    write("window", std::string(window_bytes, 'x'));
    EXPECT_EQ(table.driver.reset(table.device), RVL_OK);
    EXPECT_EQ(table.driver.read(table.device, base, &word, sizeof word), RVL_OK);
    EXPECT_EQ(word, 0x78787878u);
    EXPECT_EQ(table.driver.wait(table.device, 1), RVL_TIMEOUT);
}

TEST_F(LostWindow, LeavesOtherBusErrorsToTheApplication) {
    const Table table(plain());
    ASSERT_EQ(table.status, RVL_OK);
    const auto other = write("other", std::string(page, '\0'));
    EXPECT_EXIT(raise(SIGBUS), testing::KilledBySignal(SIGBUS), "");
    EXPECT_EXIT(
        {
            const int file = open(other.c_str(), O_RDWR);
            void *mapped = mmap(nullptr, page, PROT_READ, MAP_SHARED, file, 0);
            std::filesystem::resize_file(other, 0);
            std::exit(*static_cast<volatile char *>(mapped));
        },
        testing::KilledBySignal(SIGBUS), "");
}

void end_with_7(int) { _exit(7); }
void end_with_8(int, siginfo_t *, void *) { _exit(8); }

TEST_F(LostWindow, LeavesTheApplicationItsHandler) {
    GTEST_FLAG_SET(death_test_style, "threadsafe"); // so that no window is open before the handler
                                                    // is set
    const auto other = write("other", std::string(page, '\0'));
    const auto lose_other = [&](int flags) {
        struct sigaction action{};
        action.sa_flags = flags;
        if (flags == SA_SIGINFO)
            action.sa_sigaction = end_with_8;
        else
            action.sa_handler = end_with_7;
        sigaction(SIGBUS, &action, nullptr);
        const Table table(plain());
        const int file = open(other.c_str(), O_RDWR);
        void *mapped = mmap(nullptr, page, PROT_READ, MAP_SHARED, file, 0);
        std::filesystem::resize_file(other, 0);
        std::exit(table.status + *static_cast<volatile char *>(mapped));
    };
    EXPECT_EXIT(lose_other(0), testing::ExitedWithCode(7), "");
    EXPECT_EXIT(lose_other(SA_SIGINFO), testing::ExitedWithCode(8), "");
}

TEST_F(LinuxDriver, SettingsThatMakeNoSenseAreNamed) {
    const auto is = [&](std::initializer_list<Setting> settings, const char *what) {
        EXPECT_THAT(failure(plain(settings)), HasSubstr(what));
    };
    is({{"window.uio", "uio0"}}, "a window is of one kind");
    is({{"window.ofset", "0"}}, "did you mean \"window.offset\"?");
    is({{"window.offset", "7"}}, "whole pages");
    is({{"window.offset", "1M"}, {"window.bytes", "4K"}}, "less than");
    is({{"window.bytes", "0xfffffffffffff000"}}, "less than");
    is({{"window.bytes", "many"}}, "not a number");
    const auto absent = test::scratch("absent");
    is({{"window.file", absent}}, absent.c_str());
    is({{"doorbell.poll", "50"}}, "50us");
    is({{"doorbell.poll", ""}}, "no interrupt");
    is({{"doorbell.ring.value", "1"}}, "has no registers");
    is({{"doorbell.ring.offset", "8"}}, "no value to write");
    is({{"coherent", "perhaps"}}, "true or false");
    is({{"isa", ""}}, "isa = ");
    is({{"isa", "rv64gc_zve64dd"}}, "did you mean 'zve64d'?");
    is({{"isa", "armv8"}}, "neither rv32 nor rv64");
    is({{"mailbox", "0"}}, "is not in the window");
    is({{"mailbox", "0x800ff801"}}, "is not in the window");
    is({{"xlen", "48"}}, "32 or 64");
    is({{"firmware.running", "true"}}, "exclude");
    is({{"firmware.remoteproc", "remoteproc9"}}, "is the device bound");
    is({{"firmware.remoteproc", ""}}, "needs a register");
    EXPECT_THAT(failure(config({})), HasSubstr("needs a window"));
    EXPECT_THAT(failure(uio({{"doorbell.ring.offset", "0x1000"}})),
                HasSubstr("not a 32-bit register"));
    EXPECT_THAT(failure(uio({{"doorbell.ring.offset", "2"}})), HasSubstr("not a 32-bit register"));
    EXPECT_THAT(failure(uio({{"window.map", "4"}})), HasSubstr("no map 4"));
    EXPECT_THAT(failure(config({{"window.vfio", "0000:99:00.0"}})), HasSubstr("IOMMU group"));
    EXPECT_THAT(failure(config({{"window.heap", "/dev/dma_heap/x"}, {"window.bytes", "4K"}})),
                HasSubstr("/dev/dma_heap/x"));
    EXPECT_THAT(failure(config({{"window.ivshmem", folder + "/none"}})),
                HasSubstr("rivulet card --socket"));
}

} // namespace
} // namespace rivulet::hal
