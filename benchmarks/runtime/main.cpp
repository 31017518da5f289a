// SPDX-License-Identifier: Apache-2.0
//
// What an application feels of the runtime, in one process and as JSON: device start, builds,
// round trips of an empty kernel, processor time while idle. benchmarks/runtime.py makes the table.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

template <class Work> double microseconds(Work work) {
    const auto before = Clock::now();
    work();
    return std::chrono::duration<double, std::micro>(Clock::now() - before).count();
}

Json figures(std::vector<double> samples) {
    std::ranges::sort(samples);
    return {{"median", samples[samples.size() / 2]}, {"p99", samples[samples.size() * 99 / 100]}};
}

/// Seconds of processor time that a process has used, all threads together.
double processor_seconds(const std::string &process) {
    std::ifstream file("/proc/" + process + "/stat");
    const std::string stat((std::istreambuf_iterator<char>(file)), {});
    unsigned long user = 0, system = 0;
    const size_t end_of_name = stat.rfind(')');
    if (end_of_name == std::string::npos ||
        std::sscanf(stat.c_str() + end_of_name + 1,
                    " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        return 0;
    return double(user + system) / double(sysconf(_SC_CLK_TCK));
}

std::vector<std::string> children() {
    std::vector<std::string> found;
    for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream stat(entry.path() / "stat");
        std::string pid, name, state;
        int parent = 0;
        if (stat >> pid >> name >> state >> parent && parent == getpid())
            found.push_back(pid);
    }
    return found;
}

class Bench {
public:
    explicit Bench(std::string small_kernel) : small_kernel_(std::move(small_kernel)) {}

    Json run() {
        Json result;
        std::vector<cl::Device> devices;
        cl::Platform::getDefault().getDevices(CL_DEVICE_TYPE_ALL, &devices);
        device_ = devices.at(0);
        result["device"] = device_.getInfo<CL_DEVICE_NAME>();
        result["harts"] = device_.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
        result["device_start_us"] = microseconds([&] { context_ = cl::Context(device_); });
        queue_ = cl::CommandQueue(context_, device_);
        result["build"] = builds();
        result["round_trip"] = round_trips();
        result["idle_percent"] = idle();
        return result;
    }

private:
    cl::Program build(const std::string &source) {
        cl::Program program(context_, source);
        program.build(device_);
        return program;
    }

    /// Cold: the first of the process, which starts the compiler. Each source is another text, so
    /// that no cache knows it.
    Json builds() {
        int number = 0;
        const auto one_build = [&] {
            const std::string text = small_kernel_ + "\n// " + std::to_string(number++) + " " +
                                     std::to_string(getpid()) + "\n";
            return microseconds([&] { build(text); });
        };
        Json result{{"cold_us", one_build()}};
        std::vector<double> warm;
        for (int i = 0; i < 15; ++i)
            warm.push_back(one_build());
        result["warm_us"] = figures(warm);
        return result;
    }

    Json round_trips() {
        const cl::Kernel kernel(build("kernel void nothing() {}"), "nothing");
        const auto once = [&] {
            cl::Event event;
            queue_.enqueueNDRangeKernel(kernel, {}, cl::NDRange(1), {}, nullptr, &event);
            event.wait();
        };
        for (int i = 0; i < 100; ++i)
            once();
        std::vector<double> close, apart, chain;
        for (int i = 0; i < 2000; ++i)
            close.push_back(microseconds(once));
        for (int i = 0; i < 300; ++i) {
            std::this_thread::sleep_for(1ms);
            apart.push_back(microseconds(once));
        }
        constexpr int length = 500;
        for (int i = 0; i < 20; ++i)
            chain.push_back(microseconds([&] {
                                for (int link = 0; link < length; ++link)
                                    queue_.enqueueNDRangeKernel(kernel, {}, cl::NDRange(1));
                                queue_.finish();
                            }) /
                            length);
        return {{"back_to_back_us", figures(close)},
                {"apart_us", figures(apart)},
                {"in_chain_us", figures(chain)}};
    }

    /// Processor time over two idle seconds, of this process and of its children (QEMU, compiler).
    Json idle() {
        constexpr auto span = 2s;
        std::this_thread::sleep_for(200ms);
        const auto total = [](const std::vector<std::string> &processes) {
            double seconds = 0;
            for (const auto &process : processes)
                seconds += processor_seconds(process);
            return seconds;
        };
        const auto others = children();
        const double host_before = processor_seconds("self"), others_before = total(others);
        std::this_thread::sleep_for(span);
        const auto percent = [&](double before, double after) {
            return 100 * (after - before) / std::chrono::duration<double>(span).count();
        };
        return {{"host", percent(host_before, processor_seconds("self"))},
                {"qemu_and_compiler", percent(others_before, total(others))}};
    }

    std::string small_kernel_;
    cl::Device device_;
    cl::Context context_;
    cl::CommandQueue queue_;
};

} // namespace

int main(int count, char **arguments) try {
    if (count != 2) {
        std::fprintf(stderr, "usage: rivulet-runtime-bench KERNEL.cl\n");
        return 2;
    }
    std::ifstream file(arguments[1]);
    std::string source((std::istreambuf_iterator<char>(file)), {});
    if (source.empty()) {
        std::fprintf(stderr, "rivulet-runtime-bench: %s can't be read\n", arguments[1]);
        return 1;
    }
    std::printf("%s\n", Bench(std::move(source)).run().dump(2).c_str());
    return 0;
} catch (const cl::Error &error) {
    std::fprintf(stderr, "rivulet-runtime-bench: %s: OpenCL error %d\n", error.what(), error.err());
    return 1;
}
