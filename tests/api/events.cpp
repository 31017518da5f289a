// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.9 to 5.14: events, their order, callbacks and profiling.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <future>
#include <random>
#include <string>
#include <thread>

#include "on_device.h"

namespace rivulet::test {
namespace {

// Profiling queries of Rivulet, both cl_ulong.
constexpr cl_profiling_info retired_instructions = 0x4F01;
constexpr cl_profiling_info harts_mask = 0x4F02;

constexpr const char *add = "kernel void test(global int *out, int value) {"
                            "    out[get_global_id(0)] += value;"
                            "}";

class Events : public OnDevice {
protected:
    cl::CommandQueue unordered{context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

    cl::Event launch_on(cl::CommandQueue &on, const cl::Kernel &kernel, size_t items,
                        const std::vector<cl::Event> &waits = {}) {
        cl::Event event;
        on.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), {}, &waits, &event);
        return event;
    }
};

TEST_F(Events, TellWhatTheyAreOf) {
    cl::Kernel kernel = OnDevice::kernel(add);
    kernel.setArg(0, buffer(std::vector<int>(10)));
    kernel.setArg(1, 1);
    const cl::Event event = launch(kernel, 10);
    event.wait();
    EXPECT_EQ(execution_status(event), CL_COMPLETE);
    EXPECT_EQ(event.getInfo<CL_EVENT_COMMAND_TYPE>(), cl_command_type{CL_COMMAND_NDRANGE_KERNEL});
    EXPECT_EQ(event.getInfo<CL_EVENT_COMMAND_QUEUE>()(), queue());
    EXPECT_EQ(event.getInfo<CL_EVENT_CONTEXT>()(), context());
}

// The state of a thread of this process as named by proc(5): R while running, S while sleeping, and
// X if it no longer exists.
char state_of(pid_t thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
    std::string line;
    std::getline(file, line);
    const size_t name_end = line.rfind(')');
    return name_end == std::string::npos ? 'X' : line.at(name_end + 2);
}

TEST_F(Events, ThreadThatIsCancelledFinishesItsWait) {
    struct Shared {
        cl::UserEvent gate;
        std::atomic<pid_t> id = 0;
        std::atomic<bool> cancelled = false;
        std::atomic<cl_int> waited = CL_INVALID_VALUE;
    } shared{.gate = cl::UserEvent(context)};
    pthread_t thread{};
    const auto wait = [](void *argument) -> void * {
        auto &of_test = *static_cast<Shared *>(argument);
        of_test.id = gettid();
        while (!of_test.cancelled)
            ; // no call that might end it
        of_test.waited = clWaitForEvents(1, &of_test.gate());
        pthread_testcancel();
        return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, nullptr, wait, &shared), 0);
    pthread_cancel(thread);
    while (shared.id == 0)
        std::this_thread::yield();
    shared.cancelled = true;
    // The thread's only sleep is its wait, so the event completes while it is in there.
    for (char state = 'R'; state != 'S' && state != 'X'; state = state_of(shared.id))
        std::this_thread::yield();
    shared.gate.setStatus(CL_COMPLETE);
    void *result = nullptr;
    ASSERT_EQ(pthread_join(thread, &result), 0);
    EXPECT_EQ(result, PTHREAD_CANCELED);
    EXPECT_EQ(shared.waited, CL_SUCCESS);
}

TEST_F(Events, WaitListsOrderAnOutOfOrderQueue) {
    cl::Kernel square = OnDevice::kernel("kernel void test(global int *v) {"
                                         "    v[get_global_id(0)] = v[get_global_id(0)] * 3 + 1;"
                                         "}");
    const cl::Buffer values = buffer(std::vector<int>(1000, 1));
    square.setArg(0, values);
    std::vector<cl::Event> last;
    for (int i = 0; i < 10; ++i)
        last = {launch_on(unordered, square, 1000, last)};
    std::vector<int> result(1000);
    unordered.enqueueReadBuffer(values, CL_TRUE, 0, 4000, result.data(), &last);
    int expected = 1;
    for (int i = 0; i < 10; ++i)
        expected = expected * 3 + 1;
    EXPECT_EQ(result, std::vector<int>(1000, expected));
}

TEST_F(Events, BarriersSplitAnOutOfOrderQueue) {
    cl::Kernel kernel = OnDevice::kernel(add);
    const cl::Buffer values = buffer(std::vector<int>(64));
    kernel.setArg(0, values);
    for (int i = 0; i < 5; ++i) {
        kernel.setArg(1, 1 << i);
        launch_on(unordered, kernel, 64);
        unordered.enqueueBarrierWithWaitList();
    }
    cl::Event marker;
    unordered.enqueueMarkerWithWaitList(nullptr, &marker);
    marker.wait();
    EXPECT_EQ(read<int>(values, 64), std::vector<int>(64, 31));
}

TEST_F(Events, QueuesWaitForEachOther) {
    cl::CommandQueue other(context, device);
    cl::Kernel kernel = OnDevice::kernel(add);
    const cl::Buffer values = buffer(std::vector<int>(8));
    kernel.setArg(0, values);
    kernel.setArg(1, 5);
    const std::vector<cl::Event> first{launch(kernel, 8)};
    const cl::Event second = launch_on(other, kernel, 8, first);
    std::vector<int> result(8);
    const std::vector<cl::Event> waits{second};
    queue.enqueueReadBuffer(values, CL_TRUE, 0, 32, result.data(), &waits);
    EXPECT_EQ(result, std::vector<int>(8, 10));
}

// Each command notes when it ran; no edge of the graph may lead back in time.
TEST_F(Events, GraphsAcrossQueuesKeepTheirOrder) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    constexpr int commands = 400;
    cl::Kernel note = OnDevice::kernel("kernel void test(global int *clock, global int *times,"
                                       "                 int index) {"
                                       "    times[index] = atomic_inc(clock);"
                                       "}");
    const cl::Buffer clock = buffer(std::vector<int>(1));
    const cl::Buffer times = buffer(std::vector<int>(commands));
    note.setArg(0, clock);
    note.setArg(1, times);
    std::vector<cl::CommandQueue> queues{queue, unordered};
    for (int more = 0; more < 3; ++more)
        queues.emplace_back(context, device);
    std::vector<int> last(queues.size(), -1); // of each in-order queue
    std::vector<cl::Event> events;
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < commands; ++i) {
        const size_t on = random() % queues.size();
        std::vector<cl::Event> waits;
        for (unsigned count = i == 0 ? 0 : random() % (random() % 8 == 0 ? 30 : 4); count > 0;
             --count) {
            const int from = static_cast<int>(random() % static_cast<unsigned>(i));
            waits.push_back(events[static_cast<size_t>(from)]);
            edges.emplace_back(from, i);
        }
        if (on != 1 && last[on] >= 0)
            edges.emplace_back(last[on], i);
        last[on] = i;
        note.setArg(2, i);
        events.push_back(launch_on(queues[on], note, 1, waits));
        if (random() % 16 == 0)
            queues[random() % queues.size()].flush();
    }
    for (cl::CommandQueue &each : queues)
        each.finish();
    const std::vector<int> ran = read<int>(times, commands);
    for (const auto &[from, to] : edges)
        EXPECT_LT(ran[static_cast<size_t>(from)], ran[static_cast<size_t>(to)])
            << from << " before " << to;
}

TEST_F(Events, UserEventsHoldCommandsBack) {
    cl::Kernel kernel = OnDevice::kernel(add);
    const cl::Buffer values = buffer(std::vector<int>(8));
    kernel.setArg(0, values);
    kernel.setArg(1, 1);
    cl::UserEvent gate(context);
    const std::vector<cl::Event> waits{gate};
    const cl::Event event = launch(kernel, 8, &waits);
    queue.flush();
    EXPECT_GT(execution_status(event), CL_COMPLETE);
    gate.setStatus(CL_COMPLETE);
    event.wait();
    EXPECT_EQ(read<int>(values, 8), std::vector<int>(8, 1));
    EXPECT_EQ(status_of([&] { gate.setStatus(CL_COMPLETE); }), CL_INVALID_OPERATION);
}

TEST_F(Events, AFailedUserEventFailsWhatWaitsForIt) {
    cl::Kernel kernel = OnDevice::kernel(add);
    const cl::Buffer values = buffer(std::vector<int>(8));
    kernel.setArg(0, values);
    kernel.setArg(1, 1);
    cl::UserEvent gate(context);
    const std::vector<cl::Event> waits{gate};
    const cl::Event event = launch(kernel, 8, &waits);
    gate.setStatus(-1);
    EXPECT_EQ(status_of([&] { event.wait(); }), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_LT(execution_status(event), 0);
    EXPECT_EQ(read<int>(values, 8), std::vector<int>(8, 0));
}

TEST_F(Events, CallbacksAreCalledOnce) {
    cl::Kernel kernel = OnDevice::kernel(add);
    kernel.setArg(0, buffer(std::vector<int>(8)));
    kernel.setArg(1, 1);
    cl::Event event = launch(kernel, 8);
    struct Call {
        std::atomic<int> calls = 0;
        std::promise<cl_int> status;
    } call;
    event.setCallback(
        CL_COMPLETE,
        [](cl_event, cl_int status, void *user) {
            auto &made = *static_cast<Call *>(user);
            if (made.calls++ == 0)
                made.status.set_value(status);
        },
        &call);
    queue.finish();
    EXPECT_EQ(call.status.get_future().get(), CL_COMPLETE);
    EXPECT_EQ(call.calls, 1);
}

TEST_F(Events, TimesAreInOrder) {
    cl::Kernel kernel = OnDevice::kernel(add);
    kernel.setArg(0, buffer(std::vector<int>(100000)));
    kernel.setArg(1, 1);
    const cl::Event first = launch(kernel, 100000), second = launch(kernel, 100000);
    second.wait();
    for (const cl::Event &event : {first, second}) {
        const auto queued = event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>();
        const auto submit = event.getProfilingInfo<CL_PROFILING_COMMAND_SUBMIT>();
        const auto start = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
        const auto end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
        EXPECT_LE(queued, submit);
        EXPECT_LE(submit, start);
        EXPECT_LE(start, end);
    }
    EXPECT_LE(first.getProfilingInfo<CL_PROFILING_COMMAND_END>(),
              second.getProfilingInfo<CL_PROFILING_COMMAND_START>());
}

TEST_F(Events, ProfilingNeedsAProfilingQueue) {
    cl::CommandQueue plain(context, device);
    cl::Kernel kernel = OnDevice::kernel("kernel void test() {}");
    const cl::Event event = launch_on(plain, kernel, 1);
    event.wait();
    cl_ulong value = 0;
    for (const cl_profiling_info what :
         {cl_profiling_info{CL_PROFILING_COMMAND_START}, retired_instructions, harts_mask})
        EXPECT_EQ(clGetEventProfilingInfo(event(), what, sizeof value, &value, nullptr),
                  CL_PROFILING_INFO_NOT_AVAILABLE);
}

TEST_F(Events, HartsThatTookPartAreAMask) {
    cl::Kernel kernel = OnDevice::kernel(add);
    kernel.setArg(0, buffer(std::vector<int>(100000)));
    kernel.setArg(1, 1);
    const cl::Event event = launch(kernel, 100000);
    event.wait();
    cl_ulong mask = 0;
    ASSERT_EQ(clGetEventProfilingInfo(event(), harts_mask, sizeof mask, &mask, nullptr),
              CL_SUCCESS);
    EXPECT_NE(mask, 0u);
    EXPECT_LT(mask, cl_ulong{1} << device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
}

TEST_F(Events, InstructionsRepeatExactlyOrAreNotGiven) {
    cl::Kernel kernel = OnDevice::kernel(add);
    kernel.setArg(0, buffer(std::vector<int>(4096)));
    kernel.setArg(1, 1);
    std::vector<cl_ulong> counts;
    for (const size_t items : {4096u, 4096u, 4096u, 1024u}) {
        const cl::Event event = launch(kernel, items);
        event.wait();
        cl_ulong value = 0;
        const cl_int status =
            clGetEventProfilingInfo(event(), retired_instructions, sizeof value, &value, nullptr);
        ASSERT_EQ(status, counts_instructions() ? CL_SUCCESS : CL_PROFILING_INFO_NOT_AVAILABLE);
        counts.push_back(value);
    }
    if (!counts_instructions())
        return;
    EXPECT_EQ(counts[0], counts[1]);
    EXPECT_EQ(counts[1], counts[2]);
    EXPECT_LT(counts[3], counts[2]);
    EXPECT_GT(counts[3], 0u);
}

TEST_F(Events, LongChainsComplete) {
    cl::Kernel kernel = OnDevice::kernel(add);
    const cl::Buffer values = buffer(std::vector<int>(4));
    kernel.setArg(0, values);
    kernel.setArg(1, 1);
    for (int i = 0; i < 2000; ++i)
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(4));
    EXPECT_EQ(read<int>(values, 4), std::vector<int>(4, 2000));
}

TEST_F(Events, EmptyRangeActsAsAMarker) {
    cl::Kernel kernel = OnDevice::kernel("kernel void test() {}");
    cl::Event event;
    const size_t none = 0;
    cl_event handle = nullptr;
    ASSERT_EQ(
        clEnqueueNDRangeKernel(queue(), kernel(), 1, nullptr, &none, nullptr, 0, nullptr, &handle),
        CL_SUCCESS);
    event = handle;
    event.wait();
    EXPECT_EQ(execution_status(event), CL_COMPLETE);
}

TEST_F(Events, ThreadsShareAQueue) {
    const cl::Program program = build(add);
    const cl::Buffer values = buffer(std::vector<int>(4));
    std::vector<std::future<void>> threads;
    for (int t = 0; t < 4; ++t)
        threads.push_back(std::async(std::launch::async, [&] {
            cl::Kernel kernel(program, "test");
            kernel.setArg(0, values);
            kernel.setArg(1, 1);
            for (int i = 0; i < 50; ++i)
                queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(4));
            queue.finish();
        }));
    for (auto &thread : threads)
        thread.get();
    EXPECT_EQ(read<int>(values, 4), std::vector<int>(4, 200));
}

} // namespace
} // namespace rivulet::test
