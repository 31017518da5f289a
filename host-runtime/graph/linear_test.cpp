// SPDX-License-Identifier: Apache-2.0
//
// The cost of many commands: twice as many take twice the memory, whatever is between them. A user
// event holds all of them, so that none of their edges has been removed yet.
#include <malloc.h>

#include <algorithm>
#include <functional>

#include "host-runtime/tests/opencl_test.h"
// This header comes last, because it uses the API version set by those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool counts_memory = false; // the sanitizer's allocator does not report it
#else
constexpr bool counts_memory = true;
#endif

using Points = std::vector<cl_sync_point_khr>;

class Linear : public OpenCL {
protected:
    void SetUp() override {
        OpenCL::SetUp();
        data = make_buffer(std::vector<cl_uint>(4, 0));
        loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        gate_ = user_event();
    }
    void TearDown() override {
        open_gate();
        clReleaseEvent(gate_);
        OpenCL::TearDown();
    }
    cl_event user_event() {
        cl_int code = CL_SUCCESS;
        cl_event event = clCreateUserEvent(context, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return event;
    }
    void open_gate() {
        if (status(gate_) == CL_SUBMITTED)
            EXPECT_EQ(clSetUserEventStatus(gate_, CL_COMPLETE), CL_SUCCESS);
        for (cl_command_queue made : queues)
            EXPECT_EQ(clFinish(made), CL_SUCCESS);
    }
    static size_t allocated() {
        const struct mallinfo2 info = mallinfo2();
        return info.uordblks + info.hblkhd;
    }
    template <class Enqueue> size_t bytes_of(size_t count, Enqueue &enqueue) {
        const size_t before = allocated();
        enqueue(count);
        const size_t bytes = allocated() - before;
        open_gate();
        clReleaseEvent(std::exchange(gate_, user_event()));
        return bytes;
    }
    /// enqueue(n) enqueues O(n) commands behind `gate`.
    template <class Enqueue> void expect_linear(Enqueue enqueue) {
        (void)bytes_of(1000, enqueue); // allocates what is kept for later rounds
        const size_t first = bytes_of(1000, enqueue);
        const size_t second = bytes_of(2000, enqueue);
        const size_t third = bytes_of(3000, enqueue);
        if (counts_memory) { // some of it is that of earlier rounds, equally much in each
            EXPECT_GT(third, 0u);
            const size_t growth = std::max(second, first) - first;
            EXPECT_LT(third, second + growth * 5 / 4 + 16384);
        }
    }
    void fill(cl_command_queue queue, std::vector<cl_event> waits, cl_event *event = nullptr) {
        constexpr cl_uint value = 1;
        EXPECT_EQ(clEnqueueFillBuffer(queue, data, &value, 4, 0, 4,
                                      static_cast<cl_uint>(waits.size()),
                                      waits.empty() ? nullptr : waits.data(), event),
                  CL_SUCCESS);
    }
    [[nodiscard]] cl_event gate() const { return gate_; }

    // Command buffers, enqueued as in the extension's own test.
    cl_command_buffer_khr commands_of(cl_command_queue queue) {
        cl_int code = 1;
        cl_command_buffer_khr made = clCreateCommandBufferKHR(1, &queue, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return made;
    }
    template <class Function> static Function command(const char *name) {
        return reinterpret_cast<Function>(clGetExtensionFunctionAddress(name));
    }
    cl_sync_point_khr fill(cl_command_buffer_khr commands, const Points &waits = {}) {
        static const auto function =
            command<clCommandFillBufferKHR_098_fn>("clCommandFillBufferKHR");
        constexpr cl_uint value = 1;
        cl_sync_point_khr point = 0;
        EXPECT_EQ(function(commands, nullptr, nullptr, data, &value, 4, 0, 4,
                           static_cast<cl_uint>(waits.size()),
                           waits.empty() ? nullptr : waits.data(), &point, nullptr),
                  CL_SUCCESS);
        return point;
    }
    static cl_sync_point_khr launch(cl_command_buffer_khr commands, cl_kernel kernel,
                                    const Points &waits = {}) {
        static const auto function =
            command<clCommandNDRangeKernelKHR_098_fn>("clCommandNDRangeKernelKHR");
        constexpr size_t items = 4;
        cl_sync_point_khr point = 0;
        EXPECT_EQ(function(commands, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr,
                           static_cast<cl_uint>(waits.size()),
                           waits.empty() ? nullptr : waits.data(), &point, nullptr),
                  CL_SUCCESS);
        return point;
    }
    static cl_sync_point_khr barrier(cl_command_buffer_khr commands, const Points &waits = {}) {
        static const auto function =
            command<clCommandBarrierWithWaitListKHR_098_fn>("clCommandBarrierWithWaitListKHR");
        cl_sync_point_khr point = 0;
        EXPECT_EQ(function(commands, nullptr, nullptr, static_cast<cl_uint>(waits.size()),
                           waits.empty() ? nullptr : waits.data(), &point, nullptr),
                  CL_SUCCESS);
        return point;
    }
    using Record = std::function<void(cl_command_buffer_khr, size_t)>;
    /// Records a command buffer for either kind of queue and enqueues it behind the gate on both
    /// kinds, with a wait list of `waits` events.
    void expect_linear_command_buffer(const Record &record, size_t waits = 1) {
        for (cl_command_queue recorded : {queue, loose})
            for (cl_command_queue enqueued : {queue, loose}) {
                SCOPED_TRACE(std::string(recorded == queue ? "in order" : "out of order") +
                             (enqueued == queue ? ", in order" : ", out of order"));
                expect_linear([&](size_t count) {
                    cl_command_buffer_khr commands = commands_of(recorded);
                    record(commands, count);
                    EXPECT_EQ(clFinalizeCommandBufferKHR(commands), CL_SUCCESS);
                    std::vector<cl_event> before(waits == 1 ? 1 : count * waits, gate());
                    cl_command_queue to = enqueued;
                    for (int times = 0; times < 2; ++times)
                        EXPECT_EQ(clEnqueueCommandBufferKHR(1, &to, commands,
                                                            static_cast<cl_uint>(before.size()),
                                                            before.data(), nullptr),
                                  CL_SUCCESS);
                    EXPECT_EQ(clReleaseCommandBufferKHR(commands), CL_SUCCESS);
                });
            }
    }

    cl_mem data = nullptr;
    cl_command_queue loose = nullptr;

private:
    cl_event gate_ = nullptr;
};
class LinearQueue : public Linear {};
class LinearCommandBuffer : public Linear {};

TEST_F(LinearQueue, BarriersAndMarkersBetweenCommands) {
    for (const auto sync : {clEnqueueBarrierWithWaitList, clEnqueueMarkerWithWaitList})
        for (cl_command_queue to : {loose, queue})
            expect_linear([&](size_t count) {
                cl_event first = gate();
                for (size_t n = 0; n < count; ++n) {
                    fill(to, {first});
                    EXPECT_EQ(sync(to, 0, nullptr, nullptr), CL_SUCCESS);
                }
            });
}

TEST_F(LinearQueue, BarriersWithWaitListsAndMarkersWithout) {
    expect_linear([&](size_t count) {
        for (size_t n = 0; n < count; ++n) {
            cl_event event = nullptr;
            fill(loose, {gate()}, &event);
            EXPECT_EQ(clEnqueueBarrierWithWaitList(loose, 1, &event, nullptr), CL_SUCCESS);
            EXPECT_EQ(clEnqueueMarkerWithWaitList(loose, 0, nullptr, nullptr), CL_SUCCESS);
            clReleaseEvent(event);
        }
    });
}

TEST_F(LinearQueue, OneWaitListOfAll) {
    expect_linear([&](size_t count) {
        std::vector<cl_event> events(count);
        for (cl_event &event : events)
            fill(loose, {gate()}, &event);
        fill(loose, events);
        for (cl_event event : events)
            clReleaseEvent(event);
    });
}

TEST_F(LinearCommandBuffer, BarriersBetweenCommands) {
    for (const size_t between : {1, 3})
        expect_linear_command_buffer([&](cl_command_buffer_khr commands, size_t count) {
            for (size_t n = 0; n < count; ++n) {
                for (size_t k = 0; k < between; ++k)
                    fill(commands);
                barrier(commands);
            }
        });
}

TEST_F(LinearCommandBuffer, NothingButBarriers) {
    expect_linear_command_buffer([&](cl_command_buffer_khr commands, size_t count) {
        fill(commands);
        for (size_t n = 0; n < count; ++n)
            barrier(commands);
        fill(commands);
    });
}

TEST_F(LinearCommandBuffer, BarriersThatNameBarriersAndCommands) {
    expect_linear_command_buffer([&](cl_command_buffer_khr commands, size_t count) {
        Points last;
        for (size_t n = 0; n < count; ++n) {
            const cl_sync_point_khr a = fill(commands, last);
            const cl_sync_point_khr b = fill(commands, last);
            last.push_back(barrier(commands, {a, b}));
            if (last.size() > 4)
                last.erase(last.begin());
        }
    });
}

TEST_F(LinearCommandBuffer, OneCommandThatNamesAllSyncPoints) {
    expect_linear_command_buffer([&](cl_command_buffer_khr commands, size_t count) {
        Points all;
        for (size_t n = 0; n < count; ++n)
            all.push_back(fill(commands));
        fill(commands, all);
        barrier(commands, all);
        barrier(commands);
        fill(commands);
    });
}

TEST_F(LinearCommandBuffer, WaitListsAsLongAsTheCommandBuffer) {
    expect_linear_command_buffer(
        [&](cl_command_buffer_khr commands, size_t count) {
            for (size_t n = 0; n < count; ++n)
                fill(commands);
        },
        2);
}

// The order is correct, too: each kernel sees the results of those before the barrier.
TEST_F(LinearCommandBuffer, KernelsBetweenThousandsOfBarriersKeepTheirOrder) {
    cl_kernel step = make_kernel("kernel void test(global uint *data, uint factor) {"
                                 "    data[get_global_id(0)] = data[get_global_id(0)] * factor + 1;"
                                 "}");
    set(step, 0, data);
    cl_uint expected = 1;
    fill(queue, {});
    cl_command_buffer_khr commands = commands_of(loose);
    for (cl_uint n = 0; n < 2000; ++n) {
        const cl_uint factor = n % 7 + 2;
        set(step, 1, factor);
        const cl_sync_point_khr point = launch(commands, step);
        n % 3 ? barrier(commands) : barrier(commands, {point});
        if (n % 5 == 0)
            barrier(commands);
        expected = expected * factor + 1;
    }
    EXPECT_EQ(clFinalizeCommandBufferKHR(commands), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(clEnqueueCommandBufferKHR(0, nullptr, commands, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(loose), CL_SUCCESS);
    EXPECT_EQ(contents<cl_uint>(data)[0], expected);
    EXPECT_EQ(clReleaseCommandBufferKHR(commands), CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
