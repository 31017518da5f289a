// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <random>
#include <thread>

#include "host-runtime/tests/opencl_test.h"

namespace rivulet::test {
namespace {

class Handle : public OpenCL {};
class Query : public OpenCL {};

TEST_F(Handle, FreedOneIsAnErrorCode) {
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(context, 0, 16, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(clRetainMemObject(buffer), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clRetainMemObject(buffer), CL_INVALID_MEM_OBJECT);
}

TEST_F(Handle, OneOfAnotherKindIsAnErrorCode) {
    EXPECT_EQ(clRetainMemObject(reinterpret_cast<cl_mem>(context)), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clFinish(reinterpret_cast<cl_command_queue>(device)), CL_INVALID_COMMAND_QUEUE);
}

TEST_F(Handle, NullAndGarbageAreErrorCodes) {
    int garbage = 0;
    EXPECT_EQ(clReleaseContext(nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(clReleaseEvent(reinterpret_cast<cl_event>(&garbage)), CL_INVALID_EVENT);
    EXPECT_EQ(clReleaseKernel(reinterpret_cast<cl_kernel>(1)), CL_INVALID_KERNEL);
}

// Each thread's handles are valid for it, and no other pointer ever is: another thread's freed
// handle, the same address as another kind, an address inside an object.
TEST_F(Handle, ThreadsAskAndReleaseAmongManyOthers) {
    constexpr size_t threads = 4;
    constexpr size_t each = 20'000;
    std::atomic<size_t> wrong = 0;
    const auto expect = [&](bool right) { wrong += !right; };
    const auto work = [&](unsigned seed) {
        std::mt19937 random(seed);
        std::vector<cl_event> events;
        const auto status_of = [](cl_event event) {
            cl_int value = 0;
            return clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value,
                                  nullptr);
        };
        for (size_t made = 0; made < each || !events.empty();) {
            if (made < each && (events.empty() || random() % 4 != 0)) {
                events.push_back(clCreateUserEvent(context, nullptr));
                ++made;
                continue;
            }
            std::swap(events[random() % events.size()], events.back());
            const cl_event event = events.back();
            const auto inside = reinterpret_cast<uintptr_t>(event) + 16;
            expect(status_of(event) == CL_SUCCESS);
            expect(status_of(reinterpret_cast<cl_event>(inside)) == CL_INVALID_EVENT);
            expect(clRetainKernel(reinterpret_cast<cl_kernel>(event)) == CL_INVALID_KERNEL);
            expect(clReleaseEvent(event) == CL_SUCCESS);
            events.pop_back();
        }
    };
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<std::thread> running;
    for (unsigned index = 0; index < threads; ++index)
        running.emplace_back(work, seed + index);
    for (std::thread &thread : running)
        thread.join();
    EXPECT_EQ(wrong, 0u);
}

// A freed address is invalid until reused, and then valid only as the new kind.
TEST_F(Handle, FreedAddressIsTheNextObjectsOrNobodys) {
    std::vector<cl_event> events(50'000);
    for (cl_event &event : events)
        event = clCreateUserEvent(context, nullptr);
    for (const cl_event event : events)
        ASSERT_EQ(clReleaseEvent(event), CL_SUCCESS);
    const cl_event again = clCreateUserEvent(context, nullptr);
    for (const cl_event event : events)
        if (event != again)
            ASSERT_EQ(clRetainEvent(event), CL_INVALID_EVENT);
    EXPECT_EQ(clReleaseEvent(again), CL_SUCCESS);
}

TEST_F(Query, GivesSizeValueAndErrorsAlike) {
    size_t size = 0;
    cl_uint value = 0;
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, 0, nullptr, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof value);
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, size, &value, nullptr), CL_SUCCESS);
    EXPECT_EQ(value, 1u);
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, size - 1, &value, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clGetContextInfo(context, 0xdead, sizeof value, &value, nullptr), CL_INVALID_VALUE);
}

TEST_F(Query, StringsCountTheirNul) {
    size_t size = 0;
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_PROFILE, 0, nullptr, &size), CL_SUCCESS);
    std::vector<char> text(size);
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_PROFILE, size, text.data(), nullptr), CL_SUCCESS);
    EXPECT_STREQ(text.data(), "EMBEDDED_PROFILE");
    EXPECT_EQ(size, sizeof "EMBEDDED_PROFILE");
}

TEST_F(Query, ReferenceCountsAreTheApplications) {
    cl_uint count = 0;
    EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(count, 1u);
}

} // namespace
} // namespace rivulet::test
