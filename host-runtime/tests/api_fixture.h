// SPDX-License-Identifier: Apache-2.0
//
// For tests of 5.6 and 5.7 through the API: a context on the loopback device, and the real
// rivulet-cc.
#pragma once

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host-runtime/include/opencl.h"

namespace rivulet::testing {

using ::testing::HasSubstr;

/// Collects the reports of a context's callback. They are asynchronous and may arrive after a test
/// has ended: the context's last callback deletes this.
class Reports {
public:
    std::string text() {
        const std::lock_guard lock(mutex_);
        return text_;
    }
    static void CL_CALLBACK add(const char *text, const void *, size_t, void *reports) {
        auto &self = *static_cast<Reports *>(reports);
        const std::lock_guard lock(self.mutex_);
        self.text_.append(text).append("\n");
    }
    static void CL_CALLBACK end(cl_context, void *reports) {
        delete static_cast<Reports *>(reports);
    }

private:
    std::mutex mutex_;
    std::string text_;
};

class Api : public ::testing::Test {
protected:
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_int code = 0;
    Reports *reports = nullptr; // lives as long as the context

    static void SetUpTestSuite() {
        setenv("RIVULET_DRIVER", "loopback", 0);
        setenv("RIVULET_CACHE", "off", 0);
    }
    void SetUp() override {
        ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
        ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
        auto told = std::make_unique<Reports>();
        context = clCreateContext(nullptr, 1, &device, Reports::add, told.get(), &code);
        ASSERT_EQ(code, CL_SUCCESS);
        ASSERT_EQ(clSetContextDestructorCallback(context, Reports::end, told.get()), CL_SUCCESS);
        reports = told.release();
    }
    void TearDown() override {
        if (context)
            EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    }

    cl_program make_program(const char *source) {
        const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return program;
    }
    cl_int build(cl_program program, const char *options = nullptr) {
        return clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
    }
    cl_int compile(cl_program program, const char *options = nullptr) {
        return clCompileProgram(program, 0, nullptr, options, 0, nullptr, nullptr, nullptr,
                                nullptr);
    }
    cl_program link(std::vector<cl_program> inputs, const char *options = nullptr) {
        return clLinkProgram(context, 0, nullptr, options, static_cast<cl_uint>(inputs.size()),
                             inputs.data(), nullptr, nullptr, &code);
    }
    cl_program built_program(const char *source, const char *options = nullptr) {
        const cl_program program = make_program(source);
        EXPECT_EQ(build(program, options), CL_SUCCESS) << log(program);
        return program;
    }
    cl_program program_from(const std::vector<unsigned char> &binary) {
        const unsigned char *bytes = binary.data();
        const size_t size = binary.size();
        return clCreateProgramWithBinary(context, 1, &device, &size, &bytes, nullptr, &code);
    }

    template <class T> T info(cl_program program, cl_program_info name) {
        T value{};
        EXPECT_EQ(clGetProgramInfo(program, name, sizeof value, &value, nullptr), CL_SUCCESS);
        return value;
    }
    std::string text(cl_program program, cl_program_info name) {
        size_t size = 0;
        EXPECT_EQ(clGetProgramInfo(program, name, 0, nullptr, &size), CL_SUCCESS);
        std::string text(size, '\0');
        EXPECT_EQ(clGetProgramInfo(program, name, size, text.data(), nullptr), CL_SUCCESS);
        return text.c_str();
    }
    std::string build_text(cl_program program, cl_program_build_info name) {
        size_t size = 0;
        EXPECT_EQ(clGetProgramBuildInfo(program, device, name, 0, nullptr, &size), CL_SUCCESS);
        std::string text(size, '\0');
        EXPECT_EQ(clGetProgramBuildInfo(program, device, name, size, text.data(), nullptr),
                  CL_SUCCESS);
        return text.c_str();
    }
    std::string log(cl_program program) { return build_text(program, CL_PROGRAM_BUILD_LOG); }
    template <class T> T build_info(cl_program program, cl_program_build_info name) {
        T value{};
        EXPECT_EQ(clGetProgramBuildInfo(program, device, name, sizeof value, &value, nullptr),
                  CL_SUCCESS);
        return value;
    }
    cl_build_status status(cl_program program) {
        return build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS);
    }
    cl_program_binary_type binary_type(cl_program program) {
        return build_info<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE);
    }
    std::vector<unsigned char> binary(cl_program program) {
        std::vector<unsigned char> binary(info<size_t>(program, CL_PROGRAM_BINARY_SIZES));
        unsigned char *to = binary.data();
        EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr),
                  CL_SUCCESS);
        return binary;
    }
};

} // namespace rivulet::testing
