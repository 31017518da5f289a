// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <thread>

#include "hal/conformance/session.h"

namespace rivulet::hal::conformance {
namespace {

bool exists(int process) { return kill(process, 0) == 0; }

bool all_gone(const std::vector<int> &processes) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (const int process : processes)
        while (exists(process)) {
            if (std::chrono::steady_clock::now() > deadline)
                return false;
            std::this_thread::sleep_for(1ms);
        }
    return true;
}

/// A host program: starts a device in a child process, launches a kernel that never ends,
/// terminates the child in some way, and checks that the device's processes are gone.
void check_nothing_is_left(void (*end_of_host)()) {
    const auto device = open_device();
    ASSERT_TRUE(device) << device.error().message;
    SKIP_UNLESS(((*device)->description().flags & RVL_DEVICE_RUNNING) == 0,
                "the device outlives its host by design");
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    const int host = fork();
    ASSERT_GE(host, 0);
    char word = 1;
    if (host == 0) {
        close(ends[0]);
        Session session;
        const auto flag = session.allocate(4096);
        const rvl_slot spin = session.command({.kernel = Kernel::spin, .buffer = flag});
        session.submit({&spin, 1});
        session.see(flag + 64, 1);
        // Tells the parent that all is ready, and ends once the parent has inspected the processes.
        if (write(ends[1], &word, 1) == 1 && read(ends[1], &word, 1) == 1)
            end_of_host();
        _exit(99);
    }
    close(ends[1]);
    const bool ready = read(ends[0], &word, 1) == 1;
    const auto processes = driver_processes(host);
    EXPECT_TRUE(ready);
    if (ready)
        EXPECT_EQ(write(ends[0], &word, 1), 1);
    int status = 0;
    waitpid(host, &status, 0);
    close(ends[0]);
    EXPECT_TRUE(all_gone(processes));
    for (const int process : processes) // clean up after a failure, too
        if (exists(process))
            kill(process, SIGKILL);
    if (processes.empty())
        GTEST_SKIP() << "the device is not a process";
}

TEST(Death, OfTheHostByKillLeavesNoProcess) {
    check_nothing_is_left([] { kill(getpid(), SIGKILL); });
}

TEST(Death, OfTheHostByAbortLeavesNoProcess) {
    check_nothing_is_left([] {
        signal(SIGABRT, SIG_DFL);
        abort();
    });
}

TEST(Death, OfTheHostByExitWithoutCloseLeavesNoProcess) {
    check_nothing_is_left([] { _exit(0); });
}

TEST(Death, OfTheThreadThatStartedItLeavesTheDeviceAlive) {
    std::optional<Session> session;
    std::thread([&] { session.emplace(); }).join();
    std::this_thread::sleep_for(20ms);
    EXPECT_TRUE((*session)->alive());
    EXPECT_TRUE(session->run({.kernel = Kernel::iota, .buffer = session->allocate(4)}));
}

TEST(Death, InTheMiddleOfALaunchIsAnErrorAndRestartWorks) {
    Session session;
    for (int round = 0; round < 2; ++round) {
        const auto processes = driver_processes(getpid());
        SKIP_UNLESS(!processes.empty(), "the device is not a process");
        const auto flag = session.allocate(4096);
        const rvl_slot spin = session.command({.kernel = Kernel::spin, .buffer = flag});
        session.submit({&spin, 1});
        ASSERT_TRUE(session.see(flag + 64, 1));
        for (const int process : processes)
            kill(process, SIGKILL);
        const auto done = session->completions(patience);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().status, RVL_DEAD);

        const auto restarted = session->start();
        ASSERT_TRUE(restarted) << restarted.error().message;
        session.load_kernels();
        const auto buffer = session.allocate(4096);
        ASSERT_TRUE(session.run({.kernel = Kernel::iota, .groups = 3, .buffer = buffer}));
        EXPECT_EQ(session.words(buffer, 3), (std::vector<uint32_t>{0, 1, 2}));
    }
}

TEST(Death, CloseLeavesNoProcess) {
    std::vector<int> processes;
    {
        Session session;
        processes = driver_processes(getpid());
    }
    for (const int process : processes)
        EXPECT_FALSE(exists(process)); // at once: close waits for its end
    SKIP_UNLESS(!processes.empty(), "the device is not a process");
}

TEST(Fork, ChildGetsAnErrorAndParentGoesOn) {
    std::optional<Session> session;
    session.emplace();
    const int child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const auto slot = Session::ping(1);
        const bool refused =
            !(*session)->submit({&slot, 1}) && !(*session)->completions(1s) &&
            !(*session)->alive() && !(*session)->start() &&
            !(*session)->write(session->arena(), std::as_bytes(std::span(&slot, 1)));
        (*session)->wake();
        (*session)->stop();
        session.reset(); // must neither hang nor end the parent's device
        _exit(refused ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE((*session)->alive());
    EXPECT_TRUE(session->run({.kernel = Kernel::iota, .buffer = session->allocate(4)}));
}

} // namespace
} // namespace rivulet::hal::conformance
