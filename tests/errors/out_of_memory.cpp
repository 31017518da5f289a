// SPDX-License-Identifier: Apache-2.0
//
// A host without memory: each call is made again and again, with its first allocation refused, then
// its second, and so on, until it needs no more. It must say CL_OUT_OF_HOST_MEMORY or do without,
// leave nothing behind, and work the next time.
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "errors.h"

namespace {

thread_local int allocations_left = -1; // of this thread, that still succeed; negative: all
thread_local bool refused = false;
thread_local bool is_test = false;    // the thread that the test runs on
std::atomic<int> left_elsewhere = -1; // of all others
std::atomic<bool> refused_elsewhere = false;
std::atomic<long> live = 0;

bool refuses() {
    if (allocations_left == 0)
        return refused = true;
    if (allocations_left > 0)
        --allocations_left;
    if (is_test || left_elsewhere < 0)
        return false;
    if (left_elsewhere.fetch_sub(1) > 0)
        return false;
    left_elsewhere = 0;
    return refused_elsewhere = true;
}

} // namespace

// In place of the C++ library's, for the whole process.
void *operator new(size_t bytes) {
    void *memory = refuses() ? nullptr : std::malloc(bytes);
    if (!memory)
        throw std::bad_alloc();
    ++live;
    return memory;
}
void operator delete(void *memory) noexcept {
    live -= memory != nullptr;
    std::free(memory);
}
void operator delete(void *memory, size_t) noexcept { operator delete(memory); }

namespace rivulet::test {
namespace {

class OutOfHostMemory : public Errors {
protected:
    void SetUp() override {
        is_test = true;
        Errors::SetUp();
    }
    void TearDown() override {
        Errors::TearDown();
        is_test = false;
    }

    /// `call` gives an error code, `undo` takes back what it did.
    template <class Call, class Undo> void refuse_each(const char *name, Call call, Undo undo) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, name);
        long before = 0;
        for (int round = 0; round < 3; ++round) { // the first may leave what is used again
            const long now = settled(before);
            if (round == 2)
                EXPECT_EQ(now, before) << "allocations are left";
            before = now;
            for (int count = 0;; ++count) {
                ASSERT_LT(count, 10000);
                allocations_left = count;
                refused = false;
                const cl_int code = call();
                allocations_left = -1;
                if (code == CL_SUCCESS)
                    undo();
                else
                    EXPECT_EQ(refused ? code : 1, CL_OUT_OF_HOST_MEMORY) << "allocation " << count;
                if (!refused)
                    break;
            }
        }
    }
    template <class Call> void refuse_each(const char *name, Call call) {
        refuse_each(name, call, [] {});
    }
    /// A call that makes an object.
    template <class Make, class Release>
    void refuse_making(const char *name, Make make, Release release) {
        decltype(make(nullptr)) made = nullptr;
        refuse_each(
            name,
            [&] {
                cl_int code = 1;
                made = make(&code);
                EXPECT_EQ(made == nullptr, code != CL_SUCCESS);
                return code;
            },
            [&] { EXPECT_EQ(release(made), CL_SUCCESS); });
    }
    /// A command: `enqueue` takes where the event goes.
    template <class Enqueue> void refuse_command(const char *name, Enqueue enqueue) {
        cl_event ended = nullptr;
        refuse_each(
            name,
            [&] {
                ended = nullptr;
                const cl_int code = enqueue(&ended);
                EXPECT_EQ(ended == nullptr, code != CL_SUCCESS);
                return code;
            },
            [&] {
                // Brief commands are done at once, by this thread, and may end without memory.
                const cl_int code = clWaitForEvents(1, &ended);
                if (code != CL_SUCCESS) {
                    cl_int status = 0;
                    clGetEventInfo(ended, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                   nullptr);
                    EXPECT_EQ(refused ? status : 1, CL_OUT_OF_HOST_MEMORY);
                }
                EXPECT_EQ(clReleaseEvent(ended), CL_SUCCESS);
            });
    }

    /// Allocations in use once the library's threads are at rest.
    long settled(long expected) {
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        for (int n = 0; n < 1000 && live != expected; ++n)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        return live;
    }
};

TEST_F(OutOfHostMemory, EndsCallsThatMakeObjects) {
    refuse_making(
        "context",
        [&](cl_int *code) { return clCreateContext(nullptr, 1, &device, nullptr, nullptr, code); },
        clReleaseContext);
    refuse_making(
        "queue", [&](cl_int *code) { return clCreateCommandQueue(context, device, 0, code); },
        clReleaseCommandQueue);
    refuse_making(
        "queue with properties",
        [&](cl_int *code) {
            const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, 0, 0};
            return clCreateCommandQueueWithProperties(context, device, list, code);
        },
        clReleaseCommandQueue);
    refuse_making(
        "buffer",
        [&](cl_int *code) {
            return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 1000, data, code);
        },
        clReleaseMemObject);
    refuse_making(
        "sub-buffer",
        [&](cl_int *code) {
            const cl_buffer_region region = {128, 128};
            return clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, code);
        },
        clReleaseMemObject);
    refuse_making(
        "image",
        [&](cl_int *code) {
            const cl_image_format format = {CL_RGBA, CL_FLOAT};
            cl_image_desc shape = {};
            shape.image_type = CL_MEM_OBJECT_IMAGE2D;
            shape.image_width = shape.image_height = 8;
            return clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &shape, data, code);
        },
        clReleaseMemObject);
    refuse_making(
        "sampler",
        [&](cl_int *code) {
            return clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, code);
        },
        clReleaseSampler);
    refuse_making(
        "event", [&](cl_int *code) { return clCreateUserEvent(context, code); }, clReleaseEvent);
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    refuse_making(
        "command buffer",
        [&](cl_int *code) { return clCreateCommandBufferKHR(1, &queue, nullptr, code); },
        clReleaseCommandBufferKHR);
    cl_device_id parts[2] = {};
    refuse_each(
        "sub-devices",
        [&] {
            const cl_device_partition_property by_two[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
            return clCreateSubDevices(device, by_two, 2, parts, nullptr);
        },
        [&] {
            for (const cl_device_id part : parts)
                EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
        });
}

TEST_F(OutOfHostMemory, EndsCallsWithPrograms) {
    const char *text = "kernel void test(global int *out, int value) { *out = value; }";
    refuse_making(
        "program",
        [&](cl_int *code) { return clCreateProgramWithSource(context, 1, &text, nullptr, code); },
        clReleaseProgram);
    const cl_program program = built(text);
    size_t bytes = 0;
    ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr),
              CL_SUCCESS);
    std::vector<unsigned char> image(bytes);
    unsigned char *to = image.data();
    refuse_each("binary", [&] {
        return clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr);
    });
    const unsigned char *from = image.data();
    refuse_making(
        "program of a binary",
        [&](cl_int *code) {
            return clCreateProgramWithBinary(context, 1, &device, &bytes, &from, nullptr, code);
        },
        clReleaseProgram);
    const cl_program binary =
        released_later(clReleaseProgram, made(clCreateProgramWithBinary, context, 1u, &device,
                                              &bytes, &from, nullptr));
    refuse_each("build of a binary",
                [&] { return clBuildProgram(binary, 0, nullptr, "", nullptr, nullptr); });
    refuse_making(
        "kernel", [&](cl_int *code) { return clCreateKernel(program, "test", code); },
        clReleaseKernel);
    const cl_kernel kernel = released_later(clReleaseKernel, made(clCreateKernel, program, "test"));
    refuse_making(
        "clone", [&](cl_int *code) { return clCloneKernel(kernel, code); }, clReleaseKernel);
    refuse_each("argument", [&] { return clSetKernelArg(kernel, 0, sizeof buffer, &buffer); });
    char answer[4096];
    refuse_each("device query", [&] {
        return clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof answer, answer, nullptr);
    });
    refuse_each("kernel query", [&] {
        return clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof answer, answer, nullptr);
    });
}

// A build takes long: its allocations in growing steps.
TEST_F(OutOfHostMemory, EndsABuildWhichCanBeTriedAgain) {
    const cl_program program = source("kernel void test(global int *out) { *out = 1; }");
    for (int count = 0;; count += 1 + count / 8) {
        allocations_left = count;
        refused = false;
        const cl_int code = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
        allocations_left = -1;
        if (!refused) {
            EXPECT_EQ(code, CL_SUCCESS);
            return;
        }
        EXPECT_TRUE(code == CL_OUT_OF_HOST_MEMORY || code == CL_SUCCESS) << code << ", " << count;
    }
}

TEST_F(OutOfHostMemory, EndsCommands) {
    refuse_command("read", [&](cl_event *ended) {
        return clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 1024, data, 0, nullptr, ended);
    });
    refuse_command("blocking write", [&](cl_event *ended) {
        return clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, nullptr, ended);
    });
    const size_t origin[3] = {}, region[3] = {16, 4, 2};
    refuse_command("rectangle", [&](cl_event *ended) {
        return clEnqueueReadBufferRect(queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0,
                                       data, 0, nullptr, ended);
    });
    const cl_mem target = memory(0);
    refuse_command("copy", [&](cl_event *ended) {
        return clEnqueueCopyBuffer(queue, buffer, target, 0, 0, 1024, 0, nullptr, ended);
    });
    refuse_command("fill", [&](cl_event *ended) {
        return clEnqueueFillBuffer(queue, buffer, data, 4, 0, 1024, 0, nullptr, ended);
    });
    refuse_command("migration", [&](cl_event *ended) {
        return clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, 0, nullptr, ended);
    });
    refuse_command("marker", [&](cl_event *ended) {
        return clEnqueueMarkerWithWaitList(queue, 0, nullptr, ended);
    });
    refuse_command("barrier", [&](cl_event *ended) {
        return clEnqueueBarrierWithWaitList(queue, 0, nullptr, ended);
    });
    refuse_command("native kernel", [&](cl_event *ended) {
        const void *place = data;
        return clEnqueueNativeKernel(
            queue, [](void *) {}, data, 64, 1, &buffer, &place, 0, nullptr, ended);
    });
    const cl_kernel kernel = this->kernel();
    const cl_int value = 5;
    ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(kernel, 1, sizeof value, &value), CL_SUCCESS);
    const size_t items = 16;
    refuse_command("launch", [&](cl_event *ended) {
        return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                      ended);
    });
    void *mapped = nullptr;
    refuse_each(
        "map",
        [&] {
            cl_int code = 1;
            mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr,
                                        nullptr, &code);
            return code;
        },
        [&] {
            EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr),
                      CL_SUCCESS);
        });
    mapped = nullptr;
    refuse_each(
        "unmap",
        [&] {
            const int left = std::exchange(allocations_left, -1);
            if (!mapped)
                mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr,
                                            nullptr, nullptr);
            allocations_left = left;
            return clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr);
        },
        [&] { mapped = nullptr; });
    cl_uint mappings = 1;
    EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof mappings, &mappings, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(mappings, 0u);
    refuse_each("finish", [&] { return clFinish(queue); });
    refuse_each("callback", [&] {
        return clSetEventCallback(failed, CL_COMPLETE, [](cl_event, cl_int, void *) {}, nullptr);
    });
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, nullptr, nullptr),
              CL_SUCCESS);
}

TEST_F(OutOfHostMemory, EndsCommandBuffers) {
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    EXTENSION(clFinalizeCommandBufferKHR);
    EXTENSION(clEnqueueCommandBufferKHR);
    const auto clCommandBarrierWithWaitListKHR = reinterpret_cast<cl_int(CL_API_CALL *)(
        cl_command_buffer_khr, cl_command_queue, const void *, cl_uint, const void *, cl_uint *,
        void *)>(
        clGetExtensionFunctionAddressForPlatform(platform, "clCommandBarrierWithWaitListKHR"));
    cl_command_buffer_khr commands = nullptr;
    refuse_each("record", [&] {
        const int left = std::exchange(allocations_left, -1);
        if (commands)
            EXPECT_EQ(clReleaseCommandBufferKHR(commands), CL_SUCCESS);
        commands = made(clCreateCommandBufferKHR, 1u, &queue, nullptr);
        allocations_left = left;
        return clCommandBarrierWithWaitListKHR(commands, nullptr, nullptr, 0, nullptr, nullptr,
                                               nullptr);
    });
    released_later(clReleaseCommandBufferKHR, commands);
    ASSERT_EQ(clFinalizeCommandBufferKHR(commands), CL_SUCCESS);
    refuse_command("enqueue", [&](cl_event *ended) {
        return clEnqueueCommandBufferKHR(0, nullptr, commands, 0, nullptr, ended);
    });
}

// What the library's threads do for a command that nobody waits for.
TEST_F(OutOfHostMemory, EndsCommandsUnderWayAndNothingElse) {
    const size_t large = 1 << 20;
    const cl_mem from = memory(0, large), to = memory(0, large);
    const cl_kernel kernel = this->kernel("kernel void test() { printf(\"%s\", \"\"); }");
    const size_t items = 16;
    for (int count = 0;; ++count) {
        ASSERT_LT(count, 10000);
        cl_event ended[2] = {};
        left_elsewhere = count;
        refused_elsewhere = false;
        ASSERT_EQ(clEnqueueCopyBuffer(queue, from, to, 0, 0, large, 0, nullptr, &ended[0]),
                  CL_SUCCESS);
        ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                         &ended[1]),
                  CL_SUCCESS);
        ASSERT_EQ(clFlush(queue), CL_SUCCESS);
        for (const cl_event event : ended) {
            cl_int status = CL_QUEUED;
            while (status > CL_COMPLETE) // not waited for: that would do its work here
                ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                         &status, nullptr),
                          CL_SUCCESS);
            EXPECT_TRUE(status == CL_COMPLETE || status == CL_OUT_OF_HOST_MEMORY) << status;
            EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
        }
        left_elsewhere = -1;
        ASSERT_EQ(clFinish(queue), CL_SUCCESS);
        if (!refused_elsewhere)
            break;
    }
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, nullptr, nullptr),
              CL_SUCCESS);
}

// Before anything else of the library was called: finding the devices, and starting one.
TEST(OutOfHostMemoryAtTheStart, EndsTheFirstCalls) {
    is_test = true;
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    const auto refuse_each = [](const char *name, auto call) {
        for (int count = 0;; ++count) {
            ASSERT_LT(count, 10000) << name;
            allocations_left = count;
            refused = false;
            const cl_int code = call();
            allocations_left = -1;
            if (code == CL_SUCCESS && !refused)
                return;
            if (code == CL_SUCCESS) // did without, so that there is no second first time
                return;
            ASSERT_EQ(code, CL_OUT_OF_HOST_MEMORY) << name << ", allocation " << count;
        }
    };
    refuse_each("platform", [&] { return clGetPlatformIDs(1, &platform, nullptr); });
    refuse_each("device",
                [&] { return clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr); });
    refuse_each("context", [&] {
        cl_int code = 1;
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        return code;
    });
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    is_test = false;
}

} // namespace
} // namespace rivulet::test
