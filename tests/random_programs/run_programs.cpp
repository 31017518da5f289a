// SPDX-License-Identifier: Apache-2.0
// Runs a batch of OpenCL programs on the first device of the first platform and prints a hash of
// what each left in its buffers. Inputs are the same everywhere.
//
//   run_programs [--dump] BATCH
//
// BATCH, written by platforms.py, holds programs and launches:
//
//   program BYTES BUILD-OPTIONS…        then BYTES of source
//   run NAME GX GY LX LY N U S M KERNEL…
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(cl_int code, const char *what) {
    if (code != CL_SUCCESS)
        throw std::runtime_error(std::string(what) + ": error " + std::to_string(code));
}

constexpr size_t inputs = 1024;

class Random {
public:
    uint64_t next() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return state_ ^ state_ >> 29;
    }

private:
    uint64_t state_ = 1;
};

// Values of all magnitudes, including small ones.
template <typename Element> std::vector<uint8_t> input(Random &random) {
    std::vector<uint8_t> bytes(inputs * sizeof(Element));
    for (size_t i = 0; i < inputs; ++i) {
        auto value = Element(random.next() >> (random.next() % 64));
        memcpy(&bytes[i * sizeof value], &value, sizeof value);
    }
    return bytes;
}

struct Range {
    std::string name;
    std::array<size_t, 2> global, local;
    cl_uint n, u;
    cl_int s;
    cl_ulong m;
    std::vector<std::string> kernels;

    explicit Range(std::istream &words) {
        words >> name >> global[0] >> global[1] >> local[0] >> local[1] >> n >> u >> s >> m;
        for (std::string kernel; words >> kernel;)
            kernels.push_back(kernel);
    }
};

class Device {
public:
    Device() {
        cl_platform_id platform;
        check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
        check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id_, nullptr), "clGetDeviceIDs");
        cl_int code;
        context_ = clCreateContext(nullptr, 1, &id_, nullptr, nullptr, &code);
        check(code, "clCreateContext");
        queue_ = clCreateCommandQueue(context_, id_, 0, &code);
        check(code, "clCreateCommandQueue");
        Random random;
        for (auto &bytes : {input<uint32_t>(random), input<uint8_t>(random),
                            input<uint16_t>(random), input<uint64_t>(random)})
            inputs_.push_back(buffer(bytes));
    }

    void build(const std::string &source, const std::string &options) {
        if (program_)
            clReleaseProgram(program_);
        const char *text = source.c_str();
        cl_int code;
        program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &code);
        check(code, "clCreateProgramWithSource");
        code = clBuildProgram(program_, 1, &id_, options.c_str(), nullptr, nullptr);
        if (code == CL_SUCCESS)
            return;
        std::string log(20000, '\0');
        clGetProgramBuildInfo(program_, id_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
        throw std::runtime_error("build: " + std::string(log.c_str()).substr(0, 2000));
    }

    // The concatenated contents of all buffers that kernels write.
    std::vector<uint8_t> run(const Range &range) {
        const size_t items = range.global[0] * range.global[1];
        std::vector<cl_mem> buffers;
        std::vector<size_t> sizes = {items * 32, items * 32, items * 8, 128};
        for (size_t size : sizes) {
            std::vector<uint8_t> bytes(size);
            for (size_t i = 0; i < size; ++i)
                bytes[i] = uint8_t(i * 37 + (i >> 8));
            buffers.push_back(buffer(bytes));
        }
        std::vector<cl_mem> arguments = buffers;
        arguments.insert(arguments.end(), inputs_.begin(), inputs_.end());
        for (const std::string &name : range.kernels)
            launch(name, arguments, range);
        std::vector<uint8_t> result;
        for (size_t i = 0; i < buffers.size(); ++i) {
            std::vector<uint8_t> bytes(sizes[i]);
            check(clEnqueueReadBuffer(queue_, buffers[i], CL_TRUE, 0, sizes[i], bytes.data(), 0,
                                      nullptr, nullptr),
                  "clEnqueueReadBuffer");
            result.insert(result.end(), bytes.begin(), bytes.end());
            clReleaseMemObject(buffers[i]);
        }
        return result;
    }

private:
    cl_mem buffer(std::vector<uint8_t> bytes) {
        cl_int code;
        cl_mem made =
            clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), &code);
        check(code, "clCreateBuffer");
        return made;
    }

    void launch(const std::string &name, const std::vector<cl_mem> &buffers, const Range &range) {
        cl_int code;
        cl_kernel kernel = clCreateKernel(program_, name.c_str(), &code);
        check(code, "clCreateKernel");
        cl_uint index = 0;
        auto set = [&](const auto &value) {
            check(clSetKernelArg(kernel, index++, sizeof value, &value), "clSetKernelArg");
        };
        for (cl_mem memory : buffers)
            set(memory);
        set(range.n), set(range.u), set(range.s), set(range.m);
        check(clEnqueueNDRangeKernel(queue_, kernel, 2, nullptr, range.global.data(),
                                     range.local.data(), 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
        check(clFinish(queue_), "clFinish");
        clReleaseKernel(kernel);
    }

    cl_device_id id_ = nullptr;
    cl_context context_ = nullptr;
    cl_command_queue queue_ = nullptr;
    cl_program program_ = nullptr;
    std::vector<cl_mem> inputs_;
};

uint64_t hash(const std::vector<uint8_t> &bytes) { // FNV-1a
    uint64_t value = 0xcbf29ce484222325u;
    for (uint8_t byte : bytes)
        value = (value ^ byte) * 0x100000001b3u;
    return value;
}

void print(const Range &range, const std::vector<uint8_t> &bytes, bool dump) {
    printf("%s %016llx\n", range.name.c_str(), static_cast<unsigned long long>(hash(bytes)));
    for (size_t i = 0; dump && i + 4 <= bytes.size(); i += 4) {
        uint32_t word;
        memcpy(&word, &bytes[i], sizeof word);
        printf("  %zu %u\n", i / 4, word);
    }
    fflush(stdout);
}

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

} // namespace

int main(int count, char **words) {
    const bool dump = count == 3 && std::string(words[1]) == "--dump";
    if (count != 2 + dump) {
        std::cerr << "usage: run_programs [--dump] BATCH\n";
        return 2;
    }
    std::ifstream batch(words[1 + dump], std::ios::binary);
    Device device;
    std::string line, failure;
    while (std::getline(batch, line)) {
        std::istringstream rest(line);
        std::string what;
        rest >> what;
        if (what == "program") {
            size_t size = 0;
            rest >> size;
            std::string options, source(size, '\0');
            std::getline(rest, options);
            batch.read(source.data(), std::streamsize(size));
            failure.clear();
            try {
                device.build(source, options);
            } catch (const std::runtime_error &error) {
                failure = error.what();
                std::cerr << failure << '\n';
            }
        } else if (what == "run") {
            const Range range(rest);
            if (failure.empty()) {
                try {
                    print(range, device.run(range), dump);
                    continue;
                } catch (const std::runtime_error &error) {
                    failure = error.what();
                }
            }
            printf("%s failed %s\n", range.name.c_str(), first_line(failure).c_str());
            if (failure.compare(0, 5, "build"))
                failure.clear();
        }
    }
    return 0;
}
