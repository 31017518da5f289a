// SPDX-License-Identifier: Apache-2.0
//
// Devices that go wrong: damaged rings, unexpected completions, silence, death. On
// loopback, through a driver that does such things when it is asked to.
#include <dlfcn.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <mutex>
#include <thread>

#include "host-runtime/tests/damaging_driver.h"
#include "host-runtime/tests/opencl_test.h"

namespace rivulet::test {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::HasSubstr;

constexpr auto patience = 60s; // a test that waits so long has failed

// The platform reads these variables when it looks for its devices, after static initialisation.
constexpr const char *damaging_driver = RIVULET_DAMAGING_DRIVER;
[[maybe_unused]] const int damaged = setenv("RIVULET_DRIVER", damaging_driver, 1);
[[maybe_unused]] const int deadline = setenv("RIVULET_DEADLINE", "5", 1);

rvl_damage &damage() {
    static auto *const found =
        static_cast<rvl_damage *>(dlsym(dlopen(damaging_driver, RTLD_NOW), "rvl_damage"));
    return *found;
}

std::string machine() {
    const char *name = getenv("RIVULET_MACHINE");
    return name ? name : "loopback";
}

uint32_t load(const uint32_t &word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
void store(uint32_t &word, uint32_t value) { __atomic_store_n(&word, value, __ATOMIC_RELEASE); }

class DeviceInstanceTest : public OpenCL {
protected:
    void SetUp() override {
        OpenCL::SetUp();
        EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
        EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
        queues.clear();
        start();
    }
    void TearDown() override {
        damage().deaf = 0;
        damage().before_write = nullptr;
        OpenCL::TearDown();
    }

    /// A context that keeps what it is told.
    void start() {
        cl_int code = 1;
        const auto tell = [](const char *text, const void *, size_t, void *user) {
            if (std::string_view(text).starts_with("cl")) // of a call that failed
                return;
            auto &self = *static_cast<DeviceInstanceTest *>(user);
            const std::lock_guard lock(self.mutex);
            self.reports.emplace_back(text);
            self.told.notify_all();
        };
        context = clCreateContext(nullptr, 1, &device, tell, this, &code);
        ASSERT_EQ(code, CL_SUCCESS);
        queue = make_queue(0);
    }
    /// Makes all objects again after a death, at the first try.
    void start_again() {
        for (cl_kernel kernel : std::exchange(kernels, {}))
            clReleaseKernel(kernel);
        for (cl_mem buffer : std::exchange(buffers, {}))
            clReleaseMemObject(buffer);
        for (cl_command_queue each : std::exchange(queues, {}))
            clReleaseCommandQueue(each);
        clReleaseContext(context);
        start();
    }
    void expect_healthy() {
        cl_mem out = make_buffer(std::vector<cl_int>(256));
        cl_kernel seven = make_kernel("kernel void test(global int *out) {"
                                      "    out[get_global_id(0)] = 7;"
                                      "}");
        set(seven, 0, out);
        clReleaseEvent(launch(queue, seven, 256));
        EXPECT_THAT(contents<cl_int>(out), Each(7));
    }
    std::string next_report() {
        std::unique_lock lock(mutex);
        EXPECT_TRUE(told.wait_for(lock, patience, [&] { return !reports.empty(); }));
        if (reports.empty())
            return "";
        const std::string report = reports.front();
        reports.erase(reports.begin());
        return report;
    }

    /// A launch that runs until `stop` is called.
    cl_event spin() {
        cl_int code = 1;
        flag = make_buffer(std::vector<cl_int>(2));
        word = static_cast<cl_int *>(clEnqueueMapBuffer(
            queue, flag, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 8, 0, nullptr, nullptr, &code));
        EXPECT_EQ(code, CL_SUCCESS);
        cl_kernel waits = make_kernel("kernel void test(global volatile int *flag) {"
                                      "    flag[1] = 1;"
                                      "    while (!flag[0]) {}"
                                      "}");
        set(waits, 0, flag);
        cl_event event = launch(queue, waits, 1);
        clFlush(queue);
        while (!__atomic_load_n(word + 1, __ATOMIC_ACQUIRE))
            std::this_thread::yield();
        return event;
    }
    void stop() { __atomic_store_n(word, 1, __ATOMIC_RELEASE); }

    /// The latest command that the device was given, and the latest completion that it gave.
    static rvl_slot &latest(const rvl_ring &ring, uint64_t slots, uint32_t count) {
        return reinterpret_cast<rvl_slot *>(slots)[(load(ring.tail.value) - 1) & (count - 1)];
    }
    static rvl_slot &latest_command() {
        const rvl_mailbox &mailbox = *damage().mailbox;
        return latest(mailbox.commands, mailbox.hello.command_ring, mailbox.hello.command_slots);
    }
    static rvl_slot &latest_completion() {
        const rvl_mailbox &mailbox = *damage().mailbox;
        return latest(mailbox.completions, mailbox.hello.completion_ring,
                      mailbox.hello.completion_slots);
    }
    /// Puts a completion into the ring, as if the device had.
    static void complete(rvl_slot slot) {
        rvl_mailbox &mailbox = *damage().mailbox;
        const uint32_t tail = load(mailbox.completions.tail.value);
        reinterpret_cast<rvl_slot *>(
            mailbox.hello.completion_ring)[tail & (mailbox.hello.completion_slots - 1)] = slot;
        store(mailbox.completions.tail.value, tail + 1);
    }

    std::mutex mutex;
    std::condition_variable told;
    std::vector<std::string> reports;
    cl_mem flag = nullptr;
    cl_int *word = nullptr;
};

TEST_F(DeviceInstanceTest, DamageToARingEndsItAndTheNextContextWorks) {
    // The ring of commands stays whole: the firmware, here in this very process, would run old
    // ones.
    uint32_t *const index = &damage().mailbox->completions.tail.value;
    for (int round = 0; round < 2; ++round) {
        expect_healthy();
        cl_mem out = make_buffer(std::vector<cl_int>(1));
        cl_kernel kernel = make_kernel("kernel void test(global int *out) { *out = 1; }");
        set(kernel, 0, out);
        store(*index, load(*index) + 100'000);
        cl_event event = launch(queue, kernel, 1);
        EXPECT_NE(clWaitForEvents(1, &event), CL_SUCCESS);
        EXPECT_LT(status(event), 0);
        clReleaseEvent(event);
        EXPECT_THAT(next_report(), HasSubstr("the device was lost"));
        start_again();
        expect_healthy();
    }
}

TEST_F(DeviceInstanceTest, ACompletionThatComesTwiceEndsNoOtherLaunch) {
    if (machine() != "loopback")
        GTEST_SKIP() << "the kernel is told to end through a mapping";
    expect_healthy();
    const rvl_slot twice = latest_completion();
    cl_event event = spin();
    const uint16_t token = latest_command().header.token;
    complete(twice);
    rvl_slot disguised = twice; // the same launch's number under the other's token
    disguised.header.token = token;
    complete(disguised);
    const rvl_ring &ring = damage().mailbox->completions;
    while (load(ring.head.value) != load(ring.tail.value)) // no bell rings for them
        std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(50ms); // time for a completion that was taken to take effect
    EXPECT_GT(status(event), CL_COMPLETE);
    stop();
    EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    EXPECT_EQ(status(event), CL_COMPLETE);
    clReleaseEvent(event);
    expect_healthy();
}

TEST_F(DeviceInstanceTest, ACompletionOfALaunchThatTheDeviceHasNotIsNotBelieved) {
    if (machine() != "loopback-unmapped")
        GTEST_SKIP() << "launch records are not written through the driver";
    cl_mem out = make_buffer(std::vector<cl_int>(256));
    cl_kernel seven = make_kernel("kernel void test(global int *out) {"
                                  "    out[get_global_id(0)] = 7;"
                                  "}");
    set(seven, 0, out);
    const rvl_slot earlier = latest_completion(); // of the code's load
    static std::atomic<bool> told_all;
    static rvl_slot forged;
    forged = earlier;
    forged.header.group = RVL_GROUP_LAUNCH;
    forged.header.service = RVL_LAUNCH_NDRANGE;
    told_all = false;
    // The launch's record is being written: whatever its token is, it is completed already.
    damage().before_write = [] {
        if (told_all.exchange(true))
            return;
        for (uint32_t generation = 0; generation < 4; ++generation)
            for (uint32_t entry = 0; entry < 8; ++entry) {
                forged.header.token = static_cast<uint16_t>(generation * 1024 + entry);
                forged.completion.launch = 9999;
                complete(forged);
            }
    };
    clReleaseEvent(launch(queue, seven, 256));
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    damage().before_write = nullptr;
    EXPECT_THAT(contents<cl_int>(out), Each(7));
}

TEST_F(DeviceInstanceTest, MapsInADeadContextFail) {
    cl_mem buffer = make_buffer(std::vector<cl_int>(1024, 3));
    damage().host->died(damage().host->user, "the test said so");
    EXPECT_THAT(next_report(), HasSubstr("the test said so"));
    cl_context old = context;
    for (const bool another_lives : {false, true}) {
        for (const cl_bool blocking : {CL_TRUE, CL_FALSE}) {
            cl_int code = 1;
            EXPECT_EQ(clEnqueueMapBuffer(queue, buffer, blocking, CL_MAP_READ, 0, 64, 0, nullptr,
                                         nullptr, &code),
                      nullptr);
            EXPECT_EQ(code, CL_OUT_OF_RESOURCES);
        }
        cl_int value = 5;
        EXPECT_NE(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_NE(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(value, 5);
        if (another_lives)
            break;
        cl_int code = 1;
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        ASSERT_EQ(code, CL_SUCCESS);
    }
    clReleaseContext(old);
    clReleaseMemObject(buffer);
    buffers.clear();
    clReleaseCommandQueue(queue);
    queues.clear();
}

TEST_F(DeviceInstanceTest, AWriteThatBeganBeforeADeathIsOverBeforeTheNextLife) {
    if (machine() != "loopback-unmapped")
        GTEST_SKIP() << "writes do not go through the driver";
    cl_mem buffer = make_buffer(std::vector<cl_int>(1024));
    static std::promise<void> *begun, *go_on;
    static std::atomic<bool> once;
    begun = new std::promise<void>;
    go_on = new std::promise<void>;
    once = false;
    damage().reset_while_writing = 0;
    damage().before_write = [] {
        if (once.exchange(true))
            return;
        begun->set_value();
        go_on->get_future().wait();
    };
    std::thread writer([&] {
        const std::vector<cl_int> values(1024, 9);
        clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, values.data(), 0, nullptr, nullptr);
    });
    begun->get_future().wait();
    damage().host->died(damage().host->user, "the test said so");
    std::thread starter([&] {
        cl_int code = 1;
        cl_context next = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        clReleaseContext(next);
    });
    std::this_thread::sleep_for(50ms); // for the starter to go wrong; more would find no less
    go_on->set_value();
    writer.join();
    starter.join();
    EXPECT_FALSE(damage().reset_while_writing);
    damage().before_write = nullptr;
    start_again();
    expect_healthy();
}

TEST_F(DeviceInstanceTest, DeathOfADeviceWithNothingToDoIsToldOnceAndTheNextContextWorks) {
    expect_healthy();
    for (int round = 0; round < 3; ++round) {
        damage().host->died(damage().host->user, "the test said so");
        EXPECT_THAT(next_report(), HasSubstr("the test said so"));
        start_again();
        expect_healthy();
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(reports.empty());
    }
}

TEST_F(DeviceInstanceTest, LaunchesWhoseBellsGotLostRunAtTheNextHeartbeat) {
    cl_mem out = make_buffer(std::vector<cl_int>(1));
    cl_kernel kernel = make_kernel("kernel void test(global int *out) { ++*out; }");
    set(kernel, 0, out);
    while (
        !load(damage().mailbox->device_notify_enabled.value)) // it would see the launch by itself
        std::this_thread::sleep_for(1ms);
    damage().deaf = 1;
    for (int i = 0; i < 3; ++i) {
        cl_event event = launch(queue, kernel, 1);
        EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
        clReleaseEvent(event);
    }
    damage().deaf = 0;
    EXPECT_THAT(contents<cl_int>(out), Each(3));
    EXPECT_TRUE(reports.empty());
    expect_healthy();
}

} // namespace
} // namespace rivulet::test
