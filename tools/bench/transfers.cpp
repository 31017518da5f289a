// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/measure.h"

#include <cstring>
#include <string>

namespace {

constexpr size_t bytes = size_t{32} << 20;
constexpr int runs = 7;

} // namespace

Json transfers(const cl::Context &context, const cl::CommandQueue &queue) {
    std::vector<unsigned char> host(bytes, 1), other(bytes, 2);
    const double memcpy_us =
        median_microseconds(runs, [&] { std::memcpy(other.data(), host.data(), bytes); });
    // A ratio of 1 means as fast as memcpy.
    const auto ratio = [&](auto command) {
        return memcpy_us / median_microseconds(runs, [&] {
                   command();
                   queue.finish();
               });
    };
    const cl::Buffer from(context, CL_MEM_READ_WRITE, bytes), to(context, CL_MEM_READ_WRITE, bytes);
    queue.enqueueFillBuffer(from, cl_uint(3), 0, bytes);
    Json result{{"bytes", bytes}, {"memcpy_gb_per_s", double(bytes) / memcpy_us / 1e3}};
    result["write"] = ratio([&] { queue.enqueueWriteBuffer(from, true, 0, bytes, host.data()); });
    result["read"] = ratio([&] { queue.enqueueReadBuffer(from, true, 0, bytes, other.data()); });
    result["copy"] = ratio([&] { queue.enqueueCopyBuffer(from, to, 0, 0, bytes); });
    result["fill_4"] = ratio([&] { queue.enqueueFillBuffer(to, cl_uint(5), 0, bytes); });
    result["fill_16"] = ratio([&] { queue.enqueueFillBuffer(to, cl_uint4{}, 0, bytes); });
    // The same, executed by the device's own harts.
    cl::Program program(context, R"(
kernel void copy(global const ulong *from, global ulong *to) {
    to[get_global_id(0)] = from[get_global_id(0)];
}
kernel void fill(global ulong *to, ulong value) { to[get_global_id(0)] = value; })");
    program.build();
    cl::Kernel copy(program, "copy"), fill(program, "fill");
    copy.setArg(0, from);
    copy.setArg(1, to);
    fill.setArg(0, to);
    fill.setArg(1, cl_ulong{5});
    const cl::NDRange words(bytes / sizeof(cl_ulong));
    result["copy_by_kernel"] = ratio([&] { queue.enqueueNDRangeKernel(copy, {}, words); });
    result["fill_by_kernel"] = ratio([&] { queue.enqueueNDRangeKernel(fill, {}, words); });

    // A kernel of one work-item and a transfer behind it, in a chain of them: time for each pair.
    const auto in_chain = [&](auto command) {
        constexpr int links = 100;
        const auto link = [&] { queue.enqueueNDRangeKernel(fill, {}, cl::NDRange(1)); };
        return median_microseconds(runs,
                                   [&] {
                                       for (int n = 0; n < links; ++n) {
                                           link();
                                           command();
                                       }
                                       link();
                                       queue.finish();
                                   }) /
               links;
    };
    for (const size_t small : {size_t{64}, size_t{4096}, size_t{16384}, size_t{32768}}) {
        const std::string name = std::to_string(small);
        result["fill_in_chain_us"][name] =
            in_chain([&] { queue.enqueueFillBuffer(to, cl_uint(5), 0, small); });
        result["copy_in_chain_us"][name] =
            in_chain([&] { queue.enqueueCopyBuffer(from, to, 0, 0, small); });
    }

    // Upper bound for the bytes copied by a map: its time at memcpy's rate.
    const auto map_and_unmap = [&](const cl::Buffer &buffer) {
        const double time = median_microseconds(runs, [&] {
            void *address =
                queue.enqueueMapBuffer(buffer, true, CL_MAP_READ | CL_MAP_WRITE, 0, bytes);
            queue.enqueueUnmapMemObject(buffer, address);
            queue.finish();
        });
        return size_t(time / memcpy_us * double(bytes));
    };
    result["map_copies_at_most_bytes"] = map_and_unmap(from);
    result["map_use_host_ptr_copies_at_most_bytes"] = map_and_unmap(
        cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, host.data()));
    return result;
}
