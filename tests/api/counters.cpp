// SPDX-License-Identifier: Apache-2.0
//
// cl_ext_atomic_counters_64, sentence by sentence, and cl_ext_atomic_counters_32 by analogy.
#include <algorithm>

#include <CL/cl_ext.h>

#include "on_device.h"

namespace rivulet::test {
namespace {

constexpr size_t items = 1000;
constexpr cl_ulong beyond_32_bits = 0x1'0000'0000 - 10;

class AtomicCounters : public OnDevice {
protected:
    /// The values that the work-items got, in ascending order.
    template <class T>
    std::vector<T> values(cl::Kernel &kernel, const cl::Buffer &counter, size_t count = items) {
        const cl::Buffer out = buffer(std::vector<T>(count));
        kernel.setArg(0, counter);
        kernel.setArg(1, out);
        launch(kernel, count);
        auto got = read<T>(out, count);
        std::ranges::sort(got);
        return got;
    }
};

constexpr const char *increments = "kernel void test(counter64_t counter, global ulong *out) {"
                                   "    out[get_global_id(0)] = atomic_inc(counter);"
                                   "}";

TEST_F(AtomicCounters, AreAdvertised) {
    const auto extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    EXPECT_THAT(extensions, testing::HasSubstr("cl_ext_atomic_counters_32"));
    EXPECT_THAT(extensions, testing::HasSubstr("cl_ext_atomic_counters_64"));
    cl_uint most = 0;
    EXPECT_EQ(
        clGetDeviceInfo(device(), CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT, sizeof most, &most, nullptr),
        CL_SUCCESS);
    EXPECT_GE(most, 8u);
}

TEST_F(AtomicCounters, NoTwoWorkItemsSeeTheSameValue) {
    cl::Kernel kernel = OnDevice::kernel(increments);
    const cl::Buffer counter = buffer(std::vector<cl_ulong>{beyond_32_bits});
    EXPECT_EQ(values<cl_ulong>(kernel, counter), iota<cl_ulong>(items, beyond_32_bits));
    EXPECT_EQ(read<cl_ulong>(counter, 1)[0], beyond_32_bits + items);
}

TEST_F(AtomicCounters, DecrementReturnsTheOldValue) {
    cl::Kernel kernel = OnDevice::kernel("kernel void test(counter64_t counter, global ulong *out)"
                                         "{ out[get_global_id(0)] = atomic_dec(counter); }");
    const cl::Buffer counter = buffer(std::vector<cl_ulong>{beyond_32_bits + items});
    EXPECT_EQ(values<cl_ulong>(kernel, counter), iota<cl_ulong>(items, beyond_32_bits + 1));
    EXPECT_EQ(read<cl_ulong>(counter, 1)[0], beyond_32_bits);
}

TEST_F(AtomicCounters, Of32BitsAreTheFirstFourBytes) {
    cl::Kernel up = OnDevice::kernel("kernel void test(counter32_t counter, global uint *out)"
                                     "{ out[get_global_id(0)] = atomic_inc(counter); }");
    const cl::Buffer counter = buffer(std::vector<cl_uint>{5, 77});
    EXPECT_EQ(values<cl_uint>(up, counter), iota<cl_uint>(items, 5));
    EXPECT_EQ(read<cl_uint>(counter, 2), (std::vector<cl_uint>{5 + items, 77}));
    cl::Kernel down = OnDevice::kernel("kernel void test(counter32_t counter, global uint *out)"
                                       "{ out[get_global_id(0)] = atomic_dec(counter); }");
    EXPECT_EQ(values<cl_uint>(down, counter), iota<cl_uint>(items, 6));
    EXPECT_EQ(read<cl_uint>(counter, 2), (std::vector<cl_uint>{5, 77}));
}

TEST_F(AtomicCounters, CountWorkItemsThatTakeABranch) {
    cl::Kernel kernel = OnDevice::kernel(R"(
ulong take(counter64_t counter) { return atomic_inc(counter); }
kernel void test(counter64_t counter, global ulong *out, counter32_t all) {
    size_t i = get_global_id(0);
    out[i] = 0;
    for (uint round = 0; round < i % 3; ++round)
        out[i] += 1000000 * take(counter) + round;
    atomic_inc(all);
})");
    const cl::Buffer counter = buffer(std::vector<cl_ulong>{0});
    const cl::Buffer all = buffer(std::vector<cl_uint>{0});
    kernel.setArg(2, all);
    const auto got = values<cl_ulong>(kernel, counter);
    const cl_ulong taken = items / 3 * 3; // 1000 = 333 · (0 + 1 + 2) + 0
    EXPECT_EQ(read<cl_ulong>(counter, 1)[0], taken);
    EXPECT_EQ(read<cl_uint>(all, 1)[0], items);
    EXPECT_EQ(std::accumulate(got.begin(), got.end(), cl_ulong{0}),
              1000000 * (taken * (taken - 1) / 2) + 333);
}

TEST_F(AtomicCounters, AreDistinctOverWorkGroupsWithBarriers) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(counter64_t counter, global ulong *out) {
    local ulong shared[10];
    shared[get_local_id(0)] = atomic_inc(counter);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = shared[9 - get_local_id(0)];
})");
    const cl::Buffer counter = buffer(std::vector<cl_ulong>{3});
    const cl::Buffer out = buffer(std::vector<cl_ulong>(items));
    kernel.setArg(0, counter);
    kernel.setArg(1, out);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(10));
    auto got = read<cl_ulong>(out, items);
    std::ranges::sort(got);
    EXPECT_EQ(got, iota<cl_ulong>(items, 3));
}

TEST_F(AtomicCounters, TheBufferIsNotUpdatedDuringTheRun) {
    cl::Kernel kernel = OnDevice::kernel(
        "kernel void test(counter64_t counter, global ulong *out, volatile global ulong *memory) {"
        "    atomic_inc(counter);"
        "    out[get_global_id(0)] = *memory;"
        "}");
    const cl::Buffer counter = buffer(std::vector<cl_ulong>{42});
    kernel.setArg(2, counter);
    EXPECT_EQ(values<cl_ulong>(kernel, counter), std::vector<cl_ulong>(items, 42));
    EXPECT_EQ(read<cl_ulong>(counter, 1)[0], 42 + items);
}

TEST_F(AtomicCounters, GoOnFromLaunchToLaunch) {
    cl::Kernel kernel = OnDevice::kernel("kernel void test(counter64_t counter)"
                                         "{ atomic_inc(counter); }");
    cl::Kernel copy =
        OnDevice::kernel("kernel void test(const global ulong *from, global ulong *to)"
                         "{ *to = *from; }");
    const cl::Buffer counter = buffer(std::vector<cl_ulong>{7});
    const cl::Buffer seen = buffer(std::vector<cl_ulong>{0});
    kernel.setArg(0, counter);
    copy.setArg(0, counter);
    copy.setArg(1, seen);
    constexpr size_t launches = 20;
    for (size_t i = 0; i < launches; ++i) {
        launch(kernel, items);
        if (i == launches / 2 - 1)
            launch(copy, 1);
    }
    EXPECT_EQ(read<cl_ulong>(counter, 1)[0], 7 + launches * items);
    EXPECT_EQ(read<cl_ulong>(seen, 1)[0], 7 + launches / 2 * items);
}

TEST_F(AtomicCounters, EightOfThemInOneKernel) {
    std::string parameters, body;
    for (int i = 0; i < 8; ++i) {
        const auto number = std::to_string(i);
        parameters +=
            (i ? ", counter" : "counter") + std::string(i % 2 ? "32_t c" : "64_t c") + number;
        body += "if (get_global_id(0) % " + std::to_string(i + 1) + " == 0) " +
                (i < 4 ? "atomic_inc(c" : "atomic_dec(c") + number + ");";
    }
    cl::Kernel kernel = OnDevice::kernel("kernel void test(" + parameters + ") {" + body + "}");
    std::vector<cl::Buffer> counters;
    for (cl_uint i = 0; i < 8; ++i) {
        counters.push_back(buffer(std::vector<cl_ulong>{5000 + i}));
        kernel.setArg(i, counters.back());
    }
    launch(kernel, items);
    for (size_t i = 0; i < 8; ++i) {
        const size_t counted = (items + i) / (i + 1);
        EXPECT_EQ(read<cl_ulong>(counters[i], 1)[0],
                  i < 4 ? 5000 + i + counted : 5000 + i - counted)
            << "counter " << i;
    }
}

TEST_F(AtomicCounters, MayBeSubBuffers) {
    cl::Kernel kernel = OnDevice::kernel("kernel void test(counter64_t a, counter64_t b)"
                                         "{ atomic_inc(a); atomic_dec(b); }");
    const size_t step = device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
    cl::Buffer whole = buffer(std::vector<cl_ulong>(3 * step / sizeof(cl_ulong), 9000));
    std::vector<cl::Buffer> parts;
    for (size_t i = 1; i < 3; ++i) {
        const cl_buffer_region region{i * step, sizeof(cl_ulong)};
        parts.push_back(
            whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region));
        kernel.setArg(cl_uint(i - 1), parts.back());
    }
    launch(kernel, items);
    std::vector<cl_ulong> expected(3 * step / sizeof(cl_ulong), 9000);
    expected[step / sizeof(cl_ulong)] += items;
    expected[2 * step / sizeof(cl_ulong)] -= items;
    EXPECT_EQ(read<cl_ulong>(whole, expected.size()), expected);
}

TEST_F(AtomicCounters, TwoAtOnePlaceAreRefused) {
    cl::Kernel kernel = OnDevice::kernel("kernel void test(counter64_t a, counter32_t b)"
                                         "{ atomic_inc(a); atomic_dec(b); }");
    cl::Buffer counter = buffer(std::vector<cl_ulong>{1});
    kernel.setArg(0, counter);
    kernel.setArg(1, counter);
    EXPECT_EQ(status_of([&] { launch(kernel, 1); }), CL_INVALID_KERNEL_ARGS);
    const cl_buffer_region first{0, 4};
    kernel.setArg(1,
                  counter.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &first));
    EXPECT_NE(status_of([&] { launch(kernel, 1); }), CL_SUCCESS);
    EXPECT_EQ(read<cl_ulong>(counter, 1)[0], 1u);
}

TEST_F(AtomicCounters, ArgumentsAreBuffersThatHoldThem) {
    cl::Kernel kernel = OnDevice::kernel("kernel void test(counter64_t a) { atomic_inc(a); }");
    EXPECT_EQ(status_of([&] { launch(kernel, 1); }), CL_INVALID_KERNEL_ARGS);
    EXPECT_EQ(clSetKernelArg(kernel(), 0, sizeof(cl_mem), nullptr), CL_INVALID_MEM_OBJECT);
    const cl_mem none = nullptr;
    EXPECT_EQ(clSetKernelArg(kernel(), 0, sizeof none, &none), CL_INVALID_MEM_OBJECT);
    const cl_ulong value = 3;
    EXPECT_NE(clSetKernelArg(kernel(), 0, sizeof value, &value), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel(), 0, 4, &value), CL_INVALID_ARG_SIZE);
    const cl::Buffer small = buffer(std::vector<cl_uint>{1});
    EXPECT_EQ(status_of([&] { kernel.setArg(0, small); }), CL_INVALID_ARG_VALUE);
    const cl::Buffer enough = buffer(std::vector<cl_ulong>{1});
    EXPECT_EQ(status_of([&] { kernel.setArg(0, enough); }), CL_SUCCESS);
}

TEST_F(AtomicCounters, KernelsSayWhatTheyTake) {
    cl::Kernel kernel = OnDevice::kernel("kernel void test(counter64_t a, counter32_t b) {}",
                                         "test", "-cl-kernel-arg-info");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(0), "counter64_t");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(1), "counter32_t");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_ACCESS_QUALIFIER>(0),
              cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_NONE});
}

TEST_F(AtomicCounters, MisuseIsABuildError) {
    cl::Program program(context, "kernel void test(counter64_t c, int up) {\n"
                                 "    if (up)\n"
                                 "        atomic_inc(c);\n"
                                 "    else\n"
                                 "        atomic_dec(c);\n"
                                 "}\n");
    EXPECT_EQ(status_of([&] { program.build(device); }), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_THAT(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device),
                testing::AllOf(testing::HasSubstr(":5:"), testing::HasSubstr("'c'")));
}

TEST_F(AtomicCounters, AFailedLaunchLeavesTheBufferAsItWas) {
    if (!on_qemu())
        GTEST_SKIP() << "kernels on this machine are not fenced";
    cl::Kernel kernel = OnDevice::kernel("kernel void test(counter64_t counter, ulong wild) {"
                                         "    atomic_inc(counter);"
                                         "    if (get_global_id(0) == 900)"
                                         "        *(global int *)wild = 1;"
                                         "}");
    const cl::Buffer counter = buffer(std::vector<cl_ulong>{11});
    kernel.setArg(0, counter);
    kernel.setArg(1, cl_ulong{64});
    EXPECT_LT(status_of([&] { launch(kernel, items).wait(); }), 0);
    EXPECT_EQ(read<cl_ulong>(counter, 1)[0], 11u);
    expect_healthy();
}

} // namespace
} // namespace rivulet::test
