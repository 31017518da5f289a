// SPDX-License-Identifier: Apache-2.0
//
// The fixture of tests through the API: a context on the first device, a queue, kernels from
// source.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "host-runtime/include/opencl.h"

namespace rivulet::test {

class OpenCL : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
        ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
        cl_int code = CL_SUCCESS;
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        ASSERT_EQ(code, CL_SUCCESS);
        queue = make_queue(CL_QUEUE_PROFILING_ENABLE);
    }
    void TearDown() override {
        for (cl_kernel kernel : kernels)
            EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
        for (cl_mem buffer : buffers)
            EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
        for (cl_command_queue made : queues)
            EXPECT_EQ(clReleaseCommandQueue(made), CL_SUCCESS);
        EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    }

    cl_command_queue make_queue(cl_command_queue_properties properties) {
        cl_int code = CL_SUCCESS;
        queues.push_back(clCreateCommandQueue(context, device, properties, &code));
        EXPECT_EQ(code, CL_SUCCESS);
        return queues.back();
    }

    cl_mem make_buffer(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
        cl_int code = CL_SUCCESS;
        buffers.push_back(clCreateBuffer(context, flags, bytes, host, &code));
        EXPECT_EQ(code, CL_SUCCESS);
        return buffers.back();
    }
    template <class T> cl_mem make_buffer(std::vector<T> contents) {
        return make_buffer(contents.size() * sizeof(T), CL_MEM_COPY_HOST_PTR, contents.data());
    }

    cl_kernel make_kernel(const char *source, const char *name = "test", const char *options = "") {
        cl_int code = CL_SUCCESS;
        cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        code = clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
        if (code != CL_SUCCESS) {
            char log[4096] = "";
            clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr);
            ADD_FAILURE() << "build: " << code << "\n" << log;
        }
        kernels.push_back(clCreateKernel(program, name, &code));
        EXPECT_EQ(code, CL_SUCCESS);
        EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
        return kernels.back();
    }
    template <class T> static void set(cl_kernel kernel, cl_uint index, const T &value) {
        EXPECT_EQ(clSetKernelArg(kernel, index, sizeof value, &value), CL_SUCCESS);
    }

    static cl_event launch(cl_command_queue to, cl_kernel kernel, size_t items,
                           std::vector<cl_event> waits = {}) {
        cl_event event = nullptr;
        EXPECT_EQ(clEnqueueNDRangeKernel(to, kernel, 1, nullptr, &items, nullptr,
                                         static_cast<cl_uint>(waits.size()),
                                         waits.empty() ? nullptr : waits.data(), &event),
                  CL_SUCCESS);
        return event;
    }

    template <class T> std::vector<T> contents(cl_mem buffer) {
        size_t bytes = 0;
        EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr),
                  CL_SUCCESS);
        std::vector<T> values(bytes / sizeof(T));
        EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, values.data(), 0, nullptr,
                                      nullptr),
                  CL_SUCCESS);
        return values;
    }

    static cl_int status(cl_event event) {
        cl_int value = 1;
        EXPECT_EQ(
            clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, nullptr),
            CL_SUCCESS);
        return value;
    }

    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    std::vector<cl_command_queue> queues;
    std::vector<cl_mem> buffers;
    std::vector<cl_kernel> kernels;
};

} // namespace rivulet::test
