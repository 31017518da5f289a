// SPDX-License-Identifier: Apache-2.0
//
// Runs the benchmark's kernels through the OpenCL API on the machine that RIVULET_MACHINE names,
// checks each result, and prints one JSON row per kernel. benchmarks/compiler.py makes the table.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include "benchmarks/compiler/cases.h"
#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const std::string &path) {
    std::ifstream file(path);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (text.empty())
        throw std::runtime_error(path + " can't be read");
    return text;
}

cl::NDRange range(const std::vector<size_t> &sizes) {
    if (sizes.empty())
        return {};
    return sizes.size() == 1 ? cl::NDRange(sizes[0]) : cl::NDRange(sizes[0], sizes[1]);
}

class Runner {
public:
    /// Programs are read from FOLDER/NAMEsuffix: source, or kernel images if the suffix ends in
    /// .rvk.
    Runner(std::string folder, std::string suffix, std::string options, bool counts)
        : folder_(std::move(folder)), suffix_(std::move(suffix)), options_(std::move(options)),
          counts_(counts) {
        std::vector<cl::Device> devices;
        cl::Platform::getDefault().getDevices(CL_DEVICE_TYPE_ALL, &devices);
        device_ = devices.at(0);
        context_ = cl::Context(device_);
        queue_ = cl::CommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE);
    }

    Json run(const Case &test) {
        cl::Program program = load(text_of(folder_ + "/" + test.name + suffix_));
        try {
            program.build(device_, options_.c_str());
        } catch (const cl::Error &) {
            return {{"kernel", test.name},
                    {"failure", program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_)}};
        }
        cl::Kernel kernel(program, test.name.c_str());
        const auto memory = set_arguments(kernel, test);
        cl_ulong instructions = 0, nanoseconds = 0;
        for (const Launch &launch : test.launches) {
            for (const auto &[index, value] : launch.changes)
                kernel.setArg(index, value.bytes.size(), value.bytes.data());
            cl::Event event;
            queue_.enqueueNDRangeKernel(kernel, {}, range(test.global), range(test.local), nullptr,
                                        &event);
            event.wait();
            if (counts_)
                instructions += profiling(event, CL_PROFILING_COMMAND_INSTRUCTIONS_RIVULET);
            nanoseconds += profiling(event, CL_PROFILING_COMMAND_END) -
                           profiling(event, CL_PROFILING_COMMAND_START);
        }
        const double error = test.error(results(test, memory));
        return {{"kernel", test.name},
                {"work_items", test.work_items()},
                {"instructions", instructions},
                {"nanoseconds", nanoseconds},
                {"error", error},
                {"right", error <= test.tolerance}};
    }

private:
    cl::Program load(const std::string &contents) {
        if (!suffix_.ends_with(".rvk"))
            return {context_, contents};
        return {context_, {device_}, cl::Program::Binaries{{contents.begin(), contents.end()}}};
    }

    cl::Image2D picture(const Picture &picture) {
        const bool red = picture.contents.size() == picture.width * picture.height;
        cl::Image2D image(context_, CL_MEM_READ_ONLY,
                          cl::ImageFormat(red ? CL_R : CL_RGBA, CL_FLOAT), picture.width,
                          picture.height);
        queue_.enqueueWriteImage(image, CL_TRUE, {0, 0, 0}, {picture.width, picture.height, 1}, 0,
                                 0, picture.contents.data());
        return image;
    }

    /// One per argument; empty for values.
    std::vector<cl::Memory> set_arguments(cl::Kernel &kernel, const Case &test) {
        std::vector<cl::Memory> memory(test.arguments.size());
        for (cl_uint i = 0; i < test.arguments.size(); ++i) {
            if (const auto *value = std::get_if<Value>(&test.arguments[i])) {
                kernel.setArg(i, value->bytes.size(), value->bytes.data());
                continue;
            }
            if (const auto *pixels = std::get_if<Picture>(&test.arguments[i])) {
                const cl::Image2D image = picture(*pixels);
                kernel.setArg(i, image);
                memory[i] = image;
                continue;
            }
            const Bytes &contents = std::get<Array>(test.arguments[i]).contents;
            const cl::Buffer buffer(context_, CL_MEM_READ_WRITE, contents.size());
            queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, contents.size(), contents.data());
            kernel.setArg(i, buffer);
            memory[i] = buffer;
        }
        return memory;
    }

    std::vector<Bytes> results(const Case &test, const std::vector<cl::Memory> &memory) {
        std::vector<Bytes> results;
        for (size_t i = 0; i < memory.size(); ++i) {
            const auto *array = std::get_if<Array>(&test.arguments[i]);
            if (!array || !array->result)
                continue;
            Bytes &bytes = results.emplace_back(array->contents.size());
            queue_.enqueueReadBuffer(cl::Buffer(memory[i](), true), CL_TRUE, 0, bytes.size(),
                                     bytes.data());
        }
        return results;
    }

    static cl_ulong profiling(const cl::Event &event, cl_profiling_info what) {
        cl_ulong value = 0;
        const cl_int status = clGetEventProfilingInfo(event(), what, sizeof value, &value, nullptr);
        if (status != CL_SUCCESS)
            throw cl::Error(status, "clGetEventProfilingInfo; is this an -icount machine?");
        return value;
    }

    std::string folder_, suffix_, options_;
    bool counts_;
    cl::Device device_;
    cl::Context context_;
    cl::CommandQueue queue_;
};

} // namespace
} // namespace rivulet::bench

int main(int argc, char **argv) try {
    CLI::App app("Counts the instructions of the benchmark's kernels on an -icount machine");
    std::string folder, suffix = ".cl", options;
    std::set<std::string> only;
    bool check = false;
    app.add_option("folder", folder, "where the programs are")->required();
    app.add_option("--suffix", suffix, "what their names end in: .cl, .hand.rvk, …");
    app.add_option("--options", options, "build options");
    app.add_option("-k,--kernels", only, "only these")->delimiter(',');
    app.add_flag("--check", check, "only whether the results are right, on any machine");
    CLI11_PARSE(app, argc, argv);

    rivulet::bench::Runner runner(folder, suffix, options, !check);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto &test : rivulet::bench::all_cases())
        if (only.empty() || only.contains(test.name))
            rows.push_back(runner.run(test));
    std::printf("%s\n", rows.dump(1).c_str());
    const bool all_right = std::ranges::all_of(
        rows, [](const auto &row) { return row.contains("right") && row["right"]; });
    return check && (rows.empty() || !all_right);
} catch (const cl::Error &error) {
    std::fprintf(stderr, "rivulet-compiler-bench: %s: OpenCL error %d\n", error.what(),
                 error.err());
    return 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "rivulet-compiler-bench: %s\n", error.what());
    return 1;
}
