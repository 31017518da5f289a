// SPDX-License-Identifier: Apache-2.0
//
// rivuletd with several processes: right results, limits, and what one process can't do to others.
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <thread>

#include "base/unix_address.h"
#include "hal/drivers/daemon/connection.h"
#include "hal/tests/driver_processes.h"
#include "tests/daemon/daemon.h"

namespace rivulet::test {
namespace {

using namespace std::chrono_literals;
using hal::conformance::log_text;

/// Two processes take turns in telling each other that something is ready.
class Signal {
public:
    Signal() {
        if (pipe(ends_) != 0)
            throw std::runtime_error("pipe");
    }
    ~Signal() {
        close(ends_[0]);
        close(ends_[1]);
    }
    void give() const {
        const char byte = 0;
        static_cast<void>(!write(ends_[1], &byte, 1));
    }
    void take() const {
        char byte = 0;
        static_cast<void>(!read(ends_[0], &byte, 1));
    }

private:
    int ends_[2];
};

rvl_slot spinning(Session &session, uint64_t flag, uint32_t time_limit = 0) {
    return session.command({.kernel = Kernel::spin,
                            .groups = session->hello().harts,
                            .buffer = flag,
                            .stream = 9,
                            .time_limit = time_limit});
}

void expect_ends(Session &session, std::span<const rvl_slot> slots, rvl_result result) {
    for (const auto &slot : slots) {
        const auto done = session.await(slot.header.token);
        ASSERT_TRUE(done);
        ASSERT_EQ(done->result, uint32_t{result});
    }
}

void six_processes_work(const std::string &settings, bool maps) {
    const Daemon daemon(settings);
    std::vector<Process> processes;
    for (int i = 0; i < 6; ++i)
        processes.emplace_back([maps] {
            Session session;
            EXPECT_EQ(session.has(RVL_DEVICE_MAPS), maps);
            work(session, 60);
        });
    for (auto &process : processes)
        EXPECT_TRUE(process.wait());
}

TEST(Daemon, ProcessesGetTheirOwnResults) { six_processes_work("", false); }

TEST(Daemon, ProcessesThatMapMemoryGetTheirOwnResults) {
    six_processes_work("isolation = \"kernels\"\n", true);
}

TEST(Daemon, LimitsOfAUserComeBeforeThoseOfGroups) {
    const passwd *user = getpwuid(getuid());
    const group *group = user != nullptr ? getgrgid(user->pw_gid) : nullptr;
    if (group == nullptr)
        GTEST_SKIP() << "this user or the user's group has no name";
    std::string settings = "[device.limits]\nmemory = \"64M\"\n";
    const auto heap_mib = [&] {
        const Daemon daemon(settings);
        const Session session;
        return session->hello().heap_bytes >> 20;
    };
    settings += std::string("[device.group.") + group->gr_name + "]\nmemory = \"96M\"\n";
    EXPECT_EQ(heap_mib(), 96u);
    settings += "[device.user." + std::to_string(getuid()) + "]\nmemory = \"160M\"\n";
    EXPECT_EQ(heap_mib(), 160u);
}

TEST(Daemon, OnlyMembersOfItsGroupMayUseADevice) {
    const group *group = getgrgid(0);
    if (geteuid() != 0 || group == nullptr)
        GTEST_SKIP() << "processes of several users need root, and root's group a name";
    const Daemon daemon(std::string("access = \"") + group->gr_name + "\"\n");
    Process stranger(
        [] {
            const auto device = hal::conformance::open_device();
            ASSERT_FALSE(device);
            EXPECT_NE(device.error().message.find("may not use this device"), std::string::npos)
                << device.error().message;
        },
        64000);
    EXPECT_TRUE(stranger.wait());
    Session session;
    work(session, 1);
}

TEST(Daemon, RefusesToShareADeviceWithoutFences) {
    EXPECT_THROW(const Daemon daemon("unfenced = \"yes\"\n"), std::runtime_error);
}

/// A socket that listens at `path`.
FileDescriptor listening_at(const std::string &path, int flags = 0) {
    const auto address = unix_address(path);
    FileDescriptor listener(socket(AF_UNIX, SOCK_SEQPACKET | flags, 0));
    if (!address ||
        bind(listener.get(), reinterpret_cast<const sockaddr *>(&*address), sizeof *address) != 0 ||
        listen(listener.get(), 8) != 0)
        throw std::runtime_error("bind");
    return listener;
}

// As systemd does it, the socket is descriptor 3. QEMU must not have it.
TEST(Daemon, TakesTheSocketThatSystemdHasOpened) {
    const std::string path = testing::TempDir() + "rivuletd-systemd-" + std::to_string(getpid());
    const FileDescriptor listener = listening_at(path);
    const Process daemon([&] {
        dup2(listener.get(), 3);
        setenv("LISTEN_PID", std::to_string(getpid()).c_str(), 1);
        setenv("LISTEN_FDS", "1", 1);
        unsetenv("RIVULET_MACHINE");
        execl(RIVULETD, "rivuletd", "--machine", "rv64-v128,harts=1,memory=1G", nullptr);
    });
    setenv("RIVULET_MACHINE", ("daemon,socket=" + path).c_str(), 1);
    {
        Session session;
        work(session, 3);
        struct stat status{};
        ASSERT_EQ(fstat(listener.get(), &status), 0);
        const std::string own = "socket:[" + std::to_string(status.st_ino) + "]";
        const auto devices = hal::conformance::driver_processes(daemon.pid());
        ASSERT_FALSE(devices.empty());
        for (const pid_t device : devices)
            for (const auto &open :
                 std::filesystem::directory_iterator("/proc/" + std::to_string(device) + "/fd"))
                EXPECT_NE(std::filesystem::read_symlink(open), own);
    }
    unsetenv("RIVULET_MACHINE");
    unlink(path.c_str());
}

TEST(Daemon, KilledProcessLeavesNothingBehind) {
    for (const char *isolation : {"isolation = \"full\"\n", "isolation = \"kernels\"\n"}) {
        const Daemon daemon(isolation);
        const Signal ready;
        uint64_t taken = 0; // the heap of a process that is alone
        {
            Session session;
            taken = session->hello().heap_base;
        }
        Process killed([&] {
            Session session;
            ASSERT_EQ(session->hello().heap_base, taken);
            const std::vector<std::byte> secret(1 << 20, std::byte{0x5a});
            const auto written = session->write(session.arena_end() + (1 << 20), secret);
            ASSERT_TRUE(written) << written.error().message;
            const auto flag = session.allocate(4096);
            for (int i = 0; i < 20; ++i) {
                const auto slot = spinning(session, flag);
                session.submit({&slot, 1});
            }
            ASSERT_TRUE(session.see(flag + 64, 1));
            ready.give();
            pause();
        });
        ready.take();
        Process other([] {
            Session session;
            work(session, 20);
        });
        killed.kill();
        EXPECT_TRUE(other.wait());
        Process next([&] {
            // The daemon clears the heap once the kernels have ended.
            for (int tries = 0; tries < 200; ++tries) {
                Session session;
                if (session->hello().heap_base != taken) {
                    std::this_thread::sleep_for(20ms);
                    continue;
                }
                const auto words = session.words(session.arena_end() + (1 << 20), (1 << 20) / 4);
                EXPECT_EQ(words, std::vector<uint32_t>((1 << 20) / 4));
                return;
            }
            ADD_FAILURE() << "its heap was never used again";
        });
        EXPECT_TRUE(next.wait());
    }
}

TEST(Daemon, EndlessKernelsOfOneProcessLeaveOthersTheirTime) {
    // Long enough for others' launches on a busy machine.
    const Daemon daemon("[device.limits]\ntime_limit = 5\n", 2);
    const Signal ready;
    Process endless([&] {
        Session session;
        const auto flag = session.allocate(4096);
        const auto slot = spinning(session, flag);
        session.submit({&slot, 1});
        ASSERT_TRUE(session.see(flag + 64, 1));
        ready.give();
        const auto done = session.await(slot.header.token);
        ASSERT_TRUE(done);
        EXPECT_EQ(done->result, RVL_RESULT_TIME_LIMIT);
        const auto fault = session->fault(done->fault, slot.launch.launch);
        ASSERT_TRUE(fault) << fault.error().message;
        EXPECT_EQ(fault->kind, uint32_t{RVL_FAULT_TIME_LIMIT});
        work(session, 5);
    });
    ready.take();
    Process other([] {
        Session session;
        work(session, 20);
    });
    EXPECT_TRUE(other.wait());
    EXPECT_TRUE(endless.wait());
}

/// A process whose kernel keeps all harts until it is killed.
Process endless_kernel(const Signal &ready) {
    return Process([&] {
        Session session;
        const auto flag = session.allocate(4096);
        const auto slot = spinning(session, flag);
        session.submit({&slot, 1});
        ASSERT_TRUE(session.see(flag + 64, 1));
        ready.give();
        session.await(slot.header.token);
    });
}

TEST(Daemon, LaunchesOfAHighPriorityComeBeforeEndlessKernelsOfOthers) {
    const Daemon daemon("[device.limits]\npriority = \"high\"\n");
    const Signal ready;
    const Process endless = endless_kernel(ready);
    ready.take();
    Process urgent([] {
        Session session;
        EXPECT_TRUE(session.has(RVL_DEVICE_PRIORITIES));
        EXPECT_NE(session->hello().flags & RVL_HELLO_PRIORITIES, 0u);
        const auto buffer = session.allocate(4096);
        for (int i = 0; i < 50; ++i) {
            const auto done =
                session.run({.kernel = Kernel::hart, .buffer = buffer, .flags = RVL_FLAG_HIGH});
            ASSERT_TRUE(done);
            ASSERT_EQ(done->result, RVL_RESULT_OK);
        }
    });
    EXPECT_TRUE(urgent.wait());
}

// There are more before them in the ring than the device takes of one client.
TEST(Daemon, LaunchesOfAHighPriorityOvertakeThoseOfOtherStreamsOnly) {
    const Daemon daemon("[device.limits]\npriority = \"high\"\n", 1);
    const Signal ready;
    const Process endless = endless_kernel(ready);
    ready.take();
    Process urgent([] {
        Session session;
        const auto buffer = session.allocate(4096);
        const auto late = session.allocate(4096);
        const auto launch = [&](uint64_t target, uint32_t stream, uint8_t flags) {
            return session.command({.kernel = Kernel::hart,
                                    .buffer = target,
                                    .stream = stream,
                                    .flags = static_cast<uint8_t>(RVL_FLAG_BARRIER | flags)});
        };
        std::vector<rvl_slot> slots;
        for (int i = 0; i < 100; ++i)
            slots.push_back(launch(late, 1, RVL_FLAG_LOW));
        slots.push_back(launch(late, 1, RVL_FLAG_HIGH));
        std::vector<rvl_slot> chain;
        for (int i = 0; i < 20; ++i)
            chain.push_back(launch(buffer, 2, RVL_FLAG_HIGH));
        slots.insert(slots.end(), chain.begin(), chain.end());
        session.submit(slots);
        uint64_t last = 0;
        for (const auto &slot : chain) {
            const auto done = session.await(slot.header.token);
            ASSERT_TRUE(done);
            ASSERT_EQ(done->result, RVL_RESULT_OK);
            EXPECT_GE(done->start, last);
            last = done->end;
        }
        EXPECT_EQ(session.words(late, 1)[0], 0u);

        // Pings, which the library sends by itself, hold nothing back, and neither does the number
        // of launches that have overtaken others. A kill reaches those, too.
        const rvl_slot ping = Session::ping(60000);
        session.submit({&ping, 1});
        for (int i = 0; i < 11 && !testing::Test::HasFailure(); ++i) {
            std::vector<rvl_slot> batch;
            for (int k = 0; k < 100; ++k)
                batch.push_back(launch(buffer, 3, RVL_FLAG_HIGH));
            session.submit(batch);
            expect_ends(session, batch, RVL_RESULT_OK);
        }
        std::vector<rvl_slot> endless;
        for (int i = 0; i < 12; ++i) // more than fit
            endless.push_back(session.command({.kernel = Kernel::spin,
                                               .buffer = session.allocate(4096),
                                               .stream = 10u + static_cast<uint32_t>(i),
                                               .flags = RVL_FLAG_HIGH}));
        std::vector<rvl_slot> kills;
        for (const auto &slot : endless) {
            rvl_slot command{};
            command.header = {.group = RVL_GROUP_LAUNCH,
                              .service = RVL_LAUNCH_KILL,
                              .flags = RVL_FLAG_SILENT,
                              .length = sizeof(rvl_kill),
                              .token = 0};
            command.kill = {.launch = slot.launch.launch, .reserved = 0};
            kills.push_back(command);
        }
        session.submit(endless);
        session.submit(kills);
        expect_ends(session, endless, RVL_RESULT_KILLED);
    });
    EXPECT_TRUE(urgent.wait());
}

TEST(Daemon, PrioritiesAreThoseOfOthersWithoutPermission) {
    const Daemon daemon;
    const Signal ready, waits;
    Process endless = endless_kernel(ready);
    ready.take();
    Process other([&] {
        Session session;
        EXPECT_FALSE(session.has(RVL_DEVICE_PRIORITIES));
        EXPECT_EQ(session->hello().flags & RVL_HELLO_PRIORITIES, 0u);
        const auto buffer = session.allocate(4096);
        const auto slot =
            session.command({.kernel = Kernel::hart, .buffer = buffer, .flags = RVL_FLAG_HIGH});
        session.submit({&slot, 1});
        std::this_thread::sleep_for(200ms);
        EXPECT_EQ(session.words(buffer, 1)[0], 0u);
        waits.give();
        const auto done = session.await(slot.header.token);
        ASSERT_TRUE(done);
        EXPECT_EQ(done->result, RVL_RESULT_OK);
    });
    waits.take();
    endless.kill();
    EXPECT_TRUE(other.wait());
}

TEST(Daemon, LaunchesMayWaitLongerThanADeviceMayBeSilent) {
    const Daemon daemon("[device.limits]\nlaunches = 1\n", 1, "rv64-v512-icount");
    Process process([] {
        setenv("RIVULET_DEADLINE", "4", 1);
        Session session;
        const auto flag = session.allocate(4096);
        const rvl_slot slots[] = {spinning(session, flag),
                                  session.command({.kernel = Kernel::hart, .buffer = flag + 128})};
        session.submit(slots);
        ASSERT_TRUE(session.see(flag + 64, 1));
        std::this_thread::sleep_for(9s);
        session.write_word(flag, 1);
        expect_ends(session, slots, RVL_RESULT_OK);
    });
    EXPECT_TRUE(process.wait());
}

TEST(Daemon, FaultsAreSeenByTheirProcessOnly) {
    const Daemon daemon;
    std::vector<Process> processes;
    for (int i = 0; i < 2; ++i)
        processes.emplace_back([] {
            Session session;
            const auto buffer = session.allocate(4096);
            for (uint32_t round = 0; round < 100; ++round) {
                const rvl_slot slot = session.command(
                    {.kernel = Kernel::store, .buffer = buffer, .value = 64 * uint64_t{round}});
                session.submit({&slot, 1});
                const auto done = session.await(slot.header.token);
                ASSERT_TRUE(done);
                ASSERT_EQ(done->result, RVL_RESULT_FAULT);
                const auto fault = session->fault(done->fault, slot.launch.launch);
                ASSERT_TRUE(fault) << fault.error().message;
                ASSERT_EQ(fault->value, 64 * uint64_t{round});
            }
        });
    processes.emplace_back([] {
        Session session;
        work(session, 50);
    });
    for (auto &process : processes)
        EXPECT_TRUE(process.wait());
}

TEST(Daemon, KernelsCantReachTheHeapOfAnotherProcess) {
    const Daemon daemon;
    Session first, second;
    const auto target = second.allocate(4096);
    ASSERT_NE(first->hello().heap_base, second->hello().heap_base);
    const auto buffer = first.allocate(4096);
    for (const Kernel kernel : {Kernel::store, Kernel::load}) {
        const auto done = first.run({.kernel = kernel, .buffer = buffer, .value = target});
        ASSERT_TRUE(done);
        EXPECT_EQ(done->result, RVL_RESULT_FAULT);
    }
    const auto page = static_cast<uint32_t>(target / RVL_PAGE_BYTES);
    const std::function<void(rvl_launch &)> attempts[] = {
        [&](rvl_launch &launch) { launch.arena_page = page; },
        [&](rvl_launch &launch) { launch.arena_pages = 0x7fffffff; },
        [&](rvl_launch &launch) { launch.code_page = page; },
        [&](rvl_launch &launch) { launch.second_page = page, launch.second_pages = 1; },
    };
    for (const auto &attempt : attempts) {
        rvl_slot slot = first.command({.kernel = Kernel::store, .buffer = buffer, .value = target});
        attempt(slot.launch);
        first.submit({&slot, 1});
        const auto done = first.await(slot.header.token);
        ASSERT_TRUE(done);
        EXPECT_EQ(done->result, RVL_RESULT_INVALID);
    }
    EXPECT_NE(log_text().find("refused: its arena is not in the heap"), std::string::npos)
        << log_text();
    rvl_slot load{};
    load.header = {.group = RVL_GROUP_MEMORY,
                   .service = RVL_MEMORY_LOAD_CODE,
                   .flags = 0,
                   .length = sizeof load.load_code,
                   .token = 60000};
    load.load_code = {.destination = target, .source = buffer, .bytes = 64, .signature = 0};
    first.submit({&load, 1});
    const auto loaded = first.await(60000);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->result, RVL_RESULT_INVALID);
    std::byte byte{};
    EXPECT_FALSE(first->read(target, {&byte, 1}));
    EXPECT_FALSE(first->write(target, {&byte, 1}));
    EXPECT_EQ(second.words(target, 1)[0], 0u);
}

TEST(Daemon, SaysWhichLimitRefusesAProcess) {
    const Daemon daemon("[device.limits]\nprocesses = 1\n");
    {
        Session first;
        auto second = hal::conformance::open_device(); // still described
        ASSERT_TRUE(second) << second.error().message;
        const auto started = (*second)->start();
        ASSERT_FALSE(started);
        EXPECT_NE(started.error().message.find("as many as the limit \"processes\""),
                  std::string::npos)
            << started.error().message;
        work(first, 3);
    }
    Session after;
    work(after, 3);
}

TEST(Daemon, SaysThatMemoryIsTaken) {
    const Daemon daemon("[device.limits]\nmemory = \"1G\"\n");
    Session first;
    EXPECT_EQ(first->hello().heap_bytes, uint64_t{1} << 30);
    auto second = hal::conformance::open_device();
    ASSERT_TRUE(second) << second.error().message;
    const auto started = (*second)->start();
    ASSERT_FALSE(started);
    EXPECT_NE(started.error().message.find("other processes are connected"), std::string::npos)
        << started.error().message;
}

// Of a device that is not mapped, heaps are cleared piece by piece.
TEST(Daemon, NewcomersWaitForMemoryThatIsBeingCleared) {
    const Daemon daemon("coherent = \"no\"\n[device.limits]\nmemory = \"36M\"\n", 2, "rv64-v128",
                        "64M");
    for (int round = 0; round < 2; ++round) {
        Session session;
        const auto &hello = session->hello();
        const uint64_t last = hello.heap_base + hello.heap_bytes - 4096;
        EXPECT_EQ(session.words(last, 64), std::vector<uint32_t>(64));
        work(session, 3);
        session.write_word(last, 0x5ec3e7);
        EXPECT_EQ(session.words(last, 1)[0], 0x5ec3e7u);
    }
}

/// A newcomer while kernels of a process that has left still hold its heap: a stopped machine ends
/// none. `goes_on`: the machine does not stay so.
void meet_one_that_leaves(const std::string &limits, const std::string &memory, bool goes_on,
                          const std::function<void()> &newcomer) {
    const Daemon daemon("deadline = 0\n[device.limits]\nmemory = \"36M\"\n" + limits, 2,
                        "rv64-v128", memory);
    const Signal ready;
    Process leaving = endless_kernel(ready);
    ready.take();
    const auto devices = hal::conformance::driver_processes(daemon.pid());
    for (const pid_t device : devices)
        ::kill(device, SIGSTOP);
    leaving.kill();
    Process process([&] {
        setenv("RIVULET_DEADLINE", "0", 1);
        ready.give();
        newcomer();
    });
    ready.take();
    if (!goes_on)
        EXPECT_TRUE(process.wait());
    else
        std::this_thread::sleep_for(200ms); // without it, the newcomer may come afterwards
    for (const pid_t device : devices)
        ::kill(device, SIGCONT);
    if (goes_on)
        EXPECT_TRUE(process.wait());
}

TEST(Daemon, NewcomersWaitForThoseThatLeave) {
    const auto newcomer = [] {
        Session session;
        work(session, 3);
    };
    meet_one_that_leaves("processes = 1\n", "2G", true, newcomer);
    meet_one_that_leaves("", "64M", true, newcomer);
}

TEST(Daemon, NewcomersDontWaitForEver) {
    meet_one_that_leaves("processes = 1\n", "2G", false, [] {
        const auto device = hal::conformance::open_device();
        ASSERT_TRUE(device) << device.error().message;
        const auto started = (*device)->start();
        ASSERT_FALSE(started);
        EXPECT_NE(started.error().message.find("as many as the limit \"processes\""),
                  std::string::npos)
            << started.error().message;
    });
}

TEST(Daemon, DeadDeviceIsRestarted) {
    const Daemon daemon;
    Session first, second;
    for (int round = 0; round < 2; ++round) {
        work(first, 3);
        work(second, 3);
        const auto devices = driver_processes(daemon.pid());
        ASSERT_FALSE(devices.empty());
        for (const pid_t device : devices)
            ::kill(device, SIGKILL);
        for (Session *session : {&first, &second}) {
            const auto done = (*session)->completions(hal::conformance::patience);
            ASSERT_FALSE(done);
            EXPECT_EQ(done.error().status, RVL_DEAD) << done.error().message;
            const auto started = (*session)->start();
            ASSERT_TRUE(started) << started.error().message;
            session->load_kernels();
        }
    }
    work(first, 3);
    work(second, 3);
}

TEST(Daemon, DevicesWorkAgainAfterTheDaemonWasRestarted) {
    Daemon daemon;
    Session session;
    work(session, 3);
    daemon.stop(SIGKILL);
    const auto done = session->completions(hal::conformance::patience);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().status, RVL_DEAD) << done.error().message;
    EXPECT_FALSE(session->start());
    daemon.start();
    const auto started = session->start();
    ASSERT_TRUE(started) << started.error().message;
    session.load_kernels();
    work(session, 3);
}

constexpr uint32_t long_drain_s = 3600;

/// Until the process has taken the signal: the next one of its kind is another one.
void await_taken(pid_t process, int signal) {
    const auto is_pending = [&] {
        std::ifstream status("/proc/" + std::to_string(process) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("SigPnd:") || line.starts_with("ShdPnd:"))
                if ((std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0)
                    return true;
        return false;
    };
    while (is_pending())
        std::this_thread::sleep_for(1ms);
}

// What is replaced by a newer version loses no command that was submitted. The last kernel keeps
// the daemon from ending before the others' results have been read.
TEST(Daemon, WaitsForSubmittedCommandsBeforeItEnds) {
    Daemon daemon("", 2, "rv64-v128", "2G", long_drain_s);
    Session session;
    const auto flag = session.allocate(4096), last_flag = session.allocate(4096);
    const auto buffer = session.allocate(4096);
    std::vector<rvl_slot> slots = {spinning(session, flag)};
    for (int i = 0; i < 400; ++i) // more than the daemon lets onto the device at once
        slots.push_back(session.command(
            {.kernel = Kernel::count, .buffer = buffer, .stream = 9, .flags = RVL_FLAG_BARRIER}));
    slots.push_back(spinning(session, last_flag));
    slots.back().header.flags |= RVL_FLAG_BARRIER;
    session.submit(slots);
    ASSERT_TRUE(session.see(flag + 64, 1));
    ::kill(daemon.pid(), SIGTERM);
    await_taken(daemon.pid(), SIGTERM);
    std::this_thread::sleep_for(300ms);
    ASSERT_TRUE(daemon.alive());
    session.write_word(flag, 1);
    expect_ends(session, std::span(slots).first(slots.size() - 1), RVL_RESULT_OK);
    EXPECT_EQ(session.words(buffer, 1)[0], 400u);
    session.write_word(last_flag, 1);
    daemon.stop(0);
}

TEST(Daemon, EndsAtOnceWithASecondSignal) {
    Daemon daemon("", 2, "rv64-v128", "2G", long_drain_s);
    const Signal ready;
    Process endless = endless_kernel(ready);
    ready.take();
    ::kill(daemon.pid(), SIGTERM);
    await_taken(daemon.pid(), SIGTERM);
    std::this_thread::sleep_for(300ms);
    EXPECT_TRUE(daemon.alive());
    daemon.stop(SIGTERM);
}

TEST(Daemon, WaitsForEndlessKernelsForALimitedTime) {
    Daemon daemon;
    const Signal ready;
    Process endless = endless_kernel(ready);
    ready.take();
    daemon.stop(SIGTERM);
}

TEST(Daemon, EndsWhileItsDeviceStarts) {
    for (const auto after : {150ms, 400ms, 700ms}) {
        Daemon daemon;
        Process client([] { Session session; }); // whether it gets one doesn't matter
        std::this_thread::sleep_for(after);
        daemon.stop(SIGTERM);
        client.kill();
    }
}

TEST(Daemon, ShowsWhoUsesTheDevice) {
    const Daemon daemon;
    Session session;
    work(session, 10);
    const auto connection = hal::daemon::Connection::to(daemon.socket());
    ASSERT_TRUE(connection) << connection.error().message;
    const auto all = connection->usage(0);
    ASSERT_TRUE(all) << all.error().message;
    ASSERT_EQ(all->size(), 1u);
    const auto &usage = all->front();
    EXPECT_EQ(usage.pid, getpid());
    EXPECT_EQ(usage.uid, getuid());
    EXPECT_EQ(usage.attached, 1u);
    EXPECT_EQ(usage.launches, 20u);
    EXPECT_EQ(usage.failures, 0u);
    EXPECT_GT(usage.instructions, 20u);
    EXPECT_EQ(usage.heap_bytes, session->hello().heap_bytes);
    EXPECT_FALSE(session->statistics()); // of the harts: others use them, too
}

// The second reply is the late answer to the first request.
TEST(Daemon, ReplyToAFailedRequestIsNotTakenForTheNextOnes) {
    const std::string path = testing::TempDir() + "rivuletd-fake-" + std::to_string(getpid());
    const FileDescriptor listener = listening_at(path, SOCK_CLOEXEC);
    const auto connection = hal::daemon::Connection::to(path);
    unlink(path.c_str());
    ASSERT_TRUE(connection) << connection.error().message;
    const FileDescriptor daemon(accept(listener.get(), nullptr, nullptr));
    hal::daemon::ReplyMessage reply{};
    reply.magic = hal::daemon::wire_magic;
    reply.version = hal::daemon::wire_version;
    ASSERT_EQ(send(daemon.get(), &reply, 7, 0), 7);
    ASSERT_EQ(send(daemon.get(), &reply, sizeof reply, 0), ssize_t{sizeof reply});
    const auto first = connection->ask(hal::daemon::Request::read, 0);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().status, RVL_IO) << first.error().message;
    const auto next = connection->ask(hal::daemon::Request::reset, 0);
    ASSERT_FALSE(next);
    EXPECT_EQ(next.error().status, RVL_DEAD) << next.error().message;
}

/// A client of its own making, which writes random bytes wherever it can.
void send_garbage(const std::string &socket_path, uint32_t seed) {
    std::mt19937 random(seed);
    using namespace hal::daemon;
    for (int connection = 0; connection < 20; ++connection) {
        const auto address = unix_address(socket_path);
        const FileDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
        ASSERT_EQ(
            connect(socket.get(), reinterpret_cast<const sockaddr *>(&*address), sizeof *address),
            0);
        for (int message = 0; message < 20; ++message) {
            RequestMessage request{.magic = wire_magic,
                                   .version = wire_version,
                                   .request = static_cast<Request>(random() % 8),
                                   .device = static_cast<uint32_t>(random() % 2),
                                   .address = random(),
                                   .bytes = random() >> (random() % 32)};
            if (random() % 10 == 0)
                request.magic ^= static_cast<uint32_t>(random());
            static_cast<void>(send(socket.get(), &request, random() % 10 == 0 ? 7 : sizeof request,
                                   MSG_NOSIGNAL | MSG_DONTWAIT));
        }
    }
    for (int round = 0; round < 20; ++round) {
        Session session; // attached, so that its ring is served
        const auto base = session->description().memory_base;
        std::vector<uint32_t> noise(1024);
        const auto put = [&](uint64_t offset, uint32_t value) {
            static_cast<void>(session->write(base + offset, std::as_bytes(std::span(&value, 1))));
        };
        for (int step = 0; step < 200; ++step) {
            for (auto &word : noise) // nearly valid commands, too
                word = random() % 3 == 0 ? static_cast<uint32_t>(random())
                                         : static_cast<uint32_t>(random() % 4);
            static_cast<void>(session->write(base + area::commands + random() % 16 * 4096,
                                             std::as_bytes(std::span(noise))));
            switch (random() % 8) {
            case 0:
                put(offsetof(rvl_mailbox, commands.tail), static_cast<uint32_t>(random()));
                break;
            case 1:
                put(offsetof(rvl_mailbox, completions.head), static_cast<uint32_t>(random()));
                break;
            case 2:
                put(offsetof(rvl_mailbox, log.head), static_cast<uint32_t>(random()));
                break;
            case 3:
                put(offsetof(rvl_mailbox, boot) + offsetof(rvl_boot, session),
                    static_cast<uint32_t>(random()));
                break;
            default:
                put(offsetof(rvl_mailbox, commands.tail), static_cast<uint32_t>(random() % 2048));
            }
            const auto ping = Session::ping(1);
            static_cast<void>(session->submit({&ping, 1})); // rings
        }
    }
}

TEST(Daemon, GarbageOfOneProcessHarmsNoOther) {
    const auto seed = std::random_device{}();
    std::cout << "seed " << seed << std::endl;
    const Daemon daemon("[device.limits]\ntime_limit = 5\n");
    Process other([] {
        Session session;
        work(session, 100);
    });
    Process hostile([&] { send_garbage(daemon.socket(), seed); });
    hostile.wait(); // it may end itself
    EXPECT_TRUE(other.wait());
    EXPECT_TRUE(daemon.alive());
    Session session;
    work(session, 5);
}

} // namespace
} // namespace rivulet::test
