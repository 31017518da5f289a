// SPDX-License-Identifier: Apache-2.0
//
// Order of commands: queues, wait lists, barriers, user events, callbacks.
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "host-runtime/graph/event.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/tests/opencl_test.h"

namespace rivulet::test {
namespace {

using testing::Each;
using testing::ElementsAre;

// Every launch must see the previous one's results.
constexpr const char *step_source = R"(
kernel void test(global uint *data, uint factor) {
    size_t i = get_global_id(0);
    data[i] = data[i] * factor + 1;
})";

class Graph : public OpenCL {
protected:
    cl_kernel step(cl_mem data, cl_uint factor) {
        cl_kernel kernel = make_kernel(step_source);
        set(kernel, 0, data);
        set(kernel, 1, factor);
        return kernel;
    }
    cl_event user_event() {
        cl_int code = CL_SUCCESS;
        cl_event event = clCreateUserEvent(context, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return event;
    }
};

class InOrder : public Graph {};
class OutOfOrder : public Graph {};
class UserEvent : public Graph {};
class EventCallback : public Graph {};
class Profiling : public Graph {};
class Threads : public Graph {};

TEST_F(InOrder, ThousandDependentKernelsRunInTheirOrder) {
    cl_mem data = make_buffer(std::vector<cl_uint>(64, 0));
    cl_kernel three = step(data, 3);
    cl_kernel five = step(data, 5);
    cl_uint expected = 0;
    for (int n = 0; n < 500; ++n) {
        clReleaseEvent(launch(queue, three, 64));
        clReleaseEvent(launch(queue, five, 64));
        expected = (expected * 3 + 1) * 5 + 1;
    }
    EXPECT_THAT(contents<cl_uint>(data), Each(expected));
}

TEST_F(InOrder, ChainLinkedByWaitListsRunsInItsOrder) {
    cl_mem data = make_buffer(std::vector<cl_uint>(64, 0));
    cl_kernel three = step(data, 3);
    cl_event last = launch(queue, three, 64);
    cl_uint expected = 1;
    for (int n = 0; n < 200; ++n) {
        cl_event next = launch(queue, three, 64, {last});
        clReleaseEvent(last);
        last = next;
        expected = expected * 3 + 1;
    }
    EXPECT_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
    clReleaseEvent(last);
    EXPECT_THAT(contents<cl_uint>(data), Each(expected));
}

TEST_F(InOrder, HostAndDeviceCommandsKeepTheirOrder) {
    cl_mem data = make_buffer(std::vector<cl_uint>(64, 0));
    cl_kernel three = step(data, 3);
    std::vector<std::vector<cl_uint>> seen(20, std::vector<cl_uint>(64));
    for (auto &values : seen) {
        clReleaseEvent(launch(queue, three, 64));
        EXPECT_EQ(
            clEnqueueReadBuffer(queue, data, CL_FALSE, 0, 256, values.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
    }
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    cl_uint expected = 0;
    for (auto &values : seen)
        EXPECT_THAT(values, Each(expected = expected * 3 + 1));
}

TEST_F(OutOfOrder, DiamondOfEventsIsKept) {
    cl_command_queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem left = make_buffer(std::vector<cl_uint>(64, 1));
    cl_mem right = make_buffer(std::vector<cl_uint>(64, 2));
    cl_kernel sum = make_kernel(R"(
kernel void test(global const uint *a, global uint *b) {
    b[get_global_id(0)] += a[get_global_id(0)];
})");
    set(sum, 0, left);
    set(sum, 1, right);
    for (int round = 0; round < 20; ++round) {
        cl_event a = launch(loose, step(left, 3), 64);
        cl_event b = launch(loose, step(right, 5), 64);
        cl_event c = launch(loose, sum, 64, {a, b});
        EXPECT_EQ(clWaitForEvents(1, &c), CL_SUCCESS);
        for (cl_event event : {a, b, c})
            clReleaseEvent(event);
    }
    cl_uint expected_left = 1;
    cl_uint expected_right = 2;
    for (int round = 0; round < 20; ++round) {
        expected_left = expected_left * 3 + 1;
        expected_right = expected_right * 5 + 1 + expected_left;
    }
    EXPECT_THAT(contents<cl_uint>(right), Each(expected_right));
}

TEST_F(OutOfOrder, BarrierKeepsWhatFollowsBehindWhatCameBefore) {
    cl_command_queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem data = make_buffer(std::vector<cl_uint>(64, 0));
    cl_kernel three = step(data, 3);
    cl_uint expected = 0;
    for (int n = 0; n < 50; ++n) {
        clReleaseEvent(launch(loose, three, 64));
        EXPECT_EQ(clEnqueueBarrierWithWaitList(loose, 0, nullptr, nullptr), CL_SUCCESS);
        expected = expected * 3 + 1;
    }
    EXPECT_EQ(clFinish(loose), CL_SUCCESS);
    EXPECT_THAT(contents<cl_uint>(data), Each(expected));
}

TEST_F(UserEvent, GatesAChainWithoutBlockingTheApplication) {
    cl_mem data = make_buffer(std::vector<cl_uint>(64, 0));
    cl_kernel three = step(data, 3);
    cl_event gate = user_event();
    cl_event first = launch(queue, three, 64, {gate});
    cl_event second = launch(queue, three, 64, {first});
    EXPECT_EQ(clFlush(queue), CL_SUCCESS);
    EXPECT_EQ(status(first), CL_QUEUED);
    EXPECT_EQ(status(second), CL_QUEUED);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
    EXPECT_EQ(clWaitForEvents(1, &second), CL_SUCCESS);
    EXPECT_THAT(contents<cl_uint>(data), Each(4u));
    for (cl_event event : {gate, first, second})
        clReleaseEvent(event);
}

TEST_F(UserEvent, ErrorEndsWhatWaitsForItAndNothingElse) {
    cl_mem data = make_buffer(std::vector<cl_uint>(64, 0));
    cl_kernel three = step(data, 3);
    cl_event gate = user_event();
    cl_event first = launch(queue, three, 64, {gate});
    cl_event second = launch(queue, three, 64, {first});
    cl_event third = launch(queue, three, 64);
    EXPECT_EQ(clSetUserEventStatus(gate, -7), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(clWaitForEvents(1, &third), CL_SUCCESS);
    EXPECT_EQ(status(gate), -7);
    EXPECT_EQ(status(first), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(status(second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_THAT(contents<cl_uint>(data), Each(1u));
    for (cl_event event : {gate, first, second, third})
        clReleaseEvent(event);
}

TEST_F(UserEvent, ReleasedUnsetEndsWhatWaitsForIt) {
    cl_event gate = user_event();
    cl_event marker = nullptr;
    EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &gate, &marker), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &marker), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    clReleaseEvent(marker);
}

/// States for which callbacks were called, on any thread.
struct Calls {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<cl_int> states;
    std::thread::id thread;

    static void CL_CALLBACK note(cl_event, cl_int state, void *user_data) {
        auto &calls = *static_cast<Calls *>(user_data);
        const std::lock_guard lock(calls.mutex);
        calls.states.push_back(state);
        calls.thread = std::this_thread::get_id();
        calls.changed.notify_all();
    }
    std::vector<cl_int> wait_for(size_t count) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return states.size() >= count; });
        return states;
    }
};

TEST_F(EventCallback, ComesForEveryStateInTheirOrderOnAnotherThread) {
    cl_mem data = make_buffer(std::vector<cl_uint>(64, 0));
    Calls calls;
    cl_event gate = user_event();
    cl_event event = launch(queue, step(data, 3), 64, {gate});
    for (cl_int state : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED})
        EXPECT_EQ(clSetEventCallback(event, state, Calls::note, &calls), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_THAT(calls.wait_for(3), ElementsAre(CL_SUBMITTED, CL_RUNNING, CL_COMPLETE));
    EXPECT_NE(calls.thread, std::this_thread::get_id());
    clReleaseEvent(event);
    clReleaseEvent(gate);
}

TEST_F(EventCallback, MayWaitReleaseAndEnqueue) {
    struct Next {
        cl_command_queue queue;
        Calls calls;
    } next{queue, {}};
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event), CL_SUCCESS);
    auto again = [](cl_event ended, cl_int state, void *user_data) {
        auto &next = *static_cast<Next *>(user_data);
        clReleaseEvent(ended);
        clEnqueueMarkerWithWaitList(next.queue, 0, nullptr, nullptr);
        clFinish(next.queue);
        Calls::note(ended, state, &next.calls);
    };
    EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, again, &next), CL_SUCCESS);
    EXPECT_THAT(next.calls.wait_for(1), ElementsAre(CL_COMPLETE));
}

TEST_F(Profiling, TimesNeverGoBackwards) {
    cl_mem data = make_buffer(std::vector<cl_uint>(64, 0));
    cl_kernel three = step(data, 3);
    std::vector<cl_event> events;
    for (int n = 0; n < 20; ++n)
        events.push_back(launch(queue, three, 64));
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (cl_event event : events) {
        cl_ulong before = 0;
        for (cl_profiling_info point : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                        CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
            cl_ulong time = 0;
            EXPECT_EQ(clGetEventProfilingInfo(event, point, sizeof time, &time, nullptr),
                      CL_SUCCESS);
            EXPECT_LE(before, time);
            before = time;
        }
        cl_ulong harts = 0;
        EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_HARTS_RIVULET, sizeof harts,
                                          &harts, nullptr),
                  CL_SUCCESS);
        EXPECT_NE(harts, 0u);
        clReleaseEvent(event);
    }
}

TEST_F(Profiling, MarkerStartsAfterWhatEndedSinceItWasCreated) {
    for (const cl_command_queue_properties order : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        cl_command_queue handle = make_queue(CL_QUEUE_PROFILING_ENABLE | order);
        Batch batch(*find(handle));
        const Ref<Event> marker(batch.add(CL_COMMAND_MARKER, {}));
        cl_event native = nullptr;
        EXPECT_EQ(clEnqueueNativeKernel(
                      handle, [](void *) {}, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, &native),
                  CL_SUCCESS);
        EXPECT_EQ(clWaitForEvents(1, &native), CL_SUCCESS);
        batch.submit(nullptr);
        EXPECT_EQ(clFinish(handle), CL_SUCCESS);
        EXPECT_LE(find(native)->time(Event::ended), marker->time(Event::started));
        clReleaseEvent(native);
    }
}

// A native kernel may wait for another queue's work on the host.
TEST_F(Threads, NativeKernelsMayWaitForOtherQueuesTransfersAndEachOther) {
    constexpr size_t bytes = 1 << 20;
    constexpr int kernels = 20;
    static std::atomic<int> begun;
    static std::atomic<cl_event> read;
    begun = 0;
    read = nullptr;
    void(CL_CALLBACK * native)(void *) = [](void *) {
        ++begun;
        while (!read || begun < kernels)
            std::this_thread::yield();
        const cl_event event = read;
        EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    };
    cl_command_queue unordered = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int n = 0; n < kernels; ++n)
        ASSERT_EQ(clEnqueueNativeKernel(unordered, native, nullptr, 0, 0, nullptr, nullptr, 0,
                                        nullptr, nullptr),
                  CL_SUCCESS);
    std::vector<cl_uint> values(bytes / sizeof(cl_uint));
    cl_mem data = make_buffer(std::vector<cl_uint>(values.size(), 4));
    cl_event event = nullptr;
    ASSERT_EQ(
        clEnqueueReadBuffer(queue, data, CL_FALSE, 0, bytes, values.data(), 0, nullptr, &event),
        CL_SUCCESS);
    read = event;
    EXPECT_EQ(clFinish(unordered), CL_SUCCESS);
    EXPECT_THAT(values, Each(4u));
    clReleaseEvent(event);
}

// The application's signal handlers must not run on threads created by the library.
TEST_F(Threads, OfTheLibraryBlockTheApplicationsSignals) {
    cl_mem data = make_buffer(std::vector<cl_uint>(64, 0));
    clReleaseEvent(launch(queue, step(data, 3), 64));
    cl_event done = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &done), CL_SUCCESS);
    static std::atomic<bool> called;
    called = false;
    clSetEventCallback(done, CL_COMPLETE, [](cl_event, cl_int, void *) { called = true; }, nullptr);
    clFinish(queue);
    while (!called)
        std::this_thread::yield();
    clReleaseEvent(done);
    const uint64_t needed = uint64_t{1} << (SIGUSR1 - 1) | uint64_t{1} << (SIGINT - 1) |
                            uint64_t{1} << (SIGCHLD - 1) | uint64_t{1} << (SIGALRM - 1);
    int others = 0;
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
        if (task.path().filename() == std::to_string(getpid()))
            continue;
        std::ifstream status(task.path() / "status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("SigBlk:"))
                EXPECT_EQ(std::stoull(line.substr(7), nullptr, 16) & needed, needed) << task.path();
        ++others;
    }
    EXPECT_GT(others, 2); // the scheduler, the callbacks, the device's harts
}

TEST_F(InOrder, NativeKernelSeesWhatTheKernelWroteAndIsSeen) {
    cl_mem data = make_buffer(std::vector<cl_uint>(64, 2));
    cl_kernel three = step(data, 3);
    struct Arguments {
        cl_uint *data;
        cl_uint add;
    } arguments{nullptr, 100};
    auto native = [](void *memory) {
        auto &given = *static_cast<Arguments *>(memory);
        for (size_t index = 0; index < 64; ++index)
            given.data[index] += given.add;
    };
    const void *where = &arguments.data;
    clReleaseEvent(launch(queue, three, 64));
    EXPECT_EQ(clEnqueueNativeKernel(queue, native, &arguments, sizeof arguments, 1, &data, &where,
                                    0, nullptr, nullptr),
              CL_SUCCESS);
    clReleaseEvent(launch(queue, three, 64));
    EXPECT_THAT(contents<cl_uint>(data), Each(107u * 3 + 1));
}

TEST_F(Threads, QueuesOfTheirOwnGiveEachItsResult) {
    constexpr size_t count = 8;
    std::vector<cl_mem> data;
    std::vector<cl_kernel> steps;
    std::vector<cl_command_queue> own;
    for (size_t n = 0; n < count; ++n) {
        data.push_back(make_buffer(std::vector<cl_uint>(64, 0)));
        steps.push_back(step(data.back(), 3));
        own.push_back(make_queue(n % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
    }
    std::vector<std::thread> threads;
    for (size_t n = 0; n < count; ++n)
        threads.emplace_back([&, n] {
            for (int round = 0; round < 50; ++round) {
                cl_event event = launch(own[n], steps[n], 64);
                std::vector<cl_uint> seen(64);
                EXPECT_EQ(clEnqueueReadBuffer(own[n], data[n], round % 3 == 0, 0, 256, seen.data(),
                                              1, &event, nullptr),
                          CL_SUCCESS);
                EXPECT_EQ(clFinish(own[n]), CL_SUCCESS);
                clReleaseEvent(event);
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    cl_uint expected = 0;
    for (int round = 0; round < 50; ++round)
        expected = expected * 3 + 1;
    for (cl_mem buffer : data)
        EXPECT_THAT(contents<cl_uint>(buffer), Each(expected));
}

} // namespace
} // namespace rivulet::test
