// SPDX-License-Identifier: Apache-2.0
//
// rivulet-bench, the subcommand `rivulet bench`, measures the costs of an OpenCL runtime as seen by
// an application, in one process: device start, builds, round trips of an empty kernel, cost of an
// enqueue, latency of callbacks, transfers, memory per object, processor time while idle. It runs
// on the first platform, whichever that is: benchmarks/runtime.py compares ours with PoCL's CPU
// device.
#include "base/build_version.h"
#include "tools/bench/measure.h"

#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>

#include <unistd.h>

#include "tools/command_line/documents.h"
#include "tools/command_line/program.h"

namespace {

using namespace std::chrono_literals;

constexpr const char *small_kernel = R"(
kernel void saxpy(float a, global const float *x, global float *y, uint n) {
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = fma(a, x[i], y[i]);
}
)";

/// Processor time used by all threads of a process, in seconds.
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
        const cl::Program program = build("kernel void nothing() {}");
        nothing_ = cl::Kernel(program, "nothing");
        result["round_trip"] = round_trips();
        result["enqueue_us"] = enqueues();
        result["callback_us"] = callbacks();
        result["random_graph"] = random_graph(cl::Platform::getDefault());
        result["transfers"] = transfers(context_, queue_);
        result["object_bytes"] = object_bytes(context_, device_, program);
        result["idle_percent"] = idle();
        return result;
    }

private:
    cl::Program build(const std::string &source) {
        cl::Program program(context_, source);
        program.build(device_);
        return program;
    }

    /// Cold: the first build of the process, which starts the compiler. Every source text is
    /// different, so that none is cached.
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
        const auto cached_build = [&] { build(small_kernel_); };
        result["cached_us"] = median_microseconds(15, cached_build);
        return result;
    }

    Json round_trips() {
        const auto once = [&] { enqueue().wait(); };
        for (int i = 0; i < 100; ++i)
            once();
        std::vector<double> close, apart, after_idle, chain;
        for (int i = 0; i < 2000; ++i)
            close.push_back(microseconds(once));
        for (int i = 0; i < 300; ++i) {
            std::this_thread::sleep_for(1ms);
            apart.push_back(microseconds(once));
        }
        for (int i = 0; i < 40; ++i) {
            std::this_thread::sleep_for(100ms); // longer than boards wait until they suspend harts
            after_idle.push_back(microseconds(once));
        }
        constexpr int length = 500;
        for (int i = 0; i < 20; ++i)
            chain.push_back(microseconds([&] {
                                for (int link = 0; link < length; ++link)
                                    queue_.enqueueNDRangeKernel(nothing_, {}, cl::NDRange(1));
                                queue_.finish();
                            }) /
                            length);
        return {{"back_to_back_us", figures(close)},
                {"apart_us", figures(apart)},
                {"after_idle_us", figures(after_idle)},
                {"in_chain_us", figures(chain)}};
    }

    /// Measures the call itself, for commands that can't start yet because a user event blocks
    /// them.
    Json enqueues() {
        std::vector<double> samples;
        for (int round = 0; round < 20; ++round) {
            cl::UserEvent gate(context_);
            const std::vector<cl::Event> after{gate};
            queue_.enqueueMarkerWithWaitList(&after);
            for (int i = 0; i < 100; ++i)
                samples.push_back(microseconds(
                    [&] { queue_.enqueueNDRangeKernel(nothing_, {}, cl::NDRange(1)); }));
            gate.setStatus(CL_COMPLETE);
            queue_.finish();
        }
        return figures(samples);
    }

    /// From the end of the wait for a kernel to the call of the event's callback; negative if the
    /// callback comes first.
    Json callbacks() {
        struct Called {
            std::mutex mutex;
            std::condition_variable changed;
            bool done = false;
            Clock::time_point time;
        };
        std::vector<double> samples;
        for (int i = 0; i < 500; ++i) {
            Called called;
            cl::Event event = enqueue();
            event.setCallback(
                CL_COMPLETE,
                [](cl_event, cl_int, void *data) {
                    auto &it = *static_cast<Called *>(data);
                    const auto now = Clock::now();
                    const std::lock_guard lock(it.mutex);
                    it.time = now;
                    it.done = true;
                    it.changed.notify_one();
                },
                &called);
            event.wait();
            const auto returned = Clock::now();
            std::unique_lock lock(called.mutex);
            called.changed.wait(lock, [&] { return called.done; });
            samples.push_back(
                std::chrono::duration<double, std::micro>(called.time - returned).count());
        }
        return figures(samples);
    }

    cl::Event enqueue() {
        cl::Event event;
        queue_.enqueueNDRangeKernel(nothing_, {}, cl::NDRange(1), {}, nullptr, &event);
        return event;
    }

    /// Processor time used in two idle seconds by this process and its children (QEMU, compiler).
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
    cl::Kernel nothing_;
};

/// Prints one line per figure, named by its path.
void print(const Json &value, const std::string &name) {
    if (value.is_object()) {
        for (const auto &[key, entry] : value.items())
            print(entry, name.empty() ? key : name + "." + key);
    } else if (value.is_number_float()) {
        std::printf("%-40s %12.2f\n", name.c_str(), value.get<double>());
    } else {
        std::printf("%-40s %12s\n", name.c_str(),
                    value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    }
}

int run(int argc, char **argv) try {
    CLI::App app("Measures device start, builds, round trips, transfers and idle time of the first "
                 "OpenCL device",
                 "rivulet bench");
    app.set_version_flag("--version", std::string("rivulet ") + rivulet::build_version());
    std::string file;
    bool json = false;
    app.add_option("kernel", file, "OpenCL C file whose build is timed, instead of a small kernel")
        ->type_name("FILE")
        ->check(CLI::ExistingFile);
    app.add_flag("--json", json, "print JSON");
    app.footer(
        "Times are wall-clock times, as medians and 99th percentiles. Compare them only within "
        "one run.\nIt takes about ten seconds.");
    if (const auto status = rivulet::command_line::answer(app, RIVULET_VERSION, argc, argv))
        return *status;
    if (const auto status = rivulet::command_line::parse(app, argc, argv))
        return *status;
    std::string source = small_kernel;
    if (!file.empty()) {
        std::ifstream stream(file);
        source.assign(std::istreambuf_iterator<char>(stream), {});
        if (source.empty()) {
            std::fprintf(stderr, "rivulet bench: %s can't be read\n", file.c_str());
            return 1;
        }
    }
    const Json result = Bench(std::move(source)).run();
    if (json)
        rivulet::command_line::print(result);
    else
        print(result, "");
    return 0;
} catch (const cl::BuildError &error) {
    for (const auto &[device, log] : error.getBuildLog())
        std::fprintf(stderr, "rivulet bench: %s does not build a kernel:\n%s\n",
                     device.getInfo<CL_DEVICE_NAME>().c_str(), log.c_str());
    return 1;
} catch (const cl::Error &error) {
    std::fprintf(stderr, "rivulet bench: %s: OpenCL error %d\n", error.what(), error.err());
    return 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "rivulet bench: %s\n", error.what());
    return 1;
}

} // namespace

int main(int argc, char **argv) {
    return rivulet::command_line::finish("rivulet bench", run(argc, argv));
}
