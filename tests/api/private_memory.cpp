// SPDX-License-Identifier: Apache-2.0
//
// Arrays in private memory, whose layout differs from C's if work-items run side by side: elements
// of every size, per-work-item indices and pointers, across barriers.
#include <algorithm>

#include "on_device.h"

namespace rivulet::test {
namespace {

class PrivateMemory : public OnDevice {
protected:
    static constexpr size_t items = 203; // no whole number of strips

    /// The result of work-item i, from its `count` words.
    std::vector<cl_uint> run(const cl::Kernel &kernel, const std::vector<cl_uint> &in, cl_int count,
                             size_t local = 0) {
        const cl::Buffer source = buffer(in);
        const cl::Buffer target = buffer(std::vector<cl_uint>(in.size()));
        cl::Kernel test = kernel;
        test.setArg(0, source);
        test.setArg(1, target);
        test.setArg(2, count);
        const size_t global = in.size() / size_t(count);
        queue.enqueueNDRangeKernel(test, {}, cl::NDRange(global),
                                   local ? cl::NDRange(local) : cl::NullRange);
        return read<cl_uint>(target, in.size());
    }
    static std::vector<cl_uint> numbers(size_t count) {
        std::vector<cl_uint> values(count);
        cl_uint state = 12345;
        for (cl_uint &value : values)
            value = (state = state * 1664525 + 1013904223) >> 25; // below 128
        return values;
    }
};

TEST_F(PrivateMemory, ElementsOfEverySizeAreFoundAtAnyIndex) {
    constexpr cl_int count = 23;
    const auto in = numbers(items * count);
    auto sorted = in;
    for (size_t i = 0; i < items; ++i)
        std::sort(sorted.begin() + long(i * count), sorted.begin() + long((i + 1) * count));
    for (const char *type : {"uchar", "short", "uint", "float", "ulong"}) {
        const auto source = R"(
kernel void test(global const uint *in, global uint *out, int count) {
    T a[32];
    in += get_global_id(0) * count;
    out += get_global_id(0) * count;
    for (int k = 0; k < count; ++k) {
        T *slot = a + k, now = (T)in[k];
        for (; slot != a && slot[-1] > now; --slot)
            *slot = slot[-1];
        *slot = now;
    }
    for (int k = 0; k < count; ++k)
        out[k] = (uint)a[k];
})";
        const std::string option = std::string("-DT=") + type;
        EXPECT_EQ(run(kernel(source, "test", option.c_str()), in, count), sorted) << type;
    }
}

// The arrays of all lanes together would take more than a hart's memory.
TEST_F(PrivateMemory, LargeArraysNeedNoBarrier) {
    constexpr size_t group = 32;
    for (const cl_uint count : {4096u, 16384u, 65536u}) {
        cl::Kernel test = kernel(R"(
kernel void test(global uint *out) {
    uint mine[COUNT], x = get_global_id(0);
    for (uint i = 0; i < COUNT; ++i)
        mine[i] = i * (x + 1);
    uint sum = 0;
    for (uint i = x; i < COUNT; i += 97)
        sum += mine[(i * 7) % COUNT];
    out[x] = sum;
})",
                                 "test", ("-DCOUNT=" + std::to_string(count)).c_str());
        EXPECT_GE(test.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device), group) << count;
        const cl::Buffer out = buffer(std::vector<cl_uint>(2 * group));
        test.setArg(0, out);
        queue.enqueueNDRangeKernel(test, {}, cl::NDRange(2 * group), cl::NDRange(group));
        const auto result = read<cl_uint>(out, 2 * group);
        for (cl_uint x = 0; x < 2 * group; ++x) {
            cl_uint sum = 0;
            for (cl_uint i = x; i < count; i += 97)
                sum += (i * 7) % count * (x + 1);
            ASSERT_EQ(result[x], sum) << "work-item " << x << ", " << count << " elements";
        }
    }
}

TEST_F(PrivateMemory, StructuresAreCopiedAndFilledAsAWhole) {
    constexpr cl_int count = 12;
    const auto in = numbers(items * count);
    auto expected = in;
    for (size_t i = 0; i < items; ++i)
        for (size_t k = 0; k < count; ++k) {
            const size_t from = in[i * count + k] % 16;
            const cl_uint held = from < count ? in[i * count + from] + cl_uint(from) : 0;
            expected[i * count + k] = held + (k < 5 ? in[i * count + k] * 3 : 0);
        }
    const auto source = R"(
typedef struct { uint value; struct { uint slot, twice; } inner; } Entry;
kernel void test(global const uint *in, global uint *out, int count) {
    Entry all[16] = {}, copy[16];
    in += get_global_id(0) * count;
    out += get_global_id(0) * count;
    for (int k = 0; k < count; ++k)
        all[k] = (Entry){in[k], {k, 2 * in[k]}};
    for (int k = 0; k < 16; ++k)
        copy[k] = all[k];
    for (int k = 0; k < count; ++k) {
        const Entry one = copy[in[k] % 16];
        out[k] = one.value + one.inner.slot;
        if (k < 5)
            out[k] += all[k].value + copy[k].inner.twice;
    }
})";
    EXPECT_EQ(run(kernel(source), in, count), expected);
}

TEST_F(PrivateMemory, ArraysLiveOverBarriers) {
    constexpr cl_int count = 16;
    for (size_t local : {1, 7, 29}) {
        const auto in = numbers(items * count);
        auto expected = in;
        for (size_t step = 0; step < count; ++step) {
            const auto before = expected;
            for (size_t i = 0; i < items; ++i) {
                const size_t next = i / local * local + (i % local + 1) % local;
                for (size_t k = 0; k < count; ++k)
                    expected[i * count + k] += before[next * count + (step + 3) % count];
                expected[i * count + in[i * count] % count] ^= cl_uint(step);
            }
        }
        const auto source = R"(
kernel void test(global const uint *in, global uint *out, int count) {
    local uint shared_[32];
    uint a[16];
    const int l = get_local_id(0);
    in += get_global_id(0) * count;
    out += get_global_id(0) * count;
    for (int k = 0; k < count; ++k)
        a[k] = in[k];
    for (int step = 0; step < count; ++step) {
        shared_[l] = a[(step + 3) % count];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < count; ++k)
            a[k] += shared_[(l + 1) % get_local_size(0)];
        a[in[0] % count] ^= step;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < count; ++k)
        out[k] = a[k];
})";
        EXPECT_EQ(run(kernel(source), in, count, local), expected) << "groups of " << local;
    }
}

// Kernels with sub-groups do it, too, which have a vector form only.
TEST_F(PrivateMemory, ComparisonsOfVectorsLiveOverBarriers) {
    constexpr cl_int count = 4;
    constexpr size_t local = 29;
    const auto in = numbers(items * count);
    auto expected = in;
    for (size_t i = 0; i < items; ++i) {
        const auto other = [&](size_t step, size_t k) {
            return in[(i / local * local + (i + step) % local) * count + k];
        };
        for (size_t k = 0; k < count; ++k)
            expected[i * count + k] =
                in[i * count + k] < in[k] ? other(1, k) : other(2, k) + (in[k] < 64 ? 5 : 0);
    }
    for (const char *use : {"", "if (sub_group_all(0)) return;"}) {
        const auto source = std::string(R"(
kernel void test(global const uint4 *in, global uint4 *out, int count) {
    local uint4 shared_[29];
    const int i = get_global_id(0), l = i % 29;
    const int4 less = in[i] < in[0];
    const int4 small = in[0] < 64u;
    shared_[l] = in[i];
    )") + use + R"(
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint4 far = shared_[(l + 2) % 29] + select((uint4)0, (uint4)5, small);
    out[i] = select(far, shared_[(l + 1) % 29], less);
})";
        EXPECT_EQ(run(kernel(source, "test", "-cl-std=CL3.0"), in, count, local), expected) << use;
    }
}

// Kernels find nothing on a hart's stack that kernels of another context left there, however deep
// it was.
TEST_F(PrivateMemory, HoldsNothingOfAnotherContext) {
    if (!on_qemu())
        GTEST_SKIP() << "the loopback driver's stacks are those of threads";
    constexpr size_t groups = 256;
    const char *source = R"(
kernel void leave(global uint *out) {
    volatile uint mine[16384];
    for (uint i = 0; i < 16384; ++i)
        mine[i] = 0x5ec4e7;
    out[get_group_id(0)] = mine[7];
}
kernel void small(global uint *out) { out[get_group_id(0)] = 0; }
kernel void find(global uint *out) {
    volatile uint mine[32768];
    uint found = 0;
    for (uint i = 0; i < 32768; ++i)
        found += mine[i] == 0x5ec4e7;
    out[get_group_id(0)] = found;
})";
    const auto run_named = [&](const char *name) {
        cl::Kernel kernel = OnDevice::kernel(source, name);
        const cl::Buffer out = buffer(std::vector<cl_uint>(groups));
        kernel.setArg(0, out);
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(groups), cl::NDRange(1));
        return read<cl_uint>(out, groups);
    };
    EXPECT_THAT(run_named("leave"), testing::Each(0x5ec4e7u));
    EXPECT_THAT(run_named("small"), testing::Each(0u));
    const cl::Context first = context;
    context = cl::Context(device);
    queue = cl::CommandQueue(context, device);
    EXPECT_THAT(run_named("find"), testing::Each(0u));
}

} // namespace
} // namespace rivulet::test
