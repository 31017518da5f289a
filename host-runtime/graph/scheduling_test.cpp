// SPDX-License-Identifier: Apache-2.0
//
// Independent commands run concurrently, and the device is woken no more often than necessary.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "host-runtime/tests/doorbells.h"
// This header comes last, because it uses the API version set by those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::test {
namespace {

using testing::Each;

// The platform reads this variable when it enumerates devices, after static initialisation. The
// driver is loopback, counting doorbells; a machine set in the environment is kept.
[[maybe_unused]] const int counted = setenv("RIVULET_DRIVER", RIVULET_COUNTING_DRIVER, 0);

class Scheduling : public CountsDoorbells {
protected:
    void SetUp() override {
        OpenCL::SetUp();
        clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof harts, &harts, nullptr);
    }
    cl_kernel adder(cl_mem data) {
        cl_kernel add =
            make_kernel("kernel void test(global uint *data) { ++data[get_global_id(0)]; }");
        set(add, 0, data);
        return add;
    }

    cl_uint harts = 0;
};

TEST_F(Scheduling, ManyDependentKernelsNeedTwoDoorbells) {
    cl_mem data = make_buffer(std::vector<cl_uint>(4, 0));
    cl_kernel add = adder(data);
    cl_uint rounds = 0;
    EXPECT_LE(fewest_doorbells(queue,
                               [&] {
                                   ++rounds;
                                   for (int n = 0; n < 400; ++n)
                                       clReleaseEvent(launch(queue, add, 4));
                               }),
              2);
    EXPECT_THAT(contents<cl_uint>(data), Each(rounds * 400));
}

// In the first round the host does the fills and copies, because the device has no code for that
// yet.
TEST_F(Scheduling, FillsAndCopiesBetweenKernelsNeedTwoDoorbells) {
    cl_mem first = make_buffer(std::vector<cl_uint>(4, 0));
    cl_mem second = make_buffer(std::vector<cl_uint>(4, 0));
    cl_kernel add_first = adder(first);
    cl_kernel add_second = adder(second);
    EXPECT_LE(fewest_doorbells(queue,
                               [&] {
                                   const cl_uint zero = 0;
                                   EXPECT_EQ(clEnqueueFillBuffer(queue, first, &zero, 4, 0, 16, 0,
                                                                 nullptr, nullptr),
                                             CL_SUCCESS);
                                   for (int n = 0; n < 100; ++n) {
                                       clReleaseEvent(launch(queue, add_first, 4));
                                       EXPECT_EQ(clEnqueueCopyBuffer(queue, first, second, 0, 0, 16,
                                                                     0, nullptr, nullptr),
                                                 CL_SUCCESS);
                                       clReleaseEvent(launch(queue, add_second, 4));
                                       EXPECT_EQ(clEnqueueCopyBuffer(queue, second, first, 0, 0, 16,
                                                                     0, nullptr, nullptr),
                                                 CL_SUCCESS);
                                   }
                                   clReleaseEvent(launch(queue, add_first, 4));
                               }),
              2);
    EXPECT_THAT(contents<cl_uint>(first), Each(201));
    EXPECT_THAT(contents<cl_uint>(second), Each(200));
}

TEST_F(Scheduling, ManyKernelsOfACommandBufferNeedTwoDoorbells) {
    const auto function = [&](const char *name) {
        return clGetExtensionFunctionAddressForPlatform(platform, name);
    };
    const auto make =
        reinterpret_cast<clCreateCommandBufferKHR_fn>(function("clCreateCommandBufferKHR"));
    const auto record =
        reinterpret_cast<clCommandNDRangeKernelKHR_098_fn>(function("clCommandNDRangeKernelKHR"));
    const auto finalize =
        reinterpret_cast<clFinalizeCommandBufferKHR_fn>(function("clFinalizeCommandBufferKHR"));
    const auto enqueue =
        reinterpret_cast<clEnqueueCommandBufferKHR_fn>(function("clEnqueueCommandBufferKHR"));
    const auto release =
        reinterpret_cast<clReleaseCommandBufferKHR_fn>(function("clReleaseCommandBufferKHR"));
    cl_mem data = make_buffer(std::vector<cl_uint>(4, 0));
    cl_kernel add = adder(data);
    cl_int code = 1;
    cl_command_buffer_khr commands = make(1, &queue, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    const size_t items = 4;
    for (int n = 0; n < 400; ++n)
        ASSERT_EQ(record(commands, nullptr, nullptr, add, 1, nullptr, &items, nullptr, 0, nullptr,
                         nullptr, nullptr),
                  CL_SUCCESS);
    ASSERT_EQ(finalize(commands), CL_SUCCESS);
    cl_uint rounds = 0;
    EXPECT_LE(fewest_doorbells(queue,
                               [&] {
                                   ++rounds;
                                   EXPECT_EQ(enqueue(0, nullptr, commands, 0, nullptr, nullptr),
                                             CL_SUCCESS);
                               }),
              2);
    EXPECT_THAT(contents<cl_uint>(data), Each(rounds * 400));
    EXPECT_EQ(release(commands), CL_SUCCESS);
}

// Each of the two work-groups waits, for long but not forever, until the other has begun.
constexpr const char *meeting = R"(
kernel void test(global volatile int *here, uint mine) {
    atomic_xchg(&here[mine], 1);
    int met = 0;
    for (long n = 0; n < 2000000000 && !met; ++n)
        met = atomic_or(&here[1 - mine], 0);
    here[2 + mine] = met;
})";

TEST_F(Scheduling, OutOfOrderQueueRunsIndependentKernelsSideBySide) {
    if (harts < 2)
        GTEST_SKIP() << "needs two harts";
    cl_command_queue free_queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem here = make_buffer(std::vector<cl_int>(4, 0));
    for (const cl_uint mine : {0u, 1u}) {
        cl_kernel kernel = make_kernel(meeting);
        set(kernel, 0, here);
        set(kernel, 1, mine);
        clReleaseEvent(launch(free_queue, kernel, 1));
    }
    ASSERT_EQ(clFinish(free_queue), CL_SUCCESS);
    EXPECT_THAT(contents<cl_int>(here), Each(1));
}

TEST_F(Scheduling, LongLaunchLeavesRoomForAnother) {
    constexpr size_t groups = 1 << 18; // for seconds
    cl_command_queue other = make_queue(0);
    cl_mem stop = make_buffer(std::vector<cl_int>(1, 0));
    cl_mem done = make_buffer(std::vector<cl_int>(1, 0));
    cl_kernel slow = make_kernel(long_and_short, "slow");
    cl_kernel brief = make_kernel(long_and_short);
    set(slow, 0, stop);
    set(slow, 1, done);
    set(brief, 0, stop);
    const size_t one = 1;
    cl_event running = nullptr;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, slow, 1, nullptr, &groups, &one, 0, nullptr, &running),
              CL_SUCCESS);
    ASSERT_EQ(clFlush(queue), CL_SUCCESS);
    cl_event ended = launch(other, brief, 1);
    ASSERT_EQ(clWaitForEvents(1, &ended), CL_SUCCESS);
    ASSERT_EQ(clWaitForEvents(1, &running), CL_SUCCESS);
    EXPECT_LT(contents<cl_int>(done)[0], cl_int{groups}); // the short one ran in between
    clReleaseEvent(ended);
    clReleaseEvent(running);
}

TEST_F(Scheduling, SixteenThreadsDoEverythingAtOnce) {
    constexpr int rounds = 12;
    const char *source = "kernel void test(global uint *data, uint factor) {"
                         "    data[get_global_id(0)] = data[get_global_id(0)] * factor + 1; }";
    cl_int code = CL_SUCCESS;
    cl_program shared = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    ASSERT_EQ(clBuildProgram(shared, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    cl_command_queue common = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    std::atomic<int> callbacks = 0;
    const auto on_complete = [](cl_event event, cl_int, void *user) {
        EXPECT_EQ(clRetainEvent(event), CL_SUCCESS); // no library lock is held during callbacks
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
        ++*static_cast<std::atomic<int> *>(user);
    };
    const auto work = [&](cl_uint thread) {
        cl_int failure = CL_SUCCESS;
        for (int round = 0; round < rounds; ++round) {
            const bool own_context = (thread + round) % 4 == 0;
            cl_context here = own_context
                                  ? clCreateContext(nullptr, 1, &device, nullptr, nullptr, &failure)
                                  : context;
            EXPECT_EQ(failure, CL_SUCCESS);
            cl_command_queue to =
                own_context || round % 2 ? clCreateCommandQueue(here, device, 0, &failure) : common;
            cl_mem data = clCreateBuffer(here, CL_MEM_READ_WRITE, 256, nullptr, &failure);
            EXPECT_EQ(failure, CL_SUCCESS);
            cl_event gate = clCreateUserEvent(here, &failure);
            cl_event filled = nullptr;
            EXPECT_EQ(
                clEnqueueFillBuffer(to, data, &thread, sizeof thread, 0, 256, 1, &gate, &filled),
                CL_SUCCESS);
            cl_event last = filled;
            if (!own_context) {
                const cl_uint factor = 3;
                const size_t items = 64;
                cl_kernel kernel = clCreateKernel(shared, "test", &failure);
                set(kernel, 0, data);
                set(kernel, 1, factor);
                EXPECT_EQ(clEnqueueNDRangeKernel(to, kernel, 1, nullptr, &items, nullptr, 1,
                                                 &filled, &last),
                          CL_SUCCESS);
                clReleaseEvent(filled);
                clReleaseKernel(kernel);
            }
            EXPECT_EQ(clSetEventCallback(last, CL_COMPLETE, on_complete, &callbacks), CL_SUCCESS);
            EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
            auto *mapped = static_cast<cl_uint *>(clEnqueueMapBuffer(
                to, data, CL_TRUE, CL_MAP_READ, 0, 256, 1, &last, nullptr, &failure));
            ASSERT_EQ(failure, CL_SUCCESS);
            EXPECT_EQ(mapped[63], own_context ? thread : thread * 3 + 1);
            EXPECT_EQ(clEnqueueUnmapMemObject(to, data, mapped, 0, nullptr, nullptr), CL_SUCCESS);
            clReleaseEvent(last);
            clReleaseEvent(gate);
            clReleaseMemObject(data);
            if (to != common)
                clReleaseCommandQueue(to);
            if (own_context)
                clReleaseContext(here);
        }
    };
    std::vector<std::thread> threads;
    for (cl_uint thread = 0; thread < 16; ++thread)
        threads.emplace_back(work, thread);
    for (std::thread &thread : threads)
        thread.join();
    clReleaseProgram(shared);
    ASSERT_EQ(clFinish(common), CL_SUCCESS);
    while (callbacks < 16 * rounds) // if one is lost, CTest's timeout fails the test
        std::this_thread::yield();
}

} // namespace
} // namespace rivulet::test
