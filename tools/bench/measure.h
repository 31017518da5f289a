// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

inline double microseconds_since(Clock::time_point before) {
    return std::chrono::duration<double, std::micro>(Clock::now() - before).count();
}

template <class Work> double microseconds(Work work) {
    const auto before = Clock::now();
    work();
    return microseconds_since(before);
}

/// Median and 99th percentile.
inline Json figures(std::vector<double> samples) {
    std::ranges::sort(samples);
    return {{"median", samples[samples.size() / 2]}, {"p99", samples[samples.size() * 99 / 100]}};
}

/// Median time of `count` runs of `work`, after one warm-up run.
template <class Work> double median_microseconds(int count, Work work) {
    work();
    std::vector<double> samples;
    for (int i = 0; i < count; ++i)
        samples.push_back(microseconds(work));
    std::ranges::sort(samples);
    return samples[samples.size() / 2];
}

/// Copies, fills and maps of a large buffer, relative to the host's memcpy.
Json transfers(const cl::Context &context, const cl::CommandQueue &queue);

/// Time per command of a graph of 10,000 kernels with random edges, on all devices; checks their
/// order.
Json random_graph(const cl::Platform &platform);

/// Host memory used per object of each kind.
Json object_bytes(const cl::Context &context, const cl::Device &device, const cl::Program &program);
