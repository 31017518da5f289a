// SPDX-License-Identifier: Apache-2.0
//
// What the context's callback is told about a failed call: function, code, argument, value, limit.
#include <condition_variable>
#include <mutex>

#include "errors.h"

namespace rivulet::test {
namespace {

class Sentences : public Errors {
protected:
    void SetUp() override {
        Errors::SetUp();
        cl_int code = 1;
        told_context = clCreateContext(nullptr, 1, &device, notify, this, &code);
        ASSERT_EQ(code, CL_SUCCESS);
        told_queue = made(clCreateCommandQueue, told_context, device, 0u);
        told_buffer = made(clCreateBuffer, told_context, 0u, size_t{4096}, nullptr);
        program = source("kernel void f(global float *x, int n) { x[n] = 1; }\n"
                         "kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
                         "void g(global float *x) { x[0] = 1; }\n",
                         told_context);
        ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-cl-kernel-arg-info", nullptr, nullptr),
                  CL_SUCCESS);
        f = made(clCreateKernel, program, "f");
        g = made(clCreateKernel, program, "g");
    }
    void TearDown() override {
        for (const cl_kernel kernel : {f, g})
            EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
        EXPECT_EQ(clReleaseMemObject(told_buffer), CL_SUCCESS);
        EXPECT_EQ(clReleaseCommandQueue(told_queue), CL_SUCCESS);
        Errors::TearDown();
        EXPECT_EQ(clReleaseContext(told_context), CL_SUCCESS);
    }

    static void CL_CALLBACK notify(const char *text, const void *, size_t, void *self) {
        auto &sentences = *static_cast<Sentences *>(self);
        const std::lock_guard lock(sentences.mutex);
        sentences.texts.emplace_back(text);
        sentences.told.notify_all();
    }
    /// The next sentence.
    std::string next() {
        std::unique_lock lock(mutex);
        told.wait(lock, [&] { return !texts.empty(); }); // CTest's limit is the limit
        const std::string text = texts.front();
        texts.erase(texts.begin());
        return text;
    }
    cl_int launch(cl_kernel kernel, size_t global, size_t local) {
        return clEnqueueNDRangeKernel(told_queue, kernel, 1, nullptr, &global, &local, 0, nullptr,
                                      nullptr);
    }

    std::mutex mutex;
    std::condition_variable told;
    std::vector<std::string> texts;
    cl_context told_context = nullptr;
    cl_command_queue told_queue = nullptr;
    cl_mem told_buffer = nullptr;
    cl_program program = nullptr;
    cl_kernel f = nullptr, g = nullptr;
};

TEST_F(Sentences, NameArgumentValueAndLimit) {
    const cl_long wide = 0;
    const cl_int n = 0;
    EXPECT_EQ(clSetKernelArg(f, 1, sizeof wide, &wide), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(next(), "clSetKernelArg: CL_INVALID_ARG_SIZE: argument 1 of kernel f (int n): "
                      "arg_size is 8, the argument has 4 bytes");
    EXPECT_EQ(clSetKernelArg(f, 2, sizeof n, &n), CL_INVALID_ARG_INDEX);
    EXPECT_EQ(next(), "clSetKernelArg: CL_INVALID_ARG_INDEX: argument index 2 is given, kernel f "
                      "has 2 arguments, counted from 0");
    EXPECT_EQ(launch(f, 16, 16), CL_INVALID_KERNEL_ARGS);
    EXPECT_EQ(next(), "clEnqueueNDRangeKernel: CL_INVALID_KERNEL_ARGS: argument 0 of kernel f "
                      "(float* x): it has not been set");
    ASSERT_EQ(clSetKernelArg(f, 0, sizeof told_buffer, &told_buffer), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(f, 1, sizeof n, &n), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(g, 0, sizeof told_buffer, &told_buffer), CL_SUCCESS);
    EXPECT_EQ(launch(f, 16, 5), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(next(), "clEnqueueNDRangeKernel: CL_INVALID_WORK_GROUP_SIZE: local_work_size[0] is "
                      "5, which does not divide global_work_size[0], 16: kernel f was built for "
                      "uniform work-groups, as all OpenCL C below 2.0 (-cl-std=CL3.0 lifts that)");
    EXPECT_EQ(launch(g, 16, 16), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(next(), "clEnqueueNDRangeKernel: CL_INVALID_WORK_GROUP_SIZE: local_work_size[0] is "
                      "16, kernel g has reqd_work_group_size(8, 1, 1)");
    EXPECT_EQ(launch(f, 1 << 20, 1 << 20), CL_INVALID_WORK_ITEM_SIZE);
    EXPECT_NE(next().find("local_work_size[0] is 1048576, the most is "), std::string::npos);
    char bytes[64];
    EXPECT_EQ(
        clEnqueueReadBuffer(told_queue, told_buffer, CL_TRUE, 4090, 16, bytes, 0, nullptr, nullptr),
        CL_INVALID_VALUE);
    EXPECT_EQ(next(), "clEnqueueReadBuffer: CL_INVALID_VALUE: offset 4090 and size 16 reach beyond "
                      "the buffer's 4096 bytes");
    EXPECT_EQ(
        clEnqueueReadBuffer(told_queue, told_buffer, CL_TRUE, 0, 16, bytes, 1, nullptr, nullptr),
        CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(next(), "clEnqueueReadBuffer: CL_INVALID_EVENT_WAIT_LIST: num_events_in_wait_list is "
                      "1, event_wait_list is 0x0");
    cl_int code = 0;
    EXPECT_EQ(clCreateKernel(program, "nokernel", &code), nullptr);
    EXPECT_EQ(next(), "clCreateKernel: CL_INVALID_KERNEL_NAME: the program has no kernel nokernel");
}

TEST_F(Sentences, OfMemorySayWhatMachineWouldDo) {
    cl_ulong most = 0;
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr),
              CL_SUCCESS);
    cl_int code = 0;
    EXPECT_EQ(clCreateBuffer(told_context, 0, most + 1, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_BUFFER_SIZE);
    const std::string text = next();
    EXPECT_NE(text.find("clCreateBuffer: CL_INVALID_BUFFER_SIZE: size is " +
                        std::to_string(most + 1) + ", the most is " + std::to_string(most)),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("G in RIVULET_MACHINE would do"), std::string::npos) << text;
}

TEST_F(Sentences, OfLocalMemoryNameTheWorkGroupOnce) {
    const cl_program hungry =
        source("kernel void h(local char *l) { l[get_local_id(0)] = 1; }", told_context);
    ASSERT_EQ(clBuildProgram(hungry, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    const cl_kernel h = released_later(clReleaseKernel, made(clCreateKernel, hungry, "h"));
    ASSERT_EQ(clSetKernelArg(h, 0, size_t{1} << 30, nullptr), CL_SUCCESS);
    EXPECT_EQ(launch(h, 64, 64), CL_OUT_OF_RESOURCES);
    EXPECT_NE(next().find("kernel h: a work-group of 64 needs more memory than a hart has"),
              std::string::npos);
    EXPECT_EQ(clFinish(nullptr), CL_INVALID_COMMAND_QUEUE); // no context, so only to the log
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(texts.empty());
}

TEST_F(Sentences, OfBuildsQuoteTheLog) {
    const cl_program wrong = source("kernel void w() {\n    nonsense;\n}\n", told_context);
    EXPECT_EQ(clBuildProgram(wrong, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    const std::string text = next();
    EXPECT_NE(text.find("clBuildProgram: CL_BUILD_PROGRAM_FAILURE: the build log says: "),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(":2:5: error: use of undeclared identifier 'nonsense'"), std::string::npos)
        << text;
}

TEST_F(Sentences, OfContextsThatAreNotMade) {
    const cl_context_properties unheard_of[] = {0x7777, 1, 0};
    cl_int code = 0;
    EXPECT_EQ(clCreateContext(unheard_of, 1, &device, notify, this, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_PROPERTY);
    EXPECT_EQ(next(), "clCreateContext: CL_INVALID_PROPERTY: property 0x7777 is not known");
}

TEST_F(Sentences, OfUserEventsThatNobodyCanSet) {
    const cl_event user = made(clCreateUserEvent, told_context);
    EXPECT_EQ(clReleaseEvent(user), CL_SUCCESS);
    EXPECT_NE(next().find("a user event was released before clSetUserEventStatus set it"),
              std::string::npos);
}

} // namespace
} // namespace rivulet::test
