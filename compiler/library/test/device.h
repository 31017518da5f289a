// SPDX-License-Identifier: Apache-2.0
//
// The first device of this build, and what tests of the library do with it.
#pragma once

#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace rivulet::library {

inline std::string text_of(const char *path) {
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error(std::string(path) + " is not there");
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The vector widths that RVL_WIDTHS names.
inline std::vector<int> widths() {
    const char *wanted = std::getenv("RVL_WIDTHS");
    std::istringstream text(wanted ? wanted : "1 4");
    return {std::istream_iterator<int>(text), {}};
}

class Device : public testing::Test {
protected:
    cl::Device device = first();
    cl::Context context{device};
    cl::CommandQueue queue{context, device};

    static cl::Device first() {
        std::vector<cl::Platform> platforms;
        cl::Platform::get(&platforms);
        std::vector<cl::Device> devices;
        for (auto &platform : platforms)
            if (platform.getInfo<CL_PLATFORM_NAME>() == "Rivulet")
                platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
        if (devices.empty())
            throw std::runtime_error("no platform Rivulet: is OCL_ICD_VENDORS set?");
        return devices.front();
    }
    bool has_half() const {
        return device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_khr_fp16") != std::string::npos;
    }
    cl::Program build(const std::string &source, const char *options = "-cl-std=CL3.0") {
        cl::Program program(context, source);
        try {
            program.build(device, options);
        } catch (const cl::Error &) {
            ADD_FAILURE() << program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
            throw;
        }
        return program;
    }
    template <typename T> cl::Buffer buffer(std::vector<T> &contents) {
        return {context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, contents.size() * sizeof(T),
                contents.data()};
    }
};

} // namespace rivulet::library
