// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.9 and 5.14: the state of commands while they run and afterwards. All times are on one
// clock, clGetHostTimer's.
#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <random>
#include <thread>

#include "on_device.h"
// This header comes last, because it uses the API version set by those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::test {
namespace {

class Profiling : public OnDevice {
protected:
    static constexpr const char *source = "kernel void spin(global volatile int *data, int n) {"
                                          "    for (int i = 0; i < n; ++i)"
                                          "        data[get_global_id(0)] += i;"
                                          "}";

    cl_ulong host_time() const {
        cl_ulong time = 0;
        EXPECT_EQ(clGetHostTimer(device(), &time), CL_SUCCESS);
        return time;
    }
    static cl_ulong time(const cl::Event &event, cl_profiling_info point) {
        cl_ulong value = 0;
        EXPECT_EQ(clGetEventProfilingInfo(event(), point, sizeof value, &value, nullptr),
                  CL_SUCCESS);
        return value;
    }

    /// The states that an event's callbacks were called for, and when.
    struct Calls {
        std::mutex mutex;
        std::condition_variable changed;
        std::vector<cl_int> states;
        std::vector<cl_ulong> times;
        cl_device_id device = nullptr;

        static void CL_CALLBACK note(cl_event, cl_int state, void *user_data) {
            auto &calls = *static_cast<Calls *>(user_data);
            cl_ulong now = 0;
            clGetHostTimer(calls.device, &now);
            const std::lock_guard lock(calls.mutex);
            calls.states.push_back(state);
            calls.times.push_back(now);
            calls.changed.notify_all();
        }
        void watch(const cl::Event &event, const cl::Device &of) {
            device = of();
            for (const cl_int state : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED})
                EXPECT_EQ(clSetEventCallback(event(), state, note, this), CL_SUCCESS);
        }
        void wait(size_t count) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return states.size() >= count; });
        }
    };
};

TEST_F(Profiling, TimesOfRandomGraphsLieInTheOrderOfThingsOnAllQueues) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const cl::Program program = build(source);
    cl::Kernel spin(program, "spin");
    spin.setArg(0, buffer(std::vector<int>(64)));
    const cl::Buffer other = buffer(std::vector<int>(64));
    constexpr cl_command_queue_properties profiled = CL_QUEUE_PROFILING_ENABLE;
    constexpr cl_command_queue_properties unordered =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | profiled;
    struct QueueState {
        cl::CommandQueue queue;
        bool in_order;
        std::vector<size_t> all;
        std::vector<size_t> barrier; // the latest
    };
    std::vector<QueueState> queues;
    for (const cl_command_queue_properties properties : {profiled, profiled, unordered, unordered})
        queues.push_back({cl::CommandQueue(context, device, properties),
                          (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0,
                          {},
                          {}});
    struct Note {
        cl_device_id device;
        std::atomic<cl_ulong> learned = 0;
        static void CL_CALLBACK end(cl_event, cl_int, void *user_data) {
            auto &note = *static_cast<Note *>(user_data);
            cl_ulong now = 0;
            clGetHostTimer(note.device, &now);
            note.learned = now;
        }
    };
    struct Command {
        const char *name;
        cl::Event event;
        std::vector<size_t> predecessors;
        cl_ulong before;
        std::unique_ptr<Note> note;
    };
    const int rounds = counts_instructions() ? 4 : 12;
    for (int round = 0; round < rounds; ++round) {
        std::vector<Command> commands;
        for (QueueState &queue : queues)
            queue.all = queue.barrier = {};
        cl::UserEvent gate(context);
        bool gated = random() % 2 == 0;
        const size_t count = 60;
        // Commands that nothing orders share no memory that one of them writes.
        std::vector<std::array<int, 16>> hosts(count);
        for (size_t index = 0; index < count; ++index) {
            if (gated && index == count / 2) {
                gate.setStatus(CL_COMPLETE);
                gated = false;
            }
            QueueState &chosen = queues[random() % queues.size()];
            cl::CommandQueue &on = chosen.queue;
            std::vector<cl::Event> waits;
            Command command{"", {}, {}, host_time(), std::make_unique<Note>(device())};
            for (size_t n = random() % 3; n-- > 0 && index != 0;) {
                const size_t predecessor = random() % index;
                command.predecessors.push_back(predecessor);
                waits.push_back(commands[predecessor].event);
            }
            if (gated && random() % 4 == 0)
                waits.push_back(gate);
            bool waits_for_all = false, is_barrier = false;
            cl::Event &event = command.event;
            switch (random() % 10) {
            case 0:
                command.name = "fill";
                on.enqueueFillBuffer(buffer(std::vector<int>(4)), 1, 0, 16, &waits, &event);
                break;
            case 1:
                command.name = "read";
                on.enqueueReadBuffer(other, CL_FALSE, 0, 64, hosts[index].data(), &waits, &event);
                break;
            case 2: {
                command.name = "map";
                cl_int code = 0;
                void *at =
                    on.enqueueMapBuffer(other, CL_FALSE, CL_MAP_READ, 0, 64, &waits, &event, &code);
                on.enqueueUnmapMemObject(other, at);
                break;
            }
            case 3: {
                command.name = "native kernel";
                // opencl.hpp of 2024-10 dereferences this pointer even if it is null.
                const std::vector<cl::Memory> none;
                on.enqueueNativeKernel([](void *) { std::this_thread::yield(); },
                                       {nullptr, size_t{0}}, &none, nullptr, &waits, &event);
                break;
            }
            case 4:
                is_barrier = random() % 2 == 0;
                waits_for_all = waits.empty();
                command.name = is_barrier ? "barrier" : "marker";
                is_barrier ? on.enqueueBarrierWithWaitList(&waits, &event)
                           : on.enqueueMarkerWithWaitList(&waits, &event);
                break;
            default:
                command.name = "kernel";
                spin.setArg(1, int(random() % (random() % 4 ? 10 : 3000)));
                on.enqueueNDRangeKernel(spin, {}, cl::NDRange(64), {}, &waits, &event);
            }
            event.setCallback(CL_COMPLETE, Note::end, command.note.get());
            auto &predecessors = command.predecessors;
            const auto &ahead = chosen.in_order || waits_for_all ? chosen.all : chosen.barrier;
            predecessors.insert(predecessors.end(), ahead.begin(), ahead.end());
            chosen.all.push_back(index);
            if (is_barrier)
                chosen.barrier = {index};
            commands.push_back(std::move(command));
            if (random() % 8 == 0)
                on.flush();
            if (!gated && random() % 16 == 0) {
                const Command &some = commands[random() % commands.size()];
                some.event.wait();
                const cl_ulong now = host_time();
                EXPECT_LE(time(some.event, CL_PROFILING_COMMAND_END), now) << some.name;
            }
        }
        for (QueueState &queue : queues)
            queue.queue.flush();
        for (const Command &command : commands) {
            command.event.wait();
            const cl_ulong now = host_time();
            EXPECT_LE(time(command.event, CL_PROFILING_COMMAND_END), now) << command.name;
        }
        for (const auto &[name, event, predecessors, before, note] : commands) {
            while (note->learned == 0)
                std::this_thread::yield();
            const cl_ulong queued = time(event, CL_PROFILING_COMMAND_QUEUED);
            const cl_ulong submit = time(event, CL_PROFILING_COMMAND_SUBMIT);
            const cl_ulong start = time(event, CL_PROFILING_COMMAND_START);
            const cl_ulong end = time(event, CL_PROFILING_COMMAND_END);
            EXPECT_LE(before, queued) << name;
            EXPECT_LE(queued, submit) << name;
            EXPECT_LE(submit, start) << name;
            EXPECT_LE(start, end) << name;
            EXPECT_LE(end, note->learned) << name;
            for (const size_t index : predecessors)
                ASSERT_LE(time(commands[index].event, CL_PROFILING_COMMAND_END), start)
                    << name << " after " << commands[index].name;
        }
    }
}

TEST_F(Profiling, TimersAndTimesAreOfOneClock) {
    const cl::Program program = build(source);
    cl::Kernel spin(program, "spin");
    spin.setArg(0, buffer(std::vector<int>(64)));
    spin.setArg(1, 100);
    for (int round = 0; round < 200; ++round) {
        cl_ulong device_before = 0, host_before = 0, device_after = 0, host_after = 0;
        ASSERT_EQ(clGetDeviceAndHostTimer(device(), &device_before, &host_before), CL_SUCCESS);
        const cl::Event event = launch(spin, 64);
        event.wait();
        ASSERT_EQ(clGetDeviceAndHostTimer(device(), &device_after, &host_after), CL_SUCCESS);
        EXPECT_LE(device_before, time(event, CL_PROFILING_COMMAND_QUEUED));
        EXPECT_LE(time(event, CL_PROFILING_COMMAND_END), device_after);
        EXPECT_LE(host_before, host_after);
    }
}

/// Kernels that run until the host lets them end.
class Running : public Profiling {
protected:
    void SetUp() override {
        if (environment("RIVULET_MACHINE").find("noncoherent") != std::string::npos)
            GTEST_SKIP() << "its kernels don't see what the host writes meanwhile";
    }
    // In time even if the test fails; RIVULET_TIME_LIMIT ends the kernels otherwise.
    void TearDown() override { let_end(); }

    cl::Kernel held() {
        stop_ = buffer(std::vector<int>(1));
        // It only reads: a read-modify-write of QEMU's with one thread for all harts (icount) is
        // not atomic to the host, and could undo the host's write.
        cl::Kernel kernel(build("kernel void held(volatile global int *stop) {"
                                "    while (*stop == 0)"
                                "        ;"
                                "}"),
                          "held");
        kernel.setArg(0, stop_);
        return kernel;
    }
    void let_end() {
        const int one = 1;
        if (stop_())
            cl::CommandQueue(context, device).enqueueWriteBuffer(stop_, CL_TRUE, 0, 4, &one);
    }
    /// When it was first seen to run, 0 for never.
    cl_ulong await_running(const cl::Event &event) {
        for (cl_int now, before = CL_QUEUED; (now = execution_status(event)) > CL_COMPLETE;
             before = now) {
            EXPECT_LE(now, before) << "states come in their order";
            if (now == CL_RUNNING)
                return host_time();
            std::this_thread::sleep_for(std::chrono::microseconds(300));
        }
        return 0;
    }

    [[nodiscard]] const cl::Buffer &stop() const { return stop_; }

private:
    cl::Buffer stop_;
};

TEST_F(Running, IsSeenWhileAKernelRuns) {
    cl::CommandQueue unordered(context, device,
                               CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    for (cl::CommandQueue &on : {std::ref(queue), std::ref(unordered)}) {
        cl::Kernel kernel = held();
        cl::Event event;
        on.enqueueNDRangeKernel(kernel, {}, cl::NDRange(1), {}, nullptr, &event);
        on.flush();
        const cl_ulong seen = await_running(event);
        const cl_ulong before_end = host_time();
        let_end();
        event.wait();
        ASSERT_NE(seen, 0u);
        EXPECT_LE(time(event, CL_PROFILING_COMMAND_START), seen);
        if (!counts_instructions()) // where less device time may pass than the host's
            EXPECT_GE(time(event, CL_PROFILING_COMMAND_END), before_end - 1'000'000);
    }
}

TEST_F(Running, IsNotSeenOfWhatWaits) {
    cl::Kernel kernel = held();
    const cl::Event first = launch(kernel, 1);
    const cl::Event second = launch(kernel, 1); // in one batch with it
    queue.flush();
    ASSERT_NE(await_running(first), 0u);
    for (int n = 0; n < 20; ++n) {
        EXPECT_EQ(execution_status(second), CL_SUBMITTED);
        std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    let_end();
    second.wait();
    EXPECT_LE(time(first, CL_PROFILING_COMMAND_END), time(second, CL_PROFILING_COMMAND_START));
}

TEST_F(Running, HasItsCallbackBeforeTheEndOnceAndInOrder) {
    for (const bool late : {false, true}) {
        cl::Kernel kernel = held();
        Calls calls;
        cl::UserEvent gate(context);
        const std::vector<cl::Event> waits{gate};
        const cl::Event event = launch(kernel, 1, &waits);
        if (!late)
            calls.watch(event, device);
        gate.setStatus(CL_COMPLETE);
        queue.flush();
        if (late) // while it is on the device already
            calls.watch(event, device);
        calls.wait(2); // or the launch is ended by its time limit
        const cl_int status = execution_status(event);
        let_end();
        queue.finish();
        ASSERT_EQ(status, CL_RUNNING);
        calls.wait(3);
        EXPECT_THAT(calls.states, testing::ElementsAre(CL_SUBMITTED, CL_RUNNING, CL_COMPLETE));
        EXPECT_LE(time(event, CL_PROFILING_COMMAND_START), calls.times[1]);
        EXPECT_LE(time(event, CL_PROFILING_COMMAND_END), calls.times[2]);
    }
}

TEST_F(Running, IsSeenOfACommandBuffer) {
    const auto create = EXTENSION(clCreateCommandBufferKHR);
    const auto record = COMMAND(clCommandNDRangeKernelKHR);
    const auto finalize = EXTENSION(clFinalizeCommandBufferKHR);
    const auto enqueue = EXTENSION(clEnqueueCommandBufferKHR);
    const auto release = EXTENSION(clReleaseCommandBufferKHR);
    cl::Kernel kernel = held();
    const cl_command_queue on = queue();
    cl_int code = CL_SUCCESS;
    const cl_command_buffer_khr full = create(1, &on, nullptr, &code);
    const cl_command_buffer_khr empty = create(1, &on, nullptr, &code);
    const size_t one = 1;
    const int zero = 0;
    for (int n = 0; n < 2; ++n)
        ASSERT_EQ(record(full, nullptr, nullptr, kernel(), 1, nullptr, &one, nullptr, 0, nullptr,
                         nullptr, nullptr),
                  CL_SUCCESS);
    ASSERT_EQ(finalize(full), CL_SUCCESS);
    ASSERT_EQ(finalize(empty), CL_SUCCESS);
    cl::Event event, nothing;
    ASSERT_EQ(enqueue(0, nullptr, full, 0, nullptr, &event()), CL_SUCCESS);
    ASSERT_EQ(enqueue(0, nullptr, empty, 0, nullptr, &nothing()), CL_SUCCESS);
    queue.flush();
    const cl_ulong seen = await_running(event);
    let_end();
    nothing.wait();
    ASSERT_NE(seen, 0u);
    EXPECT_EQ(clEnqueueWriteBuffer(on, stop()(), CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr),
              CL_SUCCESS);
    cl::Event again;
    ASSERT_EQ(enqueue(0, nullptr, full, 0, nullptr, &again()), CL_SUCCESS);
    Calls calls;
    calls.watch(again, device);
    queue.flush();
    calls.wait(2);
    let_end();
    calls.wait(3);
    EXPECT_THAT(calls.states, testing::ElementsAre(CL_SUBMITTED, CL_RUNNING, CL_COMPLETE));
    EXPECT_LE(time(again, CL_PROFILING_COMMAND_START), calls.times[1]);
    EXPECT_LE(time(event, CL_PROFILING_COMMAND_START), seen);
    EXPECT_LE(time(event, CL_PROFILING_COMMAND_END), time(nothing, CL_PROFILING_COMMAND_START));
    EXPECT_EQ(release(full), CL_SUCCESS);
    EXPECT_EQ(release(empty), CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
