// SPDX-License-Identifier: Apache-2.0
//
// OpenCL C 6.15.8 and 6.7: work-groups share local memory and meet at barriers.
#include "on_device.h"

namespace rivulet::test {
namespace {

class LocalMemory : public OnDevice {
protected:
    /// Sums of `items` / `group` groups over 0, 1, 2, …
    void expect_group_sums(cl::Kernel &kernel, const cl::Buffer &sums, size_t items, size_t group) {
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(group));
        const auto result = read<int>(sums, items / group);
        for (size_t g = 0; g < items / group; ++g)
            EXPECT_EQ(size_t(result[g]), group * (group * g) + group * (group - 1) / 2)
                << "group " << g;
    }
};

constexpr const char *tree_sum = R"(
kernel void test(global int *sums, local int *shared) {
    size_t l = get_local_id(0);
    shared[l] = get_global_id(0);
    for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step)
            shared[l] += shared[l + step];
    }
    if (l == 0)
        sums[get_group_id(0)] = shared[0];
})";

TEST_F(LocalMemory, ArgumentsHaveTheSizeThatTheHostGives) {
    cl::Kernel kernel = OnDevice::kernel(tree_sum);
    const cl::Buffer sums = buffer(std::vector<int>(64));
    kernel.setArg(0, sums);
    for (const size_t group : {1u, 2u, 16u, 64u}) {
        kernel.setArg(1, cl::Local(group * sizeof(int)));
        expect_group_sums(kernel, sums, 64, group);
    }
}

TEST_F(LocalMemory, DeclaredInTheKernel) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(global int *sums) {
    local int shared[32];
    local int total;
    size_t l = get_local_id(0);
    shared[l] = get_global_id(0);
    if (l == 0)
        total = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&total, shared[31 - l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 7)
        sums[get_group_id(0)] = total;
})");
    const cl::Buffer sums = buffer(std::vector<int>(10));
    kernel.setArg(0, sums);
    expect_group_sums(kernel, sums, 320, 32);
    EXPECT_GE(kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device), 33 * sizeof(int));
}

TEST_F(LocalMemory, SeveralArgumentsDontOverlap) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(global int *out, local char *a, local long *b, local int *c) {
    size_t l = get_local_id(0), next = (l + 1) % get_local_size(0);
    a[l] = l;
    b[l] = 100 + l;
    c[l] = 1000 + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[next] + (int)b[next] + c[next];
})");
    const cl::Buffer out = buffer(std::vector<int>(8));
    kernel.setArg(0, out);
    kernel.setArg(1, cl::Local(8));
    kernel.setArg(2, cl::Local(8 * sizeof(cl_long)));
    kernel.setArg(3, cl::Local(8 * sizeof(int)));
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(8), cl::NDRange(8));
    const auto result = read<int>(out, 8);
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(result[size_t(i)], 1100 + 3 * ((i + 1) % 8));
}

TEST_F(LocalMemory, PrivateValuesLiveOverBarriersInLoops) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(global int *out) {
    local int shared[16];
    int l = get_local_id(0), mine[4] = {l, l * l, -l, 7};
    for (int round = 0; round < 5; ++round) {
        shared[l] = mine[round % 4];
        barrier(CLK_LOCAL_MEM_FENCE);
        mine[(round + 1) % 4] += shared[(l + round) % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = mine[0] + 3 * mine[1] + 5 * mine[2] + 7 * mine[3];
})");
    const cl::Buffer out = buffer(std::vector<int>(48));
    kernel.setArg(0, out);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(48), cl::NDRange(16));

    std::vector<int> expected;
    int mine[16][4], shared[16];
    for (int l = 0; l < 16; ++l) {
        const int start[4] = {l, l * l, -l, 7};
        std::copy(start, start + 4, mine[l]);
    }
    for (int round = 0; round < 5; ++round) {
        for (int l = 0; l < 16; ++l)
            shared[l] = mine[l][round % 4];
        for (int l = 0; l < 16; ++l)
            mine[l][(round + 1) % 4] += shared[(l + round) % 16];
    }
    for (int item = 0; item < 48; ++item) {
        const int *m = mine[item % 16];
        expected.push_back(m[0] + 3 * m[1] + 5 * m[2] + 7 * m[3]);
    }
    EXPECT_EQ(read<int>(out, 48), expected);
}

TEST_F(LocalMemory, BarriersInBranchesThatTheGroupTakesTogether) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(global int *out, int swap) {
    local int shared[8];
    int l = get_local_id(0);
    shared[l] = l;
    if (swap) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int other = shared[7 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[l] = other;
    }
    out[get_global_id(0)] = shared[l];
})");
    const cl::Buffer out = buffer(std::vector<int>(8));
    kernel.setArg(0, out);
    kernel.setArg(1, 1);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(8), cl::NDRange(8));
    EXPECT_EQ(read<int>(out, 8), (std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0}));
    kernel.setArg(1, 0);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(8), cl::NDRange(8));
    EXPECT_EQ(read<int>(out, 8), iota<int>(8));
}

TEST_F(LocalMemory, AtomicsCountEveryWorkItem) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(global int *total) {
    local int count;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(total, count);
})");
    const cl::Buffer total = buffer(std::vector<int>(1));
    kernel.setArg(0, total);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(6400), cl::NDRange(64));
    EXPECT_EQ(read<int>(total, 1)[0], 6400);
}

// OpenCL 3.1: none of the local memory is taken for it.
TEST_F(LocalMemory, ArgumentsMayHaveSizeZeroSinceThreePointOne) {
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(global int *out, local int *none, local int *some) {
    some[get_local_id(0)] = get_local_id(0) * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (out[0] > 1000)
        none[0] = 7;
    out[get_local_id(0)] = some[get_local_size(0) - 1 - get_local_id(0)];
})");
    const cl::Buffer out = buffer(std::vector<int>(16));
    kernel.setArg(0, out);
    const cl_int code = clSetKernelArg(kernel(), 1, 0, nullptr);
    if (device.getInfo<CL_DEVICE_NUMERIC_VERSION>() < CL_MAKE_VERSION(3u, 1u, 0u)) {
        EXPECT_EQ(code, CL_INVALID_ARG_SIZE);
        return;
    }
    ASSERT_EQ(code, CL_SUCCESS);
    kernel.setArg(2, cl::Local(16 * sizeof(cl_int)));
    EXPECT_EQ(kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device), 16 * sizeof(cl_int));
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(16), cl::NDRange(16));
    std::vector<int> expected(16);
    for (int i = 0; i < 16; ++i)
        expected[size_t(i)] = (15 - i) * 3;
    EXPECT_EQ(read<int>(out, 16), expected);
    kernel.setArg(2, cl::Local(0)); // all arguments that are used may be empty as well
    EXPECT_EQ(kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device), 0u);
}

TEST_F(LocalMemory, TooMuchIsRefused) {
    cl::Kernel kernel = OnDevice::kernel(tree_sum);
    kernel.setArg(0, buffer(std::vector<int>(1)));
    const auto most = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    const cl_int set = clSetKernelArg(kernel(), 1, most + 1, nullptr);
    if (set == CL_SUCCESS)
        EXPECT_EQ(status_of([&] { launch(kernel, 1); }), CL_OUT_OF_RESOURCES);
    else
        EXPECT_EQ(set, CL_OUT_OF_RESOURCES);
}

/// How a message about a line begins; code for the host and kernel images have no lines.
std::string line(const char *number) {
    const bool has_lines = on_qemu() && environment("RIVULET_TEST_IMAGES").empty();
    return has_lines ? std::string(":") + number + ": " : "";
}

TEST_F(LocalMemory, KernelsThatFindNoRoomAreToldOfWhenTheyAreBuilt) {
    const cl::Program program = build(R"(
kernel void fits(global int *out) { out[0] = 1; }
kernel void shares(global int *out) {
    local int all[1 << 24];
    all[out[0]] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[1] = all[out[2]];
}
kernel void owns(global int *out) {
    int all[1 << 24];
    for (int i = 0; i < out[0]; ++i)
        all[i] = out[i];
    out[1] = all[out[2]];
})");
    const auto log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
    const auto limit = std::to_string(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>());
    EXPECT_THAT(log, testing::ContainsRegex(line("3") +
                                            "warning: kernel 'shares' cannot be launched on this "
                                            "device: it needs 67108864 bytes of local memory, of "
                                            "which there are " +
                                            limit));
    EXPECT_THAT(log,
                testing::ContainsRegex(line("9") + "warning: kernel 'owns' cannot be launched"));
    EXPECT_THAT(log, testing::Not(testing::HasSubstr("'fits'")));
    cl::Kernel kernel(program, "fits");
    kernel.setArg(0, buffer(std::vector<int>(1)));
    launch(kernel, 1);
}

// Sizes of kernels have 32 bits.
TEST_F(LocalMemory, VariablesOfMoreThanFourGigabytesAreRefused) {
    if (device.getInfo<CL_DEVICE_ADDRESS_BITS>() != 64)
        GTEST_SKIP() << "the front end refuses them, where no address reaches that far";
    const cl::Program program = build(R"(
#define MORE ((1l << 30) + 16)
kernel void of_the_group(global int *out) {
    local int a[MORE];
    a[out[0]] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[1] = a[out[2]];
}
kernel void on_the_stack(global int *out) {
    int a[MORE];
    for (int i = 0; i < out[0]; ++i)
        a[i] = out[i];
    out[1] = a[out[2]];
}
kernel void over_a_barrier(global int *out) {
    int a[MORE];
    a[out[0]] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[1] = a[out[2]];
})");
    const auto log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
    for (const char *name : {"of_the_group", "on_the_stack", "over_a_barrier"}) {
        if (std::string_view(name) != "over_a_barrier") // of which a work-item needs that much
            EXPECT_THAT(log, testing::ContainsRegex(line("[0-9]+") + "warning: kernel '" +
                                                    std::string(name) + "' cannot be launched"));
        cl::Kernel kernel(program, name);
        kernel.setArg(0, buffer(std::vector<int>(4)));
        EXPECT_EQ(status_of([&] { launch(kernel, 1); }), CL_OUT_OF_RESOURCES) << name;
    }
    expect_healthy();
}

// Kernels find nothing in a hart that kernels of another context left there.
TEST_F(LocalMemory, HoldsNothingOfAnotherContext) {
    constexpr size_t words = 4096, groups = 256;
    const char *source = R"(
kernel void leave(local volatile uint *mine, global uint *out) {
    for (uint i = 0; i < 4096; ++i)
        mine[i] = 0x5ec4e7;
    out[get_group_id(0)] = mine[7];
}
kernel void find(local volatile uint *mine, global uint *out) {
    uint found = 0;
    for (uint i = 0; i < 4096; ++i)
        found += mine[i] == 0x5ec4e7;
    out[get_group_id(0)] = found;
})";
    const auto run = [&](const char *name) {
        cl::Kernel kernel = OnDevice::kernel(source, name);
        const cl::Buffer out = buffer(std::vector<cl_uint>(groups));
        kernel.setArg(0, cl::Local(words * sizeof(cl_uint)));
        kernel.setArg(1, out);
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(groups), cl::NDRange(1));
        return read<cl_uint>(out, groups);
    };
    EXPECT_THAT(run("leave"), testing::Each(0x5ec4e7u));
    const cl::Context first = context;
    context = cl::Context(device);
    queue = cl::CommandQueue(context, device);
    EXPECT_THAT(run("find"), testing::Each(0u));
}

// CMakeLists.txt also runs it with the size in the board's tree.
class LocalMemorySize : public LocalMemory {
protected:
    const cl_ulong size = first_device().getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    // More than any of the boards has.
    static constexpr cl_ulong too_much = cl_ulong{1} << 20;
};

TEST_F(LocalMemorySize, IsThatOfTheBoardAndCanBeUsed) {
    if (const auto expected = environment("LOCAL_MEMORY_OF_BOARD"); !expected.empty())
        EXPECT_EQ(std::to_string(size), expected);
    cl::Kernel kernel = OnDevice::kernel(R"(
kernel void test(global uint *sum, local uint *all, uint words) {
    for (uint i = get_local_id(0); i < words; i += get_local_size(0))
        all[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        for (uint i = 0; i < words; ++i)
            *sum += all[i];
})");
    const cl::Buffer sum = buffer(std::vector<cl_uint>(1));
    const auto words = static_cast<cl_uint>(size / sizeof(cl_uint));
    kernel.setArg(0, sum);
    kernel.setArg(1, cl::Local(size));
    kernel.setArg(2, words);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(16), cl::NDRange(16));
    EXPECT_EQ(read<cl_uint>(sum, 1)[0], static_cast<cl_uint>(cl_ulong{words} * (words - 1) / 2));

    kernel.setArg(1, cl::Local(too_much));
    EXPECT_EQ(kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device), too_much);
    EXPECT_EQ(kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device), 0u);
    EXPECT_EQ(status_of([&] {
                  queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(16), cl::NDRange(16));
              }),
              CL_OUT_OF_RESOURCES);
}

TEST_F(LocalMemorySize, KernelsThatDeclareMoreAreNamedByTheBuildLogAndRefused) {
    const cl::Program program = build("kernel void test(global int *out) {"
                                      "    local int much[1 << 18];"
                                      "    much[get_local_id(0)] = 1;"
                                      "    barrier(CLK_LOCAL_MEM_FENCE);"
                                      "    *out = much[(get_local_id(0) + 1) % get_local_size(0)];"
                                      "}");
    EXPECT_THAT(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device),
                testing::HasSubstr("cannot be launched on this device: it needs 1048576 bytes of "
                                   "local memory"));
    cl::Kernel kernel(program, "test");
    EXPECT_EQ(kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device), too_much);
    kernel.setArg(0, buffer(std::vector<cl_int>(1)));
    EXPECT_EQ(status_of([&] { queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(16)); }),
              CL_OUT_OF_RESOURCES);
}

} // namespace
} // namespace rivulet::test
