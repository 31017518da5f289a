// SPDX-License-Identifier: Apache-2.0
//
// A random graph of commands in out-of-order queues, with edges to earlier commands. Every kernel
// records its place in the order of execution on its device, which shows whether the edges between
// kernels of one device were kept.
#include "tools/bench/measure.h"

#include <random>
#include <stdexcept>

namespace {

constexpr size_t commands = 10'000;
constexpr size_t most_edges = 3;
constexpr size_t reach = 1'000; // how far back edges go

constexpr const char *source =
    "kernel void node(global uint *next, global uint *order, uint self) {"
    "    order[self] = atomic_inc(next);"
    "}";

struct Edge {
    size_t from, to;
};

} // namespace

Json random_graph(const cl::Platform &platform) {
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    const cl::Context context(devices);
    // The constructor that builds asks for OpenCL C 2.0, which PoCL 6 refuses.
    cl::Program program(context, source);
    program.build();
    std::vector<cl::CommandQueue> queues;
    std::vector<cl::Kernel> kernels;
    std::vector<cl::Buffer> counters, orders; // clSetKernelArg doesn't retain them
    for (const cl::Device &device : devices) {
        queues.emplace_back(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        counters.emplace_back(context, CL_MEM_READ_WRITE, sizeof(cl_uint));
        queues.back().enqueueFillBuffer(counters.back(), cl_uint{0}, 0, sizeof(cl_uint));
        queues.back().finish();
        orders.emplace_back(context, CL_MEM_READ_WRITE, commands * sizeof(cl_uint));
        kernels.emplace_back(program, "node");
        kernels.back().setArg(0, counters.back());
        kernels.back().setArg(1, orders.back());
        // The first launch may have to compile.
        kernels.back().setArg(2, cl_uint{0});
        queues.back().enqueueNDRangeKernel(kernels.back(), {}, cl::NDRange(1));
        queues.back().finish();
    }

    std::mt19937 random(1);
    std::vector<cl::Event> events(commands);
    std::vector<Edge> edges;
    double enqueued = 0;
    const double total = microseconds([&] {
        enqueued = microseconds([&] {
            std::vector<cl::Event> waits;
            for (size_t self = 0; self < commands; ++self) {
                waits.clear();
                for (size_t edge = random() % (most_edges + 1); edge-- > 0 && self != 0;) {
                    const size_t from = self - 1 - random() % std::min(self, reach);
                    waits.push_back(events[from]);
                    edges.push_back({from, self});
                }
                const size_t device = self % devices.size();
                kernels[device].setArg(2, static_cast<cl_uint>(self));
                queues[device].enqueueNDRangeKernel(kernels[device], {}, cl::NDRange(1), {}, &waits,
                                                    &events[self]);
                // The last ones, too: a queue's commands wait for those of others, which 5.15
                // requires to be flushed.
                if (self % 64 == 63 || self + 1 == commands)
                    for (const cl::CommandQueue &queue : queues)
                        queue.flush();
            }
        });
        for (const cl::CommandQueue &queue : queues)
            queue.finish();
    });

    std::vector<std::vector<cl_uint>> order;
    for (size_t device = 0; device < devices.size(); ++device) {
        order.emplace_back(commands);
        queues[device].enqueueReadBuffer(orders[device], CL_TRUE, 0, commands * sizeof(cl_uint),
                                         order.back().data());
    }
    for (const auto &[from, to] : edges)
        if (const size_t device = to % devices.size();
            device == from % devices.size() && order[device][from] >= order[device][to])
            throw std::runtime_error("command " + std::to_string(to) + " ran before command " +
                                     std::to_string(from) + ", which it waits for");
    return {{"devices", devices.size()},
            {"enqueue_us", enqueued / commands},
            {"total_us", total / commands}};
}
