// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the tests of error codes. EXPECT_FAILS names the code and the entry point, which
// docs/error_coverage.py reads; the program is linked to the library itself, so that no ICD loader
// checks anything before.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#define CL_ENABLE_BETA_EXTENSIONS // cl_khr_command_buffer
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::test {

/// The library asks at its first message.
inline const bool log_is_on = setenv("RIVULET_LOG", "1", 1) == 0;

/// What a call writes to standard error, where the library describes errors. Not under sanitizers,
/// whose reports would be lost.
class StandardError {
public:
    StandardError() {
        if (!kept())
            return;
        std::fflush(stderr);
        file_ = memfd_create("stderr", MFD_CLOEXEC);
        before_ = dup(STDERR_FILENO);
        dup2(file_, STDERR_FILENO);
    }
    ~StandardError() { (void)text(); }
    /// All of it, which ends it.
    std::string text() {
        if (file_ < 0)
            return {};
        dup2(before_, STDERR_FILENO);
        close(before_);
        std::string text(static_cast<size_t>(lseek(file_, 0, SEEK_END)), 0);
        EXPECT_EQ(pread(file_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
        close(std::exchange(file_, -1));
        return text;
    }
    static bool kept() {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
        return false;
#else
        return true;
#endif
    }

private:
    int file_ = -1, before_ = -1;
};

/// A sentence that names the entry point: "rivulet: warning: clFinish: CL_INVALID_…: why".
inline void expect_sentence(const std::string &text, const std::string &name) {
    if (!StandardError::kept())
        return;
    const std::string start = "rivulet: warning: " + name + ": CL_";
    const size_t at = text.find(start);
    ASSERT_NE(at, text.npos) << text;
    const std::string line = text.substr(at, text.find('\n', at) - at);
    const size_t why = line.find(": ", start.size());
    ASSERT_NE(why, line.npos) << line;
    EXPECT_GT(line.size() - why, 8u) << line;
}

/// Calls an entry point that must fail with this code, and a sentence. One that makes something
/// returns NULL, and the code through errcode_ret, which the arguments leave out; it may be NULL,
/// too.
template <class R, class... P, class... A>
void expect_fails(const char *file, int line, const char *name, cl_int expected,
                  R(CL_API_CALL *function)(P...), A... arguments) {
    const testing::ScopedTrace trace(file, line, name);
    StandardError standard_error;
    if constexpr (sizeof...(A) == sizeof...(P)) {
        EXPECT_EQ(function(arguments...), expected);
        expect_sentence(standard_error.text(), name);
    } else {
        cl_int code = 1;
        EXPECT_EQ(function(arguments..., &code), nullptr);
        EXPECT_EQ(code, expected);
        expect_sentence(standard_error.text(), name);
        EXPECT_EQ(function(arguments..., nullptr), nullptr);
    }
}

#define EXPECT_FAILS(code, function, ...)                                                          \
    rivulet::test::expect_fails(__FILE__, __LINE__, #function, code,                               \
                                function __VA_OPT__(, ) __VA_ARGS__)

/// Like EXPECT_EQ, naming the entry point, for calls that fail but still return something.
#define EXPECT_CODE(code, function, value) EXPECT_EQ(value, code) << #function

/// Looks up an entry point of an extension, under its own name.
#define EXTENSION(name)                                                                            \
    const auto name = reinterpret_cast<std::decay_t<decltype(::name)>>(                            \
        clGetExtensionFunctionAddressForPlatform(platform, #name))

/// The same for cl_khr_command_buffer's commands, with the types of version 0.9.8.
#define COMMAND(name)                                                                              \
    const auto name =                                                                              \
        reinterpret_cast<name##_098_fn>(clGetExtensionFunctionAddressForPlatform(platform, #name))

/// Calls an entry point that makes an object, with the arguments without errcode_ret.
template <class R, class... P, class... A> R made(R(CL_API_CALL *function)(P...), A... arguments) {
    cl_int code = 1;
    const R result = function(arguments..., &code);
    EXPECT_EQ(code, CL_SUCCESS);
    return result;
}

/// A handle of the right type with another object behind it.
template <class To, class From> To as(From handle) { return reinterpret_cast<To>(handle); }

inline constexpr cl_uint nonsense = 0xdead; // no parameter is called so

/// A kernel whose program was built for one of two sub-devices, and a queue on the other.
struct Elsewhere {
    cl_kernel kernel;
    cl_command_queue queue;
};

/// Two contexts on the first device, and in them what calls need.
class Errors : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
        ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
        context = made(clCreateContext, nullptr, 1u, &device, nullptr, nullptr);
        other_context = made(clCreateContext, nullptr, 1u, &device, nullptr, nullptr);
        queue = made(clCreateCommandQueue, context, device, 0u);
        other_queue = made(clCreateCommandQueue, other_context, device, 0u);
        buffer = made(clCreateBuffer, context, 0u, size_t{1024}, nullptr);
        other_buffer = made(clCreateBuffer, other_context, 0u, size_t{1024}, nullptr);
        event = made(clCreateUserEvent, context);
        other_event = made(clCreateUserEvent, other_context);
        failed = made(clCreateUserEvent, context);
        ASSERT_EQ(clSetUserEventStatus(failed, -5), CL_SUCCESS);
    }
    void TearDown() override {
        for (const auto &release : releases)
            EXPECT_EQ(release(), CL_SUCCESS);
        for (const cl_event unset : {event, other_event, failed})
            EXPECT_EQ(clReleaseEvent(unset), CL_SUCCESS);
        for (const cl_mem memory : {buffer, other_buffer})
            EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
        for (const cl_command_queue used : {queue, other_queue})
            EXPECT_EQ(clReleaseCommandQueue(used), CL_SUCCESS);
        for (const cl_context used : {context, other_context})
            EXPECT_EQ(clReleaseContext(used), CL_SUCCESS);
    }

    template <class Release, class Handle> Handle released_later(Release release, Handle handle) {
        releases.insert(releases.begin(), [=] { return release(handle); });
        return handle;
    }
    cl_mem memory(cl_mem_flags flags, size_t size = 1024) {
        return released_later(clReleaseMemObject,
                              made(clCreateBuffer, context, flags, size, nullptr));
    }
    cl_program source(const char *text, cl_context in = nullptr) {
        return released_later(clReleaseProgram, made(clCreateProgramWithSource, in ? in : context,
                                                     1u, &text, nullptr));
    }
    cl_program built(const char *text, cl_context in = nullptr) {
        const cl_program program = source(text, in);
        EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
        return program;
    }
    cl_kernel kernel(const char *text = "kernel void test(global int *out, int value) {"
                                        "    out[get_global_id(0)] = value; }",
                     cl_context in = nullptr) {
        return released_later(clReleaseKernel, made(clCreateKernel, built(text, in), "test"));
    }
    /// The first device's harts, in two halves.
    std::array<cl_device_id, 2> halves() {
        const cl_device_partition_property by_two[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
        std::array<cl_device_id, 2> parts{};
        EXPECT_EQ(clCreateSubDevices(device, by_two, 2, parts.data(), nullptr), CL_SUCCESS);
        for (const cl_device_id part : parts)
            released_later(clReleaseDevice, part);
        return parts;
    }
    cl_device_id sub_device() { return halves()[0]; }
    cl_context context_of(const std::array<cl_device_id, 2> &parts) {
        return released_later(clReleaseContext,
                              made(clCreateContext, nullptr, 2u, parts.data(), nullptr, nullptr));
    }

    Elsewhere elsewhere() {
        const auto parts = halves();
        const cl_context both = context_of(parts);
        const cl_program program = source("kernel void test() {}", both);
        EXPECT_EQ(clBuildProgram(program, 1, parts.data(), "", nullptr, nullptr), CL_SUCCESS);
        return {released_later(clReleaseKernel, made(clCreateKernel, program, "test")),
                released_later(clReleaseCommandQueue,
                               made(clCreateCommandQueue, both, parts[1], cl_ulong{0}))};
    }

    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr, other_context = nullptr;
    cl_command_queue queue = nullptr, other_queue = nullptr;
    cl_mem buffer = nullptr, other_buffer = nullptr;
    cl_event event = nullptr, other_event = nullptr; // not set
    cl_event failed = nullptr;
    std::vector<std::function<cl_int()>> releases;
    size_t size = 0;
    std::byte data[4096] = {};
};

} // namespace rivulet::test
