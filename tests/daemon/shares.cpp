// SPDX-License-Identifier: Apache-2.0
//
// 32 processes of four users on one device: one of them is hostile, the others get shares according
// to their users' weights, and right results.
// One more process measures how long an empty launch of a high priority takes on the device.
//
//   rivulet_daemon_shares SECONDS
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <thread>

#include "hal/drivers/daemon/connection.h"
#include "tests/daemon/daemon.h"

namespace rivulet::test {
namespace {

using namespace std::chrono_literals;

constexpr int users = 4;
constexpr int processes_of_user = 8;
constexpr uid_t first_user = 64000;   // no real user's
constexpr int light_user = users - 1; // with half the weight of others
constexpr double widest_share = 0.1;  // distance from the mean
constexpr uint64_t most_growth_kib = 16 << 10;
constexpr uid_t urgent_user = first_user + users;
constexpr uint64_t most_latency_us = 200; // the firmware's shortest time slice

volatile std::sig_atomic_t over = 0;

/// Chains of launches, which differ in size between processes, until SIGTERM. Some always wait, or
/// a share would depend on how soon the process gets a processor.
void work_until_told(uint32_t groups) {
    constexpr size_t chains = 4, length = 16;
    Session session;
    const auto buffer = session.allocate(4 * size_t{groups});
    std::vector<rvl_slot> slots;
    for (size_t i = 0; i < chains * length; ++i)
        slots.push_back(session.command({.kernel = Kernel::iota,
                                         .groups = groups,
                                         .chunk = 64,
                                         .buffer = buffer,
                                         .value = static_cast<uint64_t>(getpid()),
                                         .flags = RVL_FLAG_BARRIER}));
    signal(SIGTERM, [](int) { over = 1; });
    uint32_t launches = 0;
    const auto await = [&](std::span<const rvl_slot> chain) {
        for (const auto &slot : chain) {
            const auto done = session.await(slot.header.token);
            ASSERT_TRUE(done);
            ASSERT_EQ(done->result, RVL_RESULT_OK);
        }
        const auto words = session.words(buffer, groups);
        for (uint32_t i = 0; i < groups; ++i)
            ASSERT_EQ(words[i], static_cast<uint32_t>(getpid()) + i);
    };
    size_t round = 0;
    for (; over == 0 && !testing::Test::HasFailure(); ++round) {
        const auto chain = std::span(slots).subspan(round % chains * length, length);
        if (round >= chains)
            await(chain);
        for (auto &slot : chain) // numbers are never reused
            slot.launch.launch = ++launches;
        session.submit(chain);
    }
    for (size_t i = 0; i < std::min(chains, round) && !testing::Test::HasFailure(); ++i)
        await(std::span(slots).subspan(i * length, length));
}

/// Endless kernels and faults, until it is killed.
void misbehave() {
    std::mt19937 random(static_cast<uint32_t>(getpid()));
    for (;;) {
        Session session;
        const auto buffer = session.allocate(4096);
        for (int i = 0; i < 20; ++i) {
            const rvl_slot slot =
                random() % 4 == 0
                    ? session.command({.kernel = Kernel::spin,
                                       .groups = session->hello().harts,
                                       .buffer = buffer,
                                       .stream = i + 2u,
                                       .time_limit = 20})
                    : session.command(
                          {.kernel = Kernel::store, .buffer = buffer, .value = random()});
            session.submit({&slot, 1});
            if (random() % 3 == 0 && !session.await(slot.header.token))
                return;
        }
    }
}

/// Until SIGTERM: from a ping to the end of the launch behind it, in device time.
void measure_latency() {
    signal(SIGTERM, [](int) { over = 1; });
    Session session;
    const auto buffer = session.allocate(4096);
    rvl_slot slots[] = {
        Session::ping(60000),
        session.command({.kernel = Kernel::hart, .buffer = buffer, .flags = RVL_FLAG_HIGH})};
    std::vector<uint64_t> took;
    for (uint32_t launches = 0; over == 0;) {
        slots[1].launch.launch = ++launches;
        session.submit(slots);
        const auto asked = session.await(slots[0].header.token);
        const auto done = session.await(slots[1].header.token);
        ASSERT_TRUE(asked && done);
        ASSERT_EQ(done->result, RVL_RESULT_OK);
        took.push_back((done->end - asked->end) * 1'000'000 / session->hello().timebase);
        std::this_thread::sleep_for(1ms);
    }
    std::ranges::sort(took);
    ASSERT_GE(took.size(), 100u);
    const uint64_t of_99_percent = took[took.size() * 99 / 100];
    std::printf(
        "%zu launches of a high priority: median %lu us, 99th percentile %lu us, longest %lu "
        "us\n",
        took.size(), took[took.size() / 2], of_99_percent, took.back());
    std::fflush(stdout);
    EXPECT_LT(of_99_percent, most_latency_us);
}

uint64_t resident_kib(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string word; status >> word;)
        if (word == "VmRSS:" && status >> word)
            return std::stoull(word);
    return 0;
}

int run(int seconds) {
    if (geteuid() != 0) {
        std::cout << "skipped: processes of several users need root" << std::endl;
        return 77;
    }
    const std::string settings = "[device.limits]\nmemory = \"48M\"\n[device.user." +
                                 std::to_string(first_user + light_user) +
                                 "]\nweight = 50\n[device.user." + std::to_string(urgent_user) +
                                 "]\npriority = \"high\"\n";
    // Its counts of instructions are exact, whatever else this machine does.
    const Daemon daemon(settings, 1, "rv64-v512-icount");
    std::vector<Process> good;
    std::vector<double> weights; // relative to the others'
    Process hostile(misbehave, first_user);
    for (int user = 0; user < users; ++user)
        for (int i = user == 0 ? 1 : 0; i < processes_of_user; ++i) {
            good.emplace_back([i] { work_until_told(500u * (1u + static_cast<uint32_t>(i))); },
                              first_user + static_cast<uid_t>(user));
            weights.push_back(user == light_user ? 0.5 : 1);
        }

    Process urgent(measure_latency, urgent_user);

    const auto connection = hal::daemon::Connection::to(daemon.socket());
    const auto instructions = [&] {
        std::map<pid_t, uint64_t> all;
        if (const auto usage = connection->usage(0))
            for (const auto &one : *usage)
                all[one.pid] = one.instructions;
        return all;
    };
    // From when all are at work.
    std::this_thread::sleep_for(std::chrono::seconds(std::max(5, seconds / 10)));
    const auto before = instructions();
    const uint64_t resident = resident_kib(daemon.pid());
    std::mt19937 random(std::random_device{}());
    int kills = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 1500));
        hostile.kill();
        hostile = Process(misbehave, first_user);
        ++kills;
    }
    const auto after = instructions();
    const uint64_t grown = resident_kib(daemon.pid()) - resident;

    bool well = true;
    double sum = 0;
    std::vector<double> shares;
    for (size_t i = 0; i < good.size(); ++i) {
        const auto last = after.find(good[i].pid());
        const auto first = before.find(good[i].pid());
        if (last == after.end() || first == before.end()) {
            std::printf("process %d ended early\n", good[i].pid());
            well = false;
            continue;
        }
        shares.push_back(static_cast<double>(last->second - first->second) / weights[i]);
        sum += shares.back();
    }
    const double mean = sum / static_cast<double>(std::max<size_t>(shares.size(), 1));
    std::printf("%d s, %d kills, mean %.0f instructions; shares by weight:", seconds, kills, mean);
    for (const double share : shares) {
        std::printf(" %.3f", share / mean);
        well &= share > mean * (1 - widest_share) && share < mean * (1 + widest_share);
    }
    std::printf("\ndaemon: %lu KiB, grown by %ld KiB\n", static_cast<unsigned long>(resident),
                static_cast<long>(grown));
    well &= static_cast<int64_t>(grown) < static_cast<int64_t>(most_growth_kib);
    hostile.kill();
    ::kill(urgent.pid(), SIGTERM);
    well &= urgent.wait();
    for (auto &process : good)
        ::kill(process.pid(), SIGTERM);
    for (auto &process : good)
        well &= process.wait();
    for (int tries = 0; tries < 100 && !instructions().empty(); ++tries)
        std::this_thread::sleep_for(50ms);
    if (!instructions().empty()) {
        std::printf("clients are left over\n");
        well = false;
    }
    return well ? 0 : 1;
}

} // namespace
} // namespace rivulet::test

int main(int argc, char **argv) {
    testing::InitGoogleTest(&argc, argv);
    return rivulet::test::run(argc > 1 ? std::atoi(argv[1]) : 600);
}
