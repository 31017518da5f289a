// SPDX-License-Identifier: Apache-2.0
//
// The fixture of every API test: the first device that the ICD loader shows, a context and an
// in-order profiling queue. CTest runs each suite once per machine (RIVULET_MACHINE).
#pragma once

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#define CL_ENABLE_BETA_EXTENSIONS // cl_khr_command_buffer
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet::test {

/// The status that `call` ends with.
template <class Call> cl_int status_of(Call call) {
    try {
        call();
        return CL_SUCCESS;
    } catch (const cl::Error &error) {
        return error.err();
    }
}

inline std::string environment(const char *name) {
    const char *value = std::getenv(name);
    return value ? value : "";
}
/// Machine and driver may each name the loopback driver.
inline bool on_qemu() {
    return (environment("RIVULET_MACHINE") + environment("RIVULET_DRIVER")).find("loopback") ==
           std::string::npos;
}
inline bool counts_instructions() {
    return environment("RIVULET_MACHINE").find("icount") != std::string::npos;
}

/// Looks up a function of an extension. COMMAND is for cl_khr_command_buffer's commands, with the
/// types of version 0.9.8 (cl_ext_rivulet.h).
template <class Function> Function extension(const char *name) {
    return reinterpret_cast<Function>(
        clGetExtensionFunctionAddressForPlatform(cl::Platform::getDefault()(), name));
}
#define EXTENSION(name) extension<name##_fn>(#name)
#define COMMAND(name) extension<name##_098_fn>(#name)

class OnDevice : public testing::Test {
protected:
    cl::Device device = first_device();
    cl::Context context{device};
    cl::CommandQueue queue{context, device, CL_QUEUE_PROFILING_ENABLE};

    // getInfo returns a cl_platform_id or a cl::Platform, depending on the version of opencl.hpp.
    [[nodiscard]] cl_platform_id platform() const {
        return cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>())();
    }

    static cl::Device first_device() {
        std::vector<cl::Platform> platforms;
        cl::Platform::get(&platforms);
        std::vector<cl::Device> devices;
        platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
        return devices.at(0);
    }

    /// Without a compiler: from the image that an earlier run with a compiler left in the directory
    /// RIVULET_TEST_IMAGES.
    cl::Program build(const std::string &source, const char *options = "") {
        const std::string folder = environment("RIVULET_TEST_IMAGES");
        const auto image =
            folder + "/" + std::to_string(std::hash<std::string>{}(source + options));
        if (!folder.empty() && !device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>()) {
            std::ifstream file(image, std::ios::binary);
            EXPECT_TRUE(file) << "no image of\n" << source;
            const std::vector<unsigned char> bytes(std::istreambuf_iterator<char>(file), {});
            cl::Program program(context, {device}, {bytes});
            program.build(device, options);
            return program;
        }
        cl::Program program(context, source);
        try {
            program.build(device, options);
        } catch (const cl::Error &error) {
            ADD_FAILURE() << "OpenCL error " << error.err() << "\n"
                          << program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
            throw;
        }
        if (!folder.empty()) {
            const auto bytes = program.getInfo<CL_PROGRAM_BINARIES>().at(0);
            std::ofstream(image, std::ios::binary)
                .write(reinterpret_cast<const char *>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size()));
        }
        return program;
    }
    cl::Kernel kernel(const std::string &source, const char *name = "test",
                      const char *options = "") {
        return {build(source, options), name};
    }

    /// A buffer that lives until the test ends: clSetKernelArg doesn't retain its arguments.
    template <class T> cl::Buffer buffer(const std::vector<T> &contents) {
        cl::Buffer result(context, CL_MEM_READ_WRITE, contents.size() * sizeof(T));
        {
            const std::lock_guard lock(buffers_mutex_);
            buffers_.push_back(result);
        }
        queue.enqueueWriteBuffer(result, CL_TRUE, 0, contents.size() * sizeof(T), contents.data());
        return result;
    }
    template <class T> std::vector<T> read(const cl::Buffer &from, size_t count) {
        std::vector<T> result(count);
        queue.enqueueReadBuffer(from, CL_TRUE, 0, count * sizeof(T), result.data());
        return result;
    }
    cl::Event launch(const cl::Kernel &kernel, size_t items,
                     const std::vector<cl::Event> *waits = nullptr) {
        cl::Event event;
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), {}, waits, &event);
        return event;
    }
    static cl_int execution_status(const cl::Event &event) {
        return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
    }

    /// Runs a small kernel and checks its result: the device is well.
    void expect_healthy() {
        cl::Kernel iota = kernel("kernel void test(global int *out) {"
                                 "    out[get_global_id(0)] = 3 * get_global_id(0) + 1;"
                                 "}");
        const cl::Buffer out = buffer(std::vector<int>(1000));
        iota.setArg(0, out);
        launch(iota, 1000);
        const auto result = read<int>(out, 1000);
        for (int i = 0; i < 1000; ++i)
            ASSERT_EQ(result[size_t(i)], 3 * i + 1);
    }

private:
    std::mutex buffers_mutex_;
    std::vector<cl::Buffer> buffers_;
};

template <class T> std::vector<T> iota(size_t count, T first = {}) {
    std::vector<T> result(count);
    std::iota(result.begin(), result.end(), first);
    return result;
}

} // namespace rivulet::test
