// SPDX-License-Identifier: Apache-2.0
//
// OpenCL C 6.15.8, 6.15.12, 6.15.16: barriers wherever a work-group meets, what lives over them,
// collectives, asynchronous copies; with last groups that are smaller.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>

#include "on_device.h"

namespace rivulet::test {
namespace {

class WorkGroups : public OnDevice {
protected:
    static constexpr const char *version = "-cl-std=CL3.0"; // the first with uneven last groups

    void run(const cl::Kernel &kernel, cl::NDRange global, cl::NDRange local) {
        queue.enqueueNDRangeKernel(kernel, {}, global, local);
    }

    /// Every collective of a type, in groups of this size; `values` don't overflow or round.
    template <class T>
    void expect_collectives(const cl::Kernel &kernel, const std::vector<T> &values, size_t group) {
        constexpr size_t results = 10;
        const cl::Buffer in = buffer(values);
        const cl::Buffer out = buffer(std::vector<T>(results * values.size()));
        cl::Kernel test = kernel;
        test.setArg(0, in);
        test.setArg(1, out);
        run(test, cl::NDRange(values.size()), cl::NDRange(group));
        const auto got = read<T>(out, results * values.size());
        for (size_t i = 0; i < values.size(); ++i) {
            const size_t first = i / group * group;
            const size_t last = std::min(first + group, values.size());
            const auto over = [&](size_t end, T start, auto combine) {
            // On aarch64 hosts, QEMU 10.0 computes wrong minima of 64-bit unsigned vectors.
#pragma clang loop vectorize(disable)
                for (size_t k = first; k < end; ++k)
                    start = combine(start, values[k]);
                return start;
            };
            const auto least = [](T a, T b) { return std::min(a, b); };
            const auto most = [](T a, T b) { return std::max(a, b); };
            // The operation's identity, used for absent values (6.15.16).
            const T top = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                               : std::numeric_limits<T>::max();
            const T bottom =
                std::numeric_limits<T>::has_infinity ? -top : std::numeric_limits<T>::min();
            const std::vector<T> expected = {over(last, 0, std::plus<T>()),
                                             over(last, top, least),
                                             over(last, bottom, most),
                                             over(i, 0, std::plus<T>()),
                                             over(i, top, least),
                                             over(i, bottom, most),
                                             over(i + 1, 0, std::plus<T>()),
                                             over(i + 1, top, least),
                                             over(i + 1, bottom, most),
                                             values[last - 1]};
            const auto *begin = got.data() + results * i;
            ASSERT_EQ(std::vector<T>(begin, begin + results), expected)
                << "work-item " << i << ", groups of " << group;
        }
    }
    template <class T> void expect_collectives(const std::string &type) {
        const cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(const global T *in, global T *out) {
    size_t i = get_global_id(0);
    T value = in[i];
    out += 10 * i;
    out[0] = work_group_reduce_add(value);
    out[1] = work_group_reduce_min(value);
    out[2] = work_group_reduce_max(value);
    out[3] = work_group_scan_exclusive_add(value);
    out[4] = work_group_scan_exclusive_min(value);
    out[5] = work_group_scan_exclusive_max(value);
    out[6] = work_group_scan_inclusive_add(value);
    out[7] = work_group_scan_inclusive_min(value);
    out[8] = work_group_scan_inclusive_max(value);
    out[9] = work_group_broadcast(value, get_local_size(0) - 1);
})",
                                                   "test", (version + (" -DT=" + type)).c_str());
        std::vector<T> values(150);
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<T>(i * 37 % 101) + (std::is_signed_v<T> ? T(-50) : T(0));
        for (const size_t group : {1u, 7u, 64u})
            expect_collectives(kernel, values, group);
    }
};

TEST_F(WorkGroups, CollectivesOfEveryType) {
    const auto features = device.getInfo<CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT>();
    if (!features)
        GTEST_SKIP() << "the device has no collective functions";
    expect_collectives<cl_int>("int");
    expect_collectives<cl_uint>("uint");
    expect_collectives<cl_long>("long");
    expect_collectives<cl_ulong>("ulong");
    expect_collectives<cl_float>("float");
    if (device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>())
        expect_collectives<cl_double>("double");
}

TEST_F(WorkGroups, AnyAndAllInALoopAndInTwoDimensions) {
    if (!device.getInfo<CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT>())
        GTEST_SKIP() << "the device has no collective functions";
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(global int *out) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    int rounds = 0;
    while (work_group_any(rounds < (int)get_local_id(0) + 1))
        ++rounds;
    int same = work_group_broadcast(rounds, 1, 2);
    out[i] = 100 * rounds + 10 * work_group_all(same == rounds) + work_group_all(i & 1);
})",
                                         "test", version);
    const cl::Buffer out = buffer(std::vector<int>(12 * 6));
    kernel.setArg(0, out);
    run(kernel, cl::NDRange(12, 6), cl::NDRange(4, 3));
    EXPECT_EQ(read<int>(out, 72), std::vector<int>(72, 410));
}

TEST_F(WorkGroups, AsynchronousCopiesThereAndBack) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(const global float4 *in, global float4 *out, local float4 *tile) {
    size_t group = get_local_size(0), first = get_group_id(0) * 33;
    event_t event = async_work_group_copy(tile, in + first, 33, 0);
    event = async_work_group_copy(tile + 33, in + first, 1, event);
    wait_group_events(1, &event);
    for (size_t i = get_local_id(0); i < 34; i += group)
        tile[i] *= 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t back = async_work_group_copy(out + first, tile, 33, 0);
    wait_group_events(1, &back);
})");
    const cl::Buffer in = buffer(iota<float>(4 * 99));
    const cl::Buffer out = buffer(std::vector<float>(4 * 99));
    kernel.setArg(0, in);
    kernel.setArg(1, out);
    kernel.setArg(2, cl::Local(34 * 16));
    run(kernel, cl::NDRange(48), cl::NDRange(16));
    auto expected = iota<float>(4 * 99);
    for (float &value : expected)
        value *= 2;
    EXPECT_EQ(read<float>(out, expected.size()), expected);
}

TEST_F(WorkGroups, StridedCopies) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(const global short *in, global short *out, local short *tile) {
    event_t events[2];
    events[0] = async_work_group_strided_copy(tile, in + get_group_id(0), 21, 3, 0);
    events[1] = async_work_group_copy(tile + 21, in, 5, 0);
    wait_group_events(2, events);
    events[0] = async_work_group_strided_copy(out + get_group_id(0), tile, 26, 3, 0);
    wait_group_events(1, events);
})");
    const cl::Buffer in = buffer(iota<cl_short>(63));
    const cl::Buffer out = buffer(std::vector<cl_short>(78));
    kernel.setArg(0, in);
    kernel.setArg(1, out);
    kernel.setArg(2, cl::Local(26 * 2));
    run(kernel, cl::NDRange(30), cl::NDRange(10));
    const auto result = read<cl_short>(out, 78);
    for (int i = 0; i < 26; ++i)
        for (int group = 0; group < 3; ++group)
            EXPECT_EQ(result[size_t(3 * i + group)], i < 21 ? 3 * i + group : i - 21)
                << i << " of group " << group;
}

TEST_F(WorkGroups, LargePrivateArraysBoundTheGroupSize) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(global uint *out, uint n) {
    uint mine[16384], l = get_local_id(0);
    for (uint i = 0; i < n; ++i)
        mine[i] = i * (l + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint i = l; i < n; i += 97)
        sum += mine[(i * 7) % 16384];
    out[get_global_id(0)] = sum;
})");
    const auto most = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
    ASSERT_GE(most, 1u);
    EXPECT_LT(most, device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
    EXPECT_GE(kernel.getWorkGroupInfo<CL_KERNEL_PRIVATE_MEM_SIZE>(device), 65536u);
    const cl::Buffer out = buffer(std::vector<cl_uint>(2 * most));
    kernel.setArg(0, out);
    kernel.setArg(1, cl_uint{16384});
    run(kernel, cl::NDRange(2 * most), cl::NDRange(most));
    const auto result = read<cl_uint>(out, 2 * most);
    for (size_t item = 0; item < 2 * most; ++item) {
        const auto l = static_cast<cl_uint>(item % most);
        cl_uint sum = 0;
        for (cl_uint i = l; i < 16384; i += 97)
            sum += (i * 7) % 16384 * (l + 1);
        ASSERT_EQ(result[item], sum) << "work-item " << item;
    }
    EXPECT_EQ(status_of([&] { run(kernel, cl::NDRange(most + 1), cl::NDRange(most + 1)); }),
              CL_INVALID_WORK_GROUP_SIZE);
    expect_healthy();
}

TEST_F(WorkGroups, WhatAHartHasNoMemoryForIsExplained) {
    std::mutex mutex;
    std::condition_variable reported;
    std::string report;
    struct Reports {
        std::mutex &mutex;
        std::condition_variable &reported;
        std::string &report;
    } reports{mutex, reported, report};
    context = cl::Context(
        device, nullptr,
        [](const char *text, const void *, size_t, void *user) {
            auto &reports = *static_cast<Reports *>(user);
            const std::lock_guard lock(reports.mutex);
            reports.report = text;
            reports.reported.notify_all();
        },
        &reports);
    queue = cl::CommandQueue(context, device);
    auto expect_refused = [&](const char *source, size_t group, cl_int code, const char *why) {
        cl::Kernel kernel = OnDevice::kernel(source);
        const cl::Buffer out = buffer(std::vector<cl_uint>(group));
        kernel.setArg(0, out);
        report.clear();
        EXPECT_EQ(status_of([&] { run(kernel, cl::NDRange(group), cl::NDRange(group)); }), code);
        std::unique_lock lock(mutex);
        reported.wait_for(lock, std::chrono::seconds(30), [&] { return !report.empty(); });
        EXPECT_THAT(report, testing::HasSubstr(why));
    };
    expect_refused(R"(
kernel void test(global uint *out) {
    uint mine[65536];
    for (uint i = 0; i < 65536; ++i)
        mine[i] = out[i % 7];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = mine[out[1]];
})",
                   64, CL_INVALID_WORK_GROUP_SIZE,
                   "kernel test: a work-group of 64 needs more memory than a hart has");
    expect_refused(R"(
kernel void test(global uint *out) {
    local uint all[4000000];
    all[out[0]] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = all[out[1]];
})",
                   1, CL_OUT_OF_RESOURCES, "16000000 of local memory");
    context = cl::Context(device); // and with it the callback
    queue = cl::CommandQueue(context, device);
    expect_healthy();
}

TEST_F(WorkGroups, UnevenLastGroupsInThreeDimensionsMeetAtBarriers) {
    cl::Kernel kernel = OnDevice::kernel(R"(
size_t linear(void) { return get_local_linear_id(); }
void store(local int *tile, int value) {
    tile[linear()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void test(global int *out) {
    local int tile[60];
    size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    int id = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
             get_global_id(0);
    store(tile, id);
    int sum = 0;
    for (int round = 0; round < 3; ++round) {
        sum += tile[(linear() + round) % items];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (round == 1) // all work-items of the group come here
            store(tile, -id);
    }
    out[id] = sum;
})",
                                         "test", version);
    constexpr size_t size[3] = {10, 7, 5}, group[3] = {4, 5, 3};
    const cl::Buffer out = buffer(std::vector<int>(350));
    kernel.setArg(0, out);
    run(kernel, cl::NDRange(size[0], size[1], size[2]), cl::NDRange(group[0], group[1], group[2]));
    const auto result = read<int>(out, 350);
    for (size_t item = 0; item < 350; ++item) {
        const size_t id[3] = {item % 10, item / 10 % 7, item / 70};
        size_t first[3], length[3];
        for (int d = 0; d < 3; ++d) {
            first[d] = id[d] / group[d] * group[d];
            length[d] = std::min(group[d], size[d] - first[d]);
        }
        const size_t items = length[0] * length[1] * length[2];
        const size_t linear =
            ((id[2] - first[2]) * length[1] + id[1] - first[1]) * length[0] + id[0] - first[0];
        const auto of = [&](size_t l) {
            l %= items;
            return int(((first[2] + l / (length[0] * length[1])) * 7 + first[1] +
                        l / length[0] % length[1]) *
                           10 +
                       first[0] + l % length[0]);
        };
        ASSERT_EQ(result[item], of(linear) + of(linear + 1) - of(linear + 2)) << "item " << item;
    }
}

// With so many barriers, the regions between them no longer call each other directly.
TEST_F(WorkGroups, SixtyBarriersInALoop) {
    constexpr unsigned steps = 30, rounds = 3, items = 40, group = 24;
    std::string source = R"(
#define STEP tile[l] = v; barrier(CLK_LOCAL_MEM_FENCE);                                            \
             v = 3 * v + tile[(l + 1) % n]; barrier(CLK_LOCAL_MEM_FENCE);
kernel void test(global uint *out, int rounds) {
    local uint tile[24];
    uint l = get_local_id(0), n = get_local_size(0), v = get_global_id(0);
    for (int round = 0; round < rounds; ++round) {)";
    for (unsigned i = 0; i < steps; ++i)
        source += "\n        STEP";
    cl::Kernel kernel = OnDevice::kernel(source + R"(
        if (get_group_id(0) == round)
            break;
    }
    out[get_global_id(0)] = v;
})",
                                         "test", version);
    const cl::Buffer out = buffer(std::vector<cl_uint>(items));
    kernel.setArg(0, out);
    kernel.setArg(1, rounds);
    run(kernel, cl::NDRange(items), cl::NDRange(group));
    auto expected = iota<cl_uint>(items);
    for (unsigned first = 0; first < items; first += group) {
        const unsigned n = std::min(group, items - first);
        for (unsigned step = 0; step < steps * (first / group + 1); ++step) {
            const std::vector<cl_uint> tile(expected.begin() + first, expected.begin() + first + n);
            for (unsigned l = 0; l < n; ++l)
                expected[first + l] = 3 * tile[l] + tile[(l + 1) % n];
        }
    }
    EXPECT_EQ(read<cl_uint>(out, items), expected);
}

TEST_F(WorkGroups, WorkItemsThatHaveReturnedAreNotWaitedFor) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(global int *out, int n) {
    local int sums[16];
    int i = get_global_id(0), l = get_local_id(0);
    sums[l] = 0;
    if (i >= n)
        return;
    sums[l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int mine = sums[l] + 1;
    if (get_group_id(0) == 1)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = mine + sums[0];
})");
    const cl::Buffer out = buffer(std::vector<int>(64, -1));
    kernel.setArg(0, out);
    kernel.setArg(1, 41);
    run(kernel, cl::NDRange(64), cl::NDRange(16));
    std::vector<int> expected(64, -1);
    for (int i = 0; i < 41; ++i)
        if (i / 16 != 1)
            expected[size_t(i)] = i + 1 + i / 16 * 16;
    EXPECT_EQ(read<int>(out, 64), expected);
}

TEST_F(WorkGroups, AtomicsOf64Bits) {
    cl::Kernel kernel = OnDevice::kernel(R"(
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void test(global ulong *out) {
    local ulong sum;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(&sum, (ulong)i << 32 | 1);
    atom_inc(&out[1]);
    atom_max(&out[2], (ulong)i << 33);
    atom_or(&out[3], 1ul << i % 64);
    ulong seen = out[4];
    for (ulong before; (before = atom_cmpxchg(&out[4], seen, seen + i)) != seen;)
        seen = before;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atom_add(&out[0], sum);
})");
    constexpr cl_ulong items = 640, total = items * (items - 1) / 2;
    const cl::Buffer out = buffer(std::vector<cl_ulong>(5));
    kernel.setArg(0, out);
    run(kernel, cl::NDRange(items), cl::NDRange(10));
    EXPECT_EQ(read<cl_ulong>(out, 5),
              (std::vector<cl_ulong>{(total << 32) + items, items, (items - 1) << 33, ~cl_ulong{0},
                                     total}));
}

// Work of a single work-item uses a vector length of one.
TEST_F(WorkGroups, CountInTwoMemoriesByOnePointer) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void count(global atomic_int *far, local atomic_int *near) {
    const int item = get_local_id(0), group = get_group_id(0);
    if (item == 0)
        atomic_store_explicit(near, 0, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_int *counter = far + 2 * group;
    if (item % 2 == 0)
        counter = near;
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
        atomic_store_explicit(&far[2 * group + 1],
                              atomic_load_explicit(near, memory_order_relaxed,
                                                   memory_scope_work_group),
                              memory_order_relaxed, memory_scope_work_group);
})",
                                         "count", "-cl-std=CL3.0");
    for (int size : {2, 64, 250}) {
        const cl::Buffer counts = buffer(std::vector<int>(4));
        kernel.setArg(0, counts);
        kernel.setArg(1, cl::Local(sizeof(int)));
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(2 * size), cl::NDRange(size));
        EXPECT_THAT(read<int>(counts, 4), testing::Each(size / 2)) << size;
    }
}

} // namespace
} // namespace rivulet::test
