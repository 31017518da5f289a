// SPDX-License-Identifier: Apache-2.0
//
// QEMU dies under us: everything under way ends with an error, nothing hangs, and a new context
// has a device again.
#include <csignal>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "on_device.h"

namespace rivulet::test {
namespace {

/// Process ids of this process's children whose name starts with qemu.
std::vector<pid_t> qemu_children() {
    std::vector<pid_t> found;
    for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream stat(entry.path() / "stat");
        std::string pid, name, state;
        pid_t parent = 0;
        if (stat >> pid >> name >> state >> parent && parent == getpid() &&
            name.starts_with("(qemu"))
            found.push_back(std::stoi(pid));
    }
    return found;
}

constexpr const char *endless = "kernel void test(global int *out) {"
                                "    while (*(volatile global int *)out == 0) {}"
                                "}";

class DeviceDeath : public OnDevice {
protected:
    void SetUp() override {
        if (!on_qemu())
            GTEST_SKIP() << "only QEMU is a process of its own";
    }
    cl::Kernel endless_kernel;
    cl::Buffer out;

    /// A kernel that doesn't end by itself.
    cl::Event spin() {
        endless_kernel = kernel(endless);
        out = buffer(std::vector<int>(1));
        endless_kernel.setArg(0, out);
        const cl::Event event = launch(endless_kernel, 1);
        queue.flush();
        return event;
    }
    static void kill_qemu() {
        const auto children = qemu_children();
        ASSERT_EQ(children.size(), 1u);
        kill(children[0], SIGKILL);
    }
};

TEST_F(DeviceDeath, EndsTheLaunchUnderWayWithAnError) {
    const cl::Event event = spin();
    const std::vector<cl::Event> waits{event};
    int value = 0;
    cl::Event later;
    queue.enqueueReadBuffer(out, CL_FALSE, 0, 4, &value, &waits, &later);
    queue.flush();
    kill_qemu();
    EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
    EXPECT_LT(execution_status(event), 0);
    EXPECT_NE(status_of([&] { later.wait(); }), CL_SUCCESS);
}

TEST_F(DeviceDeath, LaterCallsFailInsteadOfHanging) {
    const cl::Event event = spin();
    kill_qemu();
    EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
    EXPECT_NE(status_of([&] { launch(endless_kernel, 1).wait(); }), CL_SUCCESS);
    EXPECT_NE(status_of([&] { read<int>(out, 1); }), CL_SUCCESS);
    status_of([&] { queue.finish(); }); // with any result
}

TEST_F(DeviceDeath, ANewContextStartsAFreshDevice) {
    for (int round = 0; round < 3; ++round) {
        const cl::Event event = spin();
        kill_qemu();
        EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
        context = cl::Context(device);
        queue = cl::CommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE);
        expect_healthy();
    }
}

} // namespace
} // namespace rivulet::test
