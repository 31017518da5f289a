// SPDX-License-Identifier: Apache-2.0
//
// Firmware that fails, hangs or is killed: what the host is told, and that the device can be
// restarted.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "base/file_descriptor.h"
#include "device-firmware/tests/device_fixture.h"
#include "hal/protocol/crash.h"
#include "hal/tests/driver_processes.h"

namespace rivulet::firmware {
namespace {

class Firmware : public Device {
protected:
    void inject(rvl_injection kind) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_BASE, RVL_BASE_INJECT, 0, sizeof(rvl_inject), 0};
        slot.inject.kind = kind;
        submit(slot);
    }
    std::string death() {
        for (;;) {
            const auto slots = device->completions(std::chrono::seconds(20));
            if (!slots)
                return slots.error().message;
            if (slots->empty())
                return "it lives";
        }
    }
    /// `reason` is a regular expression.
    void expect_report(rvl_injection kind, const std::string &reason) {
        SCOPED_TRACE(reason);
        errors.clear();
        rvl_slot spinning = command({.kernel = spin, .groups = 64, .p = out, .harts = ~1ull});
        if (device->hello().harts > 1)
            submit(spinning);
        inject(kind);
        EXPECT_THAT(death(), testing::ContainsRegex(reason));
        EXPECT_EQ(device->state(), RVL_STATE_CRASHED);
        EXPECT_THAT(errors, testing::ContainsRegex(reason));
        EXPECT_THAT(errors, testing::ContainsRegex("on hart [0-9]+ .mhartid"));
        EXPECT_THAT(errors, testing::ContainsRegex("pc=0x[1-9a-f][0-9a-f]{2,} mcause=0x"));
        EXPECT_THAT(errors, testing::ContainsRegex("callers [^\n]* 0x[1-9a-f]"));
        EXPECT_THAT(errors, testing::HasSubstr("MiB of heap")); // of its first line
        begin();
        EXPECT_EQ(device->state(), RVL_STATE_RUNNING);
        EXPECT_EQ(run({.kernel = count_groups, .groups = 8, .p = out}).result, RVL_RESULT_OK);
    }
};

TEST_F(Firmware, LeavesAReportWhenItFailsAndCanBeStartedAnew) {
    EXPECT_EQ(device->restarts(), 0u);
    expect_report(RVL_INJECT_TRAP, "firmware trap: [ms]cause 0x2,");
    expect_report(RVL_INJECT_ASSERT, "assertion failed in panic.c");
    expect_report(RVL_INJECT_OVERRUN, "an array on the stack was overrun");
    EXPECT_EQ(device->restarts(), 3u);
}

/// On a board with a copy engine that can't be stopped while it copies 48 bytes.
class StuckEngine : public Firmware {
protected:
    void expect_report_while_copying(uint64_t bytes, const testing::Matcher<std::string> &report) {
        errors.clear();
        submit(command({.kernel = copy_and_spin, .p = out, .q = bytes, .harts = 1}));
        wait_until_running();
        inject(RVL_INJECT_TRAP);
        EXPECT_THAT(death(), testing::ContainsRegex("firmware trap: mcause 0x2,"));
        EXPECT_THAT(errors, report);
        begin();
        EXPECT_EQ(device->state(), RVL_STATE_RUNNING);
    }
};

TEST_F(StuckEngine, IsStoppedOrReportedWhenTheFirmwareFails) {
    expect_report_while_copying(64, testing::Not(testing::HasSubstr("copy engine")));
    expect_report_while_copying(
        48, testing::HasSubstr("can't stop channel 0 of the copy engine at 0x10200000 "
                               "(rivulet,stuck-copy-model); it may write to any memory"));
}

TEST_F(StuckEngine, IsFatalWhenItsKernelIsKilled) {
    const rvl_slot slot = command({.kernel = copy_and_spin, .p = out, .q = 48, .harts = 1});
    submit(slot);
    wait_until_running();
    kill(slot.launch.launch);
    EXPECT_THAT(death(), testing::HasSubstr("can't stop channel 0 of the copy engine"));
    begin();
    EXPECT_EQ(run({.kernel = count_groups, .groups = 8, .p = out}).result, RVL_RESULT_OK);
}

// The kernel stays where it is, and the engine must not go on without it.
TEST_F(StuckEngine, IsFatalWhenItsHartTurnsToAHigherPriority) {
    submit(command({.kernel = copy_and_spin, .p = out, .q = 48, .harts = 1}));
    wait_until_running();
    submit(command({.kernel = count_groups,
                    .groups = 8,
                    .p = out,
                    .stream = 2,
                    .harts = 1,
                    .priority = RVL_FLAG_HIGH}));
    EXPECT_THAT(death(), testing::HasSubstr("can't stop channel 0 of the copy engine"));
    begin();
    EXPECT_EQ(run({.kernel = count_groups, .groups = 8, .p = out}).result, RVL_RESULT_OK);
}

// A bus that doesn't answer. The report was there before.
TEST_F(StuckEngine, LeavesTheReportOfAHartThatHangsInIt) {
    auto config = hal::Config::from_environment().front();
    config.set("deadline", "2");
    start(config);
    errors.clear();
    submit(command({.kernel = copy_and_spin, .p = out, .q = 40, .harts = 1}));
    wait_until_running();
    inject(RVL_INJECT_TRAP);
    EXPECT_THAT(death(),
                testing::ContainsRegex("no sign of life for 2 s.*firmware trap: mcause 0x2,"));
    EXPECT_THAT(errors, testing::ContainsRegex("on hart [0-9]+ .mhartid"));
    EXPECT_THAT(errors, testing::ContainsRegex("pc=0x[1-9a-f][0-9a-f]{2,} mcause=0x2"));
    begin();
    EXPECT_EQ(run({.kernel = count_groups, .groups = 8, .p = out}).result, RVL_RESULT_OK);
}

/// On the same board, whose firmware has started without a host, and goes on without one.
class Attached : public Firmware {
protected:
    void expect_report_for_the_next_host() {
        inject(RVL_INJECT_TRAP);
        while (value<uint32_t>(device->hello().crash) != RVL_CRASH_MAGIC)
            std::this_thread::yield();
        const std::unique_ptr<hal::Device> vanished = std::move(device);
        errors.clear();
        const auto begin = std::chrono::steady_clock::now();
        start(hal::Config::from_environment().front());
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
        EXPECT_THAT(errors, testing::ContainsRegex("failed on hart [0-9]+ .mhartid [0-9]+.: "
                                                   "firmware trap: mcause 0x2,"));
        const std::string report = "the firmware failed on hart";
        EXPECT_EQ(errors.find(report), errors.rfind(report)) << errors;
        EXPECT_EQ(run({.kernel = count_groups, .groups = 8, .p = out}).result, RVL_RESULT_OK);
    }
};

TEST_F(Attached, FindsTheReportOfFirmwareThatFailedBefore) { expect_report_for_the_next_host(); }

// Its state is not that of failed firmware.
TEST_F(Attached, FindsTheReportOfFirmwareThatHungWhenItFailed) {
    clear(out); // a test before may have left something there
    submit(command({.kernel = copy_and_spin, .p = out, .q = 40, .harts = 1}));
    wait_until_running();
    expect_report_for_the_next_host();
}

/// On a board with a unit that doesn't stop what its functions `stuck` and `failing` begin.
class StuckUnit : public Firmware {
protected:
    enum Function : uint64_t {
        obedient,
        stuck,
        failing,
        dead,
        stops_clock,
        kills_clock,
        late,
        kills_interrupts,
        interrupted,
    };

    uint32_t start_unit(Function function) {
        clear(out);
        rvl_slot slot = command({.kernel = count_groups, .p = out});
        slot.header.service = RVL_LAUNCH_UNIT;
        slot.launch.hart_mask = 0x4b435453;
        auto record = value<rvl_launch_record>(slot.launch.record);
        record.kernel = function;
        EXPECT_TRUE(device->write(slot.launch.record, std::as_bytes(std::span(&record, 1))));
        submit(slot);
        wait_until_running();
        return slot.launch.launch;
    }
    /// Device memory that can be read after the device's death.
    volatile const uint32_t *word_at(uint64_t address) {
        return reinterpret_cast<const uint32_t *>(device->map(address, sizeof(uint32_t)));
    }
    /// Starts a kernel on hart 1 that adds to *p for ever.
    volatile const uint32_t &start_counting(Task task) {
        task.p = allocate(RVL_PAGE_BYTES);
        task.stream = 2;
        task.harts = 2;
        clear(task.p);
        submit(command(task));
        volatile const uint32_t &count = *word_at(task.p);
        while (count == 0)
            std::this_thread::yield();
        return count;
    }
    static void expect_end_of(volatile const uint32_t &count) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        for (uint32_t before = count + 1; before != count;) {
            ASSERT_LT(std::chrono::steady_clock::now(), end) << "it goes on";
            before = count;
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
        }
    }
    void expect_restart() {
        begin();
        EXPECT_EQ(run({.kernel = count_groups, .groups = 8, .p = out}).result, RVL_RESULT_OK);
    }
    static constexpr const char *report = "can't stop unit 0x4b435453; it may write to any memory";
};

TEST_F(StuckUnit, IsStoppedOrReportedWhenTheFirmwareFails) {
    for (const bool stops : {true, false}) {
        errors.clear();
        start_unit(stops ? obedient : stuck);
        inject(RVL_INJECT_TRAP);
        EXPECT_THAT(death(), testing::ContainsRegex("firmware trap: mcause 0x2,"));
        EXPECT_EQ(errors.find(report) == errors.npos, stops) << errors;
        expect_restart();
    }
}

TEST_F(StuckUnit, IsReportedWithTheTrapInItsDriver) {
    start_unit(dead);
    inject(RVL_INJECT_TRAP);
    EXPECT_THAT(death(), testing::ContainsRegex("firmware trap: mcause 0x2,"));
    EXPECT_THAT(errors, testing::ContainsRegex("can't stop unit 0x4b435453: mcause 0x5, "
                                               "mepc 0x80[0-9a-f]+, mtval 0x10200000; it may"));
    expect_restart();
    kill(start_unit(dead));
    EXPECT_THAT(death(), testing::ContainsRegex("can't stop unit 0x4b435453: mcause 0x5, "));
    expect_restart();
}

// It takes 0.1 s on a machine where 2^24 looks at the clock take more than 17 s.
TEST_F(StuckUnit, IsGivenUpThoughTheClockStandsStill) {
    start_unit(stops_clock);
    const auto begin = std::chrono::steady_clock::now();
    inject(RVL_INJECT_TRAP);
    EXPECT_THAT(death(), testing::ContainsRegex("firmware trap: mcause 0x2,"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8));
    EXPECT_THAT(errors, testing::HasSubstr(report));
    expect_restart();
}

// A kernel without a time limit ends only by an interrupt of the hart that fails.
TEST_F(StuckUnit, EndsKernelsOnOtherHartsThoughItKillsTheClock) {
    ASSERT_GE(device->hello().harts, 3u)
        << "hart 0 looks at the clock, and the last one has the unit";
    const auto &count = start_counting({.kernel = count_groups, .groups = 1u << 30});
    start_unit(kills_clock);
    EXPECT_THAT(death(), testing::ContainsRegex("firmware trap: mcause 0x5,"));
    expect_end_of(count);
    expect_restart();
}

TEST_F(StuckUnit, IsStoppedByItsHartIfItBeginsAfterTheFirmwareHasFailed) {
    volatile const auto *word = word_at(out);
    ASSERT_NE(word, nullptr);
    start_unit(late);
    inject(RVL_INJECT_TRAP);
    EXPECT_THAT(death(), testing::ContainsRegex("firmware trap: mcause 0x2,"));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (*word != 3 && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    EXPECT_EQ(*word, 3u) << "2: it works";
    expect_restart();
}

TEST_F(StuckUnit, IsFatalWhenItsLaunchIsKilled) {
    kill(start_unit(obedient));
    EXPECT_EQ(completion().result, RVL_RESULT_KILLED);
    kill(start_unit(stuck));
    EXPECT_THAT(death(), testing::HasSubstr(report));
    expect_restart();
}

// It may have failed because it is late.
TEST_F(StuckUnit, IsFatalWhenItsLaunchHasFailed) {
    start_unit(failing);
    EXPECT_THAT(death(), testing::HasSubstr(report));
    expect_restart();
}

/// The same board, on harts with non-maskable interrupts.
class NonMaskable : public StuckUnit {
protected:
    /// By QEMU's socket for tests.
    static void interrupt(uint32_t hart) {
        const FileDescriptor test(socket(AF_UNIX, SOCK_STREAM, 0));
        sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
        std::strncpy(address.sun_path, std::getenv("RIVULET_TEST_QTEST"),
                     sizeof address.sun_path - 1);
        ASSERT_EQ(connect(test.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address),
                  0);
        const auto command =
            "set_irq_in /machine/soc0/harts[" + std::to_string(hart) + "] riscv.cpu.rnmi 0 1\n";
        ASSERT_EQ(write(test.get(), command.data(), command.size()),
                  static_cast<ssize_t>(command.size()));
        char answer[3];
        ASSERT_EQ(read(test.get(), answer, sizeof answer), 3);
        EXPECT_EQ(std::string(answer, 2), "OK");
    }
};

// The kernel's sp must not make its hart look like the one that has failed.
TEST_F(NonMaskable, InterruptOfAKernelWithThePanicStackEndsItsHart) {
    ASSERT_GE(device->hello().harts, 3u);
    volatile const auto &stopped = *word_at(device->hello().crash_harts + sizeof(rvl_crash_hart) +
                                            offsetof(rvl_crash_hart, stopped));
    const auto &count =
        start_counting({.kernel = count_with_stack,
                        .q = std::strtoull(std::getenv("RIVULET_TEST_PANIC_STACK"), nullptr, 16)});
    start_unit(kills_interrupts);
    inject(RVL_INJECT_TRAP);
    EXPECT_THAT(death(), testing::ContainsRegex("firmware trap: mcause 0x2,"));
    const uint32_t before = count;
    while (count == before) // nothing has stopped it
        std::this_thread::yield();
    interrupt(1);
    expect_end_of(count);
    EXPECT_EQ(stopped, 0u) << "the hart went on in the firmware";
    expect_restart();
}

// The interrupt comes once; the firmware makes further attempts before it gives the driver up.
TEST_F(NonMaskable, InterruptOfADriverThatStopsItsUnitIsReportedWithItsCause) {
    volatile const auto *word = word_at(out);
    ASSERT_NE(word, nullptr);
    start_unit(interrupted);
    inject(RVL_INJECT_TRAP);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (*word < 2 && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    ASSERT_GE(*word, 2u) << "the unit was not told to stop";
    interrupt(*word - 2);
    EXPECT_THAT(death(), testing::ContainsRegex("firmware trap: mcause 0x2,"));
    EXPECT_THAT(errors,
                testing::ContainsRegex("can't stop unit 0x4b435453: mcause 0x8000000000000000, "
                                       "mepc 0x80[0-9a-f]+, mtval 0x0; it may"));
    expect_restart();
}

TEST_F(Firmware, StackThatOverflowsHitsItsGuard) {
    expect_report(RVL_INJECT_STACK_OVERFLOW, "its stack has overflowed");
}

TEST_F(Firmware, ThatHangsIsFoundDead) {
    if (device->description().flags & RVL_DEVICE_VIRTUAL_TIME)
        GTEST_SKIP() << "no heartbeat where time follows instructions";
    auto config = hal::Config::from_environment().front();
    config.set("deadline", "2");
    start(config);
    inject(RVL_INJECT_HANG);
    EXPECT_THAT(death(), testing::HasSubstr("no sign of life for 2 s"));
    begin();
    EXPECT_EQ(run({.kernel = count_groups, .groups = 8, .p = out}).result, RVL_RESULT_OK);
}

// No thread waits for completions while caches are maintained, so the thread that waits for the
// maintenance has to detect the hang.
TEST_F(Firmware, ThatHangsWhileItsCachesAreMaintainedLeavesACoreFile) {
    if (device->description().flags & RVL_DEVICE_VIRTUAL_TIME)
        GTEST_SKIP() << "no heartbeat where time follows instructions";
    std::string folder = std::filesystem::temp_directory_path() / "rivulet-crash-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    setenv("RIVULET_CRASH_DUMP", folder.c_str(), 1);
    auto config = hal::Config::from_environment().front();
    config.set("deadline", "2");
    config.set("coherent", "no");
    start(config);
    inject(RVL_INJECT_HANG);
    const auto synced = device->sync(out, 64, RVL_SYNC_FROM_DEVICE);
    unsetenv("RIVULET_CRASH_DUMP");
    ASSERT_FALSE(synced);
    EXPECT_THAT(synced.error().message, testing::HasSubstr("no longer maintains its caches"));
    std::vector<std::string> files;
    for (const auto &file : std::filesystem::directory_iterator(folder))
        files.push_back(file.path().extension());
    EXPECT_THAT(files, testing::ElementsAre(".core"));
    std::filesystem::remove_all(folder);
    begin();
    EXPECT_EQ(run({.kernel = count_groups, .groups = 8, .p = out}).result, RVL_RESULT_OK);
}

TEST_F(Firmware, HeartBeatsWhateverKernelsDo) {
    if (device->description().flags & RVL_DEVICE_VIRTUAL_TIME)
        GTEST_SKIP() << "no heartbeat where time follows instructions";
    auto config = hal::Config::from_environment().front();
    config.set("deadline", "4"); // a beat every 500 ms
    start(config);
    const uint64_t heartbeat =
        device->hello().command_ring - sizeof(rvl_mailbox) + offsetof(rvl_mailbox, heartbeat);
    const auto wait_for_beats = [&] {
        const auto first = value<rvl_heartbeat>(heartbeat);
        rvl_heartbeat now;
        do {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            now = value<rvl_heartbeat>(heartbeat);
        } while (now.count < first.count + 3);
        EXPECT_GT(now.time, first.time);
    };
    wait_for_beats(); // asleep
    rvl_slot slot = command({.kernel = spin, .groups = 64, .p = out});
    submit(slot);
    wait_until_running();
    wait_for_beats();
    kill(slot.launch.launch);
    EXPECT_EQ(completion().result, RVL_RESULT_KILLED);
}

TEST_F(Firmware, CountsWhatItsHartsDo) {
    const auto sum = [&] {
        rvl_hart_statistics all{};
        const auto harts = device->statistics();
        EXPECT_TRUE(harts);
        for (const rvl_hart_statistics &hart : *harts) {
            all.launches += hart.launches;
            all.groups += hart.groups;
            all.instructions += hart.instructions;
            all.idle += hart.idle;
        }
        return all;
    };
    const auto before = sum();
    const auto done = run({.kernel = count_groups, .groups = 40, .p = out, .q = 1000});
    const auto after = sum();
    EXPECT_EQ(after.groups - before.groups, 40u);
    EXPECT_GE(after.launches - before.launches, 1u);
    EXPECT_GE(after.instructions - before.instructions, done.instructions);
    EXPECT_GT(after.idle, 0u);
}

/// Kills or stops QEMU at random moments during launches. RIVULET_INJECTIONS sets how often,
/// RIVULET_SEED the random seed.
TEST_F(Firmware, SurvivesMachinesThatDieOrStopAtAnyMoment) {
    const auto setting = [](const char *name, uint64_t fallback) {
        const char *text = std::getenv(name);
        return text ? std::strtoull(text, nullptr, 10) : fallback;
    };
    const uint64_t rounds = setting("RIVULET_INJECTIONS", 12), seed = setting("RIVULET_SEED", 1);
    std::mt19937_64 random(seed);
    auto config = hal::Config::from_environment().front();
    config.set("deadline", "5");
    start(config);
    const uint64_t record =
        command({.kernel = count_groups, .groups = 16, .p = out, .q = 100}).launch.record;
    for (uint64_t round = 0; round < rounds && !HasFatalFailure(); ++round) {
        const auto moment = std::chrono::microseconds(random() % 20000);
        const bool stop = random() % 4 == 0;
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << round);
        const auto machines = test::driver_processes(getpid());
        ASSERT_FALSE(machines.empty());
        std::jthread injector([&] {
            std::this_thread::sleep_for(moment);
            for (const pid_t machine : machines)
                ::kill(machine, stop ? SIGSTOP : SIGKILL);
        });
        std::string reason;
        while (reason.empty()) {
            const rvl_slot slot = command({.kernel = count_groups}, record);
            const auto sent = device->submit({&slot, 1});
            if (!sent)
                reason = sent.error().message;
            const auto slots = device->completions(std::chrono::milliseconds(100));
            if (!slots)
                reason = slots.error().message;
        }
        injector.join();
        EXPECT_EQ(reason.find("no sign of life") != reason.npos, stop) << reason;
        arrived.clear();
        begin();
        ASSERT_EQ(run({.kernel = count_groups, .groups = 8, .p = out}).result, RVL_RESULT_OK);
        (void)command({.kernel = count_groups, .groups = 16, .p = out, .q = 100});
    }
    EXPECT_EQ(device->restarts(), rounds);
}

} // namespace
} // namespace rivulet::firmware
