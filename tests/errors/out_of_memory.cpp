// SPDX-License-Identifier: Apache-2.0
//
// A host without memory: objects, programs and builds, the first calls of all.
#include "out_of_memory.h"

#include <cstdlib>
#include <new>

namespace rivulet::test {

thread_local int allocations_left = -1;
thread_local bool refused = false;
thread_local bool is_test = false;
std::atomic<int> left_elsewhere = -1;
std::atomic<bool> refused_elsewhere = false;
std::atomic<long> live = 0;

namespace {

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
} // namespace rivulet::test

using namespace rivulet::test;

// These replace the C++ library's operators, for the whole process.
void *operator new(size_t bytes) {
    void *memory = refuses() ? nullptr : std::malloc(bytes);
    if (!memory)
        throw std::bad_alloc();
    ++live;
    return memory;
}
// A sanitizer's own would call its malloc, for which std::free is no match.
void *operator new(size_t bytes, const std::nothrow_t &) noexcept {
    try {
        return operator new(bytes);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}
void operator delete(void *memory) noexcept {
    live -= memory != nullptr;
    std::free(memory);
}
void operator delete(void *memory, size_t) noexcept { operator delete(memory); }

namespace rivulet::test {
namespace {

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

// A build takes long, so the numbers of allocations that succeed grow in steps.
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

// No thread waits for this build, and its own thread runs out of memory.
TEST_F(OutOfHostMemory, EndsABuildUnderWayWhichTellsItsCallback) {
    const cl_program program = source("kernel void test(global int *out) { *out = 2; }");
    for (int count = 0;; count += 1 + count / 8) {
        std::atomic<bool> told = false;
        left_elsewhere = count;
        refused_elsewhere = false;
        ASSERT_EQ(clBuildProgram(
                      program, 0, nullptr, "",
                      [](cl_program, void *to) { *static_cast<std::atomic<bool> *>(to) = true; },
                      &told),
                  CL_SUCCESS);
        while (!told)
            std::this_thread::yield();
        left_elsewhere = -1;
        cl_build_status status = CL_BUILD_NONE;
        ASSERT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                        &status, nullptr),
                  CL_SUCCESS);
        if (!refused_elsewhere) {
            EXPECT_EQ(status, CL_BUILD_SUCCESS);
            return;
        }
        EXPECT_TRUE(status == CL_BUILD_ERROR || status == CL_BUILD_SUCCESS) << status;
    }
}

TEST_F(OutOfHostMemory, EndsAsynchronousBuildsBeforeTheyBegin) {
    const cl_program program = source("kernel void test(global int *out) { *out = 3; }");
    static std::atomic<int> told;
    told = 0;
    int begun = 0;
    for (int count = 0;; ++count) {
        allocations_left = count;
        refused = false;
        const cl_int code =
            clBuildProgram(program, 0, nullptr, "", [](cl_program, void *) { ++told; }, nullptr);
        allocations_left = -1;
        begun += code == CL_SUCCESS;
        while (told != begun)
            std::this_thread::yield();
        if (!refused) {
            EXPECT_EQ(code, CL_SUCCESS);
            return;
        }
        ASSERT_TRUE(code == CL_OUT_OF_HOST_MEMORY || code == CL_SUCCESS) << code << ", " << count;
    }
}

// Allocations fail before anything else in the library was called: while it enumerates devices and
// starts one. Each test is a separate process.
class OutOfHostMemoryAtTheStart : public testing::Test {
protected:
    void SetUp() override { is_test = true; }
    void TearDown() override { is_test = false; }

    /// Repeats until the call succeeds, which creates the platform: that happens only once per
    /// process.
    template <class Call> void refuse_each(const char *name, Call call) {
        for (int count = 0;; ++count) {
            ASSERT_LT(count, 10000) << name;
            allocations_left = count;
            refused = false;
            const cl_int code = call();
            allocations_left = -1;
            if (code == CL_SUCCESS)
                return;
            ASSERT_EQ(code, CL_OUT_OF_HOST_MEMORY) << name << ", allocation " << count;
        }
    }
};

TEST_F(OutOfHostMemoryAtTheStart, EndsTheFirstCalls) {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    refuse_each("platform", [&] { return clGetPlatformIDs(1, &platform, nullptr); });
    refuse_each("device",
                [&] { return clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr); });
    refuse_each("context", [&] {
        cl_int code = 1;
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        return code;
    });
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST_F(OutOfHostMemoryAtTheStart, EndsQueriesOfNoPlatform) {
    char name[64];
    refuse_each("platform", [&] {
        return clGetPlatformInfo(nullptr, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    });
}

TEST_F(OutOfHostMemoryAtTheStart, EndsQueriesForDevicesOfNoPlatform) {
    cl_device_id device = nullptr;
    refuse_each("device",
                [&] { return clGetDeviceIDs(nullptr, CL_DEVICE_TYPE_ALL, 1, &device, nullptr); });
}

TEST_F(OutOfHostMemoryAtTheStart, EndsTheFirstContextOfAType) {
    cl_context context = nullptr;
    refuse_each("context", [&] {
        cl_int code = 1;
        context = clCreateContextFromType(nullptr, CL_DEVICE_TYPE_ALL, nullptr, nullptr, &code);
        return code;
    });
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST_F(OutOfHostMemoryAtTheStart, EndsQueriesForFunctionsOfNobody) {
    for (int count = 0; count < 10; ++count) {
        allocations_left = count;
        refused = false;
        EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(as<cl_platform_id>(&count), "clFinish"),
                  nullptr);
        allocations_left = -1;
    }
}

} // namespace
} // namespace rivulet::test
